#include "properties/stream.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace etalon {
namespace {

TEST(StreamTest, DependsOnKeyAndLabelAndNothingElse) {
  EXPECT_EQ(Stream("a", "b").word(5), Stream("a", "b").word(5));
  EXPECT_NE(Stream("a", "b").word(5), Stream("a", "c").word(5));
  EXPECT_NE(Stream("a", "b").word(5), Stream("ab", "").word(5));
  EXPECT_NE(Stream("a", "b").word(5), Stream("a", "b").word(6));
}

// Recorded once: a change of the generator would silently change every case, so it must show here.
TEST(StreamTest, TheWordsAreTheSameOnEveryPlatform) {
  EXPECT_EQ(Stream("", "").word(0), 0x7261e9031e12a9d7U);
  EXPECT_EQ(Stream("pos_2_definition/f32/n=3", "x").word(0), 0xac524e3e6d967d00U);
  EXPECT_EQ(Stream("pos_2_definition/f32/n=3", "x").word(12345), 0x14eff140af451be5U);
}

TEST(StreamTest, BetweenReachesBothEndsAndNothingBeyond) {
  Stream stream("between", "");
  bool low = false;
  bool high = false;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t value = stream.between(-3, 4);
    ASSERT_GE(value, -3);
    ASSERT_LE(value, 4);
    low = low || value == -3;
    high = high || value == 4;
  }
  EXPECT_TRUE(low && high);
  stream.between(INT64_MIN, INT64_MAX);  // the whole range wraps to nothing: must not divide by it
}

// Every pattern reaches what it promises, in every format.
TEST(PatternTest, SpecialReachesNanInfinityBothZerosSubnormalsAndTheLargest) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Format& format = format_of(dtype);
    Tensor tensor(dtype, {4000});
    Stream stream("special", name_of(dtype));
    fill(tensor, Pattern::special, stream);
    int nan = 0, infinite = 0, plus_zero = 0, minus_zero = 0, subnormal = 0, largest = 0, edge = 0;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      const double x = tensor.value(i);
      nan += std::isnan(x);
      infinite += std::isinf(x);
      plus_zero += x == 0 && !std::signbit(x);
      minus_zero += x == 0 && std::signbit(x);
      subnormal += x != 0 && std::fabs(x) < format.smallest_normal();
      largest += std::fabs(x) == format.largest_finite();
      edge += std::isfinite(x) && x != 0 && std::exp2(std::round(std::log2(std::fabs(x)))) == std::fabs(x);
    }
    for (const int seen : {nan, infinite, plus_zero, minus_zero, subnormal, largest, edge}) {
      EXPECT_GT(seen, 20) << name_of(dtype);
    }
  }
}

TEST(PatternTest, OrdinaryPatternsAreFiniteAndInRange) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    for (const Pattern pattern : {Pattern::lattice, Pattern::unit, Pattern::positive, Pattern::wide}) {
      Tensor tensor(dtype, {2000});
      Stream stream("ordinary", name_of(pattern));
      fill(tensor, pattern, stream);
      for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        const double x = tensor.value(i);
        ASSERT_TRUE(std::isfinite(x));
        if (pattern == Pattern::lattice) {
          ASSERT_EQ(x, std::round(x));
        }
        if (pattern == Pattern::unit || pattern == Pattern::positive) {
          ASSERT_LE(std::fabs(x), 1);
        }
        if (pattern == Pattern::positive) {
          ASSERT_GE(x, 0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace etalon
