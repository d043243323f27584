#include "properties/combination.hpp"

#include <cmath>

#include "properties/bounds/input.hpp"
#include "reference/oracle/input.hpp"

namespace etalon {
namespace {

constexpr double declared_scales[] = {0.5, 3, -1.25, 0, 1, 0.1, 1e-3, 22.627416997969522};

// INP-2: c as a real number.
Ball scale_of(Combination::Kind kind, double value, std::int64_t d) {
  switch (kind) {
    case Combination::Kind::one:
      return Ball::exact(1);
    case Combination::Kind::sqrt:
      return oracle::square_root(d);
    default:
      return Ball::exact(value);
  }
}

}  // namespace

Combination::Combination(Trial& owner, Shape of, Kind how, double number)
    : trial(owner), shape(of), kind(how), value(number), c(scale_of(how, number, of[of.rank - 1])) {}

Shape Combination::row_shape() const { return {shape[shape.rank - 2], shape[shape.rank - 1]}; }

bool Combination::run() {
  return trial.call("combine", {{"x", &x}, {"p", &p}, {"out", &out}}, {"out"},
                    {{"scale", static_cast<double>(kind)}, {"value", value}});
}

Expected Combination::expected(std::int64_t index) const {
  const double a = x.value(index);
  const double b = p.value(index % p.elements());
  return bounds::combine_expected(trial.model("combine"), trial.format(), c, a, b,
                                  oracle::scaled_sum(c, a, b));
}

void Combination::judge() const {
  trial.judge_bound("out", out, [&](std::int64_t i) { return expected(i); });
}

void Combination::judge_exact_integers() const {
  if (!keeps_values(trial.model("combine"), trial.dtype())) return judge();
  trial.judge_bits(
      "out", out,
      [&](std::int64_t i) { return encode(trial.format(), c.hi * x.value(i) + p.value(i % p.elements())); },
      ZeroSign::ignored);
}

Combination::Kind kind_of(const Trial& trial) { return static_cast<Combination::Kind>(trial["scale"]); }

Parameter declared_scale_parameter() {
  return Parameter::choice("value", {"0.5", "3", "-1.25", "0", "1", "0.1", "0.001", "22.6274"});
}

double declared_scale(const Trial& trial) { return declared_scales[trial["value"]]; }

Shape batch_shape(const Trial& trial) {
  if (trial["B"] == 0) return {trial["n"], trial["d"]};
  return {trial["B"], trial["n"], trial["d"]};
}

}  // namespace etalon
