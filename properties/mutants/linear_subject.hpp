// A subject that multiplies matrices by plain loops, honestly or with one fault, for the tests of the laws.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/linear_problem.hpp"
#include "properties/runner.hpp"

namespace etalon::multiplying {

inline double rounded_to(Dtype dtype, double value) {
  return decode(format_of(dtype), encode(format_of(dtype), value));
}

// What a subject may do other than the plain loop. The defaults are honest.
struct Habits {
  bool ignores_transpose_a = false;
  bool ignores_transpose_b = false;
  bool takes_width_for_stride = false;
  bool multiplies_c_by_zero = false;
  bool reads_operands_for_alpha_zero = false;
  bool skips_empty_sums = false;
  bool refuses_empty_results = false;
  bool writes_on_empty_results = false;
  bool ignores_beta = false;
  bool adds_alpha_c = false;
  bool drops_nan = false;
  bool swaps_flags_when_both = false;
  bool writes_the_gap = false;
  bool backwards = false;    // sums from the last term: as honest as the other way
  bool alpha_first = false;  // scales a before the sum: honest
  bool bias_by_row = false;  // takes c(j, i) for c(i, j) where that exists
  bool declines_other_layouts = false;
  std::int64_t tile = 1;           // terms beyond a multiple of the tile are lost
  std::int64_t column_tile = 1;    // columns likewise stay as they were
  std::int64_t stale_column = -1;  // this column of b is taken for its neighbour
  std::function<double(double)> operand = [](double x) { return x; };
  std::function<double(double)> partial_sum = [](double x) { return x; };
};

template <typename Real>
class Loop {
 public:
  Loop(const Habits& habits, const Call& call) : habits_(habits), call_(call), c_(call.tensor("c")) {
    alpha_ = call.attribute("alpha");
    beta_ = call.attribute("beta");
    transpose_a_ = call.attribute("transpose_a") == 1 && !habits.ignores_transpose_a;
    transpose_b_ = call.attribute("transpose_b") == 1 && !habits.ignores_transpose_b;
    if (habits.swaps_flags_when_both && transpose_a_ && transpose_b_) transpose_b_ = false;
  }

  Status run() {
    const std::int64_t m = c_.shape[0];
    const std::int64_t n = c_.shape[1];
    if (m == 0 || n == 0) return empty();
    const View& a = call_.tensor("a");
    const std::int64_t k = a.shape[call_.attribute("transpose_a") == 1 ? 0 : 1];
    if (k == 0 && habits_.skips_empty_sums) return Status::ok;
    std::vector<double> result(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) result[static_cast<std::size_t>(i * n + j)] = entry(i, j, k);
    }
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n / habits_.column_tile * habits_.column_tile; ++j) {
        store(c_, i, j, result[static_cast<std::size_t>(i * n + j)]);
      }
    }
    if (habits_.writes_the_gap) store(c_, 0, n, 0);
    return Status::ok;
  }

 private:
  Status empty() const {
    if (habits_.writes_on_empty_results) store(c_, 0, 0, 1);
    return habits_.refuses_empty_results ? Status::invalid_argument : Status::ok;
  }

  double entry(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const bool reads = alpha_ != 0 || habits_.reads_operands_for_alpha_zero;
    Real sum = 0;
    for (std::int64_t step = 0; reads && step < k / habits_.tile * habits_.tile; ++step) {
      const std::int64_t l = habits_.backwards ? k - 1 - step : step;
      const Real x = static_cast<Real>(habits_.operand(load(call_.tensor("a"), i, l, transpose_a_)));
      const std::int64_t column = j == habits_.stale_column ? j - 1 : j;
      const Real y = static_cast<Real>(habits_.operand(load(call_.tensor("b"), l, column, transpose_b_)));
      const Real scaled = habits_.alpha_first ? static_cast<Real>(alpha_) * x : x;
      const Real product = scaled * y;
      if (habits_.drops_nan && std::isnan(product)) continue;
      sum = static_cast<Real>(habits_.partial_sum(static_cast<double>(sum + product)));
    }
    const Real result = habits_.alpha_first ? sum : static_cast<Real>(alpha_) * sum;
    if (habits_.ignores_beta || (beta_ == 0 && !habits_.multiplies_c_by_zero))
      return static_cast<double>(result);
    const bool mirrored = habits_.bias_by_row && j < c_.shape[0] && i < c_.shape[1];
    const Real factor = static_cast<Real>(habits_.adds_alpha_c ? alpha_ : beta_);
    return static_cast<double>(
        result + factor * static_cast<Real>(mirrored ? load(c_, j, i, false) : load(c_, i, j, false)));
  }

  // Element (i, j) of the matrix or of its transpose. Views are followed unless the width is taken for
  // the stride.
  double load(const View& view, std::int64_t i, std::int64_t j, bool transposed) const {
    if (transposed) std::swap(i, j);
    i %= view.shape[0];  // a faulty subject must not leave the memory it was given
    j %= view.shape[1];
    const std::byte* at = element(view, i, j);
    const std::size_t size = size_of(view.dtype);
    if (habits_.takes_width_for_stride && view.stride[1] == 1 && view.stride[0] > view.shape[1]) {
      at = static_cast<const std::byte*>(view.data) + static_cast<std::size_t>(i * view.shape[1] + j) * size;
    }
    return decode(format_of(view.dtype), load_bits(at, size));
  }

  static void store(const View& view, std::int64_t i, std::int64_t j, double value) {
    store_bits(element(view, i, j), encode(format_of(view.dtype), value), size_of(view.dtype));
  }

  const Habits& habits_;
  const Call& call_;
  const View& c_;
  double alpha_, beta_;
  bool transpose_a_, transpose_b_;
};

class Multiplier final : public Subject {
 public:
  explicit Multiplier(Habits habits) : habits_(std::move(habits)) {
    for (const Dtype dtype : float_dtypes()) models_[static_cast<std::size_t>(dtype)] = Model::common(dtype);
  }
  Model& declared(Dtype dtype) { return models_[static_cast<std::size_t>(dtype)]; }

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return operation == "matmul" && is_float(dtype) ? &models_[static_cast<std::size_t>(dtype)] : nullptr;
  }
  Status run(const Call& call) override {
    if (habits_.declines_other_layouts) {
      for (const auto& [tensor, view] : call.tensors) {
        if (view.stride[1] != 1 || view.stride[0] < view.shape[1]) return Status::unsupported;
      }
    }
    return call.tensor("c").dtype == Dtype::f64 ? Loop<double>(habits_, call).run()
                                                : Loop<float>(habits_, call).run();
  }

 private:
  std::string name_ = "multiplier";
  Habits habits_;
  std::array<Model, 8> models_;
};

inline const Law& law_named(std::string_view name) {
  static const std::vector<Law> laws = linear_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  if (found == laws.end()) throw std::out_of_range(std::string(name));
  return *found;
}

}  // namespace etalon::multiplying
