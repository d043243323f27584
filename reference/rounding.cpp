#include "reference/rounding.hpp"

#include <algorithm>

namespace etalon {
namespace {

// |x| / 2^unit rounded to an integer, ties to even. Scaling by a power of two is exact in MPFR, so
// the conversion to an integer is the only rounding. Precondition: the quotient is below 2^54.
std::uint64_t quotient_to_even(mpfr_srcptr x, long unit) {
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(x));
  mpfr_abs(scaled, x, MPFR_RNDN);
  mpfr_mul_2si(scaled, scaled, -unit, MPFR_RNDN);
  // By way of binary64, which holds every integer up to 2^53: rint is the rounding.
  mpfr_rint(scaled, scaled, MPFR_RNDN);
  const double quotient = mpfr_get_d(scaled, MPFR_RNDN);
  mpfr_clear(scaled);
  return static_cast<std::uint64_t>(quotient);
}

}  // namespace

// NUM-1. With 2^e <= |x| < 2^(e+1) the neighbours of x are multiples of 2^(max(e, emin) - p + 1).
// Patterns of one sign count those multiples upwards, so a carry (a subnormal that becomes normal,
// a significand that becomes the next power of two, an overflow) needs no case of its own.
std::uint64_t round_to(const Format& format, mpfr_srcptr x) {
  const int p = format.precision;
  const std::uint64_t infinity = static_cast<std::uint64_t>(format.emax - format.emin + 2) << (p - 1);
  if (mpfr_nan_p(x) != 0) return infinity | std::uint64_t{1} << (p - 2);
  const std::uint64_t sign = static_cast<std::uint64_t>(mpfr_signbit(x) != 0) << (format.bits - 1);
  if (mpfr_zero_p(x) != 0) return sign;
  if (mpfr_inf_p(x) != 0) return sign | infinity;

  const long e = mpfr_get_exp(x) - 1;  // MPFR's significand lies in [1/2, 1)
  if (e > format.emax) return sign | infinity;
  const long binade = std::max<long>(e, format.emin);
  const std::uint64_t multiple = quotient_to_even(x, binade - p + 1);
  const std::uint64_t pattern = (static_cast<std::uint64_t>(binade - format.emin) << (p - 1)) + multiple;
  return sign | std::min(pattern, infinity);
}

}  // namespace etalon
