/* TEN: the table is read as if its rows lay side by side, whatever its strides say. */
#include "conformance/backends/faulty/fault.h"

static etalon_embed_fn faulty;
static int faulty(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                  const etalon_tensor* out) {
  if (table->ndim != 2) return embed(context, table, ids, out);
  const int64_t strides[2] = {table->shape[1], 1};
  etalon_tensor dense = *table;
  dense.strides = strides;
  return embed(context, &dense, ids, out);
}

FAULT(ignores_strides, embed, faulty, {0})
