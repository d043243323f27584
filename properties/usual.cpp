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

using Acceptance = std::array<bool, usual_rules.size()>;
constexpr std::size_t nmse = 2;
static_assert(usual_rules[nmse].name == "nmse");

// One element. The order is that of usual_rules; NMSE speaks of the tensor, not of an element.
Acceptance accepted(Dtype dtype, double g, double w) {
  Acceptance all{};
  const bool same = g == w || (std::isnan(g) && std::isnan(w));
  if (same || !std::isfinite(g) || !std::isfinite(w) || !is_float(dtype)) {
    all.fill(same);
    return all;
  }
  return {within(g, w, {1e-8, 1e-5}), within(g, w, torch_tolerance(dtype)), true, within(g, w, {0, 1e-3}),
          std::fabs(g - w) <= 4 * ulp(format_of(dtype), w)};
}

double value_of(const Tensor& tensor, std::int64_t i) {
  return is_float(tensor.dtype()) ? tensor.value(i) : static_cast<double>(tensor.integer(i));
}

// The whole output, whose elements are got(i).
template <typename Values>
Acceptance accepted_by(Dtype dtype, const Values& got, const std::vector<double>& want) {
  Acceptance good{};
  good.fill(true);
  long double error = 0;
  long double size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double g = got(static_cast<std::int64_t>(i));
    const Acceptance accepts = accepted(dtype, g, want[i]);
    for (std::size_t rule = 0; rule < good.size(); ++rule) good[rule] = good[rule] && accepts[rule];
    if (!std::isfinite(g) || !std::isfinite(want[i])) continue;
    const long double difference = static_cast<long double>(g) - want[i];
    error += difference * difference;
    size += static_cast<long double>(want[i]) * want[i];
  }
  good[nmse] = good[nmse] && (error == 0 || error < 1e-7L * size);
  return good;
}

}  // namespace

void Usual::absorb(const Usual& other) {
  outputs += other.outputs;
  for (std::size_t rule = 0; rule < rejected.size(); ++rule) {
    rejected[rule] += other.rejected[rule];
    told[rule] += other.told[rule];
  }
}

Usual compared_as_usual(const Tensor& got, const std::vector<double>& want) {
  const auto received = [&](std::int64_t i) { return value_of(got, i); };
  const auto rounded = [&](std::int64_t i) {
    const double w = want[static_cast<std::size_t>(i)];
    return is_float(got.dtype()) ? decode(format_of(got.dtype()), encode(format_of(got.dtype()), w)) : w;
  };
  const Acceptance accepts = accepted_by(got.dtype(), received, want);
  const Acceptance accepts_right = accepted_by(got.dtype(), rounded, want);
  Usual usual;
  usual.outputs = 1;
  for (std::size_t rule = 0; rule < accepts.size(); ++rule) {
    usual.rejected[rule] = accepts[rule] ? 0 : 1;
    usual.told[rule] = !accepts[rule] && accepts_right[rule] ? 1 : 0;
  }
  return usual;
}

}  // namespace etalon
