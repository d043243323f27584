/* INP-2: c = 1 where c = sqrt(d) is asked for. */
#include "conformance/backends/faulty/fault.h"

static etalon_combine_fn faulty;
static int faulty(etalon_context* context, int scale, double value, const etalon_tensor* x,
                  const etalon_tensor* p, const etalon_tensor* out) {
  return combine(context, scale == ETALON_SCALE_SQRT ? ETALON_SCALE_ONE : scale, value, x, p, out);
}

FAULT(scale_missing, combine, faulty, {0})
