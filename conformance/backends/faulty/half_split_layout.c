/* POS-2: all sines, then all cosines, where interleaved columns are asked for. */
#include "conformance/backends/faulty/fault.h"

static etalon_sinusoidal_fn faulty;
static int faulty(etalon_context* context, int64_t first, double base, int layout, const etalon_tensor* out) {
  (void)layout;
  return sinusoidal(context, first, base, ETALON_HALVES, out);
}

FAULT(half_split_layout, sinusoidal, faulty, {.angle = ETALON_ANGLE_DOUBLE})
