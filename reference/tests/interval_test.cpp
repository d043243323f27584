#include "reference/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "reference/real.hpp"
#include "reference/tests/agreement.hpp"

namespace etalon {
namespace {

using tests::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Format& f64() { return format_of(Dtype::f64); }
const Format& f32() { return format_of(Dtype::f32); }

template <class T>
concept Comparable = requires(const T& a, const T& b) {
  { a < b } -> std::convertible_to<bool>;
}
|| requires(const T& a, const T& b) {
  { a == b } -> std::convertible_to<bool>;
};
static_assert(Comparable<Real> && !Comparable<Interval>, "intervals are not compared");

// [low, high], by way of an interval that no single point evaluation would give.
Interval between(double low, double high) {
  Interval result;
  mpfi_interv_d(result.raw(), low, high);
  return result;
}

TEST(Interval, EveryOperationEnclosesTheCorrectlyRoundedResult) {
  Random random(10);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.number(-60, 60);
    const double y = random.number(-60, 60);
    const Interval a(x);
    const Interval b(y);
    const Real p(x);
    const Real q(y);
    // 168 bits in both: between the outward ends lies the nearest number.
    ASSERT_TRUE(encloses(a + b, p + q));
    ASSERT_TRUE(encloses(a - b, p - q));
    ASSERT_TRUE(encloses(a * b, p * q));
    ASSERT_TRUE(encloses(a / b, p / q));
    ASSERT_TRUE(encloses(-a, -p));
    ASSERT_FALSE(encloses(a / b, p / q * (1 + Real(0x1p-160)))) << "the enclosure is needlessly wide";
  }
}

TEST(Interval, EveryFunctionEnclosesTheCorrectlyRoundedResult) {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.number(-40, 8);
    const double size = std::fabs(x);
    ASSERT_TRUE(encloses(sqrt(Interval(size)), Real(sqrt(Real(size)))));
    ASSERT_TRUE(encloses(exp(Interval(x)), Real(exp(Real(x)))));
    ASSERT_TRUE(encloses(log(Interval(size)), Real(log(Real(size)))));
    ASSERT_TRUE(encloses(sin(Interval(x)), Real(sin(Real(x)))));
    ASSERT_TRUE(encloses(cos(Interval(x)), Real(cos(Real(x)))));
    ASSERT_TRUE(encloses(pow(Interval(10000), Interval(x / 512)), Real(pow(Real(10000), Real(x / 512)))));
    const double inside = std::fmod(x, 1);
    ASSERT_TRUE(encloses(acos(Interval(inside)), Real(acos(Real(inside)))));
  }
}

TEST(Interval, ResultsOfWholeIntervalsEncloseThoseOfTheirPoints) {
  Random random(12);
  for (int i = 0; i < 500; ++i) {
    const double x = random.number(-3, 6);
    const Interval wide = between(x, x + 0.75);
    const Real inside = Real(x) + Real(0.75) * Real(random.below(1000)) / 1000;
    ASSERT_TRUE(encloses(sin(wide), Real(sin(inside))));
    ASSERT_TRUE(encloses(cos(wide), Real(cos(inside))));
    ASSERT_TRUE(encloses(exp(wide), Real(exp(inside))));
    ASSERT_TRUE(encloses(wide * wide, inside * inside));
    ASSERT_TRUE(encloses(wide - wide, Real(0)));
  }
}

TEST(Interval, ExactValuesArePoints) {
  EXPECT_TRUE(Interval(0.1).is_point());
  EXPECT_TRUE(Interval(std::numeric_limits<std::int64_t>::max()).is_point());
  EXPECT_TRUE((Interval(9007199254740993) - Interval(9007199254740992)).encloses(Interval(1)));
  EXPECT_TRUE(sin(Interval(0)).is_point());
  EXPECT_TRUE(sqrt(Interval(1024)).is_point());
  EXPECT_TRUE(pow(Interval(10000), Interval(0)).is_point());
  EXPECT_FALSE(sqrt(Interval(2)).is_point());
  EXPECT_FALSE(Interval("0.1").is_point());
}

