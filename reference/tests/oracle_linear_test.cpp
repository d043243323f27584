// LIN-1, LIN-2, NUM-8: the certified oracle of one matrix entry against exact MPFR sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "reference/oracle/linear.hpp"
#include "reference/tests/mpfr_truth.hpp"

namespace etalon {
namespace {

using oracle::Dot;
using oracle::gemm_entry;
using tests::Truth;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();

struct Operands {
  std::vector<double> a, b;
};

Dot entry(double alpha, const Operands& x, double beta, double c) {
  return gemm_entry(alpha, x.a.data(), 1, x.b.data(), 1, static_cast<std::int64_t>(x.a.size()), beta, c);
}

// alpha sum f(a b) + beta c without error: 7000 bits hold every product and sum of doubles.
void exact_entry(Truth& sum, double alpha, const Operands& x, double beta, double c, bool absolute) {
  Truth term(7000);
  mpfr_set_zero(sum.get(), 1);
  for (std::size_t i = 0; i < x.a.size(); ++i) {
    mpfr_set_d(term.get(), x.a[i], MPFR_RNDN);
    mpfr_mul_d(term.get(), term.get(), x.b[i], MPFR_RNDN);
    if (absolute) mpfr_abs(term.get(), term.get(), MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
  }
  mpfr_mul_d(sum.get(), sum.get(), alpha, MPFR_RNDN);
  mpfr_set_d(term.get(), beta, MPFR_RNDN);
  mpfr_mul_d(term.get(), term.get(), beta == 0 ? 0 : c, MPFR_RNDN);
  if (!absolute) mpfr_add(sum.get(), sum.get(), term.get(), MPFR_RNDN);
}

double expect_encloses(double alpha, const Operands& x, double beta, double c) {
  Truth truth(7000);
  const Dot dot = entry(alpha, x, beta, c);
  exact_entry(truth, alpha, x, beta, c, false);
  double margin = 0;
  if (dot.value.finite()) {
    margin = truth.margin(dot.value);
  } else {
    EXPECT_EQ(mpfr_get_d(truth.get(), MPFR_RNDN), dot.value.hi);
  }
  EXPECT_LE(margin, 1) << "k " << x.a.size();
  EXPECT_FALSE(dot.special);
  exact_entry(truth, std::fabs(alpha), x, 0, 0, true);
  EXPECT_GE(dot.magnitude, mpfr_get_d(truth.get(), MPFR_RNDU));
  double operands = 0;
  for (std::size_t i = 0; i < x.a.size(); ++i) operands += std::fabs(x.a[i]) + std::fabs(x.b[i]);
  EXPECT_GE(dot.operands, operands * (1 - 0x1p-40));
  return margin;
}

double normal(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63) +
         std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63);
}

Operands draw(std::mt19937_64& random, std::size_t k, int kind) {
  Operands x;
  for (std::size_t i = 0; i < k; ++i) {
    double a = normal(random);
    double b = normal(random);
    if (kind == 0)
      a = static_cast<double>(static_cast<float>(a)), b = static_cast<double>(static_cast<float>(b));
    if (kind == 2) a = std::ldexp(a, static_cast<int>(random() % 80) - 40);
    if (kind == 3) do
        a = std::bit_cast<double>(random());
      while (!std::isfinite(a));
    if (kind == 3) do
        b = std::bit_cast<double>(random());
      while (!std::isfinite(b));
    if (kind == 4) a *= 0x1p-530, b *= 0x1p-530;  // products beside and below the normal range
    x.a.push_back(a);
    x.b.push_back(b);
  }
  return x;
}

TEST(GemmEntry, EnclosesTheTruthForEverySizeAndKindOfData) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int kind = 0; kind < 5; ++kind) {
    for (const std::size_t k : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 31U, 127U, 128U, 129U, 400U}) {
      for (int i = 0; i < 12; ++i) {
        const Operands x = draw(random, k, kind);
        worst = std::max(worst, expect_encloses(1, x, 0, not_a_number));
        worst = std::max(worst, expect_encloses(normal(random), x, normal(random), normal(random)));
        worst = std::max(worst, expect_encloses(-2, x, 1, normal(random)));
      }
    }
  }
  RecordProperty("worst_margin", std::to_string(worst));
}

// alpha, beta and what they multiply may each be moderate and their product not.
TEST(GemmEntry, LosesNothingByScalingFarDownOrUp) {
  std::mt19937_64 random(3);
  for (const int scale : {-600, -470, 470, 600}) {
    for (int i = 0; i < 20; ++i) {
      Operands x = draw(random, 5, 1);
      for (double& a : x.a) a = std::ldexp(a, scale / 2);
      for (double& b : x.b) b = std::ldexp(b, scale / 2);
      const double alpha = std::ldexp(normal(random), scale);
      expect_encloses(alpha, x, 0, 0);
      expect_encloses(alpha, x, alpha, std::ldexp(normal(random), scale));
      expect_encloses(1, draw(random, 5, 1), alpha, std::ldexp(normal(random), scale));
    }
  }
}

