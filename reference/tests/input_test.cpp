#include "reference/input.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "reference/definitions.hpp"
#include "reference/embedding.hpp"
#include "reference/real.hpp"
#include "reference/tests/agreement.hpp"
#include "reference/witness/witness.hpp"

namespace etalon {
namespace {

using tests::agree;
using tests::is_narrow;
using tests::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

const Format& f32() { return format_of(Dtype::f32); }
const Format& f64() { return format_of(Dtype::f64); }

Matrix<Real> reals(std::int64_t rows, std::int64_t columns, const std::vector<const char*>& decimals) {
  std::vector<Real> values;
  for (const char* decimal : decimals) values.emplace_back(decimal);
  return Matrix<Real>(rows, columns, values);
}

void expect_close(const Real& got, const Real& want) { EXPECT_LT(abs(got - want), Real(0x1p-160)); }

TEST(Input, WorkedExampleOfTwoColumns) {  // INP-5
  const Matrix<Real> X = reals(3, 2, {"0.2", "0.5", "-0.1", "0.7", "0.8", "-0.3"});
  const Matrix<Real> P = reals(3, 2, {"0", "0.1", "0.2", "0", "-0.1", "0.3"});
  const Matrix<Real> Z = input_representation(scale_factor<Real>(ScaleKind::root, 2, 0), X, P);
  const Real root = sqrt(Real(2));
  expect_close(Z.entry(1, 1), Real("0.2") * root);
  expect_close(Z.entry(1, 2), Real("0.5") * root + Real("0.1"));
  expect_close(Z.entry(2, 1), -Real("0.1") * root + Real("0.2"));
  expect_close(Z.entry(2, 2), Real("0.7") * root);
  expect_close(Z.entry(3, 1), Real("0.8") * root - Real("0.1"));
  expect_close(Z.entry(3, 2), -Real("0.3") * root + Real("0.3"));
}

TEST(Input, OneTypeAtTwoPositions) {  // INP-3, INP-5: 猫 twice
  const std::vector<std::int64_t> ids = {2, 2};
  const Matrix<Real> E = reals(3, 2, {"0.2", "0.5", "-0.1", "0.7", "0.8", "-0.3"});
  const Matrix<Real> P = reals(2, 2, {"0", "0.1", "0.2", "0"});
  const Matrix<Real> Z = input_representation(sqrt(Real(2)), embed(E, ids), P);
  for (std::int64_t j = 1; j <= 2; ++j) {
    EXPECT_NE(Z.entry(1, j), Z.entry(2, j));
    expect_close(Z.entry(1, j) - Z.entry(2, j), P.entry(1, j) - P.entry(2, j));
  }
}

TEST(Input, WorkedExampleOfSixColumns) {  // INP-5
  const Matrix<Real> x = reals(1, 6, {"0.2", "-0.1", "0.4", "0.3", "-0.2", "0.5"});
  const double want[2][6] = {{0.2, 0.9, 0.4, 1.3, -0.2, 1.5}, {0.3411, -1.09, 0.5388, 1.2903, -0.1935, 1.5}};
  for (int row = 0; row < 2; ++row) {
    const Matrix<Real> P = sinusoidal_table<Real>(3 * row, 1, 6, 10000);
    const Matrix<Real> Z = input_representation(scale_factor<Real>(ScaleKind::one, 6, 0), x, P);
    for (int j = 0; j < 6; ++j)
      EXPECT_LT(abs(Z(0, j) - Real(want[row][j])), Real(0.00005)) << row << ' ' << j;
  }
}

TEST(Input, WhichFactor) {  // INP-2
  EXPECT_EQ(scale_factor<Real>(ScaleKind::one, 512, 7), 1);
  EXPECT_EQ(scale_factor<Real>(ScaleKind::root, 256, 7), 16);
  EXPECT_EQ(scale_factor<Real>(ScaleKind::value, 256, 7), 7);
  EXPECT_TRUE(scale_enclosure(ScaleKind::root, 256, 0).is_point());
  EXPECT_FALSE(scale_enclosure(ScaleKind::root, 512, 0).is_point());
  EXPECT_THROW(scale_enclosure(ScaleKind::root, 0, 0), std::invalid_argument);
  EXPECT_THROW(scale_enclosure(ScaleKind::one, -4, 0), std::invalid_argument);
}

TEST(Input, ZeroOperands) {  // INP-4
  EXPECT_EQ(round_combine(f64(), ScaleKind::root, 512, 0, 0, 0.1), encode(f64(), 0.1));
  EXPECT_EQ(round_combine(f64(), ScaleKind::root, 512, 0, 0, 0x1p-1074), 1u);
  const Real product = sqrt(Real(512)) * Real(0.1);
  EXPECT_EQ(round_combine(f32(), ScaleKind::root, 512, 0, 0.1, 0), round_to(f32(), product));
  EXPECT_EQ(round_combine(f32(), ScaleKind::value, 512, 3, 5, -15), 0u) << "an exact zero";
}

TEST(Input, EveryMemberOfABatchTakesTheSamePositions) {  // INP-6
  const Matrix<Real> P = reals(2, 1, {"10", "20"});
  const std::vector<Matrix<Real>> batch = {reals(2, 1, {"1", "2"}), reals(2, 1, {"3", "4"}),
                                           reals(2, 1, {"5", "6"})};
  const std::vector<Matrix<Real>> Z = input_representation(Real(2), batch, P);
  ASSERT_EQ(Z.size(), 3u);
  EXPECT_EQ(Z[0].entry(2, 1), 24);
  EXPECT_EQ(Z[2].entry(1, 1), 20);
  EXPECT_TRUE(input_representation(Real(2), std::vector<Matrix<Real>>{}, P).empty());
}

TEST(Input, ShapesThatDoNotFitAreRefused) {  // INP-6
  EXPECT_THROW(input_representation(Real(1), Matrix<Real>(2, 3), Matrix<Real>(3, 2)), std::invalid_argument);
  EXPECT_THROW(input_representation(Real(1), Matrix<Real>(2, 3), Matrix<Real>(2, 2)), std::invalid_argument);
  EXPECT_EQ(input_representation(Real(1), Matrix<Real>(0, 3), Matrix<Real>(0, 3)).rows(), 0);
}

TEST(Input, EnclosureRealAndWitnessAgree) {
  Random random(30);
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t d = 1 + random.below(8192);
    const double x = random.number(-20, 20);
    const double p = random.number(-40, 20);
    const double c = random.number(-10, 10);
    const Interval root = combine_enclosure(ScaleKind::root, d, 0, x, p);
    const Interval value = combine_enclosure(ScaleKind::value, d, c, x, p);
    ASSERT_TRUE(agree(to_ball(root), witness::combine_with_root(d, x, p))) << d << ' ' << x << ' ' << p;
    ASSERT_TRUE(agree(to_ball(value), witness::combine_with_value(c, x, p))) << c << ' ' << x << ' ' << p;
    ASSERT_FALSE(agree(to_ball(root), witness::combine_with_root(d + 1, x, p)));
    ASSERT_TRUE(is_narrow(to_ball(value)));
    ASSERT_TRUE(encloses(root, Real(combine(Real(sqrt(Real(d))), Real(x), Real(p)))));
    ASSERT_TRUE(agree(to_ball(square_root_enclosure(std::fabs(x))), witness::square_root(std::fabs(x))));
  }
}

TEST(Input, RoundsAsRealDoes) {
  Random random(31);
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t d = 1 + random.below(4096);
    const double x = random.number(-30, 12);
    const double p = random.number(-30, 12);
    const Real z = combine(Real(sqrt(Real(d))), Real(x), Real(p));
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
      ASSERT_EQ(round_combine(format_of(dtype), ScaleKind::root, d, 0, x, p), round_to(format_of(dtype), z));
    }
  }
}

