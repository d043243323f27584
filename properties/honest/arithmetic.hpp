// Numbers that round as some hardware does: to a narrow format after every operation, towards zero, or
// with subnormals flushed. Every value is a binary64 value, an operation is exact in two of them, and a
// policy rounds the pair once.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "reference/numerics.hpp"
#include "reference/oracle/double_double.hpp"

namespace etalon::honest {

using oracle::DoubleDouble;

// NUM-1: hi + lo rounded to odd in binary64, where a second rounding to fewer bits does no harm.
inline double to_odd(DoubleDouble exact) {
  const bool even = (std::bit_cast<std::uint64_t>(exact.hi) & 1) == 0;
  if (!std::isfinite(exact.hi) || exact.lo == 0 || std::isnan(exact.lo) || !even) return exact.hi;
  return std::nextafter(exact.hi, exact.lo > 0 ? HUGE_VAL : -HUGE_VAL);
}

template <Dtype dtype>
struct Nearest {
  static double round(DoubleDouble exact) {
    if constexpr (dtype == Dtype::f64) return exact.hi;
    return decode(format_of(dtype), encode(format_of(dtype), to_odd(exact)));
  }
  static std::uint64_t store(const Format& format, double value) { return encode(format, value); }
};

// The bits of the value next to zero from `bits`, which are not those of a zero.
inline std::uint64_t towards_zero(std::uint64_t bits) { return bits - 1; }

// Towards zero; what exceeds the largest number stays there.
template <Dtype dtype>
struct Truncated {
  static double round(DoubleDouble exact) {
    const Format& format = format_of(dtype);
    if constexpr (dtype == Dtype::f64) {
      const bool beyond = exact.hi != 0 && exact.lo != 0 && std::signbit(exact.lo) != std::signbit(exact.hi);
      return beyond ? decode(format, towards_zero(encode(format, exact.hi))) : exact.hi;
    }
    return decode(format, store(format, to_odd(exact)));
  }
  static std::uint64_t store(const Format& format, double value) {
    const std::uint64_t bits = encode(format, value);
    return std::fabs(decode(format, bits)) > std::fabs(value) ? towards_zero(bits) : bits;
  }
};

// To nearest, and subnormal operands and results become zero.
template <Dtype dtype>
struct Flushed {
  static double round(DoubleDouble exact) {
    const double value = Nearest<dtype>::round(exact);
    return std::fabs(value) < format_of(dtype).smallest_normal() ? 0 : value;
  }
  static std::uint64_t store(const Format& format, double value) {
    const double stored = decode(format, encode(format, value));
    return std::fabs(stored) < format.smallest_normal() ? 0 : encode(format, value);
  }
};

// Where finite operands overflow, the exact value is short of infinity: lo points back.
inline DoubleDouble short_of_infinity(DoubleDouble result, bool finite_operands) {
  if (std::isfinite(result.hi)) return result;
  return {result.hi, finite_operands ? -result.hi : 0};
}

template <typename Policy>
class Rounded {
 public:
  Rounded(double value = 0) : value_(Policy::round({value, 0})) {}
  explicit operator double() const { return value_; }
  static std::uint64_t store(const Format& format, Rounded x) { return Policy::store(format, x.value_); }

  friend Rounded operator+(Rounded x, Rounded y) { return of(oracle::two_sum(x.value_, y.value_), x, y); }
  friend Rounded operator-(Rounded x, Rounded y) { return x + Rounded(-y.value_); }
  friend Rounded operator*(Rounded x, Rounded y) { return of(oracle::two_product(x.value_, y.value_), x, y); }
  // One rounding; for formats whose products are binary64 values.
  friend Rounded fma(Rounded x, Rounded y, Rounded z) {
    return of(oracle::two_sum(x.value_ * y.value_, z.value_), x, y);
  }

 private:
  static Rounded of(DoubleDouble exact, Rounded x, Rounded y) {
    Rounded result;
    result.value_ =
        Policy::round(short_of_infinity(exact, std::isfinite(x.value_) && std::isfinite(y.value_)));
    return result;
  }
  double value_;
};

inline std::uint64_t stored(const Format& format, double x) { return encode(format, x); }
inline std::uint64_t stored(const Format& format, float x) { return encode(format, static_cast<double>(x)); }
template <typename Policy>
std::uint64_t stored(const Format& format, Rounded<Policy> x) {
  return Rounded<Policy>::store(format, x);
}

// The number types of a kind of arithmetic: for f64 data, and for all other formats.
struct Native {
  using Wide = double;
  using Narrow = float;
};
template <typename Number>
struct Always {
  using Wide = Number;
  using Narrow = Number;
};
using InDouble = Always<double>;
using InFloat = Always<float>;
using InBf16 = Always<Rounded<Nearest<Dtype::bf16>>>;
using InF16 = Always<Rounded<Nearest<Dtype::f16>>>;
struct Truncating {
  using Wide = Rounded<Truncated<Dtype::f64>>;
  using Narrow = Rounded<Truncated<Dtype::f32>>;
};
struct Flushing {
  using Wide = Rounded<Flushed<Dtype::f64>>;
  using Narrow = Rounded<Flushed<Dtype::f32>>;
};

// A number rounded to a format, as a value of its own type again.
template <typename Real>
Real rounded_to(const Format& format, Real x) {
  return static_cast<Real>(decode(format, encode(format, static_cast<double>(x))));
}

}  // namespace etalon::honest
