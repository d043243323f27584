// POS-2, NUM-7: the certified oracle of the sinusoidal code against raw MPFR at 512 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "reference/numerics.hpp"
#include "reference/oracle/position.hpp"
#include "reference/oracle/rounding.hpp"
#include "reference/tests/mpfr_truth.hpp"

namespace etalon {
namespace {

using oracle::SinusoidalOracle;
using tests::Truth;

// base^(-2r/d) by another road than the oracle's: a power, not exp of a logarithm.
void frequency_truth(Truth& w, std::int64_t d, double base, std::int64_t r) {
  Truth exponent(1600);
  mpfr_set_si(exponent.get(), static_cast<long>(-2 * r), MPFR_RNDN);
  mpfr_div_si(exponent.get(), exponent.get(), static_cast<long>(d), MPFR_RNDN);
  mpfr_set_d(w.get(), base, MPFR_RNDN);
  mpfr_pow(w.get(), w.get(), exponent.get(), MPFR_RNDN);
}

struct Margins {
  double margin = 0;   // of the radius
  double squares = 0;  // of u^2, angles below 2^20 only
};

void compare(const SinusoidalOracle& oracle, std::int64_t d, double base, std::int64_t pos, std::int64_t r,
             Margins& margins) {
  Truth angle(1600);
  frequency_truth(angle, d, base, r);
  mpfr_mul_si(angle.get(), angle.get(), static_cast<long>(pos), MPFR_RNDN);
  Truth sine;
  Truth cosine;
  mpfr_sin_cos(sine.get(), cosine.get(), angle.get(), MPFR_RNDN);
  const auto pair = oracle.at(pos, r);
  const double worst = std::max(sine.margin(pair.sine), cosine.margin(pair.cosine));
  ASSERT_LE(worst, 1) << "pos " << pos << " r " << r << " d " << d << " base " << base;
  ASSERT_LE(std::fabs(pair.sine.lo), ulp(format_of(Dtype::f64), pair.sine.hi) / 2);
  margins.margin = std::max(margins.margin, worst);
  if (std::abs(pos) < (1 << 20)) {
    margins.squares = std::max(
        {margins.squares, sine.distance(pair.sine) * 0x1p106, cosine.distance(pair.cosine) * 0x1p106});
  }
}

TEST(SinusoidalOracle, EnclosesTheTruthAtAHundredThousandPoints) {
  Margins margins;
  std::mt19937_64 random(1);
  const std::vector<std::int64_t> widths{2, 4, 6, 8, 64, 80, 128, 510, 512, 768, 1024, 4096};
  const std::vector<std::int64_t> edges{1, 2, 3, 1023, 1024, 4095, 131071, (std::int64_t{1} << 31) - 1};
  int points = 0;
  for (const std::int64_t d : widths) {
    const SinusoidalOracle oracle(d, 10000);
    for (int i = 0; i < 8400; ++i) {
      const auto r = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(d / 2));
      const auto wide = static_cast<std::int64_t>(random() >> (random() % 31 + 33));
      const std::int64_t pos = i % 16 == 0 ? edges[static_cast<std::size_t>(i / 16) % edges.size()] : wide;
      compare(oracle, d, 10000, pos, r, margins);
      if (HasFatalFailure()) return;
      ++points;
    }
  }
  EXPECT_GE(points, 100000);
  EXPECT_GT(margins.margin, 0.1) << "the radius is far from what happens";
  EXPECT_LT(margins.squares, 4.3);
  RecordProperty("worst_margin", std::to_string(margins.margin));
  RecordProperty("worst_error_in_u_squared", std::to_string(margins.squares));
}

TEST(SinusoidalOracle, EnclosesTheTruthForEveryColumnAtTheLastPosition) {
  Margins margins;
  const std::int64_t last = (std::int64_t{1} << 31) - 1;
  for (std::int64_t d = 2; d <= 130; d += 2) {
    const SinusoidalOracle oracle(d, 10000);
    for (std::int64_t r = 0; r < d / 2; ++r) {
      compare(oracle, d, 10000, last, r, margins);
      compare(oracle, d, 10000, last - 1, r, margins);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SinusoidalOracle, TakesAnyBase) {
  Margins margins;
  std::mt19937_64 random(2);
  for (const double base :
       {1.0, 1.5, 2.0, 3.14159, 100.0, 5e5, 1e20, 1e100, 1e300, 1.7976931348623157e308, 0.25, 1e-3, 1e-250}) {
    for (const std::int64_t d : {2, 6, 64, 250}) {
      const SinusoidalOracle oracle(d, base);
      for (int i = 0; i < 150; ++i) {
        const auto r = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(d / 2));
        const auto pos = static_cast<std::int64_t>(random() >> (random() % 52 + 11));
        compare(oracle, d, base, pos, r, margins);
        compare(oracle, d, base, -pos, r, margins);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(SinusoidalOracle, KeepsRelativeAccuracyAtTinyAngles) {
  const SinusoidalOracle oracle(64, 1e300);
  const Ball sine = oracle.at(3, 31).sine;
  EXPECT_GT(sine.hi, 0);
  EXPECT_LT(sine.hi, 1e-280);
  EXPECT_LE(sine.radius, sine.hi * 0x1p-102);
}

// The multiples of 1/8 turn and their neighbours are where table entries change sign or vanish.
TEST(SinusoidalOracle, EnclosesTheTruthNearTheQuarterTurns) {
  Margins margins;
  const SinusoidalOracle oracle(2, 10000);  // w_0 = 1: angle = pos
  for (const std::int64_t pos :
       {11, 22, 33, 44, 355, 710, 104348, 208696, 312689, 1146408, 245850922, 411557987}) {
    compare(oracle, 2, 10000, pos, 0, margins);
  }
}

TEST(SinusoidalOracle, IsExactAtTheOriginAndOddInThePosition) {
  const SinusoidalOracle oracle(8, 10000);
  for (std::int64_t r = 0; r < 4; ++r) {
    const auto origin = oracle.at(0, r);
    EXPECT_TRUE(origin.sine.is_exact() && tests::same_bits(origin.sine.hi, 0.0) && origin.sine.lo == 0);
    EXPECT_TRUE(origin.cosine.is_exact() && origin.cosine.hi == 1 && origin.cosine.lo == 0);
    const auto ahead = oracle.at(77, r);
    const auto behind = oracle.at(-77, r);
    EXPECT_EQ(ahead.sine.hi, -behind.sine.hi);
    EXPECT_EQ(ahead.cosine.lo, behind.cosine.lo);
  }
}

TEST(SinusoidalOracle, EnclosesItsFrequencies) {
  for (const double base : {10000.0, 7.0, 1e300, 0.5}) {
    const SinusoidalOracle oracle(48, base);
    for (std::int64_t r = 0; r < 24; ++r) {
      Truth w(1600);
      frequency_truth(w, 48, base, r);
      EXPECT_LE(w.margin(oracle.frequency(r)), 1);
    }
    EXPECT_TRUE(oracle.frequency(0).is_exact());
  }
}

TEST(SinusoidalOracle, RefusesWhatHasNoDefinition) {
  for (const std::int64_t d : {-2, 0, 1, 3, 127}) EXPECT_THROW(SinusoidalOracle(d, 10000), std::domain_error);
  for (const double base : {0.0, -1.0, HUGE_VAL, std::nan("")})
    EXPECT_THROW(SinusoidalOracle(2, base), std::domain_error);
}

// Ziv's test succeeds on a whole table but at the origin's zeros, which are exact.
TEST(SinusoidalOracle, RoundsEveryEntryOfATable) {
  const SinusoidalOracle oracle(64, 10000);
  int undecided = 0;
  for (std::int64_t pos = 0; pos < 2048; ++pos) {
    for (std::int64_t r = 0; r < 32; ++r) {
      const auto pair = oracle.at(pos, r);
      for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
        undecided += !oracle::round_to(format_of(dtype), pair.sine);
        undecided += !oracle::round_to(format_of(dtype), pair.cosine);
      }
    }
  }
  EXPECT_EQ(undecided, 0);
}

TEST(SinusoidalOracle, AnswersTheSameFromManyThreads) {
  std::vector<Ball> answers(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&answers, i] { answers[i] = SinusoidalOracle(16, 10000).at(12345, 3).sine; });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Ball& answer : answers) EXPECT_EQ(answer.lo, answers[0].lo);
}

}  // namespace
}  // namespace etalon