TEST(Interval, DecimalNumbersAreEnclosedAndNothingElseIsRead) {
  EXPECT_TRUE(encloses(Interval("0.1"), Real("0.1")));
  EXPECT_FALSE(encloses(Interval("0.1"), Real(0.1))) << "0.1 is not the double 0.1";
  EXPECT_TRUE(Interval("-0.25").is_point());
  EXPECT_TRUE(Interval("1e-3").encloses(Interval(1) / Interval(1000)) ||
              (Interval(1) / Interval(1000)).encloses(Interval("1e-3")));
  for (const char* bad : {"", "x", "1x", "[1,2]", "nan", "inf", "1 "}) {
    EXPECT_THROW(Interval{bad}, std::invalid_argument) << bad;
  }
}

TEST(Interval, EndsAreRoundedOutwards) {
  // The nearest double lies below 1/3 and above 2/3.
  for (const int numerator : {1, 2, -1, -2}) {
    const Interval thirds = Interval(numerator) / Interval(3);
    EXPECT_EQ(std::nextafter(thirds.lower(), 1), thirds.upper());
    EXPECT_TRUE(encloses(between(thirds.lower(), thirds.upper()), Real(numerator) / 3));
  }
  EXPECT_EQ(Interval(0.1).lower(), 0.1);
  EXPECT_EQ(Interval(0.1).upper(), 0.1);
}

TEST(Interval, PrecisionBelongsToTheScopeAndTheThread) {
  EXPECT_EQ(WorkingPrecision::bits(), 168);
  const Interval kept = [] {
    const WorkingPrecision outer(1000);
    {
      const WorkingPrecision inner(64);
      EXPECT_EQ(WorkingPrecision::bits(), 64);
    }
    EXPECT_EQ(WorkingPrecision::bits(), 1000);
    std::thread([] { EXPECT_EQ(WorkingPrecision::bits(), 168); }).join();
    return Interval("0.1");
  }();
  EXPECT_EQ(WorkingPrecision::bits(), 168);
  const Interval copy(kept);
  EXPECT_TRUE(kept.encloses(copy) && copy.encloses(kept)) << "a copy loses nothing";
  EXPECT_TRUE(Interval("0.1").encloses(kept));
  EXPECT_FALSE(kept.encloses(Interval("0.1")));
  EXPECT_THROW(WorkingPrecision(52), std::invalid_argument);
  EXPECT_THROW(WorkingPrecision(kHighestPrecision + 1), std::invalid_argument);
}

TEST(Interval, CopiesMovesAndAssignments) {
  Interval a(3);
  Interval b = a;
  b += Interval(1);
  EXPECT_EQ(a.upper(), 3);
  EXPECT_EQ(b.lower(), 4);
  a = std::move(b);
  EXPECT_EQ(a.lower(), 4);
  const Interval& same = a;
  a = same;
  EXPECT_EQ(a.lower(), 4);
}

TEST(IntervalRounding, AgreesWithTheRoundingOfReal) {
  Random random(13);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.number(-160, 6);
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
      const Format& format = format_of(dtype);
      ASSERT_EQ(round_to(format, sin(Interval(x))), round_to(format, Real(sin(Real(x))))) << x;
      ASSERT_EQ(round_to(format, exp(Interval(x))), round_to(format, Real(exp(Real(x))))) << x;
    }
  }
}

TEST(IntervalRounding, AnswersOnlyWhereBothEndsAgree) {
  const double middle = 1 + 0x1p-24;
  EXPECT_EQ(round_to(f32(), between(1, middle)), encode(f32(), 1));
  EXPECT_EQ(round_to(f32(), between(1, std::nextafter(middle, 2))), std::nullopt);
  EXPECT_EQ(round_to(f32(), Interval(middle)), encode(f32(), 1)) << "a known tie goes to even";
  EXPECT_EQ(round_to(f32(), between(1e39, kInfinity)), encode(f32(), kInfinity));
  EXPECT_EQ(round_to(f32(), between(3e38, 1e39)), std::nullopt);
}

TEST(IntervalRounding, ZeroHasASignOnlyWhereTheSignIsKnown) {
  EXPECT_EQ(round_to(f32(), Interval(0)), 0u);
  EXPECT_EQ(round_to(f32(), -Interval(0)), 0u);
  EXPECT_EQ(round_to(f32(), between(-1e-60, -1e-70)), encode(f32(), -0.0));
  EXPECT_EQ(round_to(f32(), between(1e-70, 1e-60)), 0u);
  EXPECT_EQ(round_to(f32(), between(-1e-60, 1e-60)), std::nullopt);
  EXPECT_EQ(round_to(f32(), between(-1e-60, 0)), std::nullopt);
}

