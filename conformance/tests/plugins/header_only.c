/* ABI-6: the header and a list of typed functions, as C11 and as C++20. With WRONG_ENTRY a function stands in
 * the entry of another type, with WRONG_DEFINITION its definition differs from the type it was declared with.
 * Neither may compile. */
#include "etalon/backend.h"

static etalon_embed_fn embed;

#if defined(WRONG_DEFINITION)
static int embed(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids, int out) {
  return context != NULL && table != ids && out != 0;
}
#else
static int embed(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                 const etalon_tensor* out) {
  return context != NULL && table != ids && out != ids ? ETALON_OK : ETALON_INTERNAL;
}
#endif

extern const etalon_operation operations[];
const etalon_operation operations[] = {
#if defined(WRONG_ENTRY)
    ETALON_OPERATION(one_hot, embed, ETALON_FLOATS, ETALON_NO_MODEL),
#else
    ETALON_OPERATION(embed, embed, ETALON_FLOATS, ETALON_NO_MODEL),
    ETALON_OPERATION(embed_product, embed, ETALON_FLOATS, ETALON_NO_MODEL),
#endif
};
