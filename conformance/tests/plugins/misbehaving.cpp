// ABI-4, ABI-5: a backend whose every operation breaks a rule of the interface.
#include <cfenv>
#include <stdexcept>

#include "etalon/backend.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

int throws_exception(etalon_context*, const etalon_tensor*, const etalon_tensor*, const etalon_tensor*) {
  throw std::runtime_error("out of patience");
}
int throws_number(etalon_context*, const etalon_tensor*, const etalon_tensor*) { throw 7; }
int rounds_upward(etalon_context*, std::int64_t, double, int, const etalon_tensor*) {
  return std::fesetround(FE_UPWARD) == 0 ? ETALON_OK : ETALON_INTERNAL;
}
int flushes(etalon_context*, const etalon_tensor*, std::int64_t, const etalon_tensor*) {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8000U);
#elif defined(__aarch64__)
  std::uint64_t fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr | (1U << 24)));
#endif
  return ETALON_OK;
}
int answers_nonsense(etalon_context*, std::int64_t*) { return 17; }

int open_context(etalon_context** context) {
  *context = nullptr;
  return ETALON_OK;
}
void close_context(etalon_context*) {}
const char* last_error(etalon_context*) { return nullptr; }

const etalon_operation operations[] = {
    ETALON_OPERATION(embed, throws_exception, ETALON_FLOATS, {}),
    ETALON_OPERATION(one_hot, throws_number, ETALON_FLOATS, {}),
    ETALON_OPERATION(sinusoidal, rounds_upward, ETALON_FLOATS, {}),
    ETALON_OPERATION(learned_positions, flushes, ETALON_FLOATS, {}),
    ETALON_OPERATION(vocabulary_size, answers_nonsense, ETALON_BIT(ETALON_U8), {}),
};

}  // namespace

const etalon_core* etalon_backend(void) {
  static const etalon_core core = {
      ETALON_INTERFACE_VERSION, "misbehaving", "1", open_context, close_context, last_error, 5, operations};
  return &core;
}
