// The number type of the executable definitions: 50 decimal digits (168 bits) of MPFR, each
// operation correctly rounded. Expression templates are off: with them a*b+c is fused, and `auto`
// keeps references to operands that may have changed.
// Boost costs seconds of compilation: include this from few translation units, never from a header
// that others include.
#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <cstdint>

#include "reference/interval.hpp"
#include "reference/rounding.hpp"

namespace etalon {

using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<50>,
                                           boost::multiprecision::et_off>;

// NUM-1: one rounding from the value of x.
inline std::uint64_t round_to(const Format& format, const Real& x) {
  return round_to(format, x.backend().data());
}

// Whether the value of x lies in the interval.
inline bool encloses(const Interval& interval, const Real& x) {
  return interval.encloses(x.backend().data());
}

}  // namespace etalon
