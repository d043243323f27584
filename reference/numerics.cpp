// NUM-1, NUM-2: decoding, rounding into a format, ulp. f64, f32 and bf16 take the conversions of
// the processor, which are single roundings in the default environment (round to nearest, no flush
// to zero: whoever runs foreign code restores it); everything else is bit arithmetic, valid for any
// IEEE-like format with 2 <= precision <= 52, the tiny ones of the tests included.
#include "reference/numerics.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace etalon {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);

constexpr int kDoubleBias = 1023;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<Format, 4> kFormats{{{"f64", 53, -1022, 1023, 64},
                                          {"f32", 24, -126, 127, 32},
                                          {"bf16", 8, -126, 127, 16},
                                          {"f16", 11, -14, 15, 16}}};

struct Element {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array<Element, 7> kElements{{{Dtype::f64, "f64", 8},
                                            {Dtype::f32, "f32", 4},
                                            {Dtype::bf16, "bf16", 2},
                                            {Dtype::f16, "f16", 2},
                                            {Dtype::i32, "i32", 4},
                                            {Dtype::i64, "i64", 8},
                                            {Dtype::u8, "u8", 1}}};

const Element& element_of(Dtype dtype) {
  for (const Element& element : kElements) {
    if (element.dtype == dtype) return element;
  }
  throw std::invalid_argument("no such element type");
}

// 2^exponent, exactly, for -1074 <= exponent <= 1023.
constexpr double power_of_two(int exponent) {
  const std::uint64_t bits = exponent >= 1 - kDoubleBias
                                 ? static_cast<std::uint64_t>(exponent + kDoubleBias) << 52
                                 : std::uint64_t{1} << (exponent + 1074);
  return std::bit_cast<double>(bits);
}

// The exponent field of binary64 counts from 2^-1022, ours from 2^emin: the difference of the two
// patterns of one normal number, in units of our exponent field.
constexpr std::uint64_t rebias(const Format& format) {
  const int difference = format.emin - 1 + kDoubleBias;
  return static_cast<std::uint64_t>(difference);
}

constexpr std::uint64_t infinity_pattern(const Format& format) {
  return static_cast<std::uint64_t>(format.emax - format.emin + 2) << (format.precision - 1);
}

// Decoding of a format narrower than binary64. With p bits of precision the magnitude's pattern
// shifted by 53 - p is the pattern of the same normal number up to the bias.
double decode_narrow(const Format& format, std::uint64_t bits) {
  const std::uint64_t sign_bit = std::uint64_t{1} << (format.bits - 1);
  const std::uint64_t magnitude = bits & (sign_bit - 1);
  const std::uint64_t infinity = infinity_pattern(format);
  const double normal =
      std::bit_cast<double>((magnitude << (53 - format.precision)) + (rebias(format) << 52));
  const double subnormal = static_cast<double>(magnitude) * power_of_two(format.emin - format.precision + 1);
  double value = (magnitude >> (format.precision - 1)) != 0 ? normal : subnormal;
  if (magnitude >= infinity) value = magnitude == infinity ? std::numeric_limits<double>::infinity() : kNaN;
  return std::copysign(value, (bits & sign_bit) != 0 ? -1.0 : 1.0);
}

// One rounding from binary64 into a narrower format, ties to even.
// Normal results: drop 53 - p bits of the pattern; a carry runs into the exponent, up to infinity,
//   which is how values from Omega + ulp/2 on overflow.
// Subnormal results: the pattern is |value| / eta rounded to an integer, which the addition of
//   2^52 eta leaves in the low bits: binary64 rounds that sum to a multiple of eta.
std::uint64_t encode_narrow(const Format& format, double value) {
  const std::uint64_t all = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = all & ~kSignBit;
  const std::uint64_t sign = (all >> 63) << (format.bits - 1);
  const std::uint64_t infinity = infinity_pattern(format);
  if (magnitude > kInfinity) return sign | infinity | std::uint64_t{1} << (format.precision - 2);

  const double size = std::bit_cast<double>(magnitude);
  if (size < power_of_two(format.emin)) {
    const double unit = power_of_two(format.emin - format.precision + 1 + 52);
    return sign | (std::bit_cast<std::uint64_t>(size + unit) - std::bit_cast<std::uint64_t>(unit));
  }
  const int dropped = 53 - format.precision;
  const std::uint64_t half_less_one = (std::uint64_t{1} << (dropped - 1)) - 1;
  const std::uint64_t rounded = (magnitude + half_less_one + ((magnitude >> dropped) & 1)) >> dropped;
  const std::uint64_t pattern = rounded - (rebias(format) << (format.precision - 1));
  return sign | (pattern < infinity ? pattern : infinity);
}

}  // namespace

double Format::unit_roundoff() const { return power_of_two(-precision); }
double Format::smallest_normal() const { return power_of_two(emin); }
double Format::smallest_subnormal() const { return power_of_two(emin - precision + 1); }
double Format::largest_finite() const { return (2 - power_of_two(1 - precision)) * power_of_two(emax); }

const Format& format_of(Dtype dtype) {
  if (!is_float(dtype)) throw std::invalid_argument("not a float format");
  return kFormats[static_cast<std::size_t>(dtype) - 1];
}

bool is_float(Dtype dtype) { return dtype >= Dtype::f64 && dtype <= Dtype::f16; }
std::size_t size_of(Dtype dtype) { return element_of(dtype).size; }
std::string_view name_of(Dtype dtype) { return element_of(dtype).name; }

std::optional<Dtype> dtype_named(std::string_view name) {
  for (const Element& element : kElements) {
    if (element.name == name) return element.dtype;
  }
  return std::nullopt;
}

// NUM-1
double decode(const Format& format, std::uint64_t bits) {
  if (format.precision == 53) return std::bit_cast<double>(bits);
  if (format.precision == 24)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (format.precision == 8 && format.bits == 16) {  // bf16 is the upper half of f32
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
  }
  return decode_narrow(format, bits);
}

// NUM-1
std::uint64_t encode(const Format& format, double value) {
  if (format.precision == 53) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    if (value == value) return bits;
    return (bits & kSignBit) | kInfinity | std::uint64_t{1} << 51;
  }
  if (format.precision == 24 && value == value) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return encode_narrow(format, value);
}

// NUM-2
double ulp(const Format& format, double x) {
  const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(x) & ~kSignBit;
  int exponent = static_cast<int>(magnitude >> 52) - kDoubleBias;
  if (exponent < format.emin) exponent = format.emin;
  if (exponent > format.emax) exponent = format.emax;
  return power_of_two(exponent - format.precision + 1);
}

}  // namespace etalon
