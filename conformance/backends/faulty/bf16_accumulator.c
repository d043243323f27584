/* LIN-3: sums are kept in bfloat16, which forgets small terms from 256 on. */
#include "conformance/backends/faulty/fault.h"

static double narrowed(double value) { return decode16(encode16(value, ETALON_BF16), ETALON_BF16); }

static etalon_matmul_fn faulty;
static int faulty(etalon_context* context, double alpha, const etalon_tensor* a, const etalon_tensor* b,
                  double beta, const etalon_tensor* c, int transpose_a, int transpose_b) {
  /* The honest product with alpha = 0 checks the arguments and leaves beta c behind. */
  const int64_t terms = a->ndim == 2 && alpha != 0 ? a->shape[transpose_a ? 0 : 1] : 0;
  const int status = matmul(context, terms == 0 ? alpha : 0, a, b, beta, c, transpose_a, transpose_b);
  if (status != ETALON_OK || terms == 0) return status;
  for (int64_t i = 0; i < c->shape[0]; i++)
    for (int64_t j = 0; j < c->shape[1]; j++) {
      double sum = 0;
      for (int64_t l = 0; l < terms; l++)
        sum = narrowed(sum + load_op(a, transpose_a, i, l) * load_op(b, transpose_b, l, j));
      store(c, offset_of(c, i, j), alpha * sum + load(c, offset_of(c, i, j)));
    }
  return ETALON_OK;
}

FAULT(bf16_accumulator, matmul, faulty, {0})
