/* The position code that most people write first: frequency, angle, sine and cosine all in float. */
#ifndef ETALON_NAIVE_F32_H
#define ETALON_NAIVE_F32_H

#include "conformance/backends/faulty/fault.h"

static etalon_sinusoidal_fn naive_f32;
static int naive_f32(etalon_context* context, int64_t first, double base, int layout,
                     const etalon_tensor* out) {
  const int status = check_sinusoidal(context, first, base, layout, out);
  if (status != ETALON_OK) return status;
  if (out->dtype == ETALON_F64) return sinusoidal(context, first, base, layout, out);
  const int64_t d = out->shape[1];
  for (int64_t r = 0; r < d / 2; r++) {
    const float w = powf((float)base, -2.0F * (float)r / (float)d);
    for (int64_t i = 0; i < out->shape[0]; i++) {
      const float angle = (float)(first + i) * w;
      store(out, offset_of(out, i, layout == ETALON_INTERLEAVED ? 2 * r : r), (double)sinf(angle));
      store(out, offset_of(out, i, layout == ETALON_INTERLEAVED ? 2 * r + 1 : d / 2 + r),
            (double)cosf(angle));
    }
  }
  return ETALON_OK;
}

#endif
