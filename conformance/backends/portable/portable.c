/* The portable backend: plain C11, every operation, any strides. It is the smallest honest backend and the
 * one to copy: keep the frame (context, fail, the list at the end) and put your own library behind the
 * functions. Sums and products are taken in double for F64 and in float otherwise, and results are rounded
 * once. */
#include <stdlib.h>

#include "elements.h"
#include "etalon/backend.h"

struct etalon_context {
  const char* error;
};

static int fail(etalon_context* context, int status, const char* message) {
  context->error = message;
  return status;
}

#define REQUIRE(condition, status, message)                      \
  do {                                                           \
    if (!(condition)) return fail(context, (status), (message)); \
  } while (0)

/* --- Checks that several operations share. Nothing is written before they have passed. --- */

static int is_matrix(const etalon_tensor* tensor) { return tensor->ndim == 2 && is_float(tensor->dtype); }
static int is_ids(const etalon_tensor* tensor) {
  return tensor->ndim == 1 && (tensor->dtype == ETALON_I32 || tensor->dtype == ETALON_I64);
}

static int ids_within(const etalon_tensor* ids, int64_t rows) {
  for (int64_t i = 0; i < ids->shape[0]; i++) {
    const int64_t id = load_id(ids, i);
    if (id < 0 || id >= rows) return 0;
  }
  return 1;
}

/* out[i,:] = table[row,:], the bits as they are. */
static void copy_row(const etalon_tensor* table, int64_t row, const etalon_tensor* out, int64_t i) {
  const size_t size = size_of(table->dtype);
  for (int64_t j = 0; j < out->shape[1]; j++)
    memcpy(at(out, offset_of(out, i, j)), at(table, offset_of(table, row, j)), size);
}

/* --- Embedding --- */

static etalon_embed_fn embed, embed_product;
static etalon_one_hot_fn one_hot;

static int check_embed(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                       const etalon_tensor* out) {
  REQUIRE(is_matrix(table) && is_matrix(out) && is_ids(ids), ETALON_INVALID_ARGUMENT,
          "embed takes a float table (V,d), integer ids (n) and a float out (n,d)");
  REQUIRE(table->dtype == out->dtype, ETALON_INVALID_ARGUMENT, "table and out differ in dtype");
  REQUIRE(out->shape[0] == ids->shape[0] && out->shape[1] == table->shape[1], ETALON_INVALID_ARGUMENT,
          "out is not (n,d)");
  REQUIRE(ids_within(ids, table->shape[0]), ETALON_INVALID_ARGUMENT, "an id is outside the table");
  return ETALON_OK;
}

static int embed(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                 const etalon_tensor* out) {
  const int status = check_embed(context, table, ids, out);
  if (status != ETALON_OK) return status;
  for (int64_t i = 0; i < ids->shape[0]; i++) copy_row(table, load_id(ids, i), out, i);
  return ETALON_OK;
}

/* sum_k u[i,k] table[k,j] with all V terms: exact where the table is finite, since one term alone is not
 * zero. */
static int embed_product(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                         const etalon_tensor* out) {
  const int status = check_embed(context, table, ids, out);
  if (status != ETALON_OK) return status;
  for (int64_t i = 0; i < out->shape[0]; i++)
    for (int64_t j = 0; j < out->shape[1]; j++) {
      double sum = 0;
      for (int64_t k = 0; k < table->shape[0]; k++)
        sum += (load_id(ids, i) == k ? 1.0 : 0.0) * load(table, offset_of(table, k, j));
      store(out, offset_of(out, i, j), sum);
    }
  return ETALON_OK;
}

static int one_hot(etalon_context* context, const etalon_tensor* ids, const etalon_tensor* out) {
  REQUIRE(is_ids(ids) && is_matrix(out) && out->shape[0] == ids->shape[0], ETALON_INVALID_ARGUMENT,
          "one_hot takes integer ids (n) and a float out (n,V)");
  REQUIRE(ids_within(ids, out->shape[1]), ETALON_INVALID_ARGUMENT, "an id is outside the vocabulary");
  for (int64_t i = 0; i < out->shape[0]; i++)
    for (int64_t k = 0; k < out->shape[1]; k++)
      store(out, offset_of(out, i, k), k == load_id(ids, i) ? 1 : 0);
  return ETALON_OK;
}

/* --- Linear algebra --- */

/* Element (i, j) of x or of its transpose. */
static double load_op(const etalon_tensor* x, int transpose, int64_t i, int64_t j) {
  return load(x, transpose ? offset_of(x, j, i) : offset_of(x, i, j));
}

