// INP-1: one call of combine with everything a law asks about it: the call, the bound, the judging.
#pragma once

#include "properties/cases.hpp"
#include "properties/trial.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon {

struct Combination {
  enum class Kind : int { one = 0, sqrt = 1, value = 2 };  // the attribute `scale`

  // shape (n,d) or (B,n,d); `value` is the attribute, used by Kind::value.
  Combination(Trial& trial, Shape shape, Kind kind, double value);

  Shape row_shape() const;  // of p: (n,d)
  // The calls settle the trial where they fail.
  bool run();
  // What element `index` of out must be: truth and bound for the declared model.
  Expected expected(std::int64_t index) const;
  void judge() const;  // T1, every element
  // T0: c, x and p are integers so small that c x + p is a value of every format. Subjects whose
  // arithmetic is narrower than the dtype are judged by their bound.
  void judge_exact_integers() const;

  Trial& trial;
  Shape shape;
  Kind kind;
  double value;
  Ball c;
  Tensor x;
  Tensor p;
  Tensor out;
};

// Parameters "scale" (one, sqrt, value) and "value" of a case.
Combination::Kind kind_of(const Trial& trial);
Parameter declared_scale_parameter();
double declared_scale(const Trial& trial);
// (n,d), or (B,n,d) where the parameter B is not 0.
Shape batch_shape(const Trial& trial);

}  // namespace etalon
