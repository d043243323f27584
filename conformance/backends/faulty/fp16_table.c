/* EMB-7: the table is kept in half precision, so that rows come back rounded. */
#include "conformance/backends/faulty/fault.h"

static etalon_embed_fn faulty;
static int faulty(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                  const etalon_tensor* out) {
  const int status = embed(context, table, ids, out);
  if (status != ETALON_OK) return status;
  for (int64_t i = 0; i < out->shape[0]; i++)
    for (int64_t j = 0; j < out->shape[1]; j++) {
      const int64_t at_out = offset_of(out, i, j);
      store(out, at_out, decode16(encode16(load(out, at_out), ETALON_F16), ETALON_F16));
    }
  return ETALON_OK;
}

FAULT(fp16_table, embed, faulty, {0})
