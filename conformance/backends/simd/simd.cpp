// The simd backend: the same operations by vectors of whatever width the processor has, with Highway.
// Position codes are exact to the rounding of sine and cosine at every position below 2^40: see turns.hpp.
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "conformance/backends/simd/kernels.hpp"
#include "conformance/backends/simd/turns.hpp"
#include "etalon/backend.h"

struct etalon_context {
  std::string error;
};

namespace {

using namespace etalon_simd;

// What a refused call answers; caught before the interface.
struct Refusal {
  int status;
  const char* message;
};

void require(bool condition, const char* message, int status = ETALON_INVALID_ARGUMENT) {
  if (!condition) throw Refusal{status, message};
}

template <class Body>
int guarded(etalon_context* context, Body body) {
  try {
    body();
    return ETALON_OK;
  } catch (const Refusal& refusal) {
    context->error = refusal.message;
    return refusal.status;
  } catch (const std::bad_alloc&) {
    return ETALON_OUT_OF_MEMORY;
  } catch (...) {
    return ETALON_INTERNAL;
  }
}

// --- Tensors ---

bool is_float(const etalon_tensor* t) { return t->dtype >= ETALON_F64 && t->dtype <= ETALON_F16; }
bool is_matrix(const etalon_tensor* t) { return t->ndim == 2 && is_float(t); }
bool is_ids(const etalon_tensor* t) {
  return t->ndim == 1 && (t->dtype == ETALON_I32 || t->dtype == ETALON_I64);
}
std::int64_t size_of(std::int32_t dtype) { return dtype == ETALON_F64 ? 8 : dtype == ETALON_F32 ? 4 : 2; }

std::int64_t id_at(const etalon_tensor* ids, std::int64_t i) {
  const std::int64_t offset = i * ids->strides[0];
  return ids->dtype == ETALON_I64 ? static_cast<const std::int64_t*>(ids->data)[offset]
                                  : static_cast<const std::int32_t*>(ids->data)[offset];
}

void require_ids(const etalon_tensor* ids, std::int64_t rows) {
  for (std::int64_t i = 0; i < ids->shape[0]; i++)
    require(id_at(ids, i) >= 0 && id_at(ids, i) < rows, "an id is outside the table");
}

// A row of elements of T somewhere in a tensor.
template <typename T>
struct Row {
  T* data;
  std::int64_t stride;

