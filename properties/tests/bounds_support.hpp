// NUM-3, NUM-4: what the attacks on the bounds share: arithmetic of any format simulated in binary64, and a
// record of the worst margin met.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "properties/judge.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/double_double.hpp"

namespace etalon::tests {

// Arithmetic of a format, each operation rounded once from the exact result. A sum or product of two values
// of a format with at most 24 bits is rounded to binary64 first, to odd, which makes the second rounding
// innocuous (reference/oracle/rounding.cpp).
class Arithmetic {
 public:
  explicit Arithmetic(const Format& format, bool truncates = false)
      : format_(format), truncates_(truncates) {}

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
    return rounded(oracle::two_sum(s.hi, s.lo + p.lo));
  }
  const Format& format() const { return format_; }

 private:
  double rounded(oracle::DoubleDouble value) const {
    if (format_.precision == 53 || !std::isfinite(value.hi))
      return decode(format_, encode(format_, value.hi));
    double odd = value.hi;
    if (value.lo != 0 && (std::bit_cast<std::uint64_t>(odd) & 1U) == 0) {
      odd = std::nextafter(odd, value.lo > 0 ? HUGE_VAL : -HUGE_VAL);
    }
    const double nearest = decode(format_, encode(format_, odd));
    if (!truncates_ || std::fabs(nearest) <= std::fabs(odd)) return nearest;
    return std::copysign(decode(format_, encode(format_, std::fabs(nearest)) - 1), nearest);
  }

  const Format& format_;
  bool truncates_;
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

inline void report(const std::string& name, const Attack& attack) {
  testing::Test::RecordProperty(name, std::to_string(attack.worst));
  std::printf("  %-44s margin %-10.4g of %llu\n", name.c_str(), attack.worst,
              static_cast<unsigned long long>(attack.judged));
}

// An honest algorithm: every element passes, and the bound is not idle.
inline void expect_honest(const std::string& name, const Attack& attack, double at_least = 0) {
  report(name, attack);
  EXPECT_EQ(attack.failed, 0U) << name;
  EXPECT_LE(attack.worst, 1) << name;
  EXPECT_GE(attack.worst, at_least) << name;
}

inline void expect_refuted(const std::string& name, const Attack& attack) {
  report(name, attack);
  EXPECT_GT(attack.failed, 0U) << name;
  EXPECT_GT(attack.worst, 1) << name;
}

inline double uniform(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

inline double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(uniform(random) + 0x1p-54)) * std::cos(6.283185307179586 * uniform(random));
}

inline double rounded_to(const Format& format, double x) { return decode(format, encode(format, x)); }

}  // namespace etalon::tests
