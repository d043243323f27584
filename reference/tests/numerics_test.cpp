#include "reference/numerics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/real.hpp"
#include "reference/tests/agreement.hpp"

namespace etalon {
namespace {

using tests::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const Format& f64() { return format_of(Dtype::f64); }
const Format& f32() { return format_of(Dtype::f32); }
const Format& bf16() { return format_of(Dtype::bf16); }
const Format& f16() { return format_of(Dtype::f16); }

// Formats small enough to try everything: the two of 16 bits, and tiny ones of the same making.
const std::vector<Format>& small_formats() {
  static const std::vector<Format> formats = {bf16(),
                                              f16(),
                                              {"p4e4", 4, -6, 7, 8},
                                              {"p3e5", 3, -14, 15, 8},
                                              {"p5e3", 5, -2, 3, 8},
                                              {"p2e3", 2, -2, 3, 5}};
  return formats;
}

std::uint64_t infinity_of(const Format& format) { return encode(format, kInfinity); }
std::uint64_t sign_of(const Format& format) { return std::uint64_t{1} << (format.bits - 1); }

double nudged(double x, double towards) { return std::nextafter(x, towards); }

TEST(Numerics, EveryPatternOfTheSmallFormatsRoundTrips) {
  for (const Format& format : small_formats()) {
    for (std::uint64_t bits = 0; bits < 2 * sign_of(format); ++bits) {
      const double value = decode(format, bits);
      if (std::isnan(value)) {
        EXPECT_GT(bits & (sign_of(format) - 1), infinity_of(format));
        EXPECT_EQ(encode(format, value) & sign_of(format), bits & sign_of(format));
        EXPECT_TRUE(std::isnan(decode(format, encode(format, value))));
        continue;
      }
      ASSERT_EQ(encode(format, value), bits) << format.name << ' ' << value;
      ASSERT_EQ(round_to(format, Real(value)), bits) << format.name << ' ' << value;
    }
  }
}

TEST(Numerics, PatternsOfOneSignCountUpwards) {
  for (const Format& format : small_formats()) {
    for (std::uint64_t bits = 0; bits < infinity_of(format); ++bits) {
      ASSERT_LT(decode(format, bits), decode(format, bits + 1)) << format.name << ' ' << bits;
    }
  }
}

// The value that the pattern `bits` + 1 would have if exponents went on beyond emax.
double successor(const Format& format, std::uint64_t bits) {
  const double next = decode(format, bits + 1);
  return std::isinf(next) ? std::ldexp(1.0, format.emax + 1) : next;
}

void expect_rounding(const Format& format, double value, std::uint64_t want) {
  ASSERT_EQ(encode(format, value), want) << format.name << ' ' << value;
  ASSERT_EQ(encode(format, -value), want | sign_of(format)) << format.name << ' ' << -value;
  ASSERT_EQ(round_to(format, Real(value)), want) << format.name << ' ' << value;
  ASSERT_EQ(round_to(format, Real(-value)), want | sign_of(format)) << format.name << ' ' << -value;
}

TEST(Numerics, EveryMidpointGoesToTheEvenNeighbourAndItsSidesToTheirOwn) {
  for (const Format& format : small_formats()) {
    for (std::uint64_t bits = 0; bits < infinity_of(format); ++bits) {
      const double middle = (decode(format, bits) + successor(format, bits)) / 2;
      expect_rounding(format, middle, (bits & 1) == 0 ? bits : bits + 1);
      expect_rounding(format, nudged(middle, 0), bits);
      expect_rounding(format, nudged(middle, kInfinity), bits + 1);
      // Closer to the midpoint than any double: only a rounding of the real number itself sees it.
      const Real hair = Real(middle) * Real(0x1p-150);
      ASSERT_EQ(round_to(format, Real(middle) - hair), bits) << format.name << ' ' << middle;
      ASSERT_EQ(round_to(format, Real(middle) + hair), bits + 1) << format.name << ' ' << middle;
    }
  }
}

// A second, naive oracle: look the two neighbours up in the sorted list of all values.
std::uint64_t nearest_by_search(const Format& format, const std::vector<double>& values, double x) {
  const auto above = std::upper_bound(values.begin(), values.end(), x);
  const std::uint64_t low = static_cast<std::uint64_t>(above - values.begin()) - 1;
  if (low == infinity_of(format)) return low;
  const double below_it = x - values[low];
  const double above_it = successor(format, low) - x;
  if (below_it == above_it) return low + (low & 1);
  return below_it < above_it ? low : low + 1;
}

TEST(Numerics, RandomValuesGoToTheNearestOfAllValues) {
  Random random(1);
  for (const Format& format : small_formats()) {
    std::vector<double> values;
    for (std::uint64_t bits = 0; bits <= infinity_of(format); ++bits) values.push_back(decode(format, bits));
    for (int i = 0; i < 20000; ++i) {
      // 24 significant bits, so that the distances to the neighbours are exact.
      const double x = static_cast<double>(static_cast<float>(
          std::fabs(random.number(std::max(-140, format.emin - format.precision - 1), format.emax + 1))));
      if (std::isinf(x)) continue;
      expect_rounding(format, x, nearest_by_search(format, values, x));
    }
  }
}

TEST(Numerics, SinglePrecisionAgreesWithTheConversionsOfMpfr) {
  Random random(2);
  for (int i = 0; i < 100000; ++i) {
    const double value = random.number(-155, 129);
    const Real x = Real(value) * (Real(1) + Real(random.number(-160, -20)));
    ASSERT_EQ(encode(f32(), value),
              std::bit_cast<std::uint32_t>(mpfr_get_flt(Real(value).backend().data(), MPFR_RNDN)));
    ASSERT_EQ(round_to(f32(), x), std::bit_cast<std::uint32_t>(mpfr_get_flt(x.backend().data(), MPFR_RNDN)))
        << x;
  }
}

TEST(Numerics, DoublePrecisionAgreesWithTheConversionsOfMpfr) {
  Random random(3);
  for (int i = 0; i < 100000; ++i) {
    const Real power = ldexp(Real(1), static_cast<int>(random.below(2130)) - 1085);
    const Real x = power * Real(random.number(0, 0)) * (Real(1) + Real(random.number(-110, -50)));
    ASSERT_EQ(round_to(f64(), x), std::bit_cast<std::uint64_t>(mpfr_get_d(x.backend().data(), MPFR_RNDN)))
        << x;
  }
}

TEST(Numerics, NoRoundingGoesByWayOfDouble) {
  for (const Format* format : {&f32(), &bf16(), &f16()}) {
    // Just above the midpoint of 1 and its successor, but a tie once rounded to binary64.
    const Real x = Real(1) + Real(format->unit_roundoff()) + Real(0x1p-80);
    const std::uint64_t one = encode(*format, 1.0);
    EXPECT_EQ(round_to(*format, x), one + 1);
    EXPECT_EQ(encode(*format, x.convert_to<double>()), one) << "the example no longer shows double rounding";
  }
  // The same below the smallest normal number, by way of binary32.
  const double x = 0x1p-15 + 0x1p-25 + 0x1p-50;
  EXPECT_EQ(encode(f16(), x), 0x0201u);
  EXPECT_EQ(encode(f16(), static_cast<double>(static_cast<float>(x))), 0x0200u);
}

TEST(Numerics, OverflowStartsHalfAnUlpBeyondTheLargestNumber) {
  for (const Format* format : {&f64(), &f32(), &bf16(), &f16()}) {
    const Real omega = Real(format->largest_finite());
    const Real half_ulp = Real(ulp(*format, format->largest_finite())) / 2;
    const std::uint64_t infinity = infinity_of(*format);
    EXPECT_EQ(round_to(*format, omega), infinity - 1);
    EXPECT_EQ(round_to(*format, omega + half_ulp * (1 - Real(0x1p-100))), infinity - 1);
    EXPECT_EQ(round_to(*format, omega + half_ulp), infinity);
    EXPECT_EQ(round_to(*format, -(omega + half_ulp)), infinity | sign_of(*format));
    EXPECT_EQ(round_to(*format, ldexp(Real(1), 100000)), infinity);
    EXPECT_EQ(round_to(*format, ldexp(Real(-1), -100000)), sign_of(*format));
  }
  EXPECT_EQ(encode(f16(), 65519.99), 0x7bffu);
  EXPECT_EQ(encode(f16(), 65520.0), 0x7c00u);
  EXPECT_EQ(encode(f32(), 0x1.ffffffp127), 0x7f800000u);
  EXPECT_EQ(encode(f32(), nudged(0x1.ffffffp127, 0)), 0x7f7fffffu);
}

TEST(Numerics, ZerosInfinitiesAndNansKeepTheirSign) {
  for (const Format* format : {&f64(), &f32(), &bf16(), &f16()}) {
    const std::uint64_t sign = sign_of(*format);
    EXPECT_EQ(encode(*format, 0.0), 0u);
    EXPECT_EQ(encode(*format, -0.0), sign);
    EXPECT_EQ(round_to(*format, Real(0)), 0u);
    EXPECT_EQ(encode(*format, -kInfinity), infinity_of(*format) | sign);
    EXPECT_EQ(round_to(*format, Real(-kInfinity)), infinity_of(*format) | sign);
    const std::uint64_t quiet = infinity_of(*format) | std::uint64_t{1} << (format->precision - 2);
    EXPECT_EQ(encode(*format, std::copysign(kNaN, 1.0)), quiet);
    EXPECT_EQ(encode(*format, std::copysign(kNaN, -1.0)), quiet | sign);
    EXPECT_EQ(round_to(*format, Real(kNaN)), quiet);
    EXPECT_TRUE(std::isnan(decode(*format, quiet)));
    EXPECT_TRUE(std::isnan(decode(*format, infinity_of(*format) + 1))) << "a signalling NaN";
    EXPECT_TRUE(std::signbit(decode(*format, sign)));
  }
  const double with_payload = std::bit_cast<double>(std::uint64_t{0xfff0'0000'0000'0001});
  EXPECT_EQ(encode(f64(), with_payload), 0xfff8'0000'0000'0000u);
}

TEST(Numerics, DecodingIgnoresBitsBeyondTheFormat) {
  EXPECT_EQ(decode(f32(), 0xdead'beef'3f80'0000), 1.0);
  EXPECT_EQ(decode(bf16(), 0xdead'beef'dead'3f80), 1.0);
  EXPECT_EQ(decode(f16(), 0xdead'beef'dead'3c00), 1.0);
}

TEST(Numerics, TheConstantsOfTheFormats) {
  EXPECT_EQ(f64().unit_roundoff(), 0x1p-53);
  EXPECT_EQ(f64().smallest_normal(), std::numeric_limits<double>::min());
  EXPECT_EQ(f64().smallest_subnormal(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(f64().largest_finite(), std::numeric_limits<double>::max());
  EXPECT_EQ(f32().smallest_normal(), std::numeric_limits<float>::min());
  EXPECT_EQ(f32().smallest_subnormal(), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(f32().largest_finite(), std::numeric_limits<float>::max());
  EXPECT_EQ(bf16().unit_roundoff(), 0x1p-8);
  EXPECT_EQ(bf16().smallest_subnormal(), 0x1p-133);
  EXPECT_EQ(bf16().largest_finite(), 0x1.fep127);
  EXPECT_EQ(f16().unit_roundoff(), 0x1p-11);
  EXPECT_EQ(f16().smallest_normal(), 0x1p-14);
  EXPECT_EQ(f16().smallest_subnormal(), 0x1p-24);
  EXPECT_EQ(f16().largest_finite(), 65504);
}

// NUM-2: at binade edges, in the subnormals, at zero and beyond the largest number.
TEST(Numerics, UlpTable) {
  struct Row {
    Dtype dtype;
    double x;
    double ulp;
  };
  constexpr std::array rows = {
      Row{Dtype::f32, 1, 0x1p-23},  // the binade above counts
      Row{Dtype::f32, 0x1.fffffep-1, 0x1p-24},
      Row{Dtype::f32, 1.5, 0x1p-23},
      Row{Dtype::f32, -2, 0x1p-22},
      Row{Dtype::f32, 0, 0x1p-149},
      Row{Dtype::f32, -0.0, 0x1p-149},
      Row{Dtype::f32, 0x1p-149, 0x1p-149},
      Row{Dtype::f32, 0x1p-126, 0x1p-149},
      Row{Dtype::f32, 0x1p-125, 0x1p-148},
      Row{Dtype::f32, 1e-300, 0x1p-149},  // not a value of the format, below its smallest
      Row{Dtype::f32, 0x1.fffffep127, 0x1p104},
      Row{Dtype::f32, 1e300, 0x1p104},  // beyond Omega
      Row{Dtype::f32, kInfinity, 0x1p104},
      Row{Dtype::f64, 1, 0x1p-52},
      Row{Dtype::f64, 0, 0x1p-1074},
      Row{Dtype::f64, 0x1p-1074, 0x1p-1074},
      Row{Dtype::f64, 0x1p-1022, 0x1p-1074},
      Row{Dtype::f64, 0x1p-1021, 0x1p-1073},
      Row{Dtype::f64, -kInfinity, 0x1p971},
      Row{Dtype::bf16, 1, 0x1p-7},
      Row{Dtype::bf16, 0, 0x1p-133},
      Row{Dtype::bf16, kInfinity, 0x1p120},
      Row{Dtype::f16, 1, 0x1p-10},
      Row{Dtype::f16, 0x1p-14, 0x1p-24},
      Row{Dtype::f16, 0x1p-20, 0x1p-24},
      Row{Dtype::f16, 2048, 2},
      Row{Dtype::f16, 65504, 32},
      Row{Dtype::f16, 1e6, 32},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ulp(format_of(row.dtype), row.x), row.ulp) << name_of(row.dtype) << ' ' << row.x;
  }
}

TEST(Numerics, UlpIsTheDistanceToTheNextValueAwayFromZero) {
  for (const Format& format : small_formats()) {
    for (std::uint64_t bits = 0; bits < infinity_of(format); ++bits) {
      const double value = decode(format, bits);
      ASSERT_EQ(ulp(format, value), successor(format, bits) - value) << format.name << ' ' << value;
      ASSERT_EQ(ulp(format, -value), ulp(format, value));
    }
  }
}

TEST(Numerics, NamesAndSizesOfTheElementTypes) {
  for (const Dtype dtype :
       {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::i32, Dtype::i64, Dtype::u8}) {
    EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
    if (is_float(dtype)) {
      EXPECT_EQ(format_of(dtype).name, name_of(dtype));
      EXPECT_EQ(format_of(dtype).bits, static_cast<int>(8 * size_of(dtype)));
    } else {
      EXPECT_THROW(format_of(dtype), std::invalid_argument);
    }
  }
  EXPECT_EQ(size_of(Dtype::i64), 8u);
  EXPECT_EQ(size_of(Dtype::u8), 1u);
  EXPECT_EQ(dtype_named("f8"), std::nullopt);
  EXPECT_EQ(dtype_named(""), std::nullopt);
  EXPECT_THROW(size_of(static_cast<Dtype>(0)), std::invalid_argument);
  EXPECT_THROW(name_of(static_cast<Dtype>(99)), std::invalid_argument);
}

}  // namespace
}  // namespace etalon