  // The elements side by side: the row itself where it is dense, else copied to `room`.
  const T* gathered(std::vector<T>& room) const {
    if (stride == 1) return data;
    for (std::size_t j = 0; j < room.size(); j++) room[j] = data[static_cast<std::int64_t>(j) * stride];
    return room.data();
  }
  // Where to write the row, and the copy back where that was not the row itself.
  T* place(std::vector<T>& room) const { return stride == 1 ? data : room.data(); }
  void scatter(const std::vector<T>& room) const {
    if (stride == 1) return;
    for (std::size_t j = 0; j < room.size(); j++) data[static_cast<std::int64_t>(j) * stride] = room[j];
  }
};

template <typename T>
Row<T> row_of(const etalon_tensor* t, std::int64_t row) {
  return {static_cast<T*>(t->data) + row * t->strides[0], t->strides[1]};
}

// --- Embedding ---

template <typename Bits>
void copy_rows(const etalon_tensor* table, const etalon_tensor* ids, std::int64_t first,
               const etalon_tensor* out) {
  const std::int64_t columns = out->shape[1];
  if (columns == 0) return;
  for (std::int64_t i = 0; i < out->shape[0]; i++) {
    const Row<Bits> from = row_of<Bits>(table, ids != nullptr ? id_at(ids, i) : first + i),
                    to = row_of<Bits>(out, i);
    if (from.stride == 1 && to.stride == 1)
      std::memcpy(to.data, from.data, static_cast<std::size_t>(columns) * sizeof(Bits));
    else
      for (std::int64_t j = 0; j < columns; j++) to.data[j * to.stride] = from.data[j * from.stride];
  }
}

// Rows are copied as bits: row ids[i] where there are ids, else row first + i.
void copy_rows_of(const etalon_tensor* table, const etalon_tensor* ids, std::int64_t first,
                  const etalon_tensor* out) {
  switch (size_of(table->dtype)) {
    case 8:
      return copy_rows<std::uint64_t>(table, ids, first, out);
    case 4:
      return copy_rows<std::uint32_t>(table, ids, first, out);
    default:
      return copy_rows<std::uint16_t>(table, ids, first, out);
  }
}

etalon_embed_fn embed;
int embed(etalon_context* context, const etalon_tensor* table, const etalon_tensor* ids,
          const etalon_tensor* out) {
  return guarded(context, [&] {
    require(is_matrix(table) && is_matrix(out) && is_ids(ids) && table->dtype == out->dtype,
            "embed takes a float table (V,d), integer ids (n) and out (n,d) like the table");
    require(out->shape[0] == ids->shape[0] && out->shape[1] == table->shape[1], "out is not (n,d)");
    require_ids(ids, table->shape[0]);
    copy_rows_of(table, ids, 0, out);
  });
}

etalon_learned_positions_fn learned_positions;
int learned_positions(etalon_context* context, const etalon_tensor* table, std::int64_t first,
                      const etalon_tensor* out) {
  return guarded(context, [&] {
    require(
        is_matrix(table) && is_matrix(out) && table->dtype == out->dtype && table->shape[1] == out->shape[1],
        "learned_positions takes a float table (N,d) and out (n,d) like it");
    require(first >= 0 && first <= table->shape[0] && out->shape[0] <= table->shape[0] - first,
            "a position is outside the table");
    copy_rows_of(table, nullptr, first, out);
  });
}

template <typename Bits>
void one_hot_rows(const etalon_tensor* ids, Bits one, const etalon_tensor* out) {
  for (std::int64_t i = 0; i < out->shape[0]; i++) {
    const Row<Bits> to = row_of<Bits>(out, i);
    if (to.stride == 1)
      std::memset(to.data, 0, static_cast<std::size_t>(out->shape[1]) * sizeof(Bits));
    else
      for (std::int64_t k = 0; k < out->shape[1]; k++) to.data[k * to.stride] = 0;
    to.data[id_at(ids, i) * to.stride] = one;
  }
}

etalon_one_hot_fn one_hot;
int one_hot(etalon_context* context, const etalon_tensor* ids, const etalon_tensor* out) {
  return guarded(context, [&] {
    require(is_ids(ids) && is_matrix(out) && out->shape[0] == ids->shape[0],
            "one_hot takes integer ids (n) and a float out (n,V)");
    require_ids(ids, out->shape[1]);
    switch (out->dtype) {
      case ETALON_F64:
        return one_hot_rows<std::uint64_t>(ids, 0x3ff0000000000000, out);
      case ETALON_F32:
        return one_hot_rows<std::uint32_t>(ids, 0x3f800000, out);
      case ETALON_BF16:
        return one_hot_rows<std::uint16_t>(ids, 0x3f80, out);
      default:
        return one_hot_rows<std::uint16_t>(ids, 0x3c00, out);
    }
  });
}

// --- Positions ---

// A row of doubles into a row of out. The 16-bit formats go through float: at most 2^-13 of their ulp is
// lost.
void store_codes(const std::vector<double>& codes, std::vector<float>& floats,
                 std::vector<std::uint16_t>& halves, const etalon_tensor* out, std::int64_t i) {
  const std::size_t d = codes.size();
  if (out->dtype == ETALON_F64) {
    const Row<double> to = row_of<double>(out, i);
    for (std::size_t j = 0; j < d; j++) to.data[static_cast<std::int64_t>(j) * to.stride] = codes[j];
    return;
  }
  if (out->dtype == ETALON_F32) {
    const Row<float> to = row_of<float>(out, i);
    demote(codes.data(), to.place(floats), d);
    return to.scatter(floats);
  }
  const Row<std::uint16_t> to = row_of<std::uint16_t>(out, i);
  demote(codes.data(), floats.data(), d);
  (out->dtype == ETALON_BF16 ? narrow_bf16 : narrow_f16)(floats.data(), to.place(halves), d);
  to.scatter(halves);
}

void position_codes(std::int64_t first, double base, int layout, const etalon_tensor* out) {
  const auto d = static_cast<std::size_t>(out->shape[1]), half = d / 2;
  const Turns step = frequencies(base, out->shape[1] / 2, turns_multiple);
  Turns turns = angles(step, static_cast<std::uint64_t>(first));
  const std::size_t padded = step.high.size();
  std::vector<double> sine(padded), cosine(padded), codes(d);
  std::vector<float> floats(d);
  std::vector<std::uint16_t> halves(d);
  for (std::int64_t i = 0; i < out->shape[0]; i++) {
    sine_cosine(turns.high.data(), turns.low.data(), step.high.data(), step.low.data(), sine.data(),
                cosine.data(), padded);
    if (layout == ETALON_INTERLEAVED) {
      interleave(sine.data(), cosine.data(), codes.data(), half);
    } else {
      std::memcpy(codes.data(), sine.data(), half * sizeof(double));
      std::memcpy(codes.data() + half, cosine.data(), half * sizeof(double));
    }
    store_codes(codes, floats, halves, out, i);
  }
}

etalon_sinusoidal_fn sinusoidal;
int sinusoidal(etalon_context* context, std::int64_t first, double base, int layout,
               const etalon_tensor* out) {
  return guarded(context, [&] {
    require(is_matrix(out) && out->shape[1] >= 2 && out->shape[1] % 2 == 0,
            "sinusoidal takes a float out (n,d), d even and at least 2");
    require(first >= 0 && first <= std::numeric_limits<std::int64_t>::max() - out->shape[0],
            "first is out of range");
    require(base > 1 && std::isfinite(base), "base must be finite and above 1");
    require(layout == ETALON_INTERLEAVED || layout == ETALON_HALVES, "unknown layout");
    require(base <= largest_base, "bases above 2^48 are not supported", ETALON_UNSUPPORTED);
    require(first + out->shape[0] <= std::int64_t{1} << 40, "positions above 2^40 are not supported",
            ETALON_UNSUPPORTED);
    position_codes(first, base, layout, out);
  });
}

// --- Input representation ---

template <typename T>
void combine_native(T c, Row<T> x, Row<T> p, Row<T> out, std::size_t n) {
  std::vector<T> room_x(n), room_p(n), room(n);
  combine(c, x.gathered(room_x), p.gathered(room_p), out.place(room), n);
  out.scatter(room);
}

void combine_narrow(float c, Row<std::uint16_t> x, Row<std::uint16_t> p, Row<std::uint16_t> out,
                    std::size_t n, bool bf16) {
  std::vector<std::uint16_t> room(n);
  std::vector<float> wide_x(n), wide_p(n);
  const auto widen = bf16 ? widen_bf16 : widen_f16;
  widen(x.gathered(room), wide_x.data(), n);
  widen(p.gathered(room), wide_p.data(), n);
  combine(c, wide_x.data(), wide_p.data(), wide_x.data(), n);
  (bf16 ? narrow_bf16 : narrow_f16)(wide_x.data(), out.place(room), n);
  out.scatter(room);
}

template <typename T>
Row<T> row_of_batch(const etalon_tensor* t, std::int64_t b, std::int64_t i) {
  if (t->ndim == 2) return row_of<T>(t, i);
  return {static_cast<T*>(t->data) + b * t->strides[0] + i * t->strides[1], t->strides[2]};
}

void combine_row(double c, const etalon_tensor* x, const etalon_tensor* p, const etalon_tensor* out,
                 std::int64_t b, std::int64_t i) {
  const auto n = static_cast<std::size_t>(p->shape[1]);
  if (x->dtype == ETALON_F64)
    return combine_native(c, row_of_batch<double>(x, b, i), row_of<double>(p, i),
                          row_of_batch<double>(out, b, i), n);
  const float narrow = static_cast<float>(c);
  if (x->dtype == ETALON_F32)
    return combine_native(narrow, row_of_batch<float>(x, b, i), row_of<float>(p, i),
                          row_of_batch<float>(out, b, i), n);
  combine_narrow(narrow, row_of_batch<std::uint16_t>(x, b, i), row_of<std::uint16_t>(p, i),
                 row_of_batch<std::uint16_t>(out, b, i), n, x->dtype == ETALON_BF16);
}

etalon_combine_fn combine_tensors;
int combine_tensors(etalon_context* context, int scale, double value, const etalon_tensor* x,
                    const etalon_tensor* p, const etalon_tensor* out) {
  return guarded(context, [&] {
    require((x->ndim == 2 || x->ndim == 3) && is_float(x) && is_matrix(p) && out->ndim == x->ndim &&
                p->dtype == x->dtype && out->dtype == x->dtype,
            "combine takes x (n,d) or (B,n,d), p (n,d) and out, shaped as x, of one dtype");
    const int batched = x->ndim - 2;
    for (int axis = 0; axis < x->ndim; axis++)
      require(out->shape[axis] == x->shape[axis] &&
                  (axis < batched || x->shape[axis] == p->shape[axis - batched]),
              "x, p and out differ in shape");
    require(scale >= ETALON_SCALE_ONE && scale <= ETALON_SCALE_VALUE, "unknown scale");
    const double c = scale == ETALON_SCALE_ONE    ? 1
                     : scale == ETALON_SCALE_SQRT ? std::sqrt(static_cast<double>(p->shape[1]))
                                                  : value;
    for (std::int64_t b = 0; b < (batched != 0 ? x->shape[0] : 1); b++)
      for (std::int64_t i = 0; i < p->shape[0]; i++) combine_row(c, x, p, out, b, i);
  });
}

// --- Linear algebra ---

template <typename T, typename Element>
Matrix<Element> matrix(const etalon_tensor* t, bool transpose) {
  const int row = transpose ? 1 : 0, column = 1 - row;
  return {static_cast<T*>(t->data), t->shape[row], t->shape[column], t->strides[row], t->strides[column]};
}

template <typename T>
void multiply(double alpha, const etalon_tensor* a, bool transpose_a, const etalon_tensor* b,
              bool transpose_b, double beta, const etalon_tensor* c) {
  const T narrow_alpha = static_cast<T>(alpha), narrow_beta = static_cast<T>(beta);
  const auto left = matrix<T, const T>(a, transpose_a), right = matrix<T, const T>(b, transpose_b);
  const auto out = matrix<T, T>(c, false);
  require(left.rows == out.rows && right.rows == left.columns && right.columns == out.columns,
          "op(a) is not (m,k) or op(b) is not (k,n)");
  if (alpha != 0 && left.columns != 0) {
    std::vector<T> panel(static_cast<std::size_t>(right.rows) * matmul_panel());
    return matmul(narrow_alpha, left, right, narrow_beta, out, panel.data());
  }
  for (std::int64_t i = 0; i < out.rows; i++)
    for (std::int64_t j = 0; j < out.columns; j++) {
      T& to = out.data[i * out.row_stride + j * out.column_stride];
      to = beta == 0 ? T{0} : narrow_beta * to;
    }
}

etalon_matmul_fn matmul_tensors;
int matmul_tensors(etalon_context* context, double alpha, const etalon_tensor* a, const etalon_tensor* b,
                   double beta, const etalon_tensor* c, int transpose_a, int transpose_b) {
  return guarded(context, [&] {
    require(is_matrix(a) && is_matrix(b) && is_matrix(c) && a->dtype == c->dtype && b->dtype == c->dtype,
            "matmul takes three float matrices of one dtype");
    if (c->dtype == ETALON_F64)
      multiply<double>(alpha, a, transpose_a != 0, b, transpose_b != 0, beta, c);
    else if (c->dtype == ETALON_F32)
      multiply<float>(alpha, a, transpose_a != 0, b, transpose_b != 0, beta, c);
    else
      require(false, "matmul is for F64 and F32", ETALON_UNSUPPORTED);
  });
}

// --- The frame ---

int open_context(etalon_context** context) {
  *context = new (std::nothrow) etalon_context;
  return *context != nullptr ? ETALON_OK : ETALON_OUT_OF_MEMORY;
}
void close_context(etalon_context* context) { delete context; }
const char* last_error(etalon_context* context) { return context->error.c_str(); }

constexpr etalon_model common{};
constexpr etalon_model exact_angle = [] {
  etalon_model model{};
  model.angle = ETALON_ANGLE_EXACT;
  model.sine_ulp = 1;
  return model;
}();

const etalon_operation operations[] = {
    ETALON_OPERATION(embed, embed, ETALON_FLOATS, common),
    ETALON_OPERATION(one_hot, one_hot, ETALON_FLOATS, common),
    ETALON_OPERATION(matmul, matmul_tensors, ETALON_BIT(ETALON_F64) | ETALON_BIT(ETALON_F32), common),
    ETALON_OPERATION(sinusoidal, sinusoidal, ETALON_FLOATS, exact_angle),
    ETALON_OPERATION(learned_positions, learned_positions, ETALON_FLOATS, common),
    ETALON_OPERATION(combine, combine_tensors, ETALON_FLOATS, common),
};

}  // namespace

const etalon_core* etalon_backend(void) {
  static const std::string version = std::string("1.0, Highway ") + instruction_set();
  static const etalon_core core = {ETALON_INTERFACE_VERSION,
                                   "simd",
                                   version.c_str(),
                                   open_context,
                                   close_context,
                                   last_error,
                                   sizeof operations / sizeof operations[0],
                                   operations};
  return &core;
}
