#include "reference/position.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/definitions.hpp"
#include "reference/linear.hpp"
#include "reference/real.hpp"
#include "reference/tests/agreement.hpp"
#include "reference/witness/witness.hpp"

namespace etalon {
namespace {

using tests::agree;
using tests::is_narrow;
using tests::Random;

constexpr double kBase = 10000;

std::string printed(const Real& x) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.4f", x.convert_to<double>());
  return text.data();
}

// The enclosure of a difference that is zero in exact arithmetic: contains 0 and is narrow.
void expect_zero(const Interval& difference) {
  EXPECT_TRUE(difference.encloses(Interval(0)));
  EXPECT_LT(difference.upper() - difference.lower(), 0x1p-110);
}

void expect_zero(const Matrix<Interval>& a, const Matrix<Interval>& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.columns(), b.columns());
  for (std::int64_t i = 1; i <= a.rows(); ++i) {
    for (std::int64_t j = 1; j <= a.columns(); ++j) expect_zero(a.entry(i, j) - b.entry(i, j));
  }
}

Matrix<Interval> position_column(std::int64_t pos, std::int64_t d) {
  return transpose(sinusoidal_table<Interval>(pos, 1, d, kBase));
}

TEST(Position, WorkedTableOfTwoColumns) {  // POS-12
  const std::string want[3][2] = {{"0.0000", "1.0000"}, {"0.8415", "0.5403"}, {"0.9093", "-0.4161"}};
  const Matrix<Real> P = sinusoidal_table<Real>(0, 3, 2, kBase);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) EXPECT_EQ(printed(P(i, j)), want[i][j]);
  }
  EXPECT_EQ(P.entry(2, 1), sin(Real(1)));
  EXPECT_EQ(P.entry(3, 2), cos(Real(2)));
}

TEST(Position, WorkedTableOfSixColumns) {  // POS-12
  const std::string want[4][6] = {{"0.0000", "1.0000", "0.0000", "1.0000", "0.0000", "1.0000"},
                                  {"0.8415", "0.5403", "0.0464", "0.9989", "0.0022", "1.0000"},
                                  {"0.9093", "-0.4161", "0.0927", "0.9957", "0.0043", "1.0000"},
                                  {"0.1411", "-0.9900", "0.1388", "0.9903", "0.0065", "1.0000"}};
  const Matrix<Real> P = sinusoidal_table<Real>(0, 4, 6, kBase);
  const Matrix<Interval> Q = sinusoidal_table<Interval>(0, 4, 6, kBase);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      EXPECT_EQ(printed(P(i, j)), want[i][j]);
      EXPECT_TRUE(encloses(Q(i, j), P(i, j)));
    }
  }
  EXPECT_EQ(printed(P(0, 5)), printed(P(3, 5)));
  EXPECT_NE(P(0, 5), P(3, 5)) << "the slow columns print alike and differ";
}

TEST(Position, PositionZeroIsExact) {  // POS-3
  for (const std::int64_t d : {2, 4, 64, 4096}) {
    for (const std::int64_t column : {std::int64_t{0}, std::int64_t{1}, d - 2, d - 1}) {
      const Ball ball = to_ball(sinusoidal_enclosure(0, column, d, kBase));
      EXPECT_TRUE(ball.is_exact());
      EXPECT_EQ(ball.hi, column % 2 == 0 ? 0 : 1);
    }
  }
}

TEST(Position, HalvesPermuteTheColumns) {  // POS-2
  const Matrix<Real> interleaved = sinusoidal_table<Real>(5, 3, 8, kBase);
  const Matrix<Real> halves = sinusoidal_table<Real>(5, 3, 8, kBase, PairLayout::halves);
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t r = 0; r < 4; ++r) {
      EXPECT_EQ(halves(i, r), interleaved(i, 2 * r));
      EXPECT_EQ(halves(i, 4 + r), interleaved(i, 2 * r + 1));
    }
  }
  EXPECT_NE(halves(1, 1), interleaved(1, 1));
}

TEST(Position, RotationIdentity) {  // POS-4
  for (const std::int64_t pos : {0, 1, 17, 1000003}) {
    for (const std::int64_t k : {-5, 0, 1, 4096}) {
      expect_zero(position_column(pos + k, 6),
                  product(rotation<Interval>(k, 6, kBase), position_column(pos, 6)));
    }
  }
}

TEST(Position, RotationsAreAGroup) {  // POS-5
  const Matrix<Interval> R3 = rotation<Interval>(3, 6, kBase);
  const Matrix<Interval> R40 = rotation<Interval>(40, 6, kBase);
  Matrix<Interval> identity(6, 6);
  for (std::int64_t i = 0; i < 6; ++i) identity(i, i) = Interval(1);
  expect_zero(rotation<Interval>(0, 6, kBase), identity);
  expect_zero(rotation<Interval>(43, 6, kBase), product(R3, R40));
  expect_zero(rotation<Interval>(-3, 6, kBase), transpose(R3));
  expect_zero(product(R3, rotation<Interval>(-3, 6, kBase)), identity);
}

