// LIN-1: certified values of one entry of alpha A B + beta C. Exact products, error-free sums, a
// radius computed from what was dropped. Proof: spec/numerics.md, NUM-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "reference/oracle/ball.hpp"

namespace etalon::oracle {

struct Dot {
  Ball value;            // alpha sum a_i b_i + beta c
  double magnitude = 0;  // upper bound of |alpha| sum |a_i b_i|, without the term of c
  double operands = 0;   // upper bound of sum (|a_i| + |b_i|)
  double energy = 0;     // about alpha^2 sum (a_i b_i)^2, for predictions only
  // An operand is not finite: `value` is the class that IEEE arithmetic gives in every order, and the
  // three sums are over the finite terms.
  bool special = false;
  double partner = std::numeric_limits<double>::infinity();  // least finite factor, not 0, of an infinite one
};

// Strides in elements. LIN-2: beta = 0 does not read c; alpha = 0 or k = 0 does not read a and b.
// Non-finite operands by the definition's IEEE rules: NaN spreads, Inf * 0 and Inf - Inf are NaN. A
// value beyond the binary64 range is +-Inf with `special` false.
Dot gemm_entry(double alpha, const double* a, std::ptrdiff_t stride_a, const double* b,
               std::ptrdiff_t stride_b, std::int64_t k, double beta, double c);

}  // namespace etalon::oracle