static etalon_matmul_fn matmul;
static int matmul(etalon_context* context, double alpha, const etalon_tensor* a, const etalon_tensor* b,
                  double beta, const etalon_tensor* c, int transpose_a, int transpose_b) {
  REQUIRE(is_matrix(a) && is_matrix(b) && is_matrix(c) && a->dtype == c->dtype && b->dtype == c->dtype,
          ETALON_INVALID_ARGUMENT, "matmul takes three float matrices of one dtype");
  const int64_t m = c->shape[0], n = c->shape[1], k = a->shape[transpose_a ? 0 : 1];
  REQUIRE(a->shape[transpose_a ? 1 : 0] == m && b->shape[transpose_b ? 1 : 0] == k &&
              b->shape[transpose_b ? 0 : 1] == n,
          ETALON_INVALID_ARGUMENT, "op(a) is not (m,k) or op(b) is not (k,n)");
  const int64_t terms = alpha == 0 ? 0 : k;
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) {
      const int64_t at_c = offset_of(c, i, j);
      const double old = beta == 0 ? 0 : load(c, at_c);
      if (c->dtype == ETALON_F64) {
        double sum = 0;
        for (int64_t l = 0; l < terms; l++)
          sum += load_op(a, transpose_a, i, l) * load_op(b, transpose_b, l, j);
        store(c, at_c, terms == 0 ? beta * old : beta == 0 ? alpha * sum : alpha * sum + beta * old);
      } else {
        const float alpha32 = (float)alpha, beta32 = (float)beta, old32 = (float)old;
        float sum = 0;
        for (int64_t l = 0; l < terms; l++)
          sum += (float)load_op(a, transpose_a, i, l) * (float)load_op(b, transpose_b, l, j);
        const float result = terms == 0  ? beta32 * old32
                             : beta == 0 ? alpha32 * sum
                                         : alpha32 * sum + beta32 * old32;
        store(c, at_c, (double)result);
      }
    }
  return ETALON_OK;
}

/* --- Positions --- */

static etalon_sinusoidal_fn sinusoidal;
static int check_sinusoidal(etalon_context* context, int64_t first, double base, int layout,
                            const etalon_tensor* out) {
  REQUIRE(is_matrix(out) && out->shape[1] >= 2 && out->shape[1] % 2 == 0, ETALON_INVALID_ARGUMENT,
          "sinusoidal takes a float out (n,d), d even and at least 2");
  REQUIRE(first >= 0 && first <= INT64_MAX - out->shape[0], ETALON_INVALID_ARGUMENT, "first is out of range");
  REQUIRE(base > 1 && isfinite(base), ETALON_INVALID_ARGUMENT, "base must be finite and above 1");
  REQUIRE(layout == ETALON_INTERLEAVED || layout == ETALON_HALVES, ETALON_INVALID_ARGUMENT, "unknown layout");
  return ETALON_OK;
}

static int sinusoidal(etalon_context* context, int64_t first, double base, int layout,
                      const etalon_tensor* out) {
  const int status = check_sinusoidal(context, first, base, layout, out);
  if (status != ETALON_OK) return status;
  const int64_t d = out->shape[1];
  for (int64_t r = 0; r < d / 2; r++) {
    const double w = pow(base, -2.0 * (double)r / (double)d);
    const int64_t sine = layout == ETALON_INTERLEAVED ? 2 * r : r;
    const int64_t cosine = layout == ETALON_INTERLEAVED ? 2 * r + 1 : d / 2 + r;
    for (int64_t i = 0; i < out->shape[0]; i++) {
      const double angle = (double)(first + i) * w;
      store(out, offset_of(out, i, sine), sin(angle));
      store(out, offset_of(out, i, cosine), cos(angle));
    }
  }
  return ETALON_OK;
}

static etalon_learned_positions_fn learned_positions;
static int learned_positions(etalon_context* context, const etalon_tensor* table, int64_t first,
                             const etalon_tensor* out) {
  REQUIRE(
      is_matrix(table) && is_matrix(out) && table->dtype == out->dtype && table->shape[1] == out->shape[1],
      ETALON_INVALID_ARGUMENT, "learned_positions takes a float table (N,d) and an out (n,d) like it");
  REQUIRE(first >= 0 && first <= table->shape[0] && out->shape[0] <= table->shape[0] - first,
          ETALON_INVALID_ARGUMENT, "a position is outside the table");
  for (int64_t i = 0; i < out->shape[0]; i++) copy_row(table, first + i, out, i);
  return ETALON_OK;
}

/* --- Input representation --- */

