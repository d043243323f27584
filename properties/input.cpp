// INP: the laws of combine, Z = c X + P.
#include <array>
#include <cmath>

#include "properties/combination.hpp"
#include "properties/input_parts.hpp"
#include "properties/law.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

// INP-1: Z = c X + P, element by element, in every layout; NaN, Inf and overflow by class.
void scaled_sum(Trial& trial) {
  constexpr Pattern patterns[] = {Pattern::lattice, Pattern::unit, Pattern::wide, Pattern::extreme,
                                  Pattern::special};
  const Pattern pattern = patterns[trial["pattern"]];
  Combination z(trial, batch_shape(trial), kind_of(trial), declared_scale(trial));
  z.x = trial.input("x", z.shape, pattern, layout_of(trial, "x_layout"));
  z.p = trial.input("p", z.row_shape(), pattern, layout_of(trial, "p_layout"));
  z.out = trial.output(z.shape, layout_of(trial, "out_layout"));
  if (z.run()) z.judge();
}

// INP-1: integers small enough are exact in every arithmetic that holds them, with FMA or without.
void integers_are_exact(Trial& trial) {
  Combination z(trial, {trial["n"], trial["d"]}, kind_of(trial), -5);
  z.x = trial.input("x", z.shape, Pattern::lattice);
  z.p = trial.input("p", z.row_shape(), Pattern::lattice);
  z.out = trial.output(z.shape);
  if (z.run()) z.judge_exact_integers();
}

// INP-2: with X = 1 and P = 0 the result is c itself: sqrt(d), 1, or the declared number.
void scale_is_what_is_declared(Trial& trial) {
  Combination z(trial, {trial["n"], trial["d"]}, kind_of(trial), declared_scale(trial));
  z.x = Tensor(trial.dtype(), z.shape);
  for (std::int64_t i = 0; i < z.x.elements(); ++i) z.x.set(i, 1);
  z.p = Tensor(trial.dtype(), z.row_shape());
  z.out = trial.output(z.shape);
  if (z.run()) z.judge();
}

// Two rows of X alike, at the first and the last position.
void repeat_first_row(Tensor& x) {
  const std::int64_t d = x.shape()[1];
  for (std::int64_t j = 0; j < d; ++j) x.set_bits((x.shape()[0] - 1) * d + j, x.bits(j));
}

// a - b without error: s + e (Knuth's TwoSum).
struct Difference {
  double s = 0;
  double e = 0;
  Difference(double a, double b) : s(a - b) {
    const double t = s - a;
    e = (a - (s - t)) - (b + t);
  }
};

// INP-3: Z_i - Z_j = P_i - P_j where X_i = X_j. Each side of the difference has the error of its own
// element, so the two differ by at most B_i + B_j. Both differences are taken without error; what the
// last subtraction here adds is below 2^-50 of the bound and 2^-100 of the terms.
void same_type_differs_by_position(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  Combination z(trial, {n, d}, kind_of(trial), declared_scale(trial));
  z.x = trial.input("x", z.shape, Pattern::unit);
  z.p = trial.input("p", z.row_shape(), Pattern::unit);
  z.out = trial.output(z.shape);
  repeat_first_row(z.x);
  if (!z.run()) return;
  for (std::int64_t j = 0; j < d && !trial.settled(); ++j) {
    const std::int64_t last = (n - 1) * d + j;
    const Difference got(z.out.value(j), z.out.value(last));
    const Difference want(z.p.value(j), z.p.value(last));
    const double error = std::fabs((got.s - want.s) + (got.e - want.e));
    const Expected first_due = z.expected(j);
    const Expected last_due = z.expected(last);
    const double bound =
        (first_due.bound + first_due.truth.radius + last_due.bound + last_due.truth.radius) * (1 + 0x1p-48) +
        0x1p-100 * (std::fabs(got.s) + std::fabs(want.s));
    if (std::isnan(bound)) return trial.settle(Verdict::no_bound, "the model has no bound for c x + p");
    trial.expect(error <= bound, "Z_1 - Z_n differs from P_1 - P_n in column " + std::to_string(j) + " by " +
                                     std::to_string(error / bound) + " times what rounding allows");
  }
}

// INP-3: on integers the differences agree exactly, whatever c is, c an integer.
void same_type_differs_exactly(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  Combination z(trial, {n, d}, kind_of(trial), -5);
  z.x = trial.input("x", z.shape, Pattern::lattice);
  z.p = trial.input("p", z.row_shape(), Pattern::lattice);
  z.out = trial.output(z.shape);
  repeat_first_row(z.x);
  if (!z.run()) return;
  if (!keeps_values(trial.model("combine"), trial.dtype())) return z.judge();
  for (std::int64_t j = 0; j < d && !trial.settled(); ++j) {
    const std::int64_t last = (n - 1) * d + j;
    trial.expect(z.out.value(j) - z.out.value(last) == z.p.value(j) - z.p.value(last),
                 "Z_1 - Z_n is not P_1 - P_n in column " + std::to_string(j));
  }
}

