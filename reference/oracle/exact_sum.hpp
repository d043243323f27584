// Sums of products of binary64 numbers without any error, wherever in the range: the last resort where
// the fast paths would overflow or lose low parts to underflow.
#pragma once

#include <array>
#include <cstddef>

#include "reference/oracle/ball.hpp"
#include "reference/oracle/double_double.hpp"
#include "reference/oracle/mpfr_number.hpp"

namespace etalon::oracle {

class ExactSum {
 public:
  ExactSum();
  void add_product(double a, double b);  // finite operands
  void scale(double factor);             // once at most, before the last add_product
  int sign();                            // of the sum: -1, 0 or 1
  // The sum: hi + lo nearest, radius what is left over; +-Inf beyond the binary64 range.
  Ball ball();

 private:
  // Products lie between 2^-2148 and 2^2048; scaled, between 2^-3222 and 2^3072; 2^60 of them.
  static constexpr mpfr_prec_t precision = 6400;
  MpfrNumber sum_{precision};
  MpfrNumber term_{106};
};

// The sum of a few numbers as a ball: error-free passes (VecSum: Ogita, Rump, Oishi 2005) until hi and
// lo hold it all or `passes` are done; what is left over goes to the radius. No overflow.
template <std::size_t size>
Ball distil(std::array<double, size> terms, double radius, int passes = 4) {
  static_assert(size >= 2);
  double left = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = size - 1; i > 0; --i) {
      const DoubleDouble s = two_sum(terms[i - 1], terms[i]);
      terms[i - 1] = s.hi;
      terms[i] = s.lo;
    }
    left = 0;
    for (std::size_t i = 2; i < size; ++i) left += std::fabs(terms[i]);
    if (left == 0) break;
  }
  const DoubleDouble sum = two_sum(terms[0], terms[1]);
  const double total = radius + left;
  return {sum.hi, sum.lo, total == 0 ? 0 : total * (1 + 0x1p-40)};
}

}  // namespace etalon::oracle
