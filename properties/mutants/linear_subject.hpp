// A subject that multiplies matrices by plain loops, honestly or with one fault.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
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
  bool skips_empty_sums = false;   // k = 0: c is left as it was
  bool clears_empty_sums = false;  // k = 0: c is cleared
  bool refuses_empty_sums = false;
  bool refuses_empty_results = false;
  bool writes_on_empty_results = false;
  bool drops_nan = false;
  bool skips_zero_factors = false;  // 0 Inf and 0 NaN among them
  bool saturates = false;           // the largest finite number for an infinity
  bool flushes_operands = false;    // subnormal numbers become zeros
  bool flushes_results = false;
  bool truncates_results = false;  // towards zero
  bool swaps_flags_when_both = false;
  bool flag_of_a_for_both = false;
  bool exchanges_square_operands = false;  // b a for a b
  bool transposes_square_results = false;
  bool leading_dimension_of_a_for_b = false;
  bool writes_the_gap = false;
  bool reads_the_gap = false;              // rounds k up to a multiple of 4, where the rows of a have a gap
  bool backwards = false;                  // sums from the last term: as honest as the other way
  bool alpha_first = false;                // scales a before the sum: honest
  bool bias_by_row = false;                // takes c(j, i) for c(i, j) where that exists
  bool scales_rows_together = false;       // a in 16 bits, with one scale for all of its rows
  bool clears_work_when_it_grows = false;  // else results are added to those of the call before
  bool keeps_weights = false;              // the first b of its shape stands for every other
  bool declines_other_layouts = false;
  std::int64_t tile = 1;           // terms beyond a multiple of the tile are lost
  std::int64_t row_tile = 1;       // rows likewise stay as they were
  std::int64_t column_tile = 1;    // and columns
  std::int64_t stored_every = 0;   // terms after which the sum goes through the format of c; 0: never
  std::int64_t stale_column = -1;  // this column of b is taken for its neighbour
  std::function<bool(std::int64_t m, std::int64_t n)> narrows = [](std::int64_t, std::int64_t) {
    return true;
  };
  std::function<double(double)> operand = [](double x) { return x; };  // where it narrows
  std::function<double(double)> product = [](double x) { return x; };
  std::function<double(double)> partial_sum = [](double x) { return x; };
  // The factors of the sum and of c(i, j).
  std::function<double(double alpha, double beta)> factor_of_sum = [](double alpha, double) { return alpha; };
  std::function<double(double alpha, double beta, std::int64_t i)> factor_of_c =
      [](double, double beta, std::int64_t) { return beta; };
};

template <typename Real>
class Loop {
 public:
  Loop(const Habits& habits, const Call& call, std::vector<double>& work)
      : habits_(habits), call_(call), work_(work), c_(call.tensor("c")) {
    alpha_ = call.attribute("alpha");
    beta_ = call.attribute("beta");
    transpose_a_ = call.attribute("transpose_a") == 1 && !habits.ignores_transpose_a;
    transpose_b_ = call.attribute("transpose_b") == 1 && !habits.ignores_transpose_b;
    if (habits.swaps_flags_when_both && transpose_a_ && transpose_b_) transpose_b_ = false;
    if (habits.flag_of_a_for_both) transpose_b_ = transpose_a_;
    const View& a = call.tensor("a");
    const View& b = call.tensor("b");
    const bool square = a.shape[0] == a.shape[1] && a.shape == b.shape;
    left_ = habits.exchanges_square_operands && square ? b : a;
    right_ = habits.exchanges_square_operands && square ? a : b;
    if (habits.leading_dimension_of_a_for_b && right_.stride[1] == 1 && left_.stride[0] > 0) {
      right_.stride[0] = std::min(right_.stride[0], left_.stride[0]);
    }
    narrows_ = habits.narrows(c_.shape[0], c_.shape[1]);
    if (habits.scales_rows_together) step_ = largest(left_) * 0x1p-15;
  }

