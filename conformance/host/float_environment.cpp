#include "conformance/host/float_environment.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace etalon {
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t flush_bits = 0x8040;    // MXCSR: FTZ, DAZ
constexpr std::uint64_t control_bits = 0xffc0;  // everything but the six sticky flags

std::uint64_t control() { return _mm_getcsr() & control_bits; }
void set_control(std::uint64_t bits) {
  _mm_setcsr(static_cast<unsigned>((_mm_getcsr() & ~control_bits) | bits));
}
std::uint64_t x87() {
  std::uint16_t word = 0;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}
#elif defined(__aarch64__)
constexpr std::uint64_t flush_bits = (1U << 24) | (1U << 19);  // FPCR: FZ, FZ16

std::uint64_t control() {
  std::uint64_t bits = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void set_control(std::uint64_t bits) { __asm__ volatile("msr fpcr, %0" : : "r"(bits)); }
std::uint64_t x87() { return 0; }
#else
constexpr std::uint64_t flush_bits = 0;

std::uint64_t control() { return 0; }
void set_control(std::uint64_t) {}
std::uint64_t x87() { return 0; }
#endif

}  // namespace

FloatEnvironment FloatEnvironment::current() {
  FloatEnvironment environment;
  environment.rounding_ = std::fegetround();
  environment.control_ = control();
  environment.x87_ = x87();
  std::fegetenv(&environment.saved_);
  return environment;
}

std::string FloatEnvironment::change_to(const FloatEnvironment& other) const {
  if (rounding_ != other.rounding_) return "the rounding direction was changed";
  if ((control_ & flush_bits) != (other.control_ & flush_bits))
    return "flush-to-zero of subnormals was switched";
  if (control_ != other.control_) return "the trap masks or modes of floating point were changed";
  if (x87_ != other.x87_) return "the x87 control word was changed";
  return "";
}

void FloatEnvironment::restore() const {
  std::fesetenv(&saved_);
  set_control(control_);
}

}  // namespace etalon
