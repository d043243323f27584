// Double-double arithmetic: a real number as an unevaluated sum hi + lo of two binary64 numbers,
// about 106 bits. u = 2^-53. Every bound below holds in round-to-nearest without overflow, and
// without underflow of the error terms (all values of the oracle are above 2^-300 where that
// matters; where it may not hold, the caller widens its radius). Needs -ffp-contract=off.
// Sources: Dekker 1971; Knuth, TAOCP 2, 4.2.2; Joldes, Muller, Popescu, ACM TOMS 44(2), 2017
// (algorithms 6, 9 and 12); Muller, Rideau, ACM TOMS 48(1), 2022 (the 4 u^2 of the product).
#pragma once

#include <cmath>

namespace etalon::oracle {

inline constexpr double unit = 0x1p-53;           // u
inline constexpr double unit_squared = 0x1p-106;  // u^2

struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

// a + b = hi + lo exactly, hi = RN(a + b). Any a, b (Knuth, Moeller).
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

// The same for |a| >= |b| or a = 0 (Dekker).
inline DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a * b = hi + lo exactly, hi = RN(a b), where |a b| >= 2^-968 or a b = 0.
inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

// Relative error at most 3 u^2 + 13 u^3, whatever the signs (JMP algorithm 6).
inline DoubleDouble add(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  const DoubleDouble t = two_sum(a.lo, b.lo);
  const DoubleDouble v = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(v.hi, t.lo + v.lo);
}

// Relative error at most 2 u^2 (JMP algorithm 4).
inline DoubleDouble add(DoubleDouble a, double b) {
  const DoubleDouble s = two_sum(a.hi, b);
  return fast_two_sum(s.hi, a.lo + s.lo);
}

// Relative error at most 2 u^2 (JMP algorithm 9).
inline DoubleDouble multiply(DoubleDouble a, double b) {
  const DoubleDouble p = two_product(a.hi, b);
  return fast_two_sum(p.hi, std::fma(a.lo, b, p.lo));
}

// Relative error at most 4 u^2 (JMP algorithm 12, Muller and Rideau theorem 2.8).
inline DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = two_product(a.hi, b.hi);
  const double low = std::fma(a.hi, b.lo, a.lo * b.lo);
  const double cross = std::fma(a.lo, b.hi, low);
  return fast_two_sum(p.hi, p.lo + cross);
}

}  // namespace etalon::oracle
