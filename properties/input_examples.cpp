// INP-5: the worked examples.
#include <array>
#include <cmath>
#include <span>

#include "properties/combination.hpp"
#include "properties/input_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

void set_all(Tensor& tensor, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) tensor.set(static_cast<std::int64_t>(i), numbers[i]);
}

// The example as printed: inputs x and p, the result to a number of decimals.
struct Printed {
  std::span<const double> x;
  std::span<const double> p;
  std::span<const double> z;
  double half_unit;  // of the last printed decimal
};

// Every element is within its bound of c x + p for the rounded inputs, and agrees with the printed number.
// There the inputs' own rounding counts too: |c dx + dp| <= u (|c x| + |p|).
void judge_printed(Combination& z, const Printed& example) {
  Trial& trial = z.trial;
  z.x = Tensor(trial.dtype(), z.shape);
  z.p = Tensor(trial.dtype(), z.row_shape());
  z.out = trial.output(z.shape);
  set_all(z.x, example.x);
  set_all(z.p, example.p);
  if (!z.run()) return;
  z.judge();
  const double u = trial.format().unit_roundoff();
  for (std::size_t i = 0; i < example.z.size() && !trial.settled(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    const double inputs = u * (std::fabs(z.c.hi * example.x[i]) + std::fabs(example.p[i]));
    const double allowed = (example.half_unit + inputs + z.expected(index).bound) * (1 + 0x1p-40);
    trial.expect(std::fabs(z.out.value(index) - example.z[i]) <= allowed,
                 "element " + std::to_string(i) + " is not the printed number");
  }
}

constexpr std::array<double, 6> code = {0, 0.1, 0.2, 0, -0.1, 0.3};

// INP-5: 私, 猫, 好き with c = sqrt 2.
void worked_example(Trial& trial) {
  constexpr std::array<double, 6> x = {0.2, 0.5, -0.1, 0.7, 0.8, -0.3};
  constexpr std::array<double, 6> z = {0.28284, 0.80711, 0.05858, 0.98995, 1.03137, -0.12426};
  Combination example(trial, {3, 2}, Combination::Kind::sqrt, 0);
  judge_printed(example, {x, code, z, 0.5e-5});
}

// INP-5: 猫 twice: one embedding, two positions, two different rows.
void same_type_twice(Trial& trial) {
  constexpr std::array<double, 4> x = {-0.1, 0.7, -0.1, 0.7};
  constexpr std::array<double, 4> z = {-0.14142, 1.08995, 0.05858, 0.98995};
  Combination example(trial, {2, 2}, Combination::Kind::sqrt, 0);
  judge_printed(example, {x, std::span(code).first(4), z, 0.5e-5});
  if (trial.settled()) return;
  trial.expect(example.out.bits(0) != example.out.bits(2) && example.out.bits(1) != example.out.bits(3),
               "the two occurrences are represented alike");
}

// INP-5: six columns under the sinusoidal code of positions 0 and 3, c = 1.
void six_columns(Trial& trial) {
  constexpr std::array<double, 12> x = {0.2, -0.1, 0.4, 0.3, -0.2, 0.5, 0.2, -0.1, 0.4, 0.3, -0.2, 0.5};
  constexpr std::array<double, 12> p = {0,
                                        1,
                                        0,
                                        1,
                                        0,
                                        1,
                                        0.14112000805986722,
                                        -0.98999249660044545,
                                        0.13879810108005053,
                                        0.99032069913567500,
                                        0.00646325907018965,
                                        0.99997911292296082};
  constexpr std::array<double, 12> z = {0.2,    0.9,   0.4,    1.3,    -0.2,    1.5,
                                        0.3411, -1.09, 0.5388, 1.2903, -0.1935, 1.5};
  Combination example(trial, {2, 6}, Combination::Kind::one, 0);
  judge_printed(example, {x, p, z, 0.5e-4});
}

}  // namespace

std::vector<Law> input_example_laws() {
  return {
      {"inp_5_worked_example",
       "INP-5",
       "私, 猫, 好き with c = sqrt 2",
       {"combine"},
       float_dtypes(),
       {},
       {},
       worked_example},
      {"inp_5_same_type_twice",
       "INP-5",
       "猫 at two positions is represented twice differently",
       {"combine"},
       float_dtypes(),
       {},
       {},
       same_type_twice},
      {"inp_5_six_columns",
       "INP-5",
       "one embedding at positions 0 and 3 of the sinusoidal code",
       {"combine"},
       float_dtypes(),
       {},
       {},
       six_columns},
  };
}

}  // namespace etalon
