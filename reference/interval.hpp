// Enclosures: closed intervals that contain the true value, by MPFI with outward rounding.
// The definitions are templates over the number type; evaluated in intervals instead of Real, the
// same body proves what the point evaluation shows.
// There are no comparisons on purpose: whether a < b can be unknown, and a definition that branches
// on its numbers would not be one body for both types.
#pragma once

#include <mpfi.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "reference/numerics.hpp"

namespace etalon {

struct Ball;  // reference/oracle/ball.hpp

// Sets the precision in bits at which this thread makes new intervals, for as long as it lives.
// Outside any such scope it is that of Real, 168.
class WorkingPrecision {
 public:
  explicit WorkingPrecision(int bits);
  ~WorkingPrecision();
  WorkingPrecision(const WorkingPrecision&) = delete;
  WorkingPrecision& operator=(const WorkingPrecision&) = delete;

  static int bits();

 private:
  int previous_;
};

class Interval {
 public:
  Interval();  // the point 0
  explicit Interval(int value);
  explicit Interval(std::int64_t value);
  explicit Interval(double value);              // exact where the precision is at least 53
  explicit Interval(std::string_view decimal);  // encloses the decimal number; throws std::invalid_argument
  Interval(const Interval& other);              // keeps the precision of `other`
  Interval(Interval&& other) noexcept;
  Interval& operator=(Interval other) noexcept;
  ~Interval();

  Interval& operator+=(const Interval& other);

  double lower() const;  // the largest double not above the interval
  double upper() const;  // the smallest double not below the interval
  bool is_point() const;
  bool encloses(mpfr_srcptr x) const;
  bool encloses(const Interval& other) const;

  mpfi_srcptr raw() const { return value_; }
  mpfi_ptr raw() { return value_; }

 private:
  mpfi_t value_;
};

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);

Interval sqrt(const Interval& a);
Interval exp(const Interval& a);
Interval log(const Interval& a);
Interval pow(const Interval& base, const Interval& exponent);  // exp(exponent log base), base > 0
Interval sin(const Interval& a);
Interval cos(const Interval& a);
Interval acos(const Interval& a);

// NUM-1: both ends rounded. Nothing where they disagree. The point zero gives +0, since a real zero
// has no sign; an interval that merely touches zero decides no sign and gives nothing.
std::optional<std::uint64_t> round_to(const Format& format, const Interval& interval);

// Outward: the ball contains the interval. |value| beyond binary64 gives an infinity (NaN for NaN),
// and infinite radius where the interval straddles that threshold.
Ball to_ball(const Interval& interval);

// The last resort of every rounding test: evaluate() again and again with doubled precision until
// both ends agree. It ends for every value that is neither a midpoint of the format nor zero, and
// for those as soon as the evaluation is exact. An exact sum of products of three binary64 numbers
// spans about 6,300 bits (2^-3222 to 2^3072), which the highest precision covers. Nothing where
// even that cannot decide.
inline constexpr int kLowestPrecision = 128;
inline constexpr int kHighestPrecision = 8192;

template <class Evaluate>
std::optional<std::uint64_t> round_correctly(const Format& format, const Evaluate& evaluate) {
  for (int bits = kLowestPrecision; bits <= kHighestPrecision; bits *= 2) {
    const WorkingPrecision scope(bits);
    const std::optional<std::uint64_t> rounded = round_to(format, evaluate());
    if (rounded) return rounded;
  }
  return std::nullopt;
}

}  // namespace etalon
