/* POS-2: w_r = base^(-r/(d/2 - 1)) for base^(-2r/d), so that the last frequency is 1/base. */
#include "conformance/backends/faulty/fault.h"

static etalon_sinusoidal_fn faulty;
static int faulty(etalon_context* context, int64_t first, double base, int layout, const etalon_tensor* out) {
  const int status = check_sinusoidal(context, first, base, layout, out);
  if (status != ETALON_OK) return status;
  const int64_t half = out->shape[1] / 2;
  for (int64_t r = 0; r < half; r++) {
    const double w = pow(base, half > 1 ? -(double)r / (double)(half - 1) : 0);
    for (int64_t i = 0; i < out->shape[0]; i++) {
      const double angle = (double)(first + i) * w;
      store(out, offset_of(out, i, layout == ETALON_INTERLEAVED ? 2 * r : r), sin(angle));
      store(out, offset_of(out, i, layout == ETALON_INTERLEAVED ? 2 * r + 1 : half + r), cos(angle));
    }
  }
  return ETALON_OK;
}

FAULT(exponent_divisor, sinusoidal, faulty, {.angle = ETALON_ANGLE_DOUBLE})