  Status run() {
    const std::int64_t m = c_.shape[0];
    const std::int64_t n = c_.shape[1];
    if (m == 0 || n == 0) return empty();
    const View& a = call_.tensor("a");
    const std::int64_t k = a.shape[call_.attribute("transpose_a") == 1 ? 0 : 1];
    if (k == 0 && habits_.skips_empty_sums) return Status::ok;
    if (k == 0 && habits_.refuses_empty_sums) return Status::invalid_argument;
    std::vector<double> result(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) result[static_cast<std::size_t>(i * n + j)] = entry(i, j, k);
    }
    if (habits_.clears_work_when_it_grows) {
      if (work_.size() < result.size()) work_.assign(result.size(), 0);
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = work_[i] += result[i];
    }
    const bool turned = habits_.transposes_square_results && m == n;
    for (std::int64_t i = 0; i < m / habits_.row_tile * habits_.row_tile; ++i) {
      for (std::int64_t j = 0; j < n / habits_.column_tile * habits_.column_tile; ++j) {
        store(c_, i, j, result[static_cast<std::size_t>(turned ? j * n + i : i * n + j)]);
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
    const Real sum = sum_of(i, j, k);
    const double alpha = habits_.factor_of_sum(alpha_, beta_);
    const Real result = habits_.alpha_first ? sum : static_cast<Real>(alpha) * sum;
    if ((beta_ == 0 && !habits_.multiplies_c_by_zero) || (k == 0 && habits_.clears_empty_sums))
      return finished(result);
    const double factor = habits_.factor_of_c(alpha_, beta_, i);
    if (factor == 0 && beta_ != 0) return finished(result);  // c is not even read
    const bool mirrored = habits_.bias_by_row && j < c_.shape[0] && i < c_.shape[1];
    const double c = mirrored ? load(c_, j, i, false) : load(c_, i, j, false);
    return finished(result + static_cast<Real>(factor) * static_cast<Real>(c));
  }

  Real sum_of(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const bool reads = alpha_ != 0 || habits_.reads_operands_for_alpha_zero;
    const std::int64_t terms = k / habits_.tile * habits_.tile;
    Real sum = 0;
    for (std::int64_t step = 0; reads && step < terms; ++step) {
      const std::int64_t l = habits_.backwards ? k - 1 - step : step;
      const Real x = static_cast<Real>(in_steps(operand(load(left_, i, l, transpose_a_))));
      const std::int64_t column = j == habits_.stale_column ? j - 1 : j;
      const Real y = static_cast<Real>(operand(load(right_, l, column, transpose_b_)));
      if (habits_.skips_zero_factors && (x == 0 || y == 0)) continue;
      const Real scaled = habits_.alpha_first ? static_cast<Real>(alpha_) * x : x;
      const Real product = static_cast<Real>(habits_.product(static_cast<double>(scaled * y)));
      if (habits_.drops_nan && std::isnan(product)) continue;
      sum = static_cast<Real>(habits_.partial_sum(static_cast<double>(sum + product)));
      if (habits_.stored_every > 0 && (step + 1) % habits_.stored_every == 0) {
        sum = static_cast<Real>(rounded_to(c_.dtype, static_cast<double>(sum)));
      }
    }
    // What a vector load of the last terms brings in besides them, unless it is multiplied by zero.
    if (reads && habits_.reads_the_gap && k % 4 != 0 && !transpose_a_ && left_.stride[0] > k) {
      sum += static_cast<Real>(
                 decode(format_of(left_.dtype), load_bits(element(left_, i, k), size_of(left_.dtype)))) *
             0;
    }
    return sum;
  }

  static double largest(const View& view) {
    double size = 0;
    for (std::int64_t i = 0; i < view.shape[0]; ++i) {
      for (std::int64_t j = 0; j < view.shape[1]; ++j) {
        const double x = decode(format_of(view.dtype), load_bits(element(view, i, j), size_of(view.dtype)));
        if (std::isfinite(x)) size = std::max(size, std::fabs(x));
      }
    }
    return size;
  }
  double in_steps(double x) const { return step_ > 0 ? step_ * std::nearbyint(x / step_) : x; }

  double flushed(double x) const {
    return std::fabs(x) < format_of(c_.dtype).smallest_normal() ? std::copysign(0.0, x) : x;
  }
  double operand(double x) const {
    const double seen = habits_.flushes_operands ? flushed(x) : x;
    return narrows_ ? habits_.operand(seen) : seen;
  }

  double finished(Real value) const {
    const Format& format = format_of(c_.dtype);
    const double number = static_cast<double>(value);
    if (habits_.saturates && std::isinf(rounded_to(c_.dtype, number)))
      return std::copysign(format.largest_finite(), number);
    if (habits_.flushes_results) return flushed(number);
    if (!habits_.truncates_results || !std::isfinite(number)) return number;
    const double nearest = rounded_to(c_.dtype, number);
    const bool away = std::fabs(nearest) > std::fabs(number);
    return away ? nearest - std::copysign(ulp(format, number), number) : nearest;
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
  std::vector<double>& work_;
  const View& c_;
  double step_ = 0;
  View left_, right_;
  bool narrows_ = true;
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
    Call seen = call;
    if (habits_.keeps_weights) seen.tensors[1].second = kept(call.tensor("b"));
    return call.tensor("c").dtype == Dtype::f64 ? Loop<double>(habits_, seen, work_).run()
                                                : Loop<float>(habits_, seen, work_).run();
  }

 private:
  const View& kept(const View& weights) {
    for (const Tensor& tensor : weights_) {
      if (tensor.shape() == weights.shape && tensor.dtype() == weights.dtype) return tensor.view();
    }
    Tensor& copy = weights_.emplace_back(weights.dtype, weights.shape);
    for (std::int64_t i = 0; i < copy.elements(); ++i) {
      const std::int64_t width = weights.shape[1];
      copy.set_bits(i, load_bits(element(weights, i / width, i % width), size_of(weights.dtype)));
    }
    return copy.view();
  }

  std::string name_ = "multiplier";
  Habits habits_;
  std::vector<double> work_;
  std::deque<Tensor> weights_;
  std::array<Model, 8> models_;
};

inline const Law& law_named(std::string_view name) {
  static const std::vector<Law> laws = linear_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  if (found == laws.end()) throw std::out_of_range(std::string(name));
  return *found;
}

}  // namespace etalon::multiplying
