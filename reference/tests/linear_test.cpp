#include "reference/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "reference/definitions.hpp"
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

const Format& f64() { return format_of(Dtype::f64); }

using Doubles = std::vector<double>;

TEST(Linear, ProductByHand) {
  const Matrix<Real> A(2, 3, {Real(1), Real(2), Real(3), Real(4), Real(5), Real(6)});
  const Matrix<Real> B(3, 1, {Real(7), Real(8), Real(9)});
  const Matrix<Real> Y = product(A, B);
  EXPECT_EQ(Y.entry(1, 1), 50);
  EXPECT_EQ(Y.entry(2, 1), 122);
  EXPECT_THROW(product(B, A), std::invalid_argument);
}

TEST(Linear, AllFourTranspositionsDescribeOneProduct) {  // LIN-1
  const Matrix<Real> A(2, 3, {Real(1), Real(2), Real(3), Real(4), Real(5), Real(6)});
  const Matrix<Real> B(3, 2, {Real(7), Real(8), Real(9), Real(10), Real(11), Real(12)});
  const Matrix<Real> C(2, 2, {Real(1), Real(-1), Real(2), Real(-2)});
  for (const Transposed op_a : {Transposed::no, Transposed::yes}) {
    for (const Transposed op_b : {Transposed::no, Transposed::yes}) {
      const Matrix<Real> a = op_a == Transposed::yes ? transpose(A) : A;
      const Matrix<Real> b = op_b == Transposed::yes ? transpose(B) : B;
      const Matrix<Real> Y = matmul(0.5, op_a, a, op_b, b, -3, C);
      EXPECT_EQ(Y.entry(1, 1), 29 - 3);
      EXPECT_EQ(Y.entry(1, 2), 32 + 3);
      EXPECT_EQ(Y.entry(2, 1), 69.5 - 6);
      EXPECT_EQ(Y.entry(2, 2), 77 + 6);
    }
  }
}

TEST(Linear, ZeroFactorsDoNotRead) {  // LIN-2
  const Matrix<double> ones(1, 1, {1});
  const Matrix<double> nan(1, 1, {kNaN});
  constexpr Transposed no = Transposed::no;
  EXPECT_EQ(matmul(2.0, no, ones, no, ones, 0.0, nan)(0, 0), 2);
  EXPECT_EQ(matmul(0.0, no, nan, no, nan, 3.0, ones)(0, 0), 3);
  EXPECT_EQ(matmul(0.0, no, nan, no, nan, 0.0, nan)(0, 0), 0);
  EXPECT_TRUE(std::isnan(matmul(1.0, no, nan, no, ones, 0.0, ones)(0, 0)));
  EXPECT_TRUE(std::isnan(matmul(1.0, no, ones, no, ones, 1.0, nan)(0, 0)));
}

TEST(Linear, EmptySizes) {  // LIN-2
  constexpr Transposed no = Transposed::no;
  const Matrix<double> C(2, 2, {1, 2, 3, 4});
  const Matrix<double> Y = matmul(1.0, no, Matrix<double>(2, 0), no, Matrix<double>(0, 2), 2.0, C);
  EXPECT_EQ(Y(1, 1), 8) << "k = 0 gives beta C";
  EXPECT_EQ(matmul(1.0, no, Matrix<double>(0, 3), no, Matrix<double>(3, 2), 2.0, Matrix<double>(0, 2)).rows(),
            0);
}

TEST(Linear, ShapesThatDoNotFitAreRefused) {
  constexpr Transposed no = Transposed::no;
  const Matrix<double> A(2, 3);
  const Matrix<double> B(3, 4);
  EXPECT_THROW(matmul(1.0, Transposed::yes, A, no, B, 0.0, Matrix<double>(2, 4)), std::invalid_argument);
  EXPECT_THROW(matmul(1.0, no, A, no, B, 0.0, Matrix<double>(2, 3)), std::invalid_argument);
  EXPECT_THROW(matmul(1.0, no, A, no, B, 0.0, Matrix<double>(3, 4)), std::invalid_argument);
  EXPECT_THROW(matmul(0.0, no, A, no, A, 1.0, Matrix<double>(2, 3)), std::invalid_argument);
}

TEST(Linear, LinearMapAddsItsRowToEveryRow) {  // LIN-4
  const Matrix<Real> x(2, 2, {Real(1), Real(0), Real(2), Real(1)});
  const Matrix<Real> W(2, 3, {Real(1), Real(2), Real(3), Real(4), Real(5), Real(6)});
  const Matrix<Real> b(1, 3, {Real(10), Real(20), Real(30)});
  const Matrix<Real> Y = linear_map(x, W, b);
  EXPECT_EQ(Y.entry(1, 3), 33);
  EXPECT_EQ(Y.entry(2, 1), 16);
  EXPECT_THROW(linear_map(x, W, transpose(b)), std::invalid_argument);
  EXPECT_THROW(linear_map(x, W, Matrix<Real>(1, 2)), std::invalid_argument);
}

struct Entry {
  double alpha;
  Doubles a;
  Doubles b;
  double beta;
  double c;
};

