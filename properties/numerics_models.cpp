// NUM-3 to NUM-6: the laws of the arithmetic model, of the bounds, of the judges, and of special values.
#include <array>
#include <cmath>
#include <limits>

#include "properties/bounds/input.hpp"
#include "properties/combination.hpp"
#include "properties/numerics_parts.hpp"
#include "properties/trial.hpp"
#include "reference/oracle/input.hpp"
#include "reference/oracle/rounding.hpp"

namespace etalon {
namespace {

std::uint64_t sign_of(const Format& format) { return std::uint64_t{1} << (format.bits - 1); }
std::uint64_t infinity_of(const Format& format) { return encode(format, HUGE_VAL); }

// NUM-3: the common case computes in a format that holds the dtype's values.
void common_model_keeps_values(Trial& trial) {
  const Model model = Model::common(trial.dtype());
  trial.expect(keeps_values(model, trial.dtype()), "the common accumulator is narrower than the dtype");
  trial.expect(!model.flushes_subnormals && model.height == 0, "the common case flushes or fixes an order");
}

// NUM-4: the bound of c x + p admits what correct rounding gives, and what product, sum and store give
// when each is rounded to the accumulator. (Sums of two 24-bit values rounded twice, by way of a
// double, are rounded once: 53 >= 2 * 24 + 2.)
void honest_results_are_within_bounds(Trial& trial) {
  const Format& format = trial.format();
  const Model model = Model::common(trial.dtype());
  const Format& accumulator = format_of(model.accumulator);
  const Ball c = trial["c"] == 0 ? oracle::square_root(trial["d"]) : Ball::exact(declared_scale(trial));
  const Tensor x = trial.input("x", {trial["count"]}, static_cast<Pattern>(trial["pattern"]));
  const Tensor p = trial.input("p", {trial["count"]}, static_cast<Pattern>(trial["pattern"]));
  Tensor best(trial.dtype(), x.shape());
  Tensor plain(trial.dtype(), x.shape());
  const auto rounded = [&](double value) { return decode(accumulator, encode(accumulator, value)); };
  for (std::int64_t i = 0; i < x.elements(); ++i) {
    const Ball z = oracle::scaled_sum(c, x.value(i), p.value(i));
    best.set_bits(i, oracle::round_to(format, z).value_or(encode(format, z.hi)));
    plain.set(i, rounded(rounded(rounded(c.hi) * x.value(i)) + p.value(i)));
  }
  const auto expected = [&](std::int64_t i) {
    const double a = x.value(i);
    const double b = p.value(i);
    return bounds::combine_expected(model, format, c, a, b, oracle::scaled_sum(c, a, b));
  };
  trial.judge_bound("rounded", best, expected);
  trial.judge_bound("computed", plain, expected);
}

// NUM-5: with nothing allowed the judges accept a value for itself and for no other, NaN for NaN.
void judges_tell_values_apart(Trial& trial) {
  const Format& format = trial.format();
  Tensor drawn = trial.input("bits", {2 * trial["count"]}, static_cast<Pattern>(trial["pattern"]));
  for (std::int64_t i = 0; i < trial["count"] && !trial.settled(); ++i) {
    const std::uint64_t got = drawn.bits(2 * i);
    const double g = decode(format, got);
    for (const std::uint64_t want : {got, drawn.bits(2 * i + 1), got ^ 1, got ^ sign_of(format)}) {
      const double w = decode(format, want);
      const bool both_nan = std::isnan(g) && std::isnan(w);
      const auto passes = [](const Judgement& judgement) { return judgement.verdict == Verdict::pass; };
      trial.expect(
          passes(judge_exact(format, got, want, ZeroSign::compared, NanPayload::compared)) == (got == want),
          "T0 takes other bits for the bits");
      trial.expect(passes(judge_exact(format, got, want, ZeroSign::ignored, NanPayload::ignored)) ==
                       (both_nan || g == w),
                   "T0 takes one value for another");
      trial.expect(passes(judge_within(format, got, {Ball::exact(w)})) == (both_nan || g == w),
                   "T1 with bound 0 takes one value for another");
    }
  }
}

// NUM-6: zeros keep their sign under rounding, underflow to the zero of their sign, infinities and NaNs
// stay what they are.
void specials_survive_rounding(Trial& trial) {
  const Format& format = trial.format();
  const double tiny = std::numeric_limits<double>::denorm_min();
  trial.expect(encode(format, 0.0) == 0 && encode(format, -0.0) == sign_of(format), "a zero loses its sign");
  if (format.precision < 53) {
    trial.expect(encode(format, tiny) == 0 && encode(format, -tiny) == sign_of(format),
                 "underflow loses the sign");
  }
  trial.expect(encode(format, -HUGE_VAL) == (infinity_of(format) | sign_of(format)), "-Inf loses its sign");
  trial.expect(std::isinf(decode(format, infinity_of(format))), "Inf is not infinite");
  for (const double nan : {std::nan(""), -std::nan("")}) {
    const double back = decode(format, encode(format, nan));
    trial.expect(std::isnan(back), "NaN becomes a number");
    trial.expect(((encode(format, nan) & sign_of(format)) != 0) == std::signbit(nan), "NaN loses its sign");
  }
}

// NUM-6: every pair of special values through c x + p: NaN spreads, Inf - Inf and 0 * Inf are NaN, other
// infinities stay, and what is finite stays finite.
void specials_by_class(Trial& trial) {
  const double tiny = trial.format().smallest_subnormal();
  const std::array<double, 9> values = {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0, -0.0, 1, -2, tiny, -tiny};
  constexpr std::int64_t count = 9;
  Combination z(trial, {count, count}, kind_of(trial), declared_scale(trial));
  z.x = Tensor(trial.dtype(), z.shape);
  z.p = Tensor(trial.dtype(), z.shape);
  z.out = trial.output(z.shape);
  const auto x = [&](std::int64_t index) { return values[static_cast<std::size_t>(index / count)]; };
  const auto p = [&](std::int64_t index) { return values[static_cast<std::size_t>(index % count)]; };
  for (std::int64_t i = 0; i < count * count; ++i) {
    z.x.set(i, x(i));
    z.p.set(i, p(i));
  }
  if (!z.run()) return;
  for (std::int64_t i = 0; i < count * count && !trial.settled(); ++i) {
    const double want = z.c.hi * x(i) + p(i);  // its class only
    const double got = z.out.value(i);
    const bool same_class = std::isnan(want)   ? std::isnan(got)
                            : std::isinf(want) ? got == want
                                               : std::isfinite(got);
    trial.expect(same_class, "c x + p with x = " + std::to_string(x(i)) + ", p = " + std::to_string(p(i)) +
                                 " gives " + std::to_string(got));
  }
}

Parameter count_parameter() { return Parameter::range("count", 1, 400, {400}); }

}  // namespace

std::vector<Law> numerics_model_laws() {
  return {
      {"num_3_common_model_keeps_values",
       "NUM-3",
       "the default accumulator holds every value of the dtype",
       {},
       float_dtypes(),
       {},
       {},
       common_model_keeps_values},
      {"num_4_honest_results_are_within_bounds",
       "NUM-4",
       "correct and plain results stay within the bound of c x + p",
       {},
       float_dtypes(),
       {Parameter::choice("c", {"sqrt", "value"}), Parameter::range("d", 1, 1024, {2, 3, 80, 512}),
        declared_scale_parameter(),
        Parameter::choice("pattern", {"lattice", "unit", "positive", "wide", "extreme", "special"}),
        count_parameter()},
       {{Level::smoke, {0, 512, 0, 1, 100}},
        {Level::smoke, {1, 2, 5, 4, 100}},
        {Level::standard, {0, 768, 0, 3, 20000}}},
       honest_results_are_within_bounds},
      {"num_5_judges_tell_values_apart",
       "NUM-5",
       "with bound 0 a value passes for itself alone",
       {},
       float_dtypes(),
       {Parameter::choice("pattern", {"lattice", "unit", "positive", "wide", "extreme", "special", "bits"}),
        count_parameter()},
       {{Level::smoke, {6, 200}}, {Level::smoke, {5, 200}}},
       judges_tell_values_apart},
      {"num_6_specials_survive_rounding",
       "NUM-6",
       "zeros, infinities and NaNs keep class and sign when rounded",
       {},
       float_dtypes(),
       {},
       {},
       specials_survive_rounding},
      {"num_6_specials_by_class",
       "NUM-6",
       "every pair of special values through c x + p",
       {"combine"},
       float_dtypes(),
       {Parameter::choice("scale", {"one", "sqrt", "value"}), declared_scale_parameter()},
       {{Level::smoke, {0, 0}}, {Level::smoke, {1, 0}}, {Level::smoke, {2, 2}}, {Level::smoke, {2, 3}}},
       specials_by_class},
  };
}

}  // namespace etalon
