// LIN-1, NUM-8: matrix products at both ends of the range, and sums that are no trees, against the bound.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "properties/bounds/linear.hpp"
#include "properties/tests/bounds_machine.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon {
namespace {

using bounds::Formats;
using bounds::matmul_expected;
using oracle::gemm_entry;
using tests::Machine;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

const Format& f16 = format_of(Dtype::f16);
const Format& f32 = format_of(Dtype::f32);
const Format& f64 = format_of(Dtype::f64);

struct Problem {
  std::vector<double> a, b;
  double alpha = 1, beta = 0, c = 0;
};

oracle::Dot dot_of(const Problem& p) {
  return gemm_entry(p.alpha, p.a.data(), 1, p.b.data(), 1, static_cast<std::int64_t>(p.a.size()), p.beta,
                    p.c);
}

Expected expected_of(const Model& model, const Formats& formats, const Format& out, const Problem& p) {
  return matmul_expected(model, formats, out, static_cast<std::int64_t>(p.a.size()), p.alpha, dot_of(p),
                         p.beta, p.c);
}

Expected expected_of(const Model& model, const Format& out, const Problem& p) {
  return expected_of(model, bounds::formats_of(model), out, p);
}

Model computing_in(Dtype dtype) {
  Model model;
  model.accumulator = model.product_input = model.storage = dtype;
  return model;
}

Problem draw(std::mt19937_64& random, const Format& out) {
  constexpr double factors[] = {1, 1, -1, 0.5, 2, 1.25, -1.4, 0.7};
  const auto element = [&] { return decode(out, random() >> (64 - out.bits)); };
  Problem p;
  for (std::uint64_t l = random() % 4; l > 0; --l) {
    p.a.push_back(element());
    p.b.push_back(element());
  }
  p.alpha = factors[random() % 8];
  p.beta = random() % 2 == 0 ? 0 : factors[random() % 8];
  p.c = element();
  return p;
}

// alpha into a, into b, into every product or at the end; beta c first or last; fused or not.
double computed(Machine& machine, const Problem& p, std::uint64_t way) {
  const double alpha = machine.constant(p.alpha);
  const auto times_alpha = [&](double x) { return p.alpha == 1 ? x : machine.multiply(alpha, x); };
  const auto factor = [&](double x, bool scaled) {
    const double converted = machine.operand(x);
    return machine.narrowed(scaled ? times_alpha(machine.narrowed(converted)) : converted);
  };
  double last = 0;
  if (p.beta != 0) {
    const double c = machine.operand(p.c);
    last = machine.stored(p.beta == 1 ? c : machine.multiply(machine.constant(p.beta), c));
  }
  const bool last_first = way % 2 == 0 && way / 4 % 4 != 3;
  double sum = last_first ? last : 0;
  for (std::size_t l = 0; l < p.a.size(); ++l) {
    const double a = factor(p.a[l], way / 4 % 4 == 0);
    const double b = factor(p.b[l], way / 4 % 4 == 1);
    if (way / 2 % 2 == 0 && way / 4 % 4 != 2) {
      sum = machine.fused(a, b, sum);
    } else {
      const double product = machine.multiply(a, b);
      sum = machine.add(sum, way / 4 % 4 == 2 ? times_alpha(product) : product);
    }
  }
  if (way / 4 % 4 == 3 && !p.a.empty()) sum = times_alpha(sum);
  return machine.output(last_first || p.beta == 0 ? sum : machine.add(sum, last));
}

// Every pattern of every format, Inf and NaN among them, on every machine: nothing honest fails.
TEST(MatmulRange, HoldsOnEveryMachineOfAFewBits) {
  std::uint64_t claimed = 0;
  std::uint64_t judged = 0;
  tests::for_every_machine(
      [&](const Model& model, const Formats& formats, const Format& out, std::mt19937_64& random) {
        Machine machine(model, formats, out, random);
        for (int i = 0; i < 300; ++i) {
          const Problem p = draw(random, out);
          const Expected expected = expected_of(model, formats, out, p);
          const double got = computed(machine, p, random());
          const Judgement judgement = judge_within(out, encode(out, got), expected);
          ASSERT_EQ(judgement.verdict, Verdict::pass)
              << tests::name_of(model, formats, out) << ": " << got << " for " << expected.truth.hi
              << " within " << expected.bound << ", " << judgement.reason << "; alpha " << p.alpha << " beta "
              << p.beta << " c " << p.c << " k " << p.a.size() << (p.a.empty() ? 0 : p.a[0]) << " "
              << (p.a.empty() ? 0 : p.b[0]);
          ++judged;
          claimed += expected.bound < std::fabs(expected.truth.hi) / 2;
        }
      });
  EXPECT_GT(claimed, judged / 20) << "the bounds say something";
}

TEST(MatmulRange, CountsWhatAlphaTimesAnOperandLosesInItsOwnFormat) {
  Model model = Model::common(Dtype::f16);
  model.product_input = Dtype::f16;
  const Problem p{{3 * 0x1p-24}, {65504}, 1.25, 0, 0};  // 3.75 eta, stored as 4 eta
  const Judgement judgement = judge_within(f16, encode(f16, 0x1p-22 * 65504), expected_of(model, f16, p));
  EXPECT_EQ(judgement.verdict, Verdict::pass) << judgement.margin;
  EXPECT_LT(expected_of(model, f16, {{1}, {1}, 1.25, 0, 0}).bound, 0.005);
}

TEST(MatmulRange, CountsWhatConversionsLoseBelowTheAccumulator) {
  const Expected copied = expected_of(computing_in(Dtype::f32), f64, {{}, {}, 1, 1, -1.99e-242});
  EXPECT_EQ(judge_within(f64, 0, copied).verdict, Verdict::pass);
  EXPECT_LT(copied.bound, 1e-44);
  const Expected product = expected_of(computing_in(Dtype::f16), f32, {{0x1p-30}, {0x1p14}, 1, 0, 0});
  EXPECT_EQ(judge_within(f32, 0, product).verdict, Verdict::pass);
}

TEST(MatmulRange, CountsWhatConversionsLoseAboveTheAccumulator) {
  const auto verdict = [&](const Problem& p, double got) {
    return judge_within(f64, encode(f64, got), expected_of(computing_in(Dtype::f32), f64, p)).verdict;
  };
  EXPECT_EQ(verdict({{}, {}, 1, 1e-4, 1e40}, infinity), Verdict::pass) << "c overflows, beta c does not";
  EXPECT_EQ(verdict({{infinity}, {1}, 1, 1, -1e40}, not_a_number), Verdict::pass);
  EXPECT_EQ(verdict({{}, {}, 1, 1e-4, 1e30}, infinity), Verdict::fail);
  EXPECT_EQ(verdict({{infinity}, {1}, 1, 1, -1e30}, not_a_number), Verdict::fail);
}

// The magnitudes of f64 sums may leave binary64 themselves.
TEST(MatmulRange, ClaimsNothingWhereMagnitudesLeaveBinary64) {
  const double big = 0x1p1000;
  const Expected expected = expected_of(computing_in(Dtype::f64), f64, {{big, -big}, {big, big}, 1, 0, 0});
  for (const double got : {0.0, -1.0, infinity, not_a_number})
    EXPECT_EQ(judge_within(f64, encode(f64, got), expected).verdict, Verdict::pass) << got;
}

TEST(MatmulRange, LetsAnInfinityMeetAnOperandRoundedToZero) {
  Model narrow = computing_in(Dtype::f32);
  narrow.product_input = Dtype::f16;
  const auto verdict = [&](double partner, double alpha) {
    const Problem p{{infinity}, {partner}, alpha, 0, 0};
    return judge_within(f32, encode(f32, not_a_number), expected_of(narrow, f32, p)).verdict;
  };
  EXPECT_EQ(verdict(0x1p-30, 1), Verdict::pass) << "narrowed";
  EXPECT_EQ(verdict(0x1p-20, 0x1p-10), Verdict::pass) << "times alpha, then narrowed";
  EXPECT_EQ(verdict(0x1p-20, 1), Verdict::fail);
}

TEST(MatmulRange, LetsANarrowAlphaTimesAOverflow) {
  Model narrow = Model::common(Dtype::f16);
  const Problem p{{60000}, {0x1p-10}, 2, 0, 0};
  const auto verdict = [&] {
    return judge_within(f16, encode(f16, infinity), expected_of(narrow, f16, p)).verdict;
  };
  EXPECT_EQ(verdict(), Verdict::fail);
  narrow.product_input = Dtype::f16;
  EXPECT_EQ(verdict(), Verdict::pass) << "operand";
  narrow = Model::common(Dtype::f16);
  narrow.storage = Dtype::f16;
  EXPECT_EQ(verdict(), Verdict::pass) << "stored";
}

}  // namespace
}  // namespace etalon
