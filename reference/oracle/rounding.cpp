// NUM-1: rounding an enclosure to a format, by its two ends.
#include "reference/oracle/rounding.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "reference/oracle/double_double.hpp"

namespace etalon::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A double at most (towards = -infinity) or at least (+infinity) the exact a + b.
double add_towards(double a, double b, double towards) {
  const DoubleDouble s = two_sum(a, b);
  if (s.lo == 0 || !std::isfinite(s.hi) || (s.lo > 0) == (towards < 0)) return s.hi;
  return std::nextafter(s.hi, towards);
}

// Rounds the exact hi + lo once. For binary64 the sum itself is the correctly rounded one. For a
// narrower format (precision <= 51) the sum is first rounded to odd: of the two neighbours of an
// inexact sum the one with the odd significand. It can then not lie on a midpoint of the narrow
// format unless hi + lo does, nor on its other side, so the second rounding is innocuous.
std::uint64_t encode_sum(const Format& format, double hi, double lo) {
  const DoubleDouble s = two_sum(hi, lo);
  const auto bits = std::bit_cast<std::uint64_t>(s.hi);
  if (format.bits == 64) return bits;
  const bool even = (bits & 1U) == 0;
  if (s.lo == 0 || !even) return encode(format, s.hi);
  return encode(format, std::nextafter(s.hi, s.lo > 0 ? infinity : -infinity));
}

}  // namespace

std::optional<std::uint64_t> round_to(const Format& format, const Ball& ball) {
  if (!ball.finite() || (ball.lo == 0 && ball.radius == 0)) return encode(format, ball.hi);
  if (!(ball.radius < infinity)) return std::nullopt;
  const std::uint64_t low = encode_sum(format, ball.hi, add_towards(ball.lo, -ball.radius, -infinity));
  if (ball.radius == 0) return low;
  const std::uint64_t high = encode_sum(format, ball.hi, add_towards(ball.lo, ball.radius, infinity));
  if (low != high) return std::nullopt;
  return low;
}

}  // namespace etalon::oracle
