// The linear map (LIN-4) and the laws of matrix algebra, judged on the subject's own results (LIN-5).
#include <cmath>

#include "properties/linear_problem.hpp"

namespace etalon::linear {
namespace {

// LIN-4: y = x W + b for every row: alpha = beta = 1, b in each row of c.
void linear_map(Trial& trial) {
  Problem problem = problem_of(trial);
  problem.beta = 1;
  problem.fill(trial, Pattern::unit);
  const Tensor b = trial.input("bias", {problem.n}, Pattern::unit);
  for (std::int64_t i = 0; i < problem.c.elements(); ++i) problem.c.set(i, b.value(i % problem.n));
  const Product product(problem);
  if (!multiply(trial, problem)) return;
  const Model& model = trial.model("matmul");
  trial.judge_bound("x W + b", problem.c,
                    [&](std::int64_t i) { return product.expected(model, trial.format(), i); });
}

// LIN-5: A I = I A = A: the other terms are zeros, and adding zeros is exact.
void identity(Trial& trial) {
  const bool right = trial["side"] == 0;
  Problem problem = problem_of(trial, right ? trial["n"] : trial["m"]);
  problem.fill(trial, Pattern::wide);
  Tensor& unit = right ? problem.b : problem.a;
  for (std::int64_t i = 0; i < unit.elements(); ++i) unit.set(i, i / problem.k == i % problem.k ? 1 : 0);
  const Product product(problem);
  if (!multiply(trial, problem)) return;
  const Model& model = trial.model("matmul");
  if (carries(model, trial.format())) {
    const std::vector<double> numbers = values_of(right ? problem.a : problem.b);
    const bool transposed = right ? problem.transpose_a : problem.transpose_b;
    trial.judge_bits(
        "c", problem.c,
        [&](std::int64_t index) {
          const std::int64_t i = index / problem.n;
          const std::int64_t j = index % problem.n;
          const std::int64_t source = transposed ? j * problem.m + i : index;
          return encode(trial.format(), numbers[static_cast<std::size_t>(source)]);
        },
        ZeroSign::ignored);
  } else {
    trial.judge_bound("c", problem.c,
                      [&](std::int64_t i) { return product.expected(model, trial.format(), i); });
  }
}

// Two results that approximate the same real number differ by no more than the sum of their bounds.
Expected same_number(double other, std::initializer_list<Expected> parts) {
  Expected expected;
  expected.truth = Ball::exact(other);
  for (const Expected& part : parts) {
    expected.bound += part.bound + part.truth.radius;
    expected.overflow_allowed = expected.overflow_allowed || part.overflow_allowed;
  }
  expected.bound *= 1 + 0x1p-40;
  return expected;
}

// LIN-5: A (B + B') = A B + A B'. B + B' is exact: multiples of 2^-(p-2) in [-1, 1] have a sum of at most
// p bits. The right side is computed as c = A B, then c = A B' + c, with an error of each.
void distributivity(Trial& trial) {
  Problem first = problem_of(trial);
  first.fill(trial, Pattern::unit);
  Problem second = problem_of(trial);
  second.fill(trial, Pattern::unit);
  Problem joint = problem_of(trial);
  joint.fill(trial, Pattern::unit);
  const std::int64_t steps = std::int64_t{1} << (trial.format().precision - 2);
  Stream stream = trial.stream("summands");
  for (std::int64_t i = 0; i < first.b.elements(); ++i) {
    const std::int64_t one = stream.between(-steps, steps);
    const std::int64_t other = stream.between(-steps, steps);
    const double step = 1 / static_cast<double>(steps);
    first.b.set(i, static_cast<double>(one) * step);
    second.b.set(i, static_cast<double>(other) * step);
    joint.b.set(i, static_cast<double>(one + other) * step);
  }
  const Product first_product(first);
  const Product joint_product(joint);
  if (!multiply(trial, first) || !multiply(trial, joint)) return;
  second.beta = 1;
  second.c = first.c.clone();
  const Product second_product(second);
  if (!multiply(trial, second)) return;
  const Model& model = trial.model("matmul");
  const Format& format = trial.format();
  trial.judge_bound("A B + A B'", second.c, [&](std::int64_t i) {
    return same_number(joint.c.value(i),
                       {joint_product.expected(model, format, i), first_product.expected(model, format, i),
                        second_product.expected(model, format, i)});
  });
}

// LIN-5: (A B)^T = B^T A^T: the second product takes the same stored matrices with both flags turned.
void transposition(Trial& trial) {
  Problem plain = problem_of(trial);
  plain.fill(trial, Pattern::unit);
  Problem turned = problem_of(trial);
  turned.m = plain.n;
  turned.n = plain.m;
  turned.transpose_a = !plain.transpose_b;
  turned.transpose_b = !plain.transpose_a;
  turned.fill(trial, Pattern::unit);
  turned.a = plain.b.clone();
  turned.b = plain.a.clone();
  const Product plain_product(plain);
  const Product turned_product(turned);
  if (!multiply(trial, plain) || !multiply(trial, turned)) return;
  const Model& model = trial.model("matmul");
  const Format& format = trial.format();
  trial.judge_bound("B^T A^T", turned.c, [&](std::int64_t index) {
    const std::int64_t mirrored = index % turned.n * plain.n + index / turned.n;
    return same_number(plain.c.value(mirrored), {plain_product.expected(model, format, mirrored),
                                                 turned_product.expected(model, format, index)});
  });
}

}  // namespace

std::vector<Law> algebra_laws() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const Parameter m = Parameter::range("m", 1, 33, {1, 2, 5, 16, 17});
  const Parameter n = Parameter::range("n", 1, 33, {1, 2, 5, 16, 17});
  const Parameter k = Parameter::range("k", 1, 64, {1, 2, 5, 16, 17});
  const Parameter ta = Parameter::choice("ta", {"no", "yes"});
  const Parameter tb = Parameter::choice("tb", {"no", "yes"});
  const Parameter memory = memory_parameter();
  const std::vector<Example> sizes = {{Level::smoke, {1, 1, 1, 0, 0, 0}},
                                      {Level::smoke, {2, 3, 5, 0, 0, 0}},
                                      {Level::smoke, {2, 3, 5, 1, 0, 1}},
                                      {Level::standard, {2, 3, 5, 1, 1, 2}},
                                      {Level::standard, {17, 33, 64, 0, 1, 0}}};
  return {
      {"lin_4_linear_map",
       "LIN-4",
       "A linear map adds its bias to every row of x W.",
       matmul,
       float_dtypes(),
       {m, n, k, ta, tb, memory},
       sizes,
       linear_map},
      {"lin_5_identity",
       "LIN-5",
       "Multiplying by the identity matrix changes no bit.",
       matmul,
       float_dtypes(),
       {m, n, ta, tb, memory, Parameter::choice("side", {"right", "left"})},
       {{Level::smoke, {1, 1, 0, 0, 0, 0}},
        {Level::smoke, {2, 3, 0, 0, 0, 0}},
        {Level::smoke, {2, 3, 1, 1, 1, 1}},
        {Level::standard, {17, 33, 0, 0, 0, 1}},
        {Level::standard, {33, 16, 1, 1, 0, 0}}},
       identity},
      {"lin_5_distributivity",
       "LIN-5",
       "A (B + B') agrees with A B + A B' within the bounds of the three products.",
       matmul,
       float_dtypes(),
       {m, n, k, ta, tb, memory},
       sizes,
       distributivity},
      {"lin_5_transposition",
       "LIN-5",
       "The transpose of A B agrees with the product of the transposes.",
       matmul,
       float_dtypes(),
       {m, n, k, ta, tb, memory},
       sizes,
       transposition},
  };
}

}  // namespace etalon::linear
