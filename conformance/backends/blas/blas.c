/* The blas backend: what a BLAS can do of the operations, through CBLAS. The same source is built against
 * OpenBLAS, BLIS and the reference BLAS; nothing here depends on which. Views that BLAS cannot express (no
 * unit stride, negative strides, sizes beyond int) are UNSUPPORTED. */
/* First: BLIS asks the system headers for more than C11 alone shows. */
#include ETALON_CBLAS_HEADER

#include <limits.h>
#include <math.h>
#include <stdlib.h>

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

/* --- Tensors as BLAS sees them --- */

static int is_matrix(const etalon_tensor* t) {
  return t->ndim == 2 && (t->dtype == ETALON_F64 || t->dtype == ETALON_F32);
}

static void* element(const etalon_tensor* t, int64_t offset) {
  return (char*)t->data + offset * (t->dtype == ETALON_F64 ? 8 : 4);
}

/* A matrix with one unit stride: stored in row order, or as its transpose. */
typedef struct {
  int row_order;
  int leading; /* distance of rows (of the transpose's rows) in elements */
} storage;

static int has_rows(const int64_t extent[2], const int64_t stride[2], int row, int column, int* leading) {
  const int64_t width = extent[column] > 1 ? extent[column] : 1;
  const int64_t distance = extent[row] > 1 ? stride[row] : width;
  if ((extent[column] > 1 && stride[column] != 1) || distance < width || distance > INT_MAX) return 0;
  *leading = (int)distance;
  return 1;
}

static int storage_of(const etalon_tensor* t, storage* s) {
  s->row_order = has_rows(t->shape, t->strides, 0, 1, &s->leading);
  return s->row_order || has_rows(t->shape, t->strides, 1, 0, &s->leading);
}

/* --- Linear algebra --- */

/* c = beta c where the product has no terms; beta = 0 does not read c. */
static void scale_matrix(double beta, const etalon_tensor* c) {
  for (int64_t i = 0; i < c->shape[0]; i++)
    for (int64_t j = 0; j < c->shape[1]; j++) {
      void* at = element(c, i * c->strides[0] + j * c->strides[1]);
      if (c->dtype == ETALON_F64)
        *(double*)at = beta == 0 ? 0 : beta * *(double*)at;
      else
        *(float*)at = beta == 0 ? 0 : (float)beta * *(float*)at;
    }
}

/* The product by gemm, or by gemv where b is one column. c in column order is computed by the column-order
 * call, for which every other matrix counts as stored the other way. */
static int product(etalon_context* context, double alpha, const etalon_tensor* a, int transpose_a,
                   const etalon_tensor* b, int transpose_b, double beta, const etalon_tensor* c) {
  storage sa, sb, sc;
  REQUIRE(storage_of(a, &sa) && storage_of(b, &sb) && storage_of(c, &sc), ETALON_UNSUPPORTED,
          "BLAS needs a unit stride and rows that do not overlap");
  const int m = (int)c->shape[0], n = (int)c->shape[1], k = (int)a->shape[transpose_a ? 0 : 1];
  const enum CBLAS_ORDER order = sc.row_order ? CblasRowMajor : CblasColMajor;
  const int flip_a = (sa.row_order != sc.row_order) != (transpose_a != 0);
  const int flip_b = (sb.row_order != sc.row_order) != (transpose_b != 0);
  const int64_t step_x = b->strides[transpose_b ? 1 : 0], step_y = c->strides[0];
  const enum CBLAS_TRANSPOSE ta = flip_a ? CblasTrans : CblasNoTrans, tb = flip_b ? CblasTrans : CblasNoTrans;

  /* Some libraries multiply c by beta = 0 instead of leaving it unread. */
  if (beta == 0) scale_matrix(0, c);
  if (n == 1 && step_x > 0 && step_x <= INT_MAX && step_y > 0 && step_y <= INT_MAX) {
    /* gemv takes the matrix as it is stored. */
    const int rows = (int)a->shape[sa.row_order == sc.row_order ? 0 : 1];
    const int columns = (int)a->shape[sa.row_order == sc.row_order ? 1 : 0];
    if (c->dtype == ETALON_F64)
      cblas_dgemv(order, ta, rows, columns, alpha, a->data, sa.leading, b->data, (int)step_x, beta, c->data,
                  (int)step_y);
    else
      cblas_sgemv(order, ta, rows, columns, (float)alpha, a->data, sa.leading, b->data, (int)step_x,
                  (float)beta, c->data, (int)step_y);
  } else if (c->dtype == ETALON_F64) {
    cblas_dgemm(order, ta, tb, m, n, k, alpha, a->data, sa.leading, b->data, sb.leading, beta, c->data,
                sc.leading);
  } else {
    cblas_sgemm(order, ta, tb, m, n, k, (float)alpha, a->data, sa.leading, b->data, sb.leading, (float)beta,
                c->data, sc.leading);
  }
  return ETALON_OK;
}

