// POS-2: certified values of sin(pos w_r) and cos(pos w_r), w_r = base^(-2r/d). Method and proof of
// the radius: spec/numerics.md, NUM-7.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/oracle/ball.hpp"
#include "reference/oracle/double_double.hpp"

namespace etalon::oracle {

class SinusoidalOracle {
 public:
  // d even, >= 2; base finite and >= 2^-1000. Throws std::domain_error otherwise. Costs about
  // 4 microseconds a frequency: keep the object for a whole table.
  SinusoidalOracle(std::int64_t d, double base);

  struct Pair {
    Ball sine, cosine;
  };
  // |pos| < 2^53, 0 <= r < d/2. The radius is about 4 u^2 + 2 pi |pos| 2^-128, and 7 u^2 |sine|
  // where the angle is below 2^-9. Position 0 gives (0, 1) exactly. Any thread.
  Pair at(std::int64_t pos, std::int64_t r) const;
  // Encloses w_r.
  Ball frequency(std::int64_t r) const;

 private:
  struct Frequency {
    std::uint64_t high, low;  // floor(2^128 frac(w_r / 2 pi))
    DoubleDouble value;       // w_r, to u^2 w_r + 2^-1074
  };
  std::vector<Frequency> frequencies_;
};

}  // namespace etalon::oracle
