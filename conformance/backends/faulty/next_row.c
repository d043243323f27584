/* EMB-1: row k + 1 for token k, as where ids counted from 1 meet rows counted from 0. The last row wraps. */
#include "conformance/backends/faulty/fault.h"

static etalon_embed_fn faulty;
static int faulty(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                  const etalon_tensor* out) {
  const int status = check_embed(context, table, ids, out);
  if (status != ETALON_OK) return status;
  for (int64_t i = 0; i < ids->shape[0]; i++)
    copy_row(table, (load_id(ids, i) + 1) % table->shape[0], out, i);
  return ETALON_OK;
}

FAULT(next_row, embed, faulty, {0})
