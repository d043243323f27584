// An MPFR number that cleans up after itself: the last resort and the table generator of the oracles.
#pragma once

#include <mpfr.h>

#include <cmath>

#include "reference/oracle/ball.hpp"
#include "reference/oracle/double_double.hpp"

namespace etalon::oracle {

class MpfrNumber {
 public:
  explicit MpfrNumber(mpfr_prec_t precision) {
    thread_local ConstantCache cache;
    mpfr_init2(value_, precision);
  }
  ~MpfrNumber() { mpfr_clear(value_); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  // MPFR keeps constants per thread; they are given back when the thread ends.
  struct ConstantCache {
    ~ConstantCache() { mpfr_free_cache(); }
  };
  mpfr_t value_;
};

// The nearest double-double: |x - (hi + lo)| <= u^2 |x| + 2^-1075. Spoils x, which then holds the rest.
inline DoubleDouble take_double_double(mpfr_ptr x) {
  const double hi = mpfr_get_d(x, MPFR_RNDN);
  if (!std::isfinite(hi)) return {hi, 0};
  mpfr_sub_d(x, x, hi, MPFR_RNDN);
  const double lo = mpfr_get_d(x, MPFR_RNDN);
  mpfr_sub_d(x, x, lo, MPFR_RNDN);
  return {hi, lo};
}

}  // namespace etalon::oracle
