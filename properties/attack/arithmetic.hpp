// NUM-3, NUM-4: arithmetic of any format simulated in binary64, and a record of the worst margin met.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "properties/judge.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/double_double.hpp"

namespace etalon::attack {

enum class Direction { nearest, zero, down, up };

// Arithmetic of a format, each operation rounded once from the exact result. A sum or product of two values
// of a format with at most 24 bits is rounded to binary64 first, to odd, which makes the second rounding
// innocuous (reference/oracle/rounding.cpp).
class Arithmetic {
 public:
  explicit Arithmetic(const Format& format, bool truncates = false)
      : Arithmetic(format, truncates ? Direction::zero : Direction::nearest) {}
  Arithmetic(const Format& format, Direction direction) : format_(format), direction_(direction) {}

  double round(double exact) const { return rounded({exact, 0}); }
  double add(double a, double b) const { return rounded(oracle::two_sum(a, b)); }
  double multiply(double a, double b) const { return rounded(oracle::two_product(a, b)); }
  double divide(double a, double b) const {
    const double quotient = a / b;
    return rounded({quotient, std::fma(-quotient, b, a) / b});
  }
  double fma(double a, double b, double c) const {
    const oracle::DoubleDouble p = oracle::two_product(a, b);
    const oracle::DoubleDouble s = oracle::two_sum(p.hi, c);
    if (format_.precision != 53) return rounded(oracle::two_sum(s.hi, s.lo + p.lo));
    const double nearest = std::fma(a, b, c);
    return rounded({nearest, ((s.hi - nearest) + s.lo) + p.lo});
  }
  const Format& format() const { return format_; }

 private:
  double rounded(oracle::DoubleDouble value) const {
    if (format_.precision == 53) return turned(value.hi, value.lo);
    if (!std::isfinite(value.hi)) return decode(format_, encode(format_, value.hi));
    double odd = value.hi;
    if (value.lo != 0 && (std::bit_cast<std::uint64_t>(odd) & 1U) == 0) {
      odd = std::nextafter(odd, value.lo > 0 ? HUGE_VAL : -HUGE_VAL);
    }
    const double nearest = decode(format_, encode(format_, odd));
    return turned(nearest, odd - nearest);
  }

  // The neighbour of the nearest value on the side of the exact one, where the direction asks for it.
  double turned(double nearest, double rest) const {
    if (direction_ == Direction::nearest || rest == 0 || std::isnan(rest)) return nearest;
    const bool outward = direction_ == Direction::zero ? (rest < 0) != std::signbit(nearest)
                                                       : (direction_ == Direction::down) == (rest < 0);
    if (!outward) return nearest;
    const std::uint64_t sign = std::uint64_t{1} << (format_.bits - 1);
    const std::uint64_t bits = encode(format_, nearest);
    if ((bits & (sign - 1)) == 0) return std::copysign(format_.smallest_subnormal(), rest);
    const bool grows = (rest < 0) == std::signbit(nearest);
    return decode(format_, grows ? bits + 1 : bits - 1);
  }

  Format format_;
  Direction direction_;
};

// The worst margin of one algorithm; every verdict must be the one expected.
struct Attack {
  double worst = 0;
  std::uint64_t judged = 0;
  std::uint64_t failed = 0;

  Judgement judge(const Format& format, double got, const Expected& expected) {
    const Judgement judgement = judge_within(format, encode(format, got), expected);
    ++judged;
    failed += judgement.verdict == Verdict::fail;
    worst = std::fmax(worst, judgement.margin);
    return judgement;
  }
};

}  // namespace etalon::attack
