// The second witness: the numeric definitions once more, by another library (Arb) and by other
// formulas than the readable ones, so that a slip in either shows as a disagreement.
// For tests and for writing fixtures; nothing here includes or is included by the definitions.
#pragma once

#include <cstdint>
#include <span>

#include "reference/oracle/ball.hpp"

namespace etalon::witness {

// Every answer is a ball that contains the true value, its radius near 2^-106 |value|, and exact
// where the value is a double-double. A value beyond binary64 gives an infinity. Arguments are
// finite and lie in the domains of reference/definitions.hpp; nothing is checked here.

// POS-2, w_r = 1 / (base^(2r))^(1/d): an integer power and an integer root.
Ball frequency(std::int64_t r, std::int64_t d, double base);

// POS-2 in turns: sin(pi t), cos(pi t) with t = pos w_r / pi, reduced by Arb in units of pi.
// `halves`: all sines first, then all cosines; otherwise sine and cosine alternate.
Ball sinusoidal(std::int64_t pos, std::int64_t column, std::int64_t d, double base, bool halves = false);

// sqrt(x) as x / sqrt(x)^-1: by way of the reciprocal root.
Ball square_root(double x);

// INP-1 with c = sqrt(d): sign(x) sqrt(d x^2) + p.
Ball combine_with_root(std::int64_t d, double x, double p);
// INP-1 with c a number.
Ball combine_with_value(double c, double x, double p);

// LIN-1: alpha sum_r a_r b_r + beta c, the exact rational number, rounded at the end only.
Ball matmul_entry(double alpha, std::span<const double> a, std::span<const double> b, double beta, double c);

}  // namespace etalon::witness
