#include "properties/usual.hpp"

#include <cmath>

namespace etalon {
namespace {

struct Tolerance {
  double absolute;
  double relative;
};

// The defaults of torch.testing.assert_close.
Tolerance torch_tolerance(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64:
      return {1e-7, 1e-7};
    case Dtype::bf16:
      return {1e-5, 1.6e-2};
    case Dtype::f16:
      return {1e-5, 1e-3};
    default:
      return {1e-5, 1.3e-6};
  }
}

bool within(double got, double want, Tolerance tolerance) {
  return std::fabs(got - want) <= tolerance.absolute + tolerance.relative * std::fabs(want);
}

// The order is that of usual_rules; NMSE speaks of the tensor, not of an element.
std::array<bool, usual_rules.size()> accepted(const Tensor& got, double g, double w) {
  std::array<bool, usual_rules.size()> all{};
  const bool same = g == w || (std::isnan(g) && std::isnan(w));
  if (same || !std::isfinite(g) || !std::isfinite(w)) {
    all.fill(same);
    return all;
  }
  const Dtype dtype = got.dtype();
  const bool has_ulp = is_float(dtype);
  all = {within(g, w, {1e-8, 1e-5}), within(g, w, torch_tolerance(dtype)), true, within(g, w, {0, 1e-3}),
         has_ulp && std::fabs(g - w) <= 4 * ulp(format_of(dtype), w)};
  if (!has_ulp) all.fill(false);
  return all;
}

double value_of(const Tensor& tensor, std::int64_t i) {
  return is_float(tensor.dtype()) ? tensor.value(i) : static_cast<double>(tensor.integer(i));
}

}  // namespace

void Usual::absorb(const Usual& other) {
  outputs += other.outputs;
  for (std::size_t rule = 0; rule < rejected.size(); ++rule) rejected[rule] += other.rejected[rule];
}

Usual compared_as_usual(const Tensor& got, const std::vector<double>& want) {
  Usual usual;
  usual.outputs = 1;
  long double error = 0;
  long double size = 0;
  std::array<bool, usual_rules.size()> good{};
  good.fill(true);
  for (std::int64_t i = 0; i < got.elements(); ++i) {
    const double g = value_of(got, i);
    const double w = want[static_cast<std::size_t>(i)];
    const auto accepts = accepted(got, g, w);
    for (std::size_t rule = 0; rule < good.size(); ++rule) good[rule] = good[rule] && accepts[rule];
    if (!std::isfinite(g) || !std::isfinite(w)) continue;
    const long double difference = static_cast<long double>(g) - w;
    error += difference * difference;
    size += static_cast<long double>(w) * w;
  }
  constexpr std::size_t nmse = 2;
  static_assert(usual_rules[nmse].name == "nmse");
  good[nmse] = good[nmse] && (error == 0 || error < 1e-7L * size);
  for (std::size_t rule = 0; rule < good.size(); ++rule) usual.rejected[rule] = good[rule] ? 0 : 1;
  return usual;
}

}  // namespace etalon
