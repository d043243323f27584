// INP-1, NUM-9: sqrt(d) and c x + p of the certified oracle against raw MPFR.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/oracle/input.hpp"
#include "reference/tests/mpfr_truth.hpp"

namespace etalon {
namespace {

using oracle::scaled_sum;
using oracle::square_root;
using tests::Truth;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();

TEST(SquareRoot, EnclosesTheTruthAndIsExactForSquares) {
  std::vector<std::int64_t> values;
  for (std::int64_t d = 0; d <= 5000; ++d) values.push_back(d);
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i)
    values.push_back(static_cast<std::int64_t>(random() >> (random() % 40 + 1)));
  values.push_back(std::numeric_limits<std::int64_t>::max());
  for (const std::int64_t d : values) {
    Truth root;
    mpfr_set_si(root.get(), static_cast<long>(d), MPFR_RNDN);
    mpfr_sqrt(root.get(), root.get(), MPFR_RNDN);
    const Ball ball = square_root(d);
    ASSERT_LE(root.margin(ball), 1) << d;
    ASSERT_LE(ball.radius, ball.hi * 0x1p-103);
    ASSERT_EQ(ball.is_exact(), mpfr_integer_p(root.get()) != 0) << d;
  }
  EXPECT_THROW(square_root(-1), std::domain_error);
}

void expect_encloses(const Ball& c, double x, double p) {
  Truth truth(6500);
  Truth term(6500);
  mpfr_set_d(truth.get(), c.hi, MPFR_RNDN);
  mpfr_add_d(truth.get(), truth.get(), c.lo, MPFR_RNDN);
  mpfr_mul_d(truth.get(), truth.get(), x, MPFR_RNDN);
  mpfr_add_d(truth.get(), truth.get(), p, MPFR_RNDN);
  const Ball z = scaled_sum(c, x, p);
  if (!z.finite()) {
    EXPECT_EQ(mpfr_get_d(truth.get(), MPFR_RNDN), z.hi);
    return;
  }
  ASSERT_LE(truth.margin(z), 1) << c.hi << " " << x << " " << p;
  // Whatever the middle of c, its own radius must come back in the sum's.
  if (c.radius > 0 && x != 0) {
    mpfr_set_d(term.get(), c.radius, MPFR_RNDN);
    mpfr_mul_d(term.get(), term.get(), std::fabs(x), MPFR_RNDN);
    ASSERT_GE(z.radius, mpfr_get_d(term.get(), MPFR_RNDD));
  }
}

double any_double(std::mt19937_64& random) {
  for (;;) {
    const double x = std::bit_cast<double>(random());
    if (std::isfinite(x)) return x;
  }
}

TEST(ScaledSum, EnclosesTheTruthOverTheWholeRange) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const Ball c = square_root(static_cast<std::int64_t>(random() % 4096));
    expect_encloses(c, any_double(random), any_double(random));
    expect_encloses(Ball::exact(any_double(random)), any_double(random), any_double(random));
    const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -60);
    expect_encloses(c, x, -c.hi * x);  // cancellation
    expect_encloses(c, x * 0x1p-1000, x * 0x1p-1030);
    if (HasFatalFailure()) return;
  }
}

TEST(ScaledSum, IsExactWhereItCanBe) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 10000; ++i) {
    const auto c = static_cast<double>(static_cast<float>(static_cast<double>(random() % 1000) / 16));
    const auto x = static_cast<double>(static_cast<float>(static_cast<std::int64_t>(random())));
    const auto p = static_cast<double>(static_cast<float>(static_cast<std::int64_t>(random())));
    EXPECT_TRUE(scaled_sum(Ball::exact(c), x, p).is_exact());
  }
  EXPECT_TRUE(scaled_sum(square_root(512), 0.0, 0.1).is_exact());
  EXPECT_EQ(scaled_sum(square_root(512), 0.0, 0.1).hi, 0.1);
  const Ball least = scaled_sum(Ball::exact(1), 0x1p-1074, 0x1p-1074);
  EXPECT_TRUE(least.is_exact() && least.hi == 0x1p-1073);
  EXPECT_EQ(scaled_sum(Ball::exact(0.5), 0x1p-1074, 0).radius, 0x1p-1074) << "2^-1075 is no double";
}

TEST(ScaledSum, FollowsTheRulesOfSpecialValues) {
  const Ball c = square_root(2);
  EXPECT_TRUE(std::isnan(scaled_sum(c, std::nan(""), 1).hi));
  EXPECT_TRUE(std::isnan(scaled_sum(c, 1, std::nan("")).hi));
  EXPECT_TRUE(std::isnan(scaled_sum(c, infinity, -infinity).hi));
  EXPECT_TRUE(std::isnan(scaled_sum(Ball::exact(0), infinity, 1).hi));
  EXPECT_TRUE(std::isnan(scaled_sum(Ball::exact(infinity), 0, 1).hi));
  EXPECT_EQ(scaled_sum(c, infinity, 1).hi, infinity);
  EXPECT_EQ(scaled_sum(c, -infinity, largest).hi, -infinity);
  EXPECT_EQ(scaled_sum(c, largest, -infinity).hi, -infinity) << "a finite product is no infinity";
  EXPECT_EQ(scaled_sum(c, -largest, infinity).hi, infinity);
  EXPECT_EQ(scaled_sum(c, largest, largest).hi, infinity);
  EXPECT_EQ(scaled_sum(Ball::exact(2), largest, -largest).hi, largest);
  EXPECT_TRUE(scaled_sum(Ball::exact(2), largest, -largest).is_exact());
}

}  // namespace
}  // namespace etalon