TEST(Input, ExtremesNeedNoSpecialCare) {
  const double tiny = 0x1p-1074;
  const double huge = std::numeric_limits<double>::max();
  // 1 + 2^-53 + 2^-1074: just above a midpoint, decided only far beyond a double-double.
  EXPECT_EQ(round_combine(f64(), ScaleKind::value, 1, tiny, 1, 1 + 0x1p-52), encode(f64(), 1 + 0x1p-52));
  EXPECT_EQ(round_combine(f32(), ScaleKind::value, 1, tiny, 1, 1 + 0x1p-24), encode(f32(), 1 + 0x1p-23));
  EXPECT_EQ(round_combine(f32(), ScaleKind::value, 1, tiny, -1, 1 + 0x1p-24), encode(f32(), 1));
  EXPECT_EQ(round_combine(f64(), ScaleKind::value, 1, huge, huge, 0), encode(f64(), kInfinity));
  EXPECT_EQ(round_combine(f64(), ScaleKind::value, 1, tiny, -tiny, 0), encode(f64(), -0.0));
  EXPECT_EQ(round_combine(f64(), ScaleKind::value, 1, huge, 2, -huge), encode(f64(), huge))
      << "2 Omega - Omega";
  EXPECT_TRUE(agree(to_ball(combine_enclosure(ScaleKind::value, 1, huge, huge, 0)),
                    witness::combine_with_value(huge, huge, 0)));
}

TEST(Input, InfinitiesAndNans) {  // NUM-6
  const auto z = [](double c, double x, double p) {
    return to_ball(combine_enclosure(ScaleKind::value, 4, c, x, p)).hi;
  };
  EXPECT_EQ(z(2, kInfinity, 1), kInfinity);
  EXPECT_EQ(z(-2, kInfinity, 1), -kInfinity);
  EXPECT_EQ(z(2, 1, -kInfinity), -kInfinity);
  EXPECT_EQ(z(1e300, 1e300, -kInfinity), -kInfinity) << "c x is a finite real number, whatever its size";
  EXPECT_TRUE(std::isnan(z(0, kInfinity, 1)));
  EXPECT_TRUE(std::isnan(z(2, kInfinity, -kInfinity)));
  EXPECT_TRUE(std::isnan(z(2, kNaN, 1)));
  EXPECT_TRUE(std::isnan(z(2, 1, kNaN)));
  EXPECT_TRUE(std::isnan(z(kNaN, 0, 0)));
  EXPECT_EQ(to_ball(combine_enclosure(ScaleKind::root, 512, kNaN, -kInfinity, 1)).hi, -kInfinity);
  EXPECT_EQ(to_ball(combine_enclosure(ScaleKind::one, 512, kNaN, 3, 1)).hi, 4) << "value does not count here";
}

TEST(SquareRoot, Domain) {
  EXPECT_TRUE(to_ball(square_root_enclosure(0)).is_exact());
  EXPECT_EQ(to_ball(square_root_enclosure(9)).hi, 3);
  EXPECT_THROW(square_root_enclosure(-1), std::invalid_argument);
  EXPECT_THROW(square_root_enclosure(kNaN), std::invalid_argument);
  EXPECT_TRUE(agree(to_ball(square_root_enclosure(0x1p-1074)), witness::square_root(0x1p-1074)));
  EXPECT_EQ(witness::square_root(0).hi, 0);
}

}  // namespace
}  // namespace etalon