static etalon_matmul_fn matmul;
static int matmul(etalon_context* context, double alpha, const etalon_tensor* a, const etalon_tensor* b,
                  double beta, const etalon_tensor* c, int transpose_a, int transpose_b) {
  REQUIRE(is_matrix(a) && is_matrix(b) && is_matrix(c) && a->dtype == c->dtype && b->dtype == c->dtype,
          ETALON_INVALID_ARGUMENT, "matmul takes three matrices of one dtype, F64 or F32");
  const int64_t m = c->shape[0], n = c->shape[1], k = a->shape[transpose_a ? 0 : 1];
  REQUIRE(a->shape[transpose_a ? 1 : 0] == m && b->shape[transpose_b ? 1 : 0] == k &&
              b->shape[transpose_b ? 0 : 1] == n,
          ETALON_INVALID_ARGUMENT, "op(a) is not (m,k) or op(b) is not (k,n)");
  REQUIRE(m <= INT_MAX && n <= INT_MAX && k <= INT_MAX, ETALON_UNSUPPORTED, "BLAS counts in int");
  if (m == 0 || n == 0) return ETALON_OK;
  if (alpha == 0 || k == 0) {
    scale_matrix(beta, c);
    return ETALON_OK;
  }
  return product(context, alpha, a, transpose_a, b, transpose_b, beta, c);
}

/* --- Embedding: T table with the one-hot matrix T built in memory --- */

static int64_t id_at(const etalon_tensor* ids, int64_t i) {
  const int64_t offset = i * ids->strides[0];
  return ids->dtype == ETALON_I64 ? ((const int64_t*)ids->data)[offset] : ((const int32_t*)ids->data)[offset];
}

static etalon_embed_product_fn embed_product;
static int embed_product(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                         const etalon_tensor* out) {
  REQUIRE(is_matrix(table) && is_matrix(out) && table->dtype == out->dtype, ETALON_INVALID_ARGUMENT,
          "embed_product takes a table (V,d) and out (n,d) of one dtype, F64 or F32");
  REQUIRE(ids->ndim == 1 && (ids->dtype == ETALON_I32 || ids->dtype == ETALON_I64) &&
              out->shape[0] == ids->shape[0] && out->shape[1] == table->shape[1],
          ETALON_INVALID_ARGUMENT, "ids are not (n) integers, or out is not (n,d)");
  const int64_t n = ids->shape[0], rows = table->shape[0];
  for (int64_t i = 0; i < n; i++)
    REQUIRE(id_at(ids, i) >= 0 && id_at(ids, i) < rows, ETALON_INVALID_ARGUMENT,
            "an id is outside the table");
  if (n == 0 || out->shape[1] == 0) return ETALON_OK;
  REQUIRE(n <= INT_MAX && rows <= INT_MAX && out->shape[1] <= INT_MAX, ETALON_UNSUPPORTED,
          "BLAS counts in int");
  REQUIRE(rows <= INT_MAX / n, ETALON_UNSUPPORTED, "the one-hot matrix would have more than 2^31 elements");

  const int64_t shape[2] = {n, rows}, strides[2] = {rows, 1};
  etalon_tensor one_hot = {NULL, 2, table->dtype, shape, strides};
  one_hot.data = calloc((size_t)(n * rows), table->dtype == ETALON_F64 ? 8 : 4);
  if (one_hot.data == NULL) return fail(context, ETALON_OUT_OF_MEMORY, "no memory for the one-hot matrix");
  for (int64_t i = 0; i < n; i++) {
    void* at = element(&one_hot, i * rows + id_at(ids, i));
    if (table->dtype == ETALON_F64)
      *(double*)at = 1;
    else
      *(float*)at = 1;
  }
  const int status = product(context, 1, &one_hot, 0, table, 0, 0, out);
  free(one_hot.data);
  return status;
}

/* --- Input representation: a row of P copied, then c times the row of X added --- */

