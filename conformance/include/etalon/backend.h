/* Etalon's C interface: the one file that a backend needs. C11 and C++20, no dependency.
 *
 * A backend is a shared library that exports one function, `etalon_backend`, which returns a constant
 * description of it: who it is, how to open a context, and a list of named operations (spec/interface.md).
 * conformance/backends/portable/portable.c is a complete one to copy.
 *
 * Everything counts from 0 here: row id of a table belongs to token ID id + 1. */
#ifndef ETALON_BACKEND_H
#define ETALON_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ETALON_INTERFACE_VERSION UINT32_C(1)

/* ABI-4: what a call answers. After every status but OK no output byte may have changed. */
enum {
  ETALON_OK = 0,
  ETALON_UNSUPPORTED = 1,      /* an honest "not this dtype, layout or size": counted as skipped */
  ETALON_INVALID_ARGUMENT = 2, /* shapes disagree, an id outside the table, an odd width, ... */
  ETALON_OUT_OF_MEMORY = 3,
  ETALON_INTERNAL = 4
};

/* Element types. Floats are IEEE binary64, binary32, bfloat16, binary16; integers are signed but U8. */
enum {
  ETALON_F64 = 1,
  ETALON_F32 = 2,
  ETALON_BF16 = 3,
  ETALON_F16 = 4,
  ETALON_I32 = 5,
  ETALON_I64 = 6,
  ETALON_U8 = 7
};
#define ETALON_BIT(dtype) (UINT32_C(1) << (dtype))
#define ETALON_FLOATS \
  (ETALON_BIT(ETALON_F64) | ETALON_BIT(ETALON_F32) | ETALON_BIT(ETALON_BF16) | ETALON_BIT(ETALON_F16))

/* ABI-7: a tensor in host memory. Element (i, j, ...) lies at data + (i strides[0] + j strides[1] + ...)
 * elements. Strides may be 0 (inputs only) or negative. Nothing is aligned beyond its element. The caller
 * owns all of it; none of it may be read or written after the call returns, and bytes between elements belong
 * to others. Operands do not overlap unless they are inputs both. */
typedef struct etalon_tensor {
  void* data;             /* any value where there are no elements */
  int32_t ndim;           /* 0 for a single number, at most 3 so far */
  int32_t dtype;          /* ETALON_F64 ... ETALON_U8 */
  const int64_t* shape;   /* ndim extents, each >= 0 */
  const int64_t* strides; /* ndim, in elements */
} etalon_tensor;

/* ABI-9: state of one user of the backend, the backend's own. One thread at a time; two contexts may run at
 * once. */
typedef struct etalon_context etalon_context;

enum { ETALON_INTERLEAVED = 0, ETALON_HALVES = 1 };                           /* layout of position codes */
enum { ETALON_SCALE_ONE = 0, ETALON_SCALE_SQRT = 1, ETALON_SCALE_VALUE = 2 }; /* the c of combine */

/* --- Operations: formula, shapes, the function's type. All float tensors of a call have one dtype. --- */

/* embed: out[i,:] = table[ids[i],:], the same bits. table (V,d), ids (n) I32 or I64, out (n,d).
 * embed_product: the same as a matrix product with the one-hot rows of ids. */
typedef int etalon_embed_fn(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
                            const etalon_tensor* out);
typedef etalon_embed_fn etalon_embed_product_fn;

/* one_hot: out[i,k] = 1 if k = ids[i], else 0. ids (n), out (n,V). */
typedef int etalon_one_hot_fn(etalon_context* context, const etalon_tensor* ids, const etalon_tensor* out);

/* matmul: c = alpha op(a) op(b) + beta c, op(x) = x or its transpose. op(a) (m,k), op(b) (k,n), c (m,n).
 * beta = 0 does not read c; alpha = 0 does not read a and b. */
typedef int etalon_matmul_fn(etalon_context* context, double alpha, const etalon_tensor* a,
                             const etalon_tensor* b, double beta, const etalon_tensor* c, int transpose_a,
                             int transpose_b);

/* sinusoidal: s_r = sin((first+i) w_r), c_r = cos((first+i) w_r), w_r = base^(-2r/d), 0 <= r < d/2. out
 * (n,d), d even. ETALON_INTERLEAVED: out[i,2r] = s_r, out[i,2r+1] = c_r.  ETALON_HALVES: out[i,r] = s_r,
 * out[i,d/2+r] = c_r. first >= 0, base > 1. */
typedef int etalon_sinusoidal_fn(etalon_context* context, int64_t first, double base, int layout,
                                 const etalon_tensor* out);

/* learned_positions: out[i,:] = table[first+i,:]. table (N,d), out (n,d), 0 <= first, first + n <= N. */
typedef int etalon_learned_positions_fn(etalon_context* context, const etalon_tensor* table, int64_t first,
                                        const etalon_tensor* out);

/* combine: out[b,i,:] = c x[b,i,:] + p[i,:]. x (n,d) or (B,n,d), p (n,d), out shaped as x.
 * c = 1, sqrt(d) or `value`, as `scale` says (ETALON_SCALE_*). */
