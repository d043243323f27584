// NUM-3: the arithmetic model, what a subject declares about its arithmetic for one operation and
// one dtype. The bounds are functions of this and of the inputs, never of the subject's name.
#pragma once

#include <cstdint>

#include "reference/numerics.hpp"

namespace etalon {

// How the angle pos * w_r of a position code is formed before sin and cos are taken.
enum class Angle : std::int32_t {
  working = 0,    // frequency, product and angle in the accumulator's format
  in_double = 1,  // in binary64, by the same naive formula
  exact = 2,      // to within the rounding of sin and cos themselves
};

// What one basic operation (+, -, *, /, sqrt, fma) may do to its exact result.
enum class Rounding : std::int32_t {
  nearest = 0,   // |delta| <= u
  faithful = 1,  // |delta| <= 2u: truncation, or either neighbour
};

struct Model {
  Dtype accumulator = Dtype::f32;    // format of sums and intermediate values
  Dtype product_input = Dtype::f32;  // operands of a product are first rounded to this format
  Dtype storage = Dtype::f32;        // intermediate results of a fused chain may be rounded to this
  Rounding rounding = Rounding::nearest;
  Angle angle = Angle::working;
  bool flushes_subnormals = false;  // FTZ/DAZ: a subnormal input or result may become zero
  std::int64_t height = 0;          // roundings on the longest path of a sum; 0: any order
  double sine_ulp = 1;              // sin and cos, in ulp of the format they are computed in
  double power_ulp = 1;             // exp and pow, likewise
  bool lossless = false;            // TOK-5
  bool streaming = false;           // TOK-6

  // The honest common case of a dtype: arithmetic in the format itself, in f32 for bf16 and f16.
  static Model common(Dtype dtype);
};

}  // namespace etalon