TEST(GemmEntry, SurvivesCancellation) {
  std::mt19937_64 random(2);
  for (const int kind : {0, 1, 2}) {
    for (int i = 0; i < 50; ++i) {
      Operands x = draw(random, 60, kind);
      const Operands copy = x;
      for (std::size_t j = 0; j < copy.a.size(); ++j) x.a.push_back(-copy.a[j]), x.b.push_back(copy.b[j]);
      std::shuffle(x.a.begin(), x.a.begin(), random);
      expect_encloses(1, x, 0, 0);
      x.a.push_back(0x1p-60), x.b.push_back(0x1p-60);
      expect_encloses(3, x, 1, -3 * 0x1p-120);
    }
  }
}

TEST(GemmEntry, IsExactOnIntegers) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    Operands x;
    double sum = 0;
    for (int j = 0; j < 100; ++j) {
      x.a.push_back(static_cast<double>(random() % 127) - 63);
      x.b.push_back(static_cast<double>(random() % 127) - 63);
      sum += x.a.back() * x.b.back();
    }
    const Dot dot = entry(2, x, -1, 5);
    EXPECT_TRUE(dot.value.is_exact());
    EXPECT_EQ(dot.value.hi, 2 * sum - 5);
  }
}

TEST(GemmEntry, ReadsOnlyWhatItShould) {
  const Operands poison{{not_a_number, infinity}, {1, 0}};
  EXPECT_EQ(entry(0, poison, 2, 3).value.hi, 6);
  EXPECT_FALSE(entry(0, poison, 2, 3).special);
  EXPECT_EQ(gemm_entry(1, nullptr, 1, nullptr, 1, 0, 2, 3).value.hi, 6);
  EXPECT_EQ(gemm_entry(not_a_number, nullptr, 1, nullptr, 1, 0, 2, 3).value.hi, 6);
  EXPECT_EQ(gemm_entry(0, nullptr, 1, nullptr, 1, 5, 0, not_a_number).value.hi, 0);
  EXPECT_EQ(entry(1, {{2}, {3}}, 0, not_a_number).value.hi, 6);
  EXPECT_TRUE(entry(1, {{2}, {3}}, 0, not_a_number).value.is_exact());
}

TEST(GemmEntry, HonoursStrides) {
  const std::vector<double> a{1, 99, 2, 99, 3};
  const std::vector<double> b{30, 20, 10};
  EXPECT_EQ(gemm_entry(1, a.data(), 2, b.data() + 2, -1, 3, 0, 0).value.hi, 10 + 40 + 90);
  EXPECT_EQ(gemm_entry(1, a.data(), 0, b.data(), 1, 3, 0, 0).value.hi, 60);
}

TEST(GemmEntry, FollowsTheRulesOfSpecialValues) {
  EXPECT_TRUE(std::isnan(entry(1, {{infinity}, {0}}, 0, 0).value.hi));
  EXPECT_TRUE(std::isnan(entry(1, {{infinity, -infinity}, {1, 1}}, 0, 0).value.hi));
  EXPECT_TRUE(std::isnan(entry(1, {{infinity}, {1}}, 1, -infinity).value.hi));
  EXPECT_TRUE(std::isnan(entry(1, {{not_a_number, 1}, {0, 1}}, 0, 0).value.hi));
  EXPECT_TRUE(std::isnan(entry(not_a_number, {{1}, {1}}, 0, 0).value.hi));
  EXPECT_TRUE(std::isnan(entry(infinity, {{1, -1}, {1, 1}}, 0, 0).value.hi)) << "Inf * 0";
  EXPECT_EQ(entry(infinity, {{1, -2}, {1, 1}}, 0, 0).value.hi, -infinity);
  EXPECT_EQ(entry(-2, {{infinity, 5}, {1, 1}}, 1, 1).value.hi, -infinity);
  EXPECT_EQ(entry(1, {{infinity, -largest}, {1, largest}}, 0, 0).value.hi, infinity)
      << "finite products are finite";
  EXPECT_TRUE(entry(1, {{infinity}, {1}}, 0, 0).special);
  EXPECT_EQ(entry(1, {{infinity, 2}, {1, 3}}, 0, 0).magnitude, 6 * (1 + 34 * 0x1p-52));
}

TEST(GemmEntry, KnowsOverflowFromInfinity) {
  const Dot over = entry(1, {{largest, largest}, {1, 1}}, 0, 0);
  EXPECT_EQ(over.value.hi, infinity);
  EXPECT_FALSE(over.special);
  const Dot back = entry(1, {{largest, largest, -largest}, {1, 1, 1}}, 0, 0);
  EXPECT_EQ(back.value.hi, largest);
  EXPECT_TRUE(back.value.is_exact());
  EXPECT_EQ(back.magnitude, infinity);
  EXPECT_EQ(entry(0x1p-600, {{0x1p600}, {0x1p900}}, 0, 0).value.hi, 0x1p900);
}

}  // namespace
}  // namespace etalon