TEST(IntervalRounding, NotANumberStaysOne) {
  const Interval nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(round_to(f32(), nan), 0x7fc00000u);
}

TEST(LastResort, RaisesThePrecisionUntilTheNumberShows) {
  int evaluations = 0;
  const auto beyond_a_midpoint = [&] {
    ++evaluations;
    return Interval(1) + Interval(0x1p-24) + Interval(0x1p-1000);
  };
  EXPECT_EQ(round_correctly(f32(), beyond_a_midpoint), encode(f32(), 1 + 0x1p-23));
  EXPECT_EQ(evaluations, 4) << "128, 256, 512, 1024 bits";
  EXPECT_EQ(WorkingPrecision::bits(), 168);
}

TEST(LastResort, EndsOnExactMidpointsAndZeros) {
  EXPECT_EQ(round_correctly(f32(), [] { return Interval(1) + Interval(3 * 0x1p-24); }),
            encode(f32(), 1 + 0x1p-22));
  EXPECT_EQ(round_correctly(
                f32(), [] { return Interval(0x1p-1000) + Interval(1) - Interval(1) - Interval(0x1p-1000); }),
            0u);
}

TEST(LastResort, GivesUpOnAMidpointThatNoEvaluationReaches) {
  const auto never_exact = [] {
    const Interval root = sqrt(Interval(2));
    return root * root / Interval(2) + Interval(0x1p-24);
  };
  EXPECT_EQ(round_correctly(f32(), never_exact), std::nullopt);
}

void expect_contained(const Interval& interval) {
  const Ball ball = to_ball(interval);
  const WorkingPrecision scope(4000);
  const Interval middle = Interval(ball.hi) + Interval(ball.lo);
  Interval whole;
  const Interval low = middle - Interval(ball.radius);
  const Interval high = middle + Interval(ball.radius);
  mpfi_union(whole.raw(), low.raw(), high.raw());
  EXPECT_TRUE(whole.encloses(interval)) << ball.hi << ' ' << ball.lo << ' ' << ball.radius;
  EXPECT_EQ(ball.hi + ball.lo, ball.hi) << "|lo| <= ulp(hi) / 2";
}

TEST(IntervalToBall, ContainsTheInterval) {
  Random random(14);
  for (int i = 0; i < 2000; ++i) {
    const Interval quotient = Interval(random.number(-1000, 900)) / Interval(random.number(-60, 60));
    expect_contained(quotient);
    EXPECT_TRUE(tests::is_narrow(to_ball(quotient)));
  }
  expect_contained(between(-1, 3));
  expect_contained(between(-0x1p-1074, 0x1p-1074));
  expect_contained(Interval(0x1p-1074) / Interval(3));
  expect_contained(between(-1.7e308, 1.7e308));
}

TEST(IntervalToBall, ExactValuesHaveNoRadius) {
  const Ball sum = to_ball(Interval(1) + Interval(0x1p-80));
  EXPECT_EQ(sum.hi, 1);
  EXPECT_EQ(sum.lo, 0x1p-80);
  EXPECT_TRUE(sum.is_exact());
  EXPECT_FALSE(std::signbit(to_ball(-Interval(0)).hi));
  EXPECT_TRUE(to_ball(Interval(0)).is_exact());
}

TEST(IntervalToBall, BeyondBinary64) {
  const Interval huge(1.7e308);
  EXPECT_EQ(to_ball(huge * Interval(4)).hi, kInfinity);
  EXPECT_EQ(to_ball(-huge * Interval(4)).hi, -kInfinity);
  EXPECT_TRUE(to_ball(huge * Interval(4)).is_exact());
  EXPECT_TRUE(std::isnan(to_ball(Interval(std::numeric_limits<double>::quiet_NaN())).hi));
  const Ball unsure = to_ball(huge * between(1, 4));
  EXPECT_EQ(unsure.radius, kInfinity);
  EXPECT_TRUE(std::isfinite(unsure.hi));
}

TEST(IntervalRounding, DoubleIsTheFormatOfDoubles) {
  EXPECT_EQ(round_to(f64(), Interval(0.1)), encode(f64(), 0.1));
  EXPECT_EQ(round_to(f64(), Interval("0.1")), encode(f64(), 0.1));
  EXPECT_EQ(round_to(f64(), Interval("1e400")), encode(f64(), kInfinity));
  EXPECT_EQ(round_to(f64(), Interval("-1e-400")), encode(f64(), -0.0));
}

}  // namespace
}  // namespace etalon
