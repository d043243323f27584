#include "reference/oracle/self_check.hpp"

#include <cfenv>
#include <cfloat>
#include <cmath>
#include <limits>

#include "reference/oracle/double_double.hpp"

namespace etalon::oracle {
namespace {

// A value the compiler must not know, so that the arithmetic below happens at run time.
double opaque(double value) {
  volatile double hidden = value;
  return hidden;
}

bool rounds_to_nearest_even() {
  const double one = opaque(1);
  const double half_ulp = opaque(0x1p-53);
  return std::fegetround() == FE_TONEAREST && one + half_ulp == 1 && one + 3 * half_ulp == 1 + 0x1p-51 &&
         -one - half_ulp == -1 && opaque(0x1p-1074) * opaque(0.5) == 0;
}

bool keeps_subnormals() {
  const double least = opaque(std::numeric_limits<double>::min());
  return least / 2 > 0 && opaque(0x1p-1074) + opaque(0.0) > 0 && opaque(0x1p-1074) * opaque(2) > 0;
}

bool sums_without_error() {
  const DoubleDouble s = two_sum(opaque(1), opaque(0x1p-60));
  const DoubleDouble t = two_sum(opaque(0x1p-60), opaque(-1));
  return s.hi == 1 && s.lo == 0x1p-60 && t.hi == -1 && t.lo == 0x1p-60;
}

// (1 + e)^2 - (1 + 2e) = e^2 with e = 2^-52: zero when the product is rounded before the sum.
bool fma_rounds_once() {
  const double x = opaque(1 + 0x1p-52);
  return std::fma(x, x, opaque(-(1 + 0x1p-51))) == 0x1p-104;
}

bool contracts() {
  const double x = opaque(1 + 0x1p-52);
  const double y = opaque(-(1 + 0x1p-51));
  return x * x + y != 0;
}

}  // namespace

std::string self_check() {
  if (FLT_EVAL_METHOD != 0) return "binary64 operations are evaluated in a wider format";
  if (!rounds_to_nearest_even()) return "the rounding mode is not to nearest, ties to even";
  if (!keeps_subnormals()) return "subnormal numbers are flushed to zero";
  if (!sums_without_error()) return "TwoSum is not exact: the compiler reassociates sums";
  if (contracts()) return "the compiler contracts a*b+c to one operation";
  if (!fma_rounds_once()) return "fma rounds its product";
  return "";
}

}  // namespace etalon::oracle
