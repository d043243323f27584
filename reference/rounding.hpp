// NUM-1: the one correct rounding from a real number of any precision into a format.
#pragma once

#include <mpfr.h>

#include <cstdint>

#include "reference/numerics.hpp"

namespace etalon {

// The bit pattern of the value of the format nearest to x, ties to even; never by way of another
// format. Overflow to infinity from Omega + ulp/2 on; NaN gives the quiet NaN of positive sign.
// A zero keeps its sign, and a number that rounds to zero gives the zero of its own sign.
std::uint64_t round_to(const Format& format, mpfr_srcptr x);

}  // namespace etalon
