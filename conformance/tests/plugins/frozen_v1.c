/* ABI-1: a backend built with the header of interface version 1, which must load and work for ever. */
#include "conformance/tests/plugins/frozen_v1.h"

struct etalon_context {
  int calls;
};
static struct etalon_context only;

static int open_context(etalon_context** context) {
  *context = &only;
  return ETALON_OK;
}
static void close_context(etalon_context* context) { context->calls = 0; }
static const char* last_error(etalon_context* context) { return context->calls > 0 ? "refused" : ""; }

static etalon_vocabulary_size_fn vocabulary_size;
static int vocabulary_size(etalon_context* context, int64_t* count) {
  context->calls++;
  *count = 42;
  return ETALON_OK;
}

static etalon_sinusoidal_fn sinusoidal;
static int sinusoidal(etalon_context* context, int64_t first, double base, int layout,
                      const etalon_tensor* out) {
  context->calls++;
  if (out->ndim != 2 || layout != ETALON_HALVES) return ETALON_UNSUPPORTED;
  if (out->shape[0] > 0) ((double*)out->data)[out->strides[0] * (out->shape[0] - 1)] = (double)first + base;
  return ETALON_OK;
}

static const etalon_operation operations[] = {
    ETALON_OPERATION(vocabulary_size, vocabulary_size, ETALON_BIT(ETALON_U8), {0}),
    ETALON_OPERATION(sinusoidal, sinusoidal, ETALON_BIT(ETALON_F64),
                     {.angle = ETALON_ANGLE_EXACT, .height = 7, .sine_ulp = 2, .power_ulp = 3}),
};

const etalon_core* etalon_backend(void) {
  static const etalon_core core = {1,          "frozen", "0.1",     open_context, close_context,
                                   last_error, 2,        operations};
  return &core;
}
