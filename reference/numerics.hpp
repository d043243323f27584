// NUM: the four binary formats of the suite, rounding into them, and the unit in the last place.
// Every value of every float format here is a binary64 value, so `double` is the common carrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etalon {

// Element types that cross an interface. u8 carries text, i32 and i64 carry token ids.
enum class Dtype : std::int32_t { f64 = 1, f32 = 2, bf16 = 3, f16 = 4, i32 = 5, i64 = 6, u8 = 7 };

// NUM-1: a binary interchange format. Values are +-m * 2^(e - precision + 1), 0 <= m < 2^precision,
// emin <= e <= emax; one sign bit, and all exponent bits set for infinities and NaNs.
struct Format {
  std::string_view name;
  int precision;  // bits of the significand, the hidden one included: 53, 24, 8, 11
  int emin;       // exponent of the smallest normal number: -1022, -126, -126, -14
  int emax;       // exponent of the largest finite number: 1023, 127, 127, 15
  int bits;       // bits of an element in memory: 64, 32, 16, 16

  double unit_roundoff() const;       // u = 2^-precision
  double smallest_normal() const;     // lambda = 2^emin
  double smallest_subnormal() const;  // eta = 2^(emin - precision + 1)
  double largest_finite() const;      // Omega = (2 - 2u) 2^emax
};

// The format of a float dtype. Precondition: is_float(dtype).
const Format& format_of(Dtype dtype);
bool is_float(Dtype dtype);
std::size_t size_of(Dtype dtype);       // bytes of one element
std::string_view name_of(Dtype dtype);  // "f64", "f32", "bf16", "f16", "i32", "i64", "u8"
std::optional<Dtype> dtype_named(std::string_view name);

// The value of a bit pattern (exact), NaN for NaNs. The upper bits beyond the format's are ignored.
double decode(const Format& format, std::uint64_t bits);

// NUM-1: the bit pattern of the value of the format nearest to `value`, ties to even, one rounding;
// overflow to infinity from Omega + ulp/2 on; NaN gives the quiet NaN with the sign of `value`.
std::uint64_t encode(const Format& format, double value);

// NUM-2: ulp(x) = 2^(max(e, emin) - precision + 1) for 2^e <= |x| < 2^(e+1); eta at 0 and for
// subnormals; for |x| > Omega the ulp of Omega. Precondition: x is not NaN.
double ulp(const Format& format, double x);

}  // namespace etalon
