// The tests' own judge of an oracle: how far its middle is from a truth computed with raw MPFR, in units
// of the radius it claims.
#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "reference/oracle/ball.hpp"

namespace etalon::tests {

class Truth {
 public:
  explicit Truth(mpfr_prec_t precision = 512) { mpfr_init2(value_, precision); }
  ~Truth() { mpfr_clear(value_); }
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;
  mpfr_ptr get() { return value_; }

  // |truth - (hi + lo)|, rounded up. The truth is kept.
  double distance(const Ball& ball) {
    Truth rest(mpfr_get_prec(value_));
    mpfr_sub_d(rest.get(), value_, ball.hi, MPFR_RNDA);
    mpfr_sub_d(rest.get(), rest.get(), ball.lo, MPFR_RNDA);
    mpfr_abs(rest.get(), rest.get(), MPFR_RNDA);
    return mpfr_get_d(rest.get(), MPFR_RNDU);
  }

  // distance / radius: at most 1 for an honest ball; infinite where a ball claims exactness wrongly.
  double margin(const Ball& ball) {
    const double size = distance(ball);
    return size == 0 ? 0 : ball.radius == 0 ? std::numeric_limits<double>::infinity() : size / ball.radius;
  }

 private:
  mpfr_t value_;
};

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace etalon::tests