typedef int etalon_combine_fn(etalon_context* context, int scale, double value, const etalon_tensor* x,
                              const etalon_tensor* p, const etalon_tensor* out);

/* tokenize: ids = the token ids of text. text (bytes) U8, ids (capacity) I64. *count is their number; where
 * it exceeds the capacity nothing else is written, and the status is OK. */
typedef int etalon_tokenize_fn(etalon_context* context, const etalon_tensor* text, const etalon_tensor* ids,
                               int64_t* count);

/* detokenize: text = the spellings of ids, joined. ids (n) I64, text (capacity) U8, *count as above. */
typedef int etalon_detokenize_fn(etalon_context* context, const etalon_tensor* ids, const etalon_tensor* text,
                                 int64_t* count);

/* vocabulary_size: *count = V; ids are 0 .. V-1. */
typedef int etalon_vocabulary_size_fn(etalon_context* context, int64_t* count);

/* --- ABI-3: the arithmetic model, what the proven bounds may assume (NUM-3). All zero is the honest common
 * case.
 * --- */
enum { ETALON_NEAREST = 0, ETALON_FAITHFUL = 1 };
enum { ETALON_ANGLE_WORKING = 0, ETALON_ANGLE_DOUBLE = 1, ETALON_ANGLE_EXACT = 2 };

typedef struct etalon_model {
  int32_t
      accumulator; /* dtype of sums and intermediate values; 0: the operation's own, F32 for BF16 and F16 */
  int32_t product_input; /* dtype that operands of a product are first rounded to; 0: the accumulator's */
  int32_t storage;       /* dtype that intermediate results may be rounded to; 0: the accumulator's */
  int32_t rounding;      /* of + - * / sqrt fma: ETALON_NEAREST, or ETALON_FAITHFUL for either neighbour */
  int32_t angle; /* position codes: (first+i) w_r formed in the accumulator's format, in F64, or exactly */
  int32_t flushes_subnormals; /* 1: a subnormal operand or result may become zero */
  int64_t height;             /* roundings on the longest path of a sum; 0: any order */
  double sine_ulp;   /* error of sin and cos, in ulp of the format they are computed in; 0: one ulp, at most
                        8192 */
  double power_ulp;  /* of exp and pow, likewise */
  int32_t lossless;  /* 1: detokenize(tokenize(s)) = s for every s (TOK-5) */
  int32_t streaming; /* 1: pieces decoded alone join to the decode of the whole (TOK-6) */
  uint64_t reserved[8]; /* 0 */
} etalon_model;

/* One operation on some dtypes. A name may come again with other dtypes and another model. */
typedef struct etalon_operation {
  const char* name;
  union {
    etalon_embed_fn* embed;
    etalon_embed_product_fn* embed_product;
    etalon_one_hot_fn* one_hot;
    etalon_matmul_fn* matmul;
    etalon_sinusoidal_fn* sinusoidal;
    etalon_learned_positions_fn* learned_positions;
    etalon_combine_fn* combine;
    etalon_tokenize_fn* tokenize;
    etalon_detokenize_fn* detokenize;
    etalon_vocabulary_size_fn* vocabulary_size;
  } function;
  uint32_t dtypes; /* ETALON_BIT(...) of each dtype it accepts; ETALON_BIT(ETALON_U8) for the tokenizer's */
  etalon_model model;
} etalon_operation;

/* ABI-6: an entry of the list: ETALON_OPERATION(embed, my_embed, ETALON_FLOATS, {0}), in C++ {} for {0}. A
 * function of the wrong type does not compile; declaring it first, `static etalon_embed_fn my_embed;`, puts
 * the error at the function. */
#ifdef __cplusplus
#define ETALON_TYPED(operation, implementation) (implementation)
#else
#define ETALON_TYPED(operation, implementation) \
  _Generic((implementation), etalon_##operation##_fn * : (implementation))
#endif
#define ETALON_OPERATION(operation, implementation, dtypes, ...) \
  { #operation, {.operation = ETALON_TYPED(operation, implementation) }, (dtypes), __VA_ARGS__ }

/* --- ABI-1: the frozen core. This struct never changes, so an old backend keeps loading. --- */
typedef struct etalon_core {
  uint32_t interface_version;            /* ETALON_INTERFACE_VERSION of the header it was built with */
  const char* name;                      /* short, as in reports: "portable" */
  const char* version;                   /* of the backend and, where it wraps one, of its library */
  int (*open)(etalon_context** context); /* a status; the context may stay NULL where there is no state */
  void (*close)(etalon_context* context);
  const char* (*last_error)(etalon_context* context); /* of the last call that failed; "" or NULL: no words */
  size_t operation_count;
  const etalon_operation* operations;
} etalon_core;

#if defined(_WIN32)
#define ETALON_EXPORT __declspec(dllexport)
#else
#define ETALON_EXPORT __attribute__((visibility("default")))
#endif

/* ABI-2: the exported symbol. The description outlives every context. */
ETALON_EXPORT const etalon_core* etalon_backend(void);

#ifdef __cplusplus
}
#endif

#endif /* ETALON_BACKEND_H */
