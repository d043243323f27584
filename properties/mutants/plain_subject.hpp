// An honest subject in plain loops, and the same with one planted fault: what the laws of embedding,
// input and tensors must pass, and what each of them must refute.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "properties/runner.hpp"
#include "properties/subject.hpp"

namespace etalon::testing {

enum class Fault {
  none,
  // Which row: embed, embed_product, one_hot.
  next_row,             // row k + 1 for k, the first for the last
  previous_token,       // row i shows token i - 1
  last_token_lost,      // the last row shows the first token
  row_by_place,         // the id plus its place, modulo V
  no_tokens_refused,    // n = 0 is an error
  id_16_bits,           // ids kept in 16 bits
  id_f32,               // ids kept in f32
  offset_32_bits,       // offsets in 32 bits
  clamps_id,            // a bad id is taken for the nearest good one
  wraps_id,             // modulo V
  id_32_bits,           // 64-bit ids cut to 32 bits
  zero_row,             // a bad id gives a row of zeros
  writes_then_refuses,  // rows before the bad id are written
  ids_i32_only,         // 64-bit ids read as 32-bit ones
  // How it is copied.
  through_narrow,      // by way of a narrower format
  quiets_nan,          // payloads lost
  flushes,             // subnormals become zero
  product_lookup,      // 0 * every other row is added
  drops_product_bits,  // the last bit of what the product gives
  hot_twice,           // a second 1 in each one-hot row
  minus_zero,          // -0 for 0 in one-hot rows
  // How memory is used.
  strides_ignored,  // dense from the lowest address
  aligns_address,   // loads from the 64-byte boundary below
  writes_gap,       // one element beyond each row
  changes_input,    // an input element is changed
  tail_unwritten,   // columns beyond a multiple of 4
  zero_stride_refused,
  null_refused,
  shapes_unchecked,  // the smaller extent is used
  // combine
  scale_missing,
  scale_inverted,
  scale_on_position,
  scale_twice,
  scale_bf16,
  scale_always_root,
  position_by_batch,  // row b of P
  position_shifted,   // row i + 1 of P
  mixes_rows,         // 0 * the row above is added
  drops_nan,          // NaN counts as zero
  scales_in_place,    // x is scaled where it lies, and restored
  batch_ignored,      // the first member of the batch for all
};

// Elements as the subject reads and writes them: by the strides, or not.
class Memory {
 public:
  explicit Memory(Fault fault) : fault_(fault) {}

  std::byte* place(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) const {
    if (fault_ == Fault::strides_ignored) return dense_place(view, i, j, k);
    if (fault_ == Fault::offset_32_bits) return narrow_place(view, i, j, k);
    std::byte* at = element(view, i, j, k);
    if (fault_ == Fault::aligns_address) {
      const auto excess = reinterpret_cast<std::uintptr_t>(view.data) % 64;
      if (excess == size_of(view.dtype)) at -= excess;
    }
    return at;
  }
  std::uint64_t load(const View& view, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0) const {
    return load_bits(place(view, i, j, k), size_of(view.dtype));
  }
  double get(const View& view, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0) const {
    return decode(format_of(view.dtype), load(view, i, j, k));
  }
  void put(const View& view, std::uint64_t bits, std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    const std::int64_t column = view.shape.rank == 3 ? k : j;
    const std::int64_t width = view.shape[view.shape.rank - 1];
    if (fault_ == Fault::tail_unwritten && column >= width / 4 * 4) return;
    store_bits(place(view, i, j, k), bits, size_of(view.dtype));
    if (fault_ == Fault::writes_gap && column == width - 1) {
      const std::int64_t step = view.stride[static_cast<std::size_t>(view.shape.rank - 1)];
      std::byte* const beyond = place(view, i, j, k) + step * static_cast<std::int64_t>(size_of(view.dtype));
      const bool another = view.shape.rank == 2 && std::abs(view.stride[0]) <= width;
      if (!another) store_bits(beyond, 0, size_of(view.dtype));
    }
  }

