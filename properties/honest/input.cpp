// c x + p as libraries compute it. The output overlaps no operand (TEN-8), so nothing is done in place.
#include <array>
#include <thread>

#include "properties/honest/arithmetic.hpp"
#include "properties/honest/frame.hpp"

namespace etalon {
namespace {

using namespace honest;

// Sizes of a call, and its elements by batch, row and column.
struct Sizes {
  explicit Sizes(const Call& call) : x(call.tensor("x")), p(call.tensor("p")), out(call.tensor("out")) {
    const bool batched = x.shape.rank == 3;
    fits = (batched || is_matrix(x)) && is_matrix(p) && out.shape == x.shape && x.dtype == out.dtype &&
           p.dtype == out.dtype;
    if (!fits) return;
    batches = batched ? x.shape[0] : 1;
    n = x.shape[batched ? 1 : 0];
    d = x.shape[batched ? 2 : 1];
    fits = p.shape == Shape{n, d};
  }
  double x_at(std::int64_t b, std::int64_t i, std::int64_t j) const {
    return x.shape.rank == 3 ? read(x, b, i, j) : read(x, i, j);
  }
  void put(std::uint64_t bits, std::int64_t b, std::int64_t i, std::int64_t j) const {
    if (x.shape.rank == 3) return write(out, bits, b, i, j);
    write(out, bits, i, j);
  }

  const View& x;
  const View& p;
  const View& out;
  bool fits = false;
  std::int64_t batches = 0, n = 0, d = 0;
};

// INP-2: the scale, rounded to the format Number computes in; sqrt(d) by way of binary64.
template <typename Number>
Number scale_of(const Call& call, std::int64_t d) {
  const double kind = call.attribute("scale");
  const double c = kind == 0 ? 1 : kind == 1 ? std::sqrt(static_cast<double>(d)) : call.attribute("value");
  return static_cast<Number>(c);
}

// One element by the rule; an order of elements calls it for each.
template <typename Number, typename Rule>
auto element_by(const Sizes& sizes, const Call& call, const Rule& rule) {
  const auto c = scale_of<Number>(call, sizes.d);
  return [&sizes, &rule, c](std::int64_t b, std::int64_t i, std::int64_t j) {
    const Format& format = format_of(sizes.out.dtype);
    const Number z =
        rule(c, static_cast<Number>(sizes.x_at(b, i, j)), static_cast<Number>(read(sizes.p, i, j)), format);
    sizes.put(stored(format, z), b, i, j);
  };
}

constexpr auto forwards = [](const Sizes& sizes, const auto& one) {
  for (std::int64_t b = 0; b < sizes.batches; ++b) {
    for (std::int64_t i = 0; i < sizes.n; ++i) {
      for (std::int64_t j = 0; j < sizes.d; ++j) one(b, i, j);
    }
  }
};

// Tiles of 4 rows and 8 columns, the last first, the batch innermost: a row of p serves every batch at once.
constexpr auto in_tiles = [](const Sizes& sizes, const auto& one) {
  const auto tile = [&](std::int64_t row, std::int64_t column) {
    for (std::int64_t i = row; i < std::min(row + 4, sizes.n); ++i) {
      for (std::int64_t j = column; j < std::min(column + 8, sizes.d); ++j) {
        for (std::int64_t b = 0; b < sizes.batches; ++b) one(b, i, j);
      }
    }
  };
  for (std::int64_t row = (sizes.n - 1) / 4 * 4; row >= 0; row -= 4) {
    for (std::int64_t column = (sizes.d - 1) / 8 * 8; column >= 0; column -= 8) tile(row, column);
  }
};

constexpr auto by_threads = [](const Sizes& sizes, const auto& one) {
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t j = 0; j < sizes.d; ++j) one(row / sizes.n, row % sizes.n, j);
    }
  };
  const std::int64_t all = sizes.batches * sizes.n;
  std::thread other(rows, all / 2, all);
  rows(0, all / 2);
  other.join();
};

template <typename Arithmetic, typename Rule, typename Order = decltype(forwards)>
Compute sum_by(Rule rule, Order order = forwards) {
  return [rule, order](const Call& call) {
    const Sizes sizes(call);
    if (!sizes.fits) return Status::invalid_argument;
    if (sizes.out.dtype == Dtype::f64) {
      order(sizes, element_by<typename Arithmetic::Wide>(sizes, call, rule));
    } else {
      order(sizes, element_by<typename Arithmetic::Narrow>(sizes, call, rule));
    }
    return Status::ok;
  };
}

constexpr auto plain = [](auto c, auto x, auto p, const Format&) { return c * x + p; };
constexpr auto commuted = [](auto c, auto x, auto p, const Format&) { return p + x * c; };
constexpr auto fused = [](auto c, auto x, auto p, const Format&) { return std::fma(c, x, p); };
// The scaled embedding is a tensor of its own before p is added.
constexpr auto stored_between = [](auto c, auto x, auto p, const Format& format) {
  return rounded_to(format, c * x) + p;
};
// c and x enter the product in bf16.
constexpr auto narrow_operands = [](auto c, auto x, auto p, const Format&) {
  const Format& bf16 = format_of(Dtype::bf16);
  return rounded_to(bf16, c) * rounded_to(bf16, x) + p;
};

Variant sum(std::string_view name, std::string_view does, const std::vector<Dtype>& dtypes,
            const Declare& declare, const Compute& compute) {
  return variant(name, does, {"combine"}, dtypes, declare, compute);
}

}  // namespace

std::vector<Variant> input_variants() {
  const auto bf16_products = common_but([](Model& model, Dtype) { model.product_input = Dtype::bf16; });
  return {
      sum("combine_plain", "multiplies, rounds, adds, rounds", float_dtypes(), Model::common,
          sum_by<Native>(plain)),
      sum("combine_fused", "uses one fused operation an element", float_dtypes(), Model::common,
          sum_by<Native>(fused)),
      sum("combine_commuted", "adds the product to the position", float_dtypes(), Model::common,
          sum_by<Native>(commuted)),
      sum("combine_in_tiles", "goes through tiles from the last to the first, all batches in each",
          float_dtypes(), Model::common, sum_by<Native>(plain, in_tiles)),
      sum("combine_threads", "shares out the rows between two threads", float_dtypes(), Model::common,
          sum_by<Native>(fused, by_threads)),
      sum("combine_in_f64", "computes in binary64 and rounds once", up_to_f32(), computes_in(Dtype::f64),
          sum_by<InDouble>(plain)),
      sum("combine_in_f32", "computes f64 sums in f32", {Dtype::f64}, computes_in(Dtype::f32),
          sum_by<InFloat>(plain)),
      sum("combine_stored_between", "rounds the product to the tensor's format before it adds",
          half_formats(), storing(), sum_by<Native>(stored_between)),
      sum("combine_in_bf16", "rounds operands, product and sum to bf16", up_to_f32(),
          computes_in(Dtype::bf16), sum_by<InBf16>(plain)),
      sum("combine_in_f16", "rounds operands, product and sum to f16", up_to_f32(), computes_in(Dtype::f16),
          sum_by<InF16>(plain)),
      sum("combine_bf16_operands", "rounds scale and embedding to bf16 before it multiplies", {Dtype::f32},
          bf16_products, sum_by<Native>(narrow_operands)),
      sum("combine_flushing", "takes subnormal operands and results for zero", float_dtypes(), flushing(),
          sum_by<Flushing>(plain)),
      sum("combine_truncating", "cuts scale, product and sum", float_dtypes(), truncating(),
          sum_by<Truncating>(plain)),
  };
}

}  // namespace etalon
