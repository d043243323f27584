#include "properties/linear_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "properties/bounds/linear.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon::linear {
namespace {

// Odd and even integers below 2^bits in size, never zero: a term that is lost must show.
double integer_of(Stream& stream, int bits) {
  const auto size = static_cast<double>(stream.below((std::uint64_t{1} << bits) - 1) + 1);
  return stream.below(2) == 0 ? size : -size;
}

// An odd integer of exactly `bits` bits: no format with a shorter significand holds it.
double odd_of(Stream& stream, int bits) {
  const std::uint64_t low = bits > 1 ? (stream.below(std::uint64_t{1} << (bits - 1)) | 1) : 1;
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  const auto size = static_cast<double>(low | top);
  return stream.below(2) == 0 ? size : -size;
}

// How the bits of the accumulator are spent. One term in `every` has a factor of `wide` bits, the
// others of `small` bits; the other factor has `narrow` bits.
struct Budget {
  int wide = 0;
  int narrow = 0;
  int every = 1;
  bool sparse = false;  // the other terms are zero: the bits do not suffice for more
  static constexpr int small = 2;
};

// LIN-3: sum |a b| <= 2^available, whatever the draws.
bool fits(const Budget& budget, std::int64_t k, int available) {
  const double terms = static_cast<double>(k);
  const double wide_terms = std::ceil(terms / budget.every);
  const double small_terms = budget.sparse ? 0 : terms - wide_terms;
  const double sum = wide_terms * std::ldexp(1, budget.wide + budget.narrow) +
                     small_terms * std::ldexp(1, Budget::small + budget.narrow);
  return sum <= std::ldexp(1, available);
}

// The widest factors first, then as many of them as fit, then the other factor.
std::optional<Budget> spend(int operand_bits, int accumulator_bits, std::int64_t k) {
  const int available = accumulator_bits - 2;  // alpha, beta c: see fill_exact
  for (int wide = std::min(operand_bits, accumulator_bits / 2 + 1); wide >= 2; --wide) {
    for (int every = 1; every <= 64; every *= 2) {
      Budget budget{wide, 1, every};
      if (!fits(budget, k, available)) continue;
      while (budget.narrow < std::min(operand_bits, wide)) {
        ++budget.narrow;
        if (fits(budget, k, available)) continue;
        --budget.narrow;
        break;
      }
      return budget;
    }
  }
  // A long sum in a short accumulator: as many terms as it can hold, between zeros.
  for (std::int64_t every = 1; every <= k; ++every) {
    const Budget budget{std::min(operand_bits, 3), 1, static_cast<int>(every), true};
    if (fits(budget, k, available)) return budget;
  }
  return std::nullopt;
}

// Bits in which a sum of the model is exact. With faithful rounding the last rounding, to the output,
// is not determined either, unless there is none: the output's own bits limit the sum, then.
int accumulator_bits(const Model& model, const Format& format) {
  const int bits = std::min(format_of(model.accumulator).precision, format_of(model.storage).precision);
  return model.rounding == Rounding::nearest ? bits : std::min(bits, format.precision);
}

// Elements of op(a)(., l) or op(b)(l, .): `major` says that l is the row of the stored matrix.
void fill_lines(Tensor& tensor, std::int64_t k, std::int64_t lines, bool major, const Budget& budget,
                bool odd_turn, double unit, Stream stream) {
  for (std::int64_t l = 0; l < k; ++l) {
    const bool term_is_wide = l % budget.every == (budget.sparse ? budget.every / 2 : 0);
    const bool turn = (l / budget.every) % 2 == (odd_turn ? 1 : 0);
    for (std::int64_t line = 0; line < lines; ++line) {
      double value = 0;
      if (budget.sparse && !term_is_wide) {
        value = 0;
      } else if (!turn) {
        value = integer_of(stream, budget.narrow);
      } else {
        value = term_is_wide ? odd_of(stream, budget.wide) : integer_of(stream, Budget::small);
      }
      tensor.set(major ? l * lines + line : line * k + l, value * unit);
    }
  }
}

}  // namespace

void Problem::fill(const Trial& trial, Pattern pattern) {
  a = trial.input("a", shape_a(), pattern, layout);
  b = trial.input("b", shape_b(), pattern, layout);
  c = trial.input("c", {m, n}, pattern, layout);
}

