// NUM-1: Ziv's rounding of enclosures, against MPFR and exhaustively on an 8-bit format.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "reference/oracle/rounding.hpp"
#include "reference/oracle/self_check.hpp"
#include "reference/tests/mpfr_truth.hpp"

namespace etalon {
namespace {

using oracle::round_to;

constexpr Format tiny{"tiny", 4, -6, 7, 8};

std::optional<std::uint64_t> rounded(Dtype dtype, const Ball& ball) {
  return round_to(format_of(dtype), ball);
}

TEST(RoundTo, SelfCheckFindsTheArithmeticTheProofsAssume) { EXPECT_EQ(oracle::self_check(), ""); }

// A midpoint plus or minus 2^-100 must go up or down: one rounding of hi + lo, not two.
TEST(RoundTo, RoundsTheSumOnce) {
  for (std::uint64_t bits = 0; bits + 1 < 0x78; ++bits) {
    const double low = decode(tiny, bits);
    const double high = decode(tiny, bits + 1);
    const double middle = (low + high) / 2;
    const std::uint64_t even = (bits & 1U) == 0 ? bits : bits + 1;
    EXPECT_EQ(round_to(tiny, {middle, 0, 0}), even);
    EXPECT_EQ(round_to(tiny, {middle, 0x1p-100, 0}), bits + 1);
    EXPECT_EQ(round_to(tiny, {middle, -0x1p-100, 0}), bits);
    EXPECT_EQ(round_to(tiny, {middle, 0x1p-100, 0x1p-101}), bits + 1);
    EXPECT_EQ(round_to(tiny, {middle, -0x1p-100, 0x1p-101}), bits);
    EXPECT_EQ(round_to(tiny, {middle, 0x1p-100, 0x1p-99}), std::nullopt);
    EXPECT_EQ(round_to(tiny, {-middle, -0x1p-100, 0x1p-101}), (bits + 1) | 0x80U);
  }
}

TEST(RoundTo, AgreesWithMpfrOnAdversarialSums) {
  std::mt19937_64 random(3);
  mpfr_t sum;
  mpfr_init2(sum, 300);
  for (int i = 0; i < 200000; ++i) {
    // Half of the values lie next to midpoints of binary32.
    double hi = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 60) - 90);
    if (i % 2 == 0) hi = static_cast<double>(static_cast<float>(hi)) * (1 + 0x1p-24);
    const double lo = hi * std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                      -117 - static_cast<int>(random() % 40));
    mpfr_set_d(sum, hi, MPFR_RNDN);
    mpfr_add_d(sum, sum, lo, MPFR_RNDN);
    const auto f64 = rounded(Dtype::f64, {hi, lo, 0});
    const auto f32 = rounded(Dtype::f32, {hi, lo, 0});
    ASSERT_TRUE(f64 && decode(format_of(Dtype::f64), *f64) == mpfr_get_d(sum, MPFR_RNDN));
    ASSERT_TRUE(f32 &&
                decode(format_of(Dtype::f32), *f32) == static_cast<double>(mpfr_get_flt(sum, MPFR_RNDN)));
  }
  mpfr_clear(sum);
}

TEST(RoundTo, KeepsClassesAndSigns) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(rounded(Dtype::f32, Ball::exact(-0.0)), 0x80000000U);
  EXPECT_EQ(rounded(Dtype::f32, Ball::exact(0.0)), 0U);
  EXPECT_EQ(rounded(Dtype::f32, Ball::exact(-infinity)), 0xff800000U);
  EXPECT_EQ(rounded(Dtype::f32, Ball::exact(std::nan(""))), 0x7fc00000U);
  EXPECT_EQ(rounded(Dtype::f16, Ball::exact(65519)), 0x7bffU);
  EXPECT_EQ(rounded(Dtype::f16, Ball::exact(65520)), 0x7c00U);
  EXPECT_EQ(rounded(Dtype::f16, {65520, -0x1p-80, 0}), 0x7bffU);
  EXPECT_EQ(rounded(Dtype::f64, {std::numeric_limits<double>::max(), 0, 0x1p960}), 0x7fefffffffffffffU);
}

TEST(RoundTo, DoesNotDecideWhatTheEnclosureLeavesOpen) {
  EXPECT_EQ(rounded(Dtype::f64, {1, 0, 0x1p-52}), std::nullopt);
  EXPECT_EQ(rounded(Dtype::f64, {1, 0, std::numeric_limits<double>::infinity()}), std::nullopt);
  EXPECT_EQ(rounded(Dtype::f64, {1, 0, std::nan("")}), std::nullopt);
  EXPECT_EQ(rounded(Dtype::f32, {0, 0, 0x1p-200}), std::nullopt) << "+0 or -0";
  EXPECT_EQ(rounded(Dtype::f64, {1, 0, 0x1p-60}), 0x3ff0000000000000U);
}

}  // namespace
}  // namespace etalon
