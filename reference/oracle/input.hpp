// INP-1: certified values of c x + p. Proofs of the radii: spec/numerics.md, NUM-9.
#pragma once

#include <cstdint>

#include "reference/oracle/ball.hpp"

namespace etalon::oracle {

// Encloses sqrt(d); exact for a square. Throws std::domain_error for d < 0.
Ball square_root(std::int64_t d);

// Encloses c x + p; exact (radius 0) where c is and hi + lo can hold the value. Where an operand is not
// finite the result is that of IEEE arithmetic; a value beyond the binary64 range is +-Inf.
Ball scaled_sum(const Ball& c, double x, double p);

}  // namespace etalon::oracle