Entry draw(Random& random, int lowest, int highest) {
  Entry entry{random.number(-3, 3), {}, {}, random.number(-3, 3), random.number(lowest, highest)};
  const std::int64_t k = random.below(40);
  for (std::int64_t r = 0; r < k; ++r) {
    entry.a.push_back(random.number(lowest, highest));
    entry.b.push_back(random.number(lowest, highest));
  }
  return entry;
}

Interval enclosure(const Entry& e) { return matmul_entry_enclosure(e.alpha, e.a, e.b, e.beta, e.c); }
Ball by_witness(const Entry& e) { return witness::matmul_entry(e.alpha, e.a, e.b, e.beta, e.c); }

Real by_real(const Entry& e) {
  Real sum(0);
  for (std::size_t r = 0; r < e.a.size(); ++r) sum += Real(e.a[r]) * Real(e.b[r]);
  return Real(e.alpha) * sum + Real(e.beta) * Real(e.c);
}

TEST(MatmulEntry, EnclosureRealAndWitnessAgree) {  // LIN-1
  Random random(40);
  for (int i = 0; i < 3000; ++i) {
    Entry e = draw(random, -12, 4);
    const Ball ours = to_ball(enclosure(e));
    ASSERT_TRUE(agree(ours, by_witness(e))) << i;
    ASSERT_TRUE(is_narrow(by_witness(e))) << i;
    ASSERT_TRUE(encloses(enclosure(e), by_real(e))) << i;
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
      const Format& format = format_of(dtype);
      ASSERT_EQ(round_matmul_entry(format, e.alpha, e.a, e.b, e.beta, e.c), round_to(format, by_real(e)))
          << i;
    }
    e.c = std::nextafter(e.c, 0);
    ASSERT_FALSE(agree(ours, by_witness(e))) << "one ulp of one operand shows";
  }
}

TEST(MatmulEntry, WildExponentsStillRoundAsTheWitnessSays) {
  Random random(41);
  for (int i = 0; i < 300; ++i) {
    const Entry e = draw(random, -500, 480);
    const Ball exact = by_witness(e);
    ASSERT_TRUE(agree(to_ball(enclosure(e)), exact)) << i;
    const std::uint64_t rounded = round_matmul_entry(f64(), e.alpha, e.a, e.b, e.beta, e.c).value();
    ASSERT_EQ(decode(f64(), rounded), exact.hi) << i;
  }
}

TEST(MatmulEntry, CancellationAndTies) {  // LIN-3
  const Doubles a = {1e300, 1, 1e-300, -1e300};
  const Doubles b = {1e300, 1, 1e-300, 1e300};
  EXPECT_EQ(round_matmul_entry(f64(), 1, a, b, 0, 0), encode(f64(), 1));
  EXPECT_EQ(round_matmul_entry(f64(), 1, a, b, -1, 1), encode(f64(), 0)) << "1e-600 rounds to +0";
  EXPECT_EQ(round_matmul_entry(f64(), -1, a, b, 1, 1), encode(f64(), -0.0));
  EXPECT_EQ(round_matmul_entry(f64(), 1, a, b, 1, 0x1p-53), encode(f64(), 1 + 0x1p-52))
      << "just above a midpoint";
  EXPECT_EQ(round_matmul_entry(f64(), 1, Doubles{1}, Doubles{1}, 1, 0x1p-53), encode(f64(), 1)) << "a tie";
  EXPECT_EQ(round_matmul_entry(f64(), 1, Doubles{3}, Doubles{5}, -1, 15), 0u);
}

TEST(MatmulEntry, SpecialOperandsAndZeroFactors) {  // LIN-2, NUM-6
  const auto y = [](double alpha, const Doubles& a, const Doubles& b, double beta, double c) {
    return to_ball(matmul_entry_enclosure(alpha, a, b, beta, c)).hi;
  };
  EXPECT_EQ(y(1, {kInfinity}, {2}, 0, kNaN), kInfinity);
  EXPECT_EQ(y(-1, {kInfinity}, {2}, 1, 5), -kInfinity);
  EXPECT_EQ(y(0, {kNaN}, {2}, 1, 5), 5);
  EXPECT_EQ(y(0, {kNaN}, {2}, 0, kNaN), 0);
  EXPECT_TRUE(std::isnan(y(1, {kInfinity}, {0}, 0, 0)));
  EXPECT_TRUE(std::isnan(y(1, {kInfinity, kInfinity}, {1, -1}, 0, 0)));
  EXPECT_TRUE(std::isnan(y(1, {kInfinity}, {1}, 1, -kInfinity)));
  EXPECT_TRUE(std::isnan(y(1, {1}, {1}, 1, kNaN)));
  EXPECT_EQ(y(1, {1e300, kInfinity}, {-1e300, 1}, 0, 0), kInfinity) << "a huge finite term is no infinity";
  EXPECT_EQ(y(1, {}, {}, 2, 3), 6);
  EXPECT_THROW(y(1, {1}, {}, 0, 0), std::invalid_argument);
  EXPECT_THROW(y(kNaN, {1}, {1}, 0, 0), std::invalid_argument);
  EXPECT_THROW(y(1, {1}, {1}, kInfinity, 0), std::invalid_argument);
}

}  // namespace
}  // namespace etalon