Parameter kind_parameter() { return Parameter::choice("scale", {"one", "sqrt", "value"}); }

Parameter width_parameter() { return Parameter::range("d", 1, 48, {1, 2, 3, 7, 31, 33}); }

// Widths whose root is a small integer: c X + P stays exact on the lattice of every format.
Parameter square_width_parameter() { return Parameter::one_of("d", {1, 4, 16, 64, 256}); }

std::vector<Law> sum_laws() {
  return {
      {"inp_1_scaled_sum",
       "INP-1",
       "every element is c x + p within its bound, in every layout",
       {"combine"},
       float_dtypes(),
       {Parameter::range("B", 0, 4, {0, 1, 2}), Parameter::range("n", 0, 24, {0, 1, 2, 3}), width_parameter(),
        kind_parameter(), declared_scale_parameter(),
        Parameter::choice("pattern", {"lattice", "unit", "wide", "extreme", "special"}),
        layout_parameter("x_layout"), layout_parameter("p_layout"), layout_parameter("out_layout")},
       {{Level::smoke, {0, 3, 7, 1, 0, 1, 0, 0, 0}},
        {Level::smoke, {2, 3, 7, 1, 0, 1, 1, 1, 1}},
        {Level::smoke, {2, 3, 5, 2, 1, 2, 2, 3, 2}},
        {Level::smoke, {0, 3, 33, 1, 0, 3, 4, 4, 4}},
        {Level::smoke, {0, 3, 33, 0, 0, 4, 0, 0, 0}},
        {Level::standard, {0, 512, 768, 1, 0, 1, 0, 0, 0}},
        {Level::standard, {3, 128, 512, 1, 0, 2, 0, 0, 0}},
        {Level::standard, {0, 33, 1025, 0, 0, 4, 1, 0, 1}},
        {Level::full, {8, 512, 1024, 1, 0, 1, 0, 0, 0}}},
       scaled_sum},
      {"inp_1_integers_are_exact",
       "INP-1",
       "small integers come out exact with and without FMA",
       {"combine"},
       float_dtypes(),
       {Parameter::range("n", 0, 24, {0, 1, 2, 3}), square_width_parameter(), kind_parameter()},
       {{Level::smoke, {3, 4, 1}},
        {Level::smoke, {3, 16, 2}},
        {Level::smoke, {3, 4, 0}},
        {Level::standard, {1024, 256, 1}}},
       integers_are_exact},
      {"inp_2_scale_is_what_is_declared",
       "INP-2",
       "with X = 1 and P = 0 the result is c, rounded",
       {"combine"},
       float_dtypes(),
       {Parameter::range("n", 1, 3, {1}),
        Parameter::range("d", 1, 1100, {1, 2, 3, 4, 5, 8, 64, 80, 128, 512, 768, 1000, 1024}),
        kind_parameter(), declared_scale_parameter()},
       {{Level::smoke, {1, 2, 1, 0}},
        {Level::smoke, {1, 3, 1, 0}},
        {Level::smoke, {1, 80, 1, 0}},
        {Level::smoke, {1, 512, 1, 0}},
        {Level::smoke, {1, 768, 1, 0}},
        {Level::smoke, {1, 2, 0, 0}},
        {Level::smoke, {1, 3, 2, 1}},
        {Level::smoke, {1, 3, 2, 0}},
        {Level::smoke, {1, 3, 2, 2}},
        {Level::standard, {1, 4096, 1, 0}},
        {Level::standard, {1, 12288, 1, 0}}},
       scale_is_what_is_declared},
      {"inp_3_same_type_differs_by_position",
       "INP-3",
       "two occurrences of a type differ by P_i - P_j",
       {"combine"},
       float_dtypes(),
       {Parameter::range("n", 2, 24, {2, 3}), width_parameter(), kind_parameter(),
        declared_scale_parameter()},
       {{Level::smoke, {2, 2, 1, 0}}, {Level::smoke, {5, 7, 2, 1}}, {Level::standard, {64, 768, 1, 0}}},
       same_type_differs_by_position},
      {"inp_3_same_type_differs_exactly",
       "INP-3",
       "on integers they differ by exactly P_i - P_j",
       {"combine"},
       float_dtypes(),
       {Parameter::range("n", 2, 24, {2, 3}), square_width_parameter(), kind_parameter()},
       {{Level::smoke, {2, 4, 1}}, {Level::smoke, {5, 16, 0}}, {Level::standard, {64, 256, 2}}},
       same_type_differs_exactly},
  };
}

}  // namespace

std::vector<Law> input_laws() {
  std::vector<Law> laws = sum_laws();
  for (Law& law : zero_summand_laws()) laws.push_back(std::move(law));
  for (Law& law : input_example_laws()) laws.push_back(std::move(law));
  for (Law& law : batch_laws()) laws.push_back(std::move(law));
  return laws;
}

}  // namespace etalon
