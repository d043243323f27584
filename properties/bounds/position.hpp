// POS-2: how far an honest sinusoidal code may stray from the truth. Derivation: spec/numerics.md, NUM-7.
#pragma once

#include "properties/judge.hpp"
#include "properties/model.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon::bounds {

// One entry y = sin(position w_r) or cos(position w_r); `cofunction` encloses the other of the two.
// log_inverse_frequency = |ln w_r|. Admits frequencies by exp, exp2 or pow, multiplied or divided;
// recurrences over r or pos are not admitted. No bound (NaN) where w_r, its reciprocal or the
// position leave the range of the format in which the angle is formed.
// Precondition for Angle::working: the base is in the range of the accumulator's format.
Expected sinusoidal_expected(const Model& model, const Format& out, double position,
                             double log_inverse_frequency, const Ball& y, const Ball& cofunction);

}  // namespace etalon::bounds