TEST(Position, PairsLieOnTheUnitCircle) {  // POS-6
  for (const std::int64_t pos : {1, 77, 2147483647}) {
    const Matrix<Interval> P = sinusoidal_table<Interval>(pos, 1, 10, kBase);
    Interval norm;
    for (std::int64_t r = 0; r < 5; ++r) {
      const Interval pair = P(0, 2 * r) * P(0, 2 * r) + P(0, 2 * r + 1) * P(0, 2 * r + 1);
      expect_zero(pair - Interval(1));
      norm += pair;
    }
    expect_zero(norm - Interval(5));
  }
}

TEST(Position, ProductsDependOnTheDifferenceOnly) {  // POS-7
  const std::int64_t pairs[][2] = {{0, 0}, {9, 2}, {2, 9}, {100000, 3}};
  for (const auto& [p, q] : pairs) {
    const Interval dot = product(transpose(position_column(p, 8)), position_column(q, 8))(0, 0);
    expect_zero(dot - position_product<Interval>(p, q, 8, kBase));
    expect_zero(dot - position_product<Interval>(p + 5, q + 5, 8, kBase));
  }
}

TEST(Position, WavelengthsFormAGeometricProgression) {  // POS-8
  const std::int64_t d = 8;
  const Interval two_pi = Interval(2) * acos(Interval(-1));
  expect_zero(wavelength<Interval>(0, d, kBase) - two_pi);
  expect_zero(wavelength<Interval>(d / 2 - 1, d, kBase) -
              two_pi * pow(Interval(kBase), Interval(d - 2) / Interval(d)));
  const Interval ratio = wavelength<Interval>(1, d, kBase) / wavelength<Interval>(0, d, kBase);
  expect_zero(ratio - Interval(10));
  expect_zero(wavelength<Interval>(3, d, kBase) / wavelength<Interval>(2, d, kBase) - ratio);
  EXPECT_EQ(frequency<Real>(0, d, kBase), 1);
  EXPECT_EQ(printed(wavelength<Real>(0, d, kBase)), "6.2832");
}

TEST(Position, RowsOfALongerTableAreTheShorterTable) {  // POS-10
  const Matrix<Real> longer = sinusoidal_table<Real>(0, 12, 4, kBase);
  const Matrix<Real> later = sinusoidal_table<Real>(7, 5, 4, kBase);
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) EXPECT_EQ(later(i, j), longer(7 + i, j));
  }
}

TEST(Position, WidthsThatDoNotPairAreRefused) {  // POS-11
  for (const std::int64_t d : {-2, -1, 0, 1, 3, 127}) {
    EXPECT_THROW(sinusoidal_table<Real>(0, 1, d, kBase), std::invalid_argument) << d;
    EXPECT_THROW(sinusoidal_table<Real>(0, 0, d, kBase), std::invalid_argument) << d;
    EXPECT_THROW(sinusoidal_enclosure(0, 0, d, kBase), std::invalid_argument) << d;
    EXPECT_THROW(rotation<Real>(1, d, kBase), std::invalid_argument) << d;
    EXPECT_THROW(position_product<Real>(1, 2, d, kBase), std::invalid_argument) << d;
  }
  EXPECT_EQ(sinusoidal_table<Real>(0, 0, 4, kBase).rows(), 0);
}

