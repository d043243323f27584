/* EMB-3: the lookup is done by a product with one-hot rows, so 0 times the NaN of an unused row reaches the
 * result. Tables that nobody would multiply through are looked up, lest a run take hours. */
#include "conformance/backends/faulty/fault.h"

static etalon_embed_fn faulty;
static int faulty(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                  const etalon_tensor* out) {
  const int small =
      table->ndim == 2 && (table->shape[1] == 0 || table->shape[0] <= (1 << 20) / table->shape[1]);
  return small ? embed_product(context, table, ids, out) : embed(context, table, ids, out);
}

FAULT(nan_spreads, embed, faulty, {0})