 private:
  static std::byte* dense_place(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto size = static_cast<std::int64_t>(size_of(view.dtype));
    std::int64_t lowest = 0;
    for (int axis = 0; axis < view.shape.rank; ++axis) {
      const std::int64_t step = view.stride[static_cast<std::size_t>(axis)];
      if (step < 0) lowest += step * (view.shape[axis] - 1);
    }
    const std::array<std::int64_t, 3> at = {i, j, k};
    std::int64_t offset = 0;
    for (int axis = 0; axis < view.shape.rank; ++axis) {
      offset = offset * view.shape[axis] + at[static_cast<std::size_t>(axis)];
    }
    return static_cast<std::byte*>(view.data) + (lowest + offset) * size;
  }
  static std::byte* narrow_place(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::int64_t offset = i * view.stride[0] + j * view.stride[1] + k * view.stride[2];
    const auto cut =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(offset)));
    return static_cast<std::byte*>(view.data) + cut * static_cast<std::int64_t>(size_of(view.dtype));
  }

  Fault fault_;
};

class PlainSubject final : public Subject {
 public:
  explicit PlainSubject(Fault fault = Fault::none) : fault_(fault), memory_(fault) {}

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view, Dtype dtype) const override {
    return is_float(dtype) ? &models_[static_cast<std::size_t>(dtype) - 1] : nullptr;
  }
  Status run(const Call& call) override {
    for (const auto& [label, view] : call.tensors) {
      if (has(Fault::null_refused) && view.data == nullptr) return Status::invalid_argument;
      for (int axis = 0; axis < view.shape.rank; ++axis) {
        const bool still = view.stride[static_cast<std::size_t>(axis)] == 0 && view.shape[axis] > 1;
        if (has(Fault::zero_stride_refused) && still) return Status::invalid_argument;
      }
    }
    if (has(Fault::changes_input)) {
      const View& view = call.tensors.front().second;
      if (view.shape.elements() > 0) *element(view) ^= std::byte{1};
    }
    if (call.operation == "embed") return embed(call);
    if (call.operation == "embed_product") return embed_product(call);
    if (call.operation == "one_hot") return one_hot(call);
    if (call.operation == "matmul") return matmul(call);
    if (call.operation == "combine") return combine(call);
    return Status::unsupported;
  }

 private:
  bool has(Fault fault) const { return fault_ == fault; }

  // --- Ids ---
  std::int64_t id_at(const View& ids, std::int64_t i) const {
    const std::uint64_t bits = memory_.load(ids, i);
    const bool narrow = ids.dtype == Dtype::i32 || has(Fault::id_32_bits);
    return narrow ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                  : static_cast<std::int64_t>(bits);
  }
  // The row shown for token i; -1: a row of zeros.
  std::int64_t row_for(const View& ids, std::int64_t i, std::int64_t rows) const {
    const std::int64_t n = ids.shape[0];
    if (has(Fault::previous_token) && i > 0) --i;
    if (has(Fault::last_token_lost) && i == n - 1) i = 0;
    std::int64_t id = id_at(ids, i);
    if (has(Fault::id_16_bits)) id = static_cast<std::uint16_t>(id);
    if (has(Fault::id_f32)) id = static_cast<std::int64_t>(static_cast<float>(id));
    if (has(Fault::next_row)) id = (id + 1) % rows;
    if (has(Fault::row_by_place)) id = (id + i) % rows;
    if (has(Fault::clamps_id)) id = id < 0 ? 0 : std::min(id, rows - 1);
    if (has(Fault::wraps_id)) id = (id % rows + rows) % rows;
    if (has(Fault::zero_row) && (id < 0 || id >= rows)) id = -1;
    return id;
  }
  // How many leading ids are good.
  std::int64_t good_ids(const View& ids, std::int64_t rows) const {
    std::int64_t i = 0;
    while (i < ids.shape[0] && id_at(ids, i) >= 0 && id_at(ids, i) < rows) ++i;
    return i;
  }
  bool lenient() const { return has(Fault::clamps_id) || has(Fault::wraps_id) || has(Fault::zero_row); }

  // --- Copies ---
  std::uint64_t copied(const Format& format, std::uint64_t bits) const {
    const double value = decode(format, bits);
    if (has(Fault::through_narrow)) {
      const Format& narrow = format_of(format.bits == 64       ? Dtype::f32
                                       : format.precision == 8 ? Dtype::f16
                                                               : Dtype::bf16);
      return encode(format, decode(narrow, encode(narrow, value)));
    }
    if (has(Fault::quiets_nan) && std::isnan(value)) return encode(format, value);
    if (has(Fault::flushes) && std::fabs(value) < format.smallest_normal()) return 0;
    return bits;
  }

  Status embed(const Call& call) const {
    const View& table = call.tensor("table");
    const View& ids = call.tensor("ids");
    const View& out = call.tensor("out");
    const bool fits = out.shape == Shape{ids.shape[0], table.shape[1]} && out.dtype == table.dtype;
    if (!fits && !has(Fault::shapes_unchecked)) return Status::invalid_argument;
    const std::int64_t n = std::min(out.shape[0], ids.shape[0]);
    const std::int64_t d = std::min(out.shape[1], table.shape[1]);
    if (has(Fault::no_tokens_refused) && n == 0) return Status::invalid_argument;
    const std::int64_t good = good_ids(ids, table.shape[0]);
    const bool refused = good < ids.shape[0] && !lenient();
    if (refused && !has(Fault::writes_then_refuses)) return Status::invalid_argument;
    for (std::int64_t i = 0; i < (refused ? good : n); ++i) {
      const std::int64_t row = row_for(ids, i, table.shape[0]);
      for (std::int64_t j = 0; j < d; ++j) {
        std::uint64_t bits = row < 0 ? 0 : copied(format_of(out.dtype), memory_.load(table, row, j));
        if (has(Fault::product_lookup)) bits = encode(format_of(out.dtype), product_entry(table, ids, i, j));
        memory_.put(out, bits, i, j);
      }
    }
    return refused ? Status::invalid_argument : Status::ok;
  }

  double product_entry(const View& table, const View& ids, std::int64_t i, std::int64_t j) const {
    double sum = 0;
    for (std::int64_t k = 0; k < table.shape[0]; ++k) {
      sum += (k == row_for(ids, i, table.shape[0]) ? 1.0 : 0.0) * memory_.get(table, k, j);
    }
    return sum;
  }
  std::uint64_t product_bits(const Format& format, double sum) const {
    const std::uint64_t bits = copied(format, encode(format, sum));
    return has(Fault::drops_product_bits) ? bits & ~std::uint64_t{1} : bits;
  }

  Status embed_product(const Call& call) const {
    const View& table = call.tensor("table");
    const View& ids = call.tensor("ids");
    const View& out = call.tensor("out");
    if (good_ids(ids, table.shape[0]) < ids.shape[0] && !lenient()) return Status::invalid_argument;
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      for (std::int64_t j = 0; j < out.shape[1]; ++j) {
        memory_.put(out, product_bits(format_of(out.dtype), product_entry(table, ids, i, j)), i, j);
      }
    }
    return Status::ok;
  }

  Status one_hot(const Call& call) const {
    const View& ids = call.tensor("ids");
    const View& out = call.tensor("out");
    const Format& format = format_of(out.dtype);
    if (good_ids(ids, out.shape[1]) < ids.shape[0] && !lenient()) return Status::invalid_argument;
    if (has(Fault::no_tokens_refused) && ids.shape[0] == 0) return Status::invalid_argument;
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      const std::int64_t hot = row_for(ids, i, out.shape[1]);
      for (std::int64_t k = 0; k < out.shape[1]; ++k) {
        const bool second = has(Fault::hot_twice) && k == (hot + 1) % out.shape[1];
        memory_.put(out, encode(format, k == hot || second ? 1 : has(Fault::minus_zero) ? -0.0 : 0.0), i, k);
      }
    }
    return Status::ok;
  }

  // alpha = 1 and beta = 0 are all that the laws here ask for.
  Status matmul(const Call& call) const {
    const View& a = call.tensor("a");
    const View& b = call.tensor("b");
    const View& c = call.tensor("c");
    const bool ta = call.attribute("transpose_a") != 0;
    const bool tb = call.attribute("transpose_b") != 0;
    for (std::int64_t i = 0; i < c.shape[0]; ++i) {
      for (std::int64_t j = 0; j < c.shape[1]; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < a.shape[ta ? 0 : 1]; ++k) {
          sum += (ta ? memory_.get(a, k, i) : memory_.get(a, i, k)) *
                 (tb ? memory_.get(b, j, k) : memory_.get(b, k, j));
        }
        memory_.put(c, product_bits(format_of(c.dtype), sum), i, j);
      }
    }
    return Status::ok;
  }

  // --- combine ---
  // The real c, as the subject holds it: rounded to the accumulator's format.
  double scale_of(const Call& call, std::int64_t d) const {
    const double kind = call.attribute("scale");
    const bool root = kind == 1 || has(Fault::scale_always_root);
    double c = root ? std::sqrt(static_cast<double>(d)) : kind == 0 ? 1 : call.attribute("value");
    if (has(Fault::scale_missing)) c = 1;
    if (has(Fault::scale_inverted)) c = 1 / c;
    if (has(Fault::scale_twice)) c *= c;
    if (has(Fault::scale_bf16)) c = decode(format_of(Dtype::bf16), encode(format_of(Dtype::bf16), c));
    return c;
  }
  // Arithmetic of the accumulator: float for f32, bf16 and f16.
  double sum_of(Dtype dtype, double c, double x, double p) const {
    if (has(Fault::drops_nan)) x = std::isnan(x) ? 0 : x;
    if (has(Fault::scale_on_position))
      p = dtype == Dtype::f64 ? c * p : static_cast<double>(static_cast<float>(c) * static_cast<float>(p));
    if (dtype == Dtype::f64) return c * x + p;
    return static_cast<double>(static_cast<float>(c) * static_cast<float>(x) + static_cast<float>(p));
  }
  Status combine(const Call& call) const {
    const View& x = call.tensor("x");
    const View& p = call.tensor("p");
    const View& out = call.tensor("out");
    const int axis = x.shape.rank - 2;
    const std::int64_t n = x.shape[axis];
    const std::int64_t d = x.shape[axis + 1];
    const bool fits = p.shape == Shape{n, d} && out.shape == x.shape;
    if (!fits && !has(Fault::shapes_unchecked)) return Status::invalid_argument;
    if (!fits) return Status::ok;
    if (has(Fault::no_tokens_refused) && x.shape.elements() == 0) return Status::invalid_argument;
    const double c = scale_of(call, d);
    const Format& format = format_of(out.dtype);
    for (std::int64_t b = 0; b < (axis == 1 ? x.shape[0] : 1); ++b) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < d; ++j) {
          const double position = memory_.get(p, position_row(b, i, n), j);
          const std::int64_t from = has(Fault::batch_ignored) ? 0 : b;
          double value = axis == 1 ? memory_.get(x, from, i, j) : memory_.get(x, i, j);
          if (has(Fault::mixes_rows) && i > 0)
            value += 0 * (axis == 1 ? memory_.get(x, b, i - 1, j) : memory_.get(x, i - 1, j));
          const bool same = has(Fault::scales_in_place) && x.data == p.data;
          const std::uint64_t bits =
              encode(format, sum_of(out.dtype, c, value, same ? c * position : position));
          if (axis == 1)
            memory_.put(out, bits, b, i, j);
          else
            memory_.put(out, bits, i, j);
        }
      }
    }
    return Status::ok;
  }
  std::int64_t position_row(std::int64_t b, std::int64_t i, std::int64_t n) const {
    if (has(Fault::position_by_batch)) return b % n;
    if (has(Fault::position_shifted)) return (i + 1) % n;
    return i;
  }

  Fault fault_;
  Memory memory_;
  std::string name_ = "plain";
  std::array<Model, 4> models_ = {Model::common(Dtype::f64), Model::common(Dtype::f32),
                                  Model::common(Dtype::bf16), Model::common(Dtype::f16)};
};

// What running a law over a subject of this fault gives.
inline LawResult result_of(const Law& law, Dtype dtype, Fault fault, Level level) {
  PlainSubject subject(fault);
  return run_law(law, dtype, subject, {level, 0});
}

}  // namespace etalon::testing