TEST(Position, ColumnsPairsAndBasesOutOfRangeAreRefused) {
  EXPECT_THROW(sinusoidal_enclosure(1, -1, 4, kBase), std::out_of_range);
  EXPECT_THROW(sinusoidal_enclosure(1, 4, 4, kBase), std::out_of_range);
  EXPECT_THROW(frequency_enclosure(-1, 4, kBase), std::out_of_range);
  EXPECT_THROW(frequency_enclosure(2, 4, kBase), std::out_of_range);
  for (const double base : {1.0, 0.5, 0.0, -3.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THROW(frequency_enclosure(1, 4, base), std::invalid_argument) << base;
  }
}

TEST(Position, LearnedCodesAreRowsOfTheirTable) {  // POS-1
  const Matrix<Real> table = sinusoidal_table<Real>(3, 5, 2, kBase);
  const Matrix<Real> P = learned_positions(table, 2, 3);
  EXPECT_EQ(P.rows(), 3);
  EXPECT_EQ(P(0, 1), table(2, 1));
  EXPECT_EQ(P(2, 0), table(4, 0));
  EXPECT_EQ(learned_positions(table, 5, 0).rows(), 0);
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(learned_positions(table, 3, 3), std::out_of_range);
  EXPECT_THROW(learned_positions(table, 6, 0), std::out_of_range);
  EXPECT_THROW(learned_positions(table, -1, 1), std::out_of_range);
  EXPECT_THROW(learned_positions(table, 0, -1), std::out_of_range);
  EXPECT_THROW(learned_positions(table, highest, 2), std::out_of_range);
  EXPECT_THROW(learned_positions(table, 2, highest), std::out_of_range);
}

struct Point {
  std::int64_t pos;
  std::int64_t column;
  std::int64_t d;
  double base;
  PairLayout layout;
};

Point draw(Random& random) {
  constexpr std::int64_t limits[] = {16, 4096, 1 << 20, 2147483648, std::int64_t{1} << 53};
  const std::int64_t d = 2 * (1 + random.below(random.below(2) == 0 ? 32 : 2048));
  const std::int64_t pos = random.below(limits[random.below(5)] + 1);
  const double base = random.below(4) == 0 ? 1 + std::fabs(random.number(-4, 30)) : kBase;
  return {pos, random.below(d), d, base, random.below(4) == 0 ? PairLayout::halves : PairLayout::interleaved};
}

TEST(Position, EnclosureAndWitnessAgree) {
  Random random(20);
  for (int i = 0; i < 5000; ++i) {
    const Point at = draw(random);
    const Ball ours = to_ball(sinusoidal_enclosure(at.pos, at.column, at.d, at.base, at.layout));
    const Ball theirs =
        witness::sinusoidal(at.pos, at.column, at.d, at.base, at.layout == PairLayout::halves);
    ASSERT_TRUE(agree(ours, theirs)) << at.pos << ' ' << at.column << ' ' << at.d << ' ' << at.base;
    ASSERT_TRUE(is_narrow(ours) && is_narrow(theirs)) << at.pos << ' ' << at.column << ' ' << at.d;
    const std::int64_t r = at.column / 2;
    ASSERT_TRUE(agree(to_ball(frequency_enclosure(r, at.d, at.base)), witness::frequency(r, at.d, at.base)));
  }
}

TEST(Position, TheWitnessWouldNoticeASlip) {
  const Ball right = witness::sinusoidal(1, 2, 6, kBase);
  EXPECT_TRUE(agree(to_ball(sinusoidal_enclosure(1, 2, 6, kBase)), right));
  EXPECT_FALSE(agree(to_ball(sinusoidal_enclosure(2, 2, 6, kBase)), right));
  EXPECT_FALSE(agree(to_ball(sinusoidal_enclosure(1, 3, 6, kBase)), right));
  EXPECT_FALSE(agree(to_ball(sinusoidal_enclosure(1, 2, 8, kBase)), right));
  EXPECT_FALSE(agree(to_ball(sinusoidal_enclosure(1, 2, 6, std::nextafter(kBase, 0))), right));
  EXPECT_FALSE(agree(to_ball(sinusoidal_enclosure(1, 2, 6, kBase, PairLayout::halves)), right));
}

// Real keeps 168 bits: below 2^53 the angle is known to about 2^(53 + 7 - 168) = 2^-108.
TEST(Position, RealLiesBesideTheEnclosureAndRoundsAlike) {
  Random random(21);
  for (int i = 0; i < 2000; ++i) {
    const Point at = draw(random);
    const Real real = sinusoidal<Real>(at.pos, at.column, at.d, at.base, at.layout);
    Interval point;
    mpfi_set_fr(point.raw(), real.backend().data());
    ASSERT_TRUE(encloses(point, real) && point.is_point());
    const Interval error = point - sinusoidal_enclosure(at.pos, at.column, at.d, at.base, at.layout);
    ASSERT_LE(std::fmax(error.upper(), -error.lower()), at.pos < 1 << 20 ? 0x1p-137 : 0x1p-105);
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
      const Format& format = format_of(dtype);
      ASSERT_EQ(round_sinusoidal(format, at.pos, at.column, at.d, at.base, at.layout), round_to(format, real))
          << at.pos << ' ' << at.column << ' ' << at.d;
    }
  }
}

TEST(Position, TheWorkingPrecisionCoversTheLargestPositions) {
  for (const std::int64_t pos : {std::int64_t{1} << 53, std::numeric_limits<std::int64_t>::max()}) {
    for (const std::int64_t column : {0, 1, 2, 63, 127}) {
      const Interval y = sinusoidal_enclosure(pos, column, 128, kBase);
      EXPECT_LT((y - y).upper(), 0x1p-180) << pos << ' ' << column;
      EXPECT_TRUE(agree(to_ball(y), witness::sinusoidal(pos, column, 128, kBase)));
    }
  }
}

TEST(Position, EveryRowOfASmallTableIsItsOwn) {  // POS-9, in f32
  const Format& format = format_of(Dtype::f32);
  std::set<std::pair<std::uint64_t, std::uint64_t>> rows;
  for (std::int64_t pos = 0; pos < 512; ++pos) {
    rows.insert({round_sinusoidal(format, pos, 0, 4, kBase).value(),
                 round_sinusoidal(format, pos, 2, 4, kBase).value()});
  }
  EXPECT_EQ(rows.size(), 512u);
}

}  // namespace
}  // namespace etalon
