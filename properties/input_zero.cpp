// INP-4: one summand zero. What is left shows a scale that is missing, inverted, doubled, rounded too
// early, or applied to P as well.
#include "properties/combination.hpp"
#include "properties/input_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

// INP-4: X = 0 gives P, bit for bit but for the sign of zero and the payload of NaN.
void zero_input_gives_position(Trial& trial) {
  constexpr Pattern patterns[] = {Pattern::unit, Pattern::wide, Pattern::extreme, Pattern::special,
                                  Pattern::bits};
  Combination z(trial, batch_shape(trial), kind_of(trial), declared_scale(trial));
  z.x = Tensor(trial.dtype(), z.shape);
  z.p = trial.input("p", z.row_shape(), patterns[trial["pattern"]]);
  z.out = trial.output(z.shape);
  if (!z.run()) return;
  const Model& model = trial.model("combine");
  if (!keeps_values(model, trial.dtype())) return z.judge();
  trial.judge_bits(
      "out", z.out,
      [&](std::int64_t i) {
        return or_flushed(model, trial.format(), z.p.bits(i % z.p.elements()), z.out.bits(i));
      },
      ZeroSign::ignored, NanPayload::ignored);
}

// INP-4: P = 0 gives fl(c X). The truth is sqrt(d) x with the real square root, so that a root rounded
// to a narrow format shows at every d that is no power of four.
void zero_position_gives_scaled_input(Trial& trial) {
  constexpr Pattern patterns[] = {Pattern::unit, Pattern::wide, Pattern::extreme};
  Combination z(trial, batch_shape(trial), kind_of(trial), declared_scale(trial));
  z.x = trial.input("x", z.shape, patterns[trial["pattern"]]);
  z.p = Tensor(trial.dtype(), z.row_shape());
  z.out = trial.output(z.shape);
  if (z.run()) z.judge();
}

// INP-4: sqrt(4^k) = 2^k, and scaling by a power of two is exact.
void power_of_four_is_exact(Trial& trial) {
  Combination z(trial, {trial["n"], std::int64_t{1} << (2 * trial["k"])}, Combination::Kind::sqrt, 0);
  z.x = trial.input("x", z.shape, Pattern::unit);
  z.p = Tensor(trial.dtype(), z.row_shape());
  z.out = trial.output(z.shape);
  if (!z.run()) return;
  const Model& model = trial.model("combine");
  if (!keeps_values(model, trial.dtype()) || model.flushes_subnormals) return z.judge();
  trial.judge_bits(
      "out", z.out, [&](std::int64_t i) { return encode(trial.format(), z.c.hi * z.x.value(i)); },
      ZeroSign::ignored);
}

Parameter width_parameter() { return Parameter::range("d", 1, 128, {1, 2, 3, 5, 7, 16, 31, 33, 64, 80}); }

}  // namespace

std::vector<Law> zero_summand_laws() {
  const Parameter batch = Parameter::range("B", 0, 3, {0, 2});
  const Parameter length = Parameter::range("n", 0, 16, {0, 1, 2});
  const Parameter scale = Parameter::choice("scale", {"one", "sqrt", "value"});
  return {
      {"inp_4_zero_input_gives_position",
       "INP-4",
       "X = 0 gives P, bit for bit: the scale leaves P alone",
       {"combine"},
       float_dtypes(),
       {batch, length, width_parameter(), scale, declared_scale_parameter(),
        Parameter::choice("pattern", {"unit", "wide", "extreme", "special", "bits"})},
       {{Level::smoke, {0, 3, 2, 1, 0, 0}},
        {Level::smoke, {2, 3, 7, 1, 0, 2}},
        {Level::smoke, {0, 2, 33, 2, 1, 3}},
        {Level::smoke, {0, 2, 33, 0, 0, 4}},
        {Level::standard, {0, 512, 768, 1, 0, 4}}},
       zero_input_gives_position},
      {"inp_4_zero_position_gives_scaled_input",
       "INP-4",
       "P = 0 gives c X, rounded: the root itself is not coarse",
       {"combine"},
       float_dtypes(),
       {batch, length, width_parameter(), scale, declared_scale_parameter(),
        Parameter::choice("pattern", {"unit", "wide", "extreme"})},
       {{Level::smoke, {0, 3, 2, 1, 0, 0}},
        {Level::smoke, {0, 3, 3, 1, 0, 1}},
        {Level::smoke, {0, 2, 80, 1, 0, 0}},
        {Level::smoke, {0, 1, 512, 1, 0, 0}},
        {Level::smoke, {0, 1, 768, 1, 0, 0}},
        {Level::smoke, {0, 3, 7, 2, 5, 0}},
        {Level::standard, {0, 512, 768, 1, 0, 0}},
        {Level::standard, {0, 512, 512, 1, 0, 1}},
        {Level::standard, {0, 256, 80, 1, 0, 2}},
        {Level::standard, {0, 64, 1023, 1, 0, 0}}},
       zero_position_gives_scaled_input},
      {"inp_4_power_of_four_is_exact",
       "INP-4",
       "where c is a power of two, c X is exact",
       {"combine"},
       float_dtypes(),
       {length, Parameter::range("k", 0, 5, {0, 1, 2})},
       {{Level::smoke, {3, 1}},
        {Level::smoke, {3, 3}},
        {Level::standard, {512, 5}},
        {Level::standard, {64, 6}}},
       power_of_four_is_exact},
  };
}

}  // namespace etalon