static etalon_combine_fn combine;
static int combine(etalon_context* context, int scale, double value, const etalon_tensor* x,
                   const etalon_tensor* p, const etalon_tensor* out) {
  const int batched = x->ndim == 3;
  REQUIRE((x->ndim == 2 || batched) && is_float(x->dtype) && is_matrix(p) && out->ndim == x->ndim &&
              p->dtype == x->dtype && out->dtype == x->dtype,
          ETALON_INVALID_ARGUMENT,
          "combine takes x (n,d) or (B,n,d), p (n,d) and out, shaped as x, of one dtype");
  for (int axis = 0; axis < x->ndim; axis++)
    REQUIRE(
        out->shape[axis] == x->shape[axis] && (axis < batched || x->shape[axis] == p->shape[axis - batched]),
        ETALON_INVALID_ARGUMENT, "x, p and out differ in shape");
  REQUIRE(scale >= ETALON_SCALE_ONE && scale <= ETALON_SCALE_VALUE, ETALON_INVALID_ARGUMENT, "unknown scale");
  const int64_t n = p->shape[0], d = p->shape[1];
  const double c = scale == ETALON_SCALE_ONE ? 1 : scale == ETALON_SCALE_SQRT ? sqrt((double)d) : value;
  for (int64_t b = 0; b < (batched ? x->shape[0] : 1); b++)
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = 0; j < d; j++) {
        const int64_t in_x =
            (batched ? b * x->strides[0] : 0) + i * x->strides[batched] + j * x->strides[batched + 1];
        const int64_t in_out =
            (batched ? b * out->strides[0] : 0) + i * out->strides[batched] + j * out->strides[batched + 1];
        const double x_ij = load(x, in_x), p_ij = load(p, offset_of(p, i, j));
        store(out, in_out,
              x->dtype == ETALON_F64 ? c * x_ij + p_ij : (double)((float)c * (float)x_ij + (float)p_ij));
      }
  return ETALON_OK;
}

/* --- Tokenizer: the bytes themselves. V = 256, every string comes back, every split is fine. --- */

static etalon_tokenize_fn tokenize;
static etalon_detokenize_fn detokenize;
static etalon_vocabulary_size_fn vocabulary_size;

static int tokenize(etalon_context* context, const etalon_tensor* text, const etalon_tensor* ids,
                    int64_t* count) {
  REQUIRE(text->ndim == 1 && text->dtype == ETALON_U8 && ids->ndim == 1 && ids->dtype == ETALON_I64,
          ETALON_INVALID_ARGUMENT, "tokenize takes text (bytes) U8 and ids (capacity) I64");
  *count = text->shape[0];
  for (int64_t i = 0; i < *count && *count <= ids->shape[0]; i++) {
    const int64_t id = (unsigned char)*at(text, i * text->strides[0]);
    memcpy(at(ids, i * ids->strides[0]), &id, sizeof id);
  }
  return ETALON_OK;
}

static int detokenize(etalon_context* context, const etalon_tensor* ids, const etalon_tensor* text,
                      int64_t* count) {
  REQUIRE(text->ndim == 1 && text->dtype == ETALON_U8 && ids->ndim == 1 && ids->dtype == ETALON_I64,
          ETALON_INVALID_ARGUMENT, "detokenize takes ids (n) I64 and text (capacity) U8");
  REQUIRE(ids_within(ids, 256), ETALON_INVALID_ARGUMENT, "an id is outside the vocabulary of 256 bytes");
  *count = ids->shape[0];
  for (int64_t i = 0; i < *count && *count <= text->shape[0]; i++)
    *at(text, i * text->strides[0]) = (char)(unsigned char)load_id(ids, i);
  return ETALON_OK;
}

static int vocabulary_size(etalon_context* context, int64_t* count) {
  (void)context;
  *count = 256;
  return ETALON_OK;
}

/* --- The frame --- */

static int open_context(etalon_context** context) {
  *context = calloc(1, sizeof **context);
  return *context != NULL ? ETALON_OK : ETALON_OUT_OF_MEMORY;
}
static void close_context(etalon_context* context) { free(context); }
static const char* last_error(etalon_context* context) { return context->error; }

#define TEXT ETALON_BIT(ETALON_U8)

static const etalon_operation operations[] = {
    ETALON_OPERATION(embed, embed, ETALON_FLOATS, {0}),
    ETALON_OPERATION(one_hot, one_hot, ETALON_FLOATS, {0}),
    ETALON_OPERATION(embed_product, embed_product, ETALON_FLOATS, {0}),
    ETALON_OPERATION(matmul, matmul, ETALON_FLOATS, {0}),
    ETALON_OPERATION(sinusoidal, sinusoidal, ETALON_FLOATS, {.angle = ETALON_ANGLE_DOUBLE}),
    ETALON_OPERATION(learned_positions, learned_positions, ETALON_FLOATS, {0}),
    ETALON_OPERATION(combine, combine, ETALON_FLOATS, {0}),
    ETALON_OPERATION(tokenize, tokenize, TEXT, {.lossless = 1, .streaming = 1}),
    ETALON_OPERATION(detokenize, detokenize, TEXT, {.lossless = 1, .streaming = 1}),
    ETALON_OPERATION(vocabulary_size, vocabulary_size, TEXT, {0}),
};

const etalon_core* etalon_backend(void) {
  static const etalon_core core = {ETALON_INTERFACE_VERSION,
                                   "portable",
                                   "1.0",
                                   open_context,
                                   close_context,
                                   last_error,
                                   sizeof operations / sizeof operations[0],
                                   operations};
  return &core;
}
