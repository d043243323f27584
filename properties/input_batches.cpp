// INP-6: the positional code is shared by the batch, and nothing else is.
#include <cmath>

#include "properties/combination.hpp"
#include "properties/input_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

// INP-6: Z[b, i, :] = c X[b, i, :] + P[i, :]: the row of P is chosen by i. Exact on integers.
void position_is_shared(Trial& trial) {
  Combination z(trial, {trial["B"], trial["n"], trial["d"]}, kind_of(trial), 3);
  z.x = trial.input("x", z.shape, Pattern::lattice, layout_of(trial, "x_layout"));
  z.p = trial.input("p", z.row_shape(), Pattern::lattice, layout_of(trial, "p_layout"));
  z.out = trial.output(z.shape, layout_of(trial, "out_layout"));
  if (z.run()) z.judge_exact_integers();
}

void fill_other_rows(Tensor& tensor, std::int64_t kept, double value) {
  const std::int64_t d = tensor.shape()[tensor.shape().rank - 1];
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    if (i / d != kept) tensor.set(i, value);
  }
}

// INP-6: row (b, i) of Z depends on row (b, i) of X and row i of P alone: neither NaN everywhere else nor
// numbers of another size change a bit of it.
void rows_never_mix(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  Combination z(trial, {trial["B"], n, d}, kind_of(trial), 3);
  z.x = trial.input("x", z.shape, Pattern::unit);
  z.p = trial.input("p", z.row_shape(), Pattern::unit);
  z.out = trial.output(z.shape);
  if (!z.run()) return;
  Stream words = trial.stream("row");
  const std::int64_t row = words.between(0, trial["B"] * n - 1);
  const Tensor alone = z.out;
  for (const double other : {std::nan(""), 4096.0}) {
    fill_other_rows(z.x, row, other);
    fill_other_rows(z.p, row % n, other);
    z.out = trial.output(z.shape);
    if (!z.run()) return;
    Tensor after(trial.dtype(), {1, d});
    for (std::int64_t j = 0; j < d; ++j) after.set_bits(j, z.out.bits(row * d + j));
    trial.judge_bits("out", after, [&](std::int64_t j) { return alone.bits(row * d + j); });
  }
}

}  // namespace

std::vector<Law> batch_laws() {
  const Parameter scale = Parameter::choice("scale", {"one", "sqrt", "value"});
  return {
      {"inp_6_position_is_shared",
       "INP-6",
       "the row of P is chosen by the position, not by the batch",
       {"combine"},
       float_dtypes(),
       {Parameter::range("B", 0, 6, {0, 1, 2, 3}), Parameter::range("n", 0, 12, {0, 1, 2, 3}),
        Parameter::one_of("d", {1, 4, 16, 64}), scale, layout_parameter("x_layout"),
        layout_parameter("p_layout"), layout_parameter("out_layout")},
       {{Level::smoke, {2, 3, 4, 0, 0, 0, 0}},
        {Level::smoke, {5, 2, 4, 1, 0, 0, 0}},
        {Level::smoke, {2, 3, 4, 1, 1, 1, 1}},
        {Level::smoke, {3, 2, 16, 2, 3, 2, 2}},
        {Level::standard, {16, 128, 256, 1, 0, 0, 0}}},
       position_is_shared},
      {"inp_6_rows_never_mix",
       "INP-6",
       "NaN in every other row changes no bit of a row",
       {"combine"},
       float_dtypes(),
       {Parameter::range("B", 1, 5, {1, 2, 3}), Parameter::range("n", 1, 12, {1, 2, 3}),
        Parameter::range("d", 1, 48, {1, 2, 3, 7, 33}), scale},
       {{Level::smoke, {2, 3, 7, 1}}, {Level::smoke, {3, 2, 2, 0}}, {Level::standard, {4, 32, 257, 1}}},
       rows_never_mix},
  };
}

}  // namespace etalon
