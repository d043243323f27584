/* INP-2: sqrt(d) is rounded to bfloat16 before it multiplies. Right by luck where d is a power of 4. */
#include "conformance/backends/faulty/fault.h"

static etalon_combine_fn faulty;
static int faulty(etalon_context* context, int scale, double value, const etalon_tensor* x,
                  const etalon_tensor* p, const etalon_tensor* out) {
  if (scale != ETALON_SCALE_SQRT || p->ndim != 2) return combine(context, scale, value, x, p, out);
  const double rounded = decode16(encode16(sqrt((double)p->shape[1]), ETALON_BF16), ETALON_BF16);
  return combine(context, ETALON_SCALE_VALUE, rounded, x, p, out);
}

FAULT(scale_bf16, combine, faulty, {0})
