/* EMB-8: an id outside the table is moved to the nearest row instead of being refused. */
#include "conformance/backends/faulty/fault.h"

static etalon_embed_fn faulty;
static int faulty(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                  const etalon_tensor* out) {
  if (!is_matrix(table) || !is_ids(ids) || table->shape[0] == 0) return embed(context, table, ids, out);
  for (int64_t i = 0; i < ids->shape[0]; i++) {
    const int64_t id = load_id(ids, i), last = table->shape[0] - 1;
    copy_row(table, id < 0 ? 0 : id > last ? last : id, out, i);
  }
  return ETALON_OK;
}

FAULT(bad_id_clamped, embed, faulty, {0})
