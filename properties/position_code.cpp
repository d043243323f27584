#include "properties/position_code.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "properties/bounds/position.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon::position {

std::vector<std::int64_t> base_values() { return {10000, 500000, 2, 100}; }

std::vector<std::int64_t> telling_positions() {
  return {0,      // POS-3
          1,      // layout, divisor, exponent
          257,    // no bf16 number; 2^8 + 1
          1001,   // rounds in bf16 to 1000
          2049,   // no fp16 number; 2^11 + 1
          15962,  // rounds in fp16 and in bf16
          48040,
          131071,  // beyond fp16's range; argument reduction
          1000000,
          1048576,  // the length of long contexts
          16777215,
          16777217,  // around 2^24: the second is no f32 number
          largest_position};
}

Code::Code(Trial& trial, std::int64_t width, double base, bool halves)
    : trial_(trial), width_(width), base_(base), halves_(halves), oracle_(width, base) {}

bool Code::ask(Tensor& out, std::int64_t first) const {
  return trial_.call(
      "sinusoidal", {{"out", &out}}, {"out"},
      {{"first", static_cast<double>(first)}, {"base", base_}, {"layout", halves_ ? 1.0 : 0.0}});
}

Pair Code::pair(std::int64_t position, std::int64_t r) const {
  const Model& model = trial_.model("sinusoidal");
  const Format& format = trial_.format();
  const auto [sine, cosine] = oracle_.at(position, r);
  const double log_inverse_frequency =
      2.0 * static_cast<double>(r) / static_cast<double>(width_) * std::log(base_);
  return {bounds::sinusoidal_expected(model, format, static_cast<double>(position), log_inverse_frequency,
                                      sine, cosine),
          bounds::sinusoidal_expected(model, format, static_cast<double>(position), log_inverse_frequency,
                                      cosine, sine)};
}

Expected Code::entry(std::int64_t position, std::int64_t column) const {
  const bool is_cosine = halves_ ? column >= pairs() : column % 2 == 1;
  const std::int64_t r = halves_ ? column % pairs() : column / 2;
  const Pair both = pair(position, r);
  return is_cosine ? both.cosine : both.sine;
}

Ball sum_of_products(const std::vector<Product>& products) {
  std::vector<double> x;
  std::vector<double> y;
  double radius = 0;
  for (const Product& product : products) {
    for (const double part : {product.x.hi, product.x.lo}) {
      x.push_back(part);
      y.push_back(product.y);
    }
    radius += product.x.radius * std::fabs(product.y);
  }
  Ball sum = oracle::gemm_entry(1, x.data(), 1, y.data(), 1, static_cast<std::int64_t>(x.size()), 0, 0).value;
  sum.radius += radius * (1 + 0x1p-40);  // the sum of the radii rounds, too
  return sum;
}

Ball exact_sum(const std::vector<Ball>& terms) {
  std::vector<Product> products;
  for (const Ball& term : terms) products.push_back({term, 1});
  return sum_of_products(products);
}

double product_error(double x, double ex, double y, double ey) {
  return std::fabs(x) * ey + std::fabs(y) * ex + ex * ey;
}

Derived::Derived(const Trial& trial, Shape shape) : format_(trial.format()), values_(trial.dtype(), shape) {
  expected_.resize(static_cast<std::size_t>(shape.elements()));
}

void Derived::set(std::int64_t index, const Ball& got, const Ball& truth, double bound) {
  values_.set(index, got.hi);
  const double rounding = ulp(format_, got.hi) / 2 + std::fabs(got.lo) + got.radius;
  expected_[static_cast<std::size_t>(index)].truth = truth;
  expected_[static_cast<std::size_t>(index)].bound = (bound + rounding) * (1 + 0x1p-40);
}

void Derived::judge(Trial& trial, std::string_view what) const {
  trial.judge_bound(what, values_, [&](std::int64_t i) { return expected_[static_cast<std::size_t>(i)]; });
}

Layout memory_of(const Trial& trial) { return static_cast<Layout>(trial["memory"]); }

Parameter memory_parameter() {
  return Parameter::choice("memory", {"dense", "padded", "transposed", "reversed", "unaligned"});
}

bool all_finite(Trial& trial, const Tensor& rows) {
  for (std::int64_t i = 0; i < rows.elements(); ++i) {
    if (std::isfinite(rows.value(i))) continue;
    trial.expect(false, "entry " + std::to_string(i) + " of out is not finite");
    return false;
  }
  return !trial.settled();
}

}  // namespace etalon::position

namespace etalon {

std::vector<Law> position_laws() {
  std::vector<Law> laws;
  for (const auto group : {position::learned_laws, position::value_laws, position::identity_laws,
                           position::spectrum_laws, position::contract_laws}) {
    for (Law& law : group()) laws.push_back(std::move(law));
  }
  return laws;
}

}  // namespace etalon
