// INP-1: how far an honest c x + p may stray from the truth. Derivation: spec/numerics.md, NUM-9.
#pragma once

#include "properties/bounds/arithmetic.hpp"
#include "properties/judge.hpp"
#include "properties/model.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon::bounds {

// z encloses c x + p; x and p are values of `out`. Admits multiply then add, and FMA; c rounded to the
// accumulator's format (never to a narrower one, unless product_input says so).
Expected combine_expected(const Model& model, const Format& out, const Ball& c, double x, double p,
                          const Ball& z);

// The same with the formats given apart; those of the model are not looked at.
Expected combine_expected(const Model& model, const Formats& formats, const Format& out, const Ball& c,
                          double x, double p, const Ball& z);

}  // namespace etalon::bounds
