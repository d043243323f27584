// NUM-5, NUM-6: the judges against a slow oracle in integers, for every pair of an 8-bit format.
#include "properties/judge.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

namespace etalon {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// 1 sign, 4 exponent, 3 fraction bits. Every finite value is a multiple of eta = 2^-9; the slow oracle counts
// in units of eta/8, in which quarters of an ulp of every value are whole.
constexpr Format tiny{"tiny", 4, -6, 7, 8};
constexpr double unit = 0x1p-12;
constexpr std::int64_t omega = std::int64_t{240} << 12;
constexpr std::int64_t threshold = std::int64_t{248} << 12;  // Omega + ulp/2

enum class Class { nan, positive_infinity, negative_infinity, finite };

struct Value {
  Class kind = Class::finite;
  std::int64_t units = 0;
  bool negative = false;
};

// The definition of the format, without the code under test: sign, exponent and fraction by division.
Value value_of(int pattern) {
  Value value;
  value.negative = pattern / 128 == 1;
  const int exponent = pattern % 128 / 8;
  const int fraction = pattern % 8;
  if (exponent == 15) {
    value.kind = fraction != 0    ? Class::nan
                 : value.negative ? Class::negative_infinity
                                  : Class::positive_infinity;
    return value;
  }
  const std::int64_t multiple =
      exponent == 0 ? fraction : static_cast<std::int64_t>(8 + fraction) << (exponent - 1);
  value.units = (value.negative ? -8 : 8) * multiple;
  return value;
}

// ulp in units, from the definition: 2^(max(e, emin) - 3).
std::int64_t ulp_of(std::int64_t units) {
  std::int64_t spacing = 8;
  for (std::int64_t edge = std::int64_t{16} * 8; edge <= std::min(std::abs(units), omega); edge *= 2)
    spacing *= 2;
  return spacing;
}

Verdict slow_verdict(const Value& got, std::int64_t truth, std::int64_t radius, std::int64_t bound) {
  if (got.kind == Class::nan) return Verdict::fail;
  std::int64_t distance = 0;
  if (got.kind == Class::finite) {
    distance = std::abs(got.units - truth);
  } else {
    const std::int64_t size = got.kind == Class::positive_infinity ? truth : -truth;
    if (size >= threshold) return Verdict::pass;
    distance = threshold - size;
  }
  if (distance + radius <= bound) return Verdict::pass;
  return distance - radius > bound ? Verdict::fail : Verdict::inconclusive;
}

// The nearest finite value by search, ties to the even pattern; patterns compared by value, so that zeros
// agree.
std::int64_t slow_nearest(std::int64_t truth) {
  int best = 0;
  for (int pattern = 0; pattern < 256; ++pattern) {
    const Value candidate = value_of(pattern);
    if (candidate.kind != Class::finite) continue;
    const std::int64_t distance = std::abs(candidate.units - truth);
    const std::int64_t least = std::abs(value_of(best).units - truth);
    if (distance < least || (distance == least && pattern % 2 == 0)) best = pattern;
  }
  return value_of(best).units;
}

bool slow_faithful(std::int64_t got, std::int64_t truth) {
  for (int pattern = 0; pattern < 256; ++pattern) {
    const Value other = value_of(pattern);
    if (other.kind != Class::finite) continue;
    const bool between =
        got > truth ? other.units >= truth && other.units < got : other.units <= truth && other.units > got;
    if (between) return false;
  }
  return true;
}

Grade slow_grade(std::int64_t got, std::int64_t truth) {
  if (got == truth) return Grade::exact;
  if (std::abs(truth) < threshold && slow_nearest(truth) == got) return Grade::correctly_rounded;
  return slow_faithful(got, truth) ? Grade::faithful : Grade::within_bound;
}

Ball ball(std::int64_t units, std::int64_t radius) {
  return {static_cast<double>(units) * unit, 0, static_cast<double>(radius) * unit};
}

void expect_agreement(int pattern, std::int64_t truth, std::int64_t radius, std::int64_t bound) {
  const Value got = value_of(pattern);
  const Expected expected{ball(truth, radius), static_cast<double>(bound) * unit, 0, false};
  const Judgement judgement = judge_within(tiny, static_cast<std::uint64_t>(pattern), expected);
  const Verdict want = slow_verdict(got, truth, radius, bound);
  ASSERT_EQ(judgement.verdict, want) << "pattern " << pattern << " truth " << truth << " +- " << radius
                                     << " bound " << bound;
  ASSERT_EQ(judgement.reason.empty(), want == Verdict::pass);
  if (want == Verdict::pass) {
    ASSERT_LE(judgement.margin, 1);
  }
  if (want == Verdict::fail) {
    ASSERT_GT(judgement.margin, 1);
  }
  if (got.kind != Class::finite) return;
  const std::int64_t distance = std::abs(got.units - truth);
  ASSERT_EQ(judgement.error, static_cast<double>(got.units - truth) * unit);
  ASSERT_EQ(judgement.ulp_error, static_cast<double>(distance) / static_cast<double>(ulp_of(truth)));
  if (bound > 0 && distance >= radius) {
    ASSERT_EQ(judgement.margin, static_cast<double>(distance - radius) / static_cast<double>(bound));
  }
  if (want == Verdict::pass && radius == 0) {
    ASSERT_EQ(judgement.grade, slow_grade(got.units, truth)) << pattern << " " << truth;
  }
}

// Every pattern against every value, the quarters of its ulp on both sides, and values beyond Omega.
TEST(JudgeWithin, AgreesWithTheSlowOracleOnEveryPair) {
  for (int target = 0; target < 256; ++target) {
    const Value centre = value_of(target);
    if (centre.kind != Class::finite) continue;
    const std::int64_t quarter = ulp_of(centre.units) / 4;
    for (const std::int64_t offset : {-2, -1, 0, 1, 2, 3}) {
      const std::int64_t truth = centre.units + offset * quarter;
      for (const std::int64_t bound : {std::int64_t{0}, quarter, 2 * quarter, 4 * quarter, 9 * quarter}) {
        for (int pattern = 0; pattern < 256; ++pattern) {
          expect_agreement(pattern, truth, 0, bound);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(JudgeWithin, LeavesUndecidedWhatTheEnclosureDecides) {
  int undecided = 0;
  for (int target = 0; target < 256; target += 3) {
    const Value centre = value_of(target);
    if (centre.kind != Class::finite) continue;
    const std::int64_t quarter = ulp_of(centre.units) / 4;
    for (const std::int64_t radius : {std::int64_t{1}, quarter, 4 * quarter}) {
      for (const std::int64_t bound : {std::int64_t{0}, 2 * quarter, 5 * quarter}) {
        for (int pattern = 0; pattern < 256; ++pattern) {
          expect_agreement(pattern, centre.units + quarter, radius, bound);
          if (HasFatalFailure()) return;
          undecided +=
              slow_verdict(value_of(pattern), centre.units + quarter, radius, bound) == Verdict::inconclusive;
        }
      }
    }
  }
  EXPECT_GT(undecided, 100);
}

Verdict judge(int pattern, const Expected& expected) {
  return judge_within(tiny, static_cast<std::uint64_t>(pattern), expected).verdict;
}

TEST(JudgeWithin, SettlesClassesFirst) {
  for (int pattern = 0; pattern < 256; ++pattern) {
    const Class kind = value_of(pattern).kind;
    for (const double bound : {0.0, 1.0, infinity, not_a_number}) {
      const Verdict for_nan = judge(pattern, {Ball::exact(not_a_number), bound, 0, true});
      EXPECT_EQ(for_nan, kind == Class::nan ? Verdict::pass : Verdict::fail) << "NaN is due from everyone";
    }
    EXPECT_EQ(judge(pattern, {Ball::exact(infinity), 0, 0, false}),
              kind == Class::positive_infinity ? Verdict::pass : Verdict::fail);
    EXPECT_EQ(judge(pattern, {Ball::exact(-infinity), 1, 0, true}),
              kind == Class::finite ? Verdict::fail : Verdict::pass);
    EXPECT_EQ(judge(pattern, {Ball::exact(1), 0.125, 0, true}),
              kind != Class::finite || (pattern >= 0x36 && pattern <= 0x39) ? Verdict::pass : Verdict::fail)
        << "an intermediate overflow allows Inf and NaN, and widens nothing else";
  }
}

TEST(JudgeWithin, GivesNoVerdictWithoutABound) {
  for (int pattern = 0; pattern < 256; ++pattern) {
    EXPECT_EQ(judge(pattern, {Ball::exact(1), not_a_number, 0, true}), Verdict::no_bound);
    EXPECT_EQ(judge(pattern, {Ball::exact(1), -1, 0, false}), Verdict::no_bound);
    EXPECT_EQ(judge(pattern, {Ball::exact(1), infinity, 0, false}), Verdict::no_bound);
    EXPECT_EQ(judge(pattern, {Ball::exact(1), infinity, 0, true}), Verdict::pass) << "nothing is claimed";
  }
  EXPECT_EQ(judge(0x77, {Ball::exact(infinity), not_a_number, 0, false}), Verdict::no_bound);
  EXPECT_EQ(judge(0x77, {Ball::exact(infinity), infinity, 0, false}), Verdict::no_bound);
  EXPECT_EQ(judge(0x38, {{1, 0, infinity}, 1, 0, false}), Verdict::inconclusive);
  EXPECT_EQ(judge(0x38, {{1, 0, not_a_number}, 1, 0, false}), Verdict::inconclusive);
}

// A sum beyond the binary64 range is carried as infinity with a positive bound: an honest result may stay
// below.
TEST(JudgeWithin, AllowsForASumJustBeyondBinary64) {
  const Format& f64 = format_of(Dtype::f64);
  const double largest = f64.largest_finite();
  const double spacing = 0x1p971;
  const auto verdict = [&](double got) {
    return judge_within(f64, std::bit_cast<std::uint64_t>(got),
                        {Ball::exact(infinity), 2 * spacing, 0, false})
        .verdict;
  };
  EXPECT_EQ(verdict(infinity), Verdict::pass);
  EXPECT_EQ(verdict(largest - spacing), Verdict::pass);
  EXPECT_EQ(verdict(largest - 3 * spacing), Verdict::fail);
  EXPECT_EQ(verdict(-largest), Verdict::fail);
  EXPECT_EQ(verdict(not_a_number), Verdict::fail);
}

// What saturates loses everything: Omega - 3 Omega + 4 Omega is cut to Omega and comes out as Omega or less.
TEST(JudgeWithin, ClaimsNothingWhereAnInfiniteBoundMeetsTheGreyZone) {
  for (int pattern = 0; pattern < 256; ++pattern) {
    for (const double truth : {infinity, -infinity, 1.0})
      EXPECT_EQ(judge(pattern, {Ball::exact(truth), infinity, 0, true}), Verdict::pass) << pattern;
  }
}

// |truth| > Omega, so an honest result is above Omega - B, which is negative where B is larger.
TEST(JudgeWithin, MeasuresInfiniteTruthsFromTheLargestNumberWithTheirSign) {
  const Format& f64 = format_of(Dtype::f64);
  const double largest = f64.largest_finite();
  const auto verdict = [&](double got, double bound) {
    return judge_within(f64, encode(f64, got), {Ball::exact(-infinity), bound, 0, true}).verdict;
  };
  EXPECT_EQ(verdict(-largest / 2, largest / 2), Verdict::pass);
  EXPECT_EQ(verdict(-largest / 4, largest / 2), Verdict::fail);
  EXPECT_EQ(verdict(0.0, largest), Verdict::pass);
  EXPECT_EQ(verdict(1e300, largest / 2), Verdict::fail);
  EXPECT_EQ(verdict(infinity, largest / 2), Verdict::pass);
}

TEST(JudgeWithin, MeetsTheOverflowThresholdOfEveryFormat) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Format& format = format_of(dtype);
    const double largest = format.largest_finite();
    const double half = ulp(format, largest) / 2;
    const std::uint64_t overflowed = encode(format, infinity);
    EXPECT_EQ(judge_within(format, overflowed, {{largest, half, 0}, 0, 0, false}).verdict, Verdict::pass);
    EXPECT_EQ(judge_within(format, overflowed, {{largest, half / 2, 0}, 0, 0, false}).verdict, Verdict::fail);
    EXPECT_EQ(judge_within(format, overflowed, {{largest, half / 2, 0}, half / 2, 0, false}).verdict,
              Verdict::pass);
    EXPECT_EQ(judge_within(format, overflowed, {{-largest, -half, 0}, half, 0, false}).verdict,
              Verdict::fail);
    EXPECT_EQ(judge_within(format, encode(format, largest), {{largest, half, 0}, half, 0, false}).verdict,
              Verdict::pass);
  }
}

TEST(JudgeWithin, SeesErrorsFarBelowAnUlpOfTheCarrier) {
  const Format& f64 = format_of(Dtype::f64);
  const std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
  const Judgement near = judge_within(f64, one, {{1, 0x1p-60, 0x1p-104}, 0x1p-60 * (1 + 0x1p-40), 0, false});
  EXPECT_EQ(near.verdict, Verdict::pass);
  EXPECT_EQ(near.grade, Grade::correctly_rounded);
  EXPECT_EQ(near.error, -0x1p-60);
  EXPECT_EQ(judge_within(f64, one, {{1, 0x1p-60, 0x1p-104}, 0x1p-61, 0, false}).verdict, Verdict::fail);
}

TEST(JudgeWithin, TakesAnyZeroForZero) {
  EXPECT_EQ(judge(0x80, {Ball::exact(0), 0, 0, false}), Verdict::pass);
  EXPECT_EQ(judge(0x00, {Ball::exact(-0.0), 0, 0, false}), Verdict::pass);
  EXPECT_EQ(judge_within(tiny, 0x80, {Ball::exact(0), 0, 0, false}).grade, Grade::exact);
}

// ---- judge_exact ----

bool slow_exact(int got, int want, ZeroSign zero, NanPayload nan) {
  if (got == want) return true;
  if (value_of(got).kind == Class::nan && value_of(want).kind == Class::nan)
    return nan == NanPayload::ignored;
  return got % 128 == 0 && want % 128 == 0 && zero == ZeroSign::ignored;
}

TEST(JudgeExact, AgreesWithTheSlowOracleOnEveryPair) {
  for (int got = 0; got < 256; ++got) {
    for (int want = 0; want < 256; ++want) {
      for (const ZeroSign zero : {ZeroSign::compared, ZeroSign::ignored}) {
        for (const NanPayload nan : {NanPayload::compared, NanPayload::ignored}) {
          const Judgement judgement =
              judge_exact(tiny, static_cast<std::uint64_t>(got), static_cast<std::uint64_t>(want), zero, nan);
          const bool agrees = slow_exact(got, want, zero, nan);
          ASSERT_EQ(judgement.verdict, agrees ? Verdict::pass : Verdict::fail) << got << " " << want;
          ASSERT_EQ(judgement.margin, agrees ? 0 : infinity);
          ASSERT_EQ(judgement.reason.empty(), agrees);
        }
      }
    }
  }
}

TEST(JudgeExact, IgnoresBitsBeyondTheFormatAndMeasuresTheError) {
  EXPECT_EQ(judge_exact(tiny, 0xff38, 0x38, ZeroSign::compared, NanPayload::compared).verdict, Verdict::pass);
  const Judgement judgement = judge_exact(tiny, 0x3a, 0x38, ZeroSign::compared, NanPayload::compared);
  EXPECT_EQ(judgement.error, 0.25);
  EXPECT_EQ(judgement.ulp_error, 2);
}

}  // namespace
}  // namespace etalon