void spoil(Tensor& operand, Stream stream) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double bad[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity};
  for (std::int64_t i = 0; i < operand.elements(); ++i) operand.set(i, bad[i == 0 ? 0 : stream.below(3)]);
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values(static_cast<std::size_t>(tensor.elements()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.value(static_cast<std::int64_t>(i));
  return values;
}

Product::Product(const Problem& problem)
    : m_(problem.m),
      n_(problem.n),
      k_(problem.k),
      transpose_a_(problem.transpose_a),
      transpose_b_(problem.transpose_b),
      alpha_(problem.alpha),
      beta_(problem.beta),
      a_(values_of(problem.a)),
      b_(values_of(problem.b)),
      c_(values_of(problem.c)) {}

// An empty sum reads nothing, and a vector without elements has no address to step from.
Product::Line Product::row_of_a(std::int64_t i) const {
  if (k_ == 0) return {nullptr, 1};
  return transpose_a_ ? Line{a_.data() + i, m_} : Line{a_.data() + i * k_, 1};
}

Product::Line Product::column_of_b(std::int64_t j) const {
  if (k_ == 0) return {nullptr, 1};
  return transpose_b_ ? Line{b_.data() + j * k_, 1} : Line{b_.data() + j, n_};
}

Expected Product::expected(const Model& model, const Format& format, std::int64_t index) const {
  const Line row = row_of_a(index / n_);
  const Line column = column_of_b(index % n_);
  const double c = c_[static_cast<std::size_t>(index)];
  const oracle::Dot dot =
      oracle::gemm_entry(alpha_, row.start, row.stride, column.start, column.stride, k_, beta_, c);
  return bounds::matmul_expected(model, format, k_, alpha_, dot, beta_, c);
}

double Product::exact(std::int64_t index) const {
  const Line row = row_of_a(index / n_);
  const Line column = column_of_b(index % n_);
  double sum = 0;
  for (std::int64_t l = 0; alpha_ != 0 && l < k_; ++l) {
    sum += row.start[l * row.stride] * column.start[l * column.stride];
  }
  const double scaled = alpha_ == 0 ? 0 : alpha_ * sum;
  return beta_ == 0 ? scaled : scaled + beta_ * c_[static_cast<std::size_t>(index)];
}

bool multiply(Trial& trial, Problem& problem) {
  return trial.call("matmul", {{"a", &problem.a}, {"b", &problem.b}, {"c", &problem.c}}, {"c"},
                    {{"alpha", problem.alpha},
                     {"beta", problem.beta},
                     {"transpose_a", problem.transpose_a ? 1.0 : 0.0},
                     {"transpose_b", problem.transpose_b ? 1.0 : 0.0}});
}

bool carries(const Model& model, const Format& format) {
  const auto contains = [&](const Format& wider) {
    return wider.precision >= format.precision && wider.emin <= format.emin && wider.emax >= format.emax;
  };
  return contains(format_of(model.accumulator)) && contains(format_of(model.product_input)) &&
         contains(format_of(model.storage));
}

// With |alpha| <= 2 and |beta| <= 2 powers of two, sum |a b| <= 2^(p-2) and |c| <= 2^(p-4) units, the whole
// is at most 2^(p-1) + 2^(p-3) units, and in half units (alpha = 1/2) at most 2^(p-2) + 2^(p-2): it fits p
// bits.
bool fill_exact(Trial& trial, Problem& problem) {
  if (trial.subject().model("matmul", trial.dtype()) == nullptr) {
    trial.settle(Verdict::unsupported, "matmul is not offered");
    return false;
  }
  const Model& model = trial.model("matmul");
  const Format& format = trial.format();
  const int operand_bits = std::min(format.precision, format_of(model.product_input).precision);
  const int bits = accumulator_bits(model, format);
  const auto budget = spend(operand_bits, bits, problem.k);
  if (!budget) {
    trial.settle(Verdict::mistrusted,
                 "the declared accumulator has too few bits for an exact sum of this length");
    return false;
  }
  // Sums stay in the range of every format: 2^24 units are 2^14 in f16.
  const double unit = 0x1p-5;
  problem.a = Tensor(trial.dtype(), problem.shape_a(), problem.layout);
  problem.b = Tensor(trial.dtype(), problem.shape_b(), problem.layout);
  problem.c = Tensor(trial.dtype(), {problem.m, problem.n}, problem.layout);
  fill_lines(problem.a, problem.k, problem.m, problem.transpose_a, *budget, false, unit, trial.stream("a"));
  fill_lines(problem.b, problem.k, problem.n, !problem.transpose_b, *budget, true, unit, trial.stream("b"));
  Stream stream = trial.stream("c");
  const int c_bits = std::max(1, std::min(format.precision, bits - 4));
  for (std::int64_t i = 0; i < problem.c.elements(); ++i) {
    problem.c.set(i, integer_of(stream, c_bits) * unit * unit);
  }
  return true;
}

Parameter memory_parameter() {
  return Parameter::choice("memory", {"dense", "padded", "transposed", "reversed", "unaligned"});
}

Problem problem_of(const Trial& trial) { return problem_of(trial, trial["k"]); }

Problem problem_of(const Trial& trial, std::int64_t k) {
  Problem problem;
  problem.m = trial["m"];
  problem.n = trial["n"];
  problem.k = k;
  problem.transpose_a = trial["ta"] == 1;
  problem.transpose_b = trial["tb"] == 1;
  problem.layout = static_cast<Layout>(trial["memory"]);
  return problem;
}

}  // namespace etalon::linear

namespace etalon {

std::vector<Law> linear_laws() {
  std::vector<Law> laws;
  for (const auto group : {linear::product_laws, linear::exact_laws, linear::algebra_laws}) {
    for (Law& law : group()) laws.push_back(std::move(law));
  }
  return laws;
}

}  // namespace etalon