static etalon_combine_fn combine;
static int combine(etalon_context* context, int scale, double value, const etalon_tensor* x,
                   const etalon_tensor* p, const etalon_tensor* out) {
  const int batched = x->ndim == 3;
  REQUIRE((x->ndim == 2 || batched) && is_matrix(p) && out->ndim == x->ndim && p->dtype == x->dtype &&
              out->dtype == x->dtype,
          ETALON_INVALID_ARGUMENT,
          "combine takes x (n,d) or (B,n,d), p (n,d) and out, shaped as x, of one dtype");
  for (int axis = 0; axis < x->ndim; axis++)
    REQUIRE(
        out->shape[axis] == x->shape[axis] && (axis < batched || x->shape[axis] == p->shape[axis - batched]),
        ETALON_INVALID_ARGUMENT, "x, p and out differ in shape");
  REQUIRE(scale >= ETALON_SCALE_ONE && scale <= ETALON_SCALE_VALUE, ETALON_INVALID_ARGUMENT, "unknown scale");
  const int64_t n = p->shape[0], d = p->shape[1];
  const int64_t step_x = x->strides[batched + 1], step_p = p->strides[1],
                step_out = out->strides[batched + 1];
  REQUIRE(d <= INT_MAX && step_x > 0 && step_x <= INT_MAX && step_p > 0 && step_p <= INT_MAX &&
              step_out > 0 && step_out <= INT_MAX,
          ETALON_UNSUPPORTED, "BLAS steps forward, and counts in int");
  const double c = scale == ETALON_SCALE_ONE ? 1 : scale == ETALON_SCALE_SQRT ? sqrt((double)d) : value;
  REQUIRE(c != 0 && (float)c != 0, ETALON_UNSUPPORTED,
          "axpy with 0 does not read x, so a NaN there would be lost");
  if (d == 0) return ETALON_OK;
  for (int64_t b = 0; b < (batched ? x->shape[0] : 1); b++)
    for (int64_t i = 0; i < n; i++) {
      const void* x_row = element(x, (batched ? b * x->strides[0] : 0) + i * x->strides[batched]);
      const void* p_row = element(p, i * p->strides[0]);
      void* out_row = element(out, (batched ? b * out->strides[0] : 0) + i * out->strides[batched]);
      if (x->dtype == ETALON_F64) {
        cblas_dcopy((int)d, p_row, (int)step_p, out_row, (int)step_out);
        cblas_daxpy((int)d, c, x_row, (int)step_x, out_row, (int)step_out);
      } else {
        cblas_scopy((int)d, p_row, (int)step_p, out_row, (int)step_out);
        cblas_saxpy((int)d, (float)c, x_row, (int)step_x, out_row, (int)step_out);
      }
    }
  return ETALON_OK;
}

/* --- The frame --- */

/* One thread a context: results do not depend on the machine, and contexts do not fight for cores. */
static void limit_threads(void) {
#if defined(ETALON_BLAS_OPENBLAS)
  openblas_set_num_threads(1);
#elif defined(ETALON_BLAS_BLIS)
  bli_thread_set_num_threads(1);
#endif
}

static const char* library_version(void) {
#if defined(ETALON_BLAS_OPENBLAS)
  return openblas_get_config();
#elif defined(ETALON_BLAS_BLIS)
  return bli_info_get_version_str();
#else
  return "reference BLAS";
#endif
}

static int open_context(etalon_context** context) {
  limit_threads();
  *context = calloc(1, sizeof **context);
  return *context != NULL ? ETALON_OK : ETALON_OUT_OF_MEMORY;
}
static void close_context(etalon_context* context) { free(context); }
static const char* last_error(etalon_context* context) { return context->error; }

#define BOTH (ETALON_BIT(ETALON_F64) | ETALON_BIT(ETALON_F32))

static const etalon_operation operations[] = {
    ETALON_OPERATION(embed_product, embed_product, BOTH, {0}),
    ETALON_OPERATION(matmul, matmul, BOTH, {0}),
    ETALON_OPERATION(combine, combine, BOTH, {0}),
};

const etalon_core* etalon_backend(void) {
  static etalon_core core = {ETALON_INTERFACE_VERSION,
                             ETALON_BLAS_NAME,
                             NULL,
                             open_context,
                             close_context,
                             last_error,
                             sizeof operations / sizeof operations[0],
                             operations};
  core.version = library_version();
  return &core;
}
