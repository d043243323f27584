// The definitions evaluated in intervals: enclosures of single elements, and their one correct
// rounding, for those who must not see the number types. Arguments are exact binary64 values
// (every value of every format is one).
//
// Each enclosure is computed at the working precision of the thread (WorkingPrecision), positions
// at 256 bits or more: |pos| < 2^63 and |ln w_r| < 710 leave the angle an absolute error below
// 2^(63 + 12 - 256) = 2^-181, far under the 2^-110 that a double-double can show.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reference/input.hpp"
#include "reference/interval.hpp"
#include "reference/position.hpp"

namespace etalon {

// POS-2. Any pos; r, column from 0. Throw as the templates of position.hpp do.
Interval frequency_enclosure(std::int64_t r, std::int64_t d, double base);
Interval sinusoidal_enclosure(std::int64_t pos, std::int64_t column, std::int64_t d, double base,
                              PairLayout layout = PairLayout::interleaved);

// sqrt(x), x >= 0.
Interval square_root_enclosure(double x);

// INP-2: c. INP-1: c x + p. `value` counts only for ScaleKind::value.
// NUM-6: where an operand is infinite or NaN, the point that IEEE 754 gives for the formula.
Interval scale_enclosure(ScaleKind kind, std::int64_t d, double value);
Interval combine_enclosure(ScaleKind kind, std::int64_t d, double value, double x, double p);

// LIN-1, LIN-2: alpha sum_r a_r b_r + beta c, for a row of op(A) and a column of op(B).
// alpha, beta finite. NUM-6: where an operand that is read is infinite or NaN, the point that
// IEEE 754 gives for the formula in exact arithmetic, which no order of summation changes.
Interval matmul_entry_enclosure(double alpha, std::span<const double> a, std::span<const double> b,
                                double beta, double c);

// NUM-1: the same elements correctly rounded, by raising the precision until both ends agree.
// Nothing only if 8192 bits do not decide, which the arguments of interval.hpp exclude here.
std::optional<std::uint64_t> round_sinusoidal(const Format& format, std::int64_t pos, std::int64_t column,
                                              std::int64_t d, double base,
                                              PairLayout layout = PairLayout::interleaved);
std::optional<std::uint64_t> round_combine(const Format& format, ScaleKind kind, std::int64_t d, double value,
                                           double x, double p);
std::optional<std::uint64_t> round_matmul_entry(const Format& format, double alpha, std::span<const double> a,
                                                std::span<const double> b, double beta, double c);

}  // namespace etalon
