// The general matrix product: every entry within its bound (LIN-1), and what is not read (LIN-2).
#include <cmath>

#include "properties/linear_problem.hpp"

namespace etalon::linear {
namespace {

struct Scaling {
  double alpha;
  double beta;
};
// The last two are values of no format: rounded further than to the accumulator's, they show.
constexpr Scaling scalings[] = {{1, 0},   {1, 1},       {-1, 0.5}, {2, -1},
                                {0.5, 2}, {-1.5, 1.25}, {1.1, 0},  {1.0 / 3, -0.7}};

Parameter scaling_parameter() {
  return Parameter::choice(
      "scaling", {"ab", "ab+c", "-ab+c:2", "2ab-c", "ab:2+2c", "-1.5ab+1.25c", "1.1ab", "ab:3-0.7c"});
}

void judge_within_bounds(Trial& trial, const Problem& problem, const Product& product) {
  const Model& model = trial.model("matmul");
  trial.judge_bound("c", problem.c,
                    [&](std::int64_t i) { return product.expected(model, trial.format(), i); });
}

// LIN-1: |c_ij - (alpha sum_l a_il b_lj + beta c_ij)| <= the bound of the declared arithmetic (NUM-8).
void judge_product(Trial& trial, Problem& problem) {
  const Product product(problem);
  if (multiply(trial, problem)) judge_within_bounds(trial, problem, product);
}

void product(Trial& trial) {
  Problem problem = problem_of(trial);
  problem.alpha = scalings[trial["scaling"]].alpha;
  problem.beta = scalings[trial["scaling"]].beta;
  constexpr Pattern patterns[] = {Pattern::unit, Pattern::positive, Pattern::wide, Pattern::extreme,
                                  Pattern::special};
  problem.fill(trial, patterns[trial["pattern"]]);
  judge_product(trial, problem);
}

void judge_size(Trial& trial, std::int64_t m, std::int64_t k, std::int64_t n) {
  Problem problem;
  problem.m = m;
  problem.k = k;
  problem.n = n;
  problem.fill(trial, Pattern::unit);
  judge_product(trial, problem);
}

// LIN-1 at sizes where tiles, lanes and threads are at work; one case each.
void product_128(Trial& trial) { judge_size(trial, 128, 128, 128); }
void product_long_sum(Trial& trial) { judge_size(trial, 64, 1024, 64); }

// LIN-1: x 1 = x: an operand rounded to bf16, fp16 or tf32 on its way into the product shows.
void narrow_product(Trial& trial) {
  constexpr double factors[] = {1024.5, 3.14, 1e-7, 16777215, 1.0 / 3};
  Problem problem;
  problem.m = trial["m"];
  problem.n = trial["n"];
  problem.fill(trial, Pattern::unit);
  const bool left = trial["side"] == 0;
  Tensor& narrowed = left ? problem.a : problem.b;
  Tensor& ones = left ? problem.b : problem.a;
  for (std::int64_t i = 0; i < narrowed.elements(); ++i) narrowed.set(i, factors[trial["factor"]]);
  for (std::int64_t i = 0; i < ones.elements(); ++i) ones.set(i, 1);
  const Product product(problem);
  if (!multiply(trial, problem)) return;
  const Model& model = trial.model("matmul");
  const bool subnormal = std::fabs(narrowed.value(0)) < trial.format().smallest_normal();
  if (carries(model, trial.format()) && !(subnormal && model.flushes_subnormals)) {
    trial.judge_bits("c", problem.c, [&](std::int64_t) { return narrowed.bits(0); });
  } else {
    judge_within_bounds(trial, problem, product);
  }
}

std::uint64_t rounded(const Trial& trial, double value) { return encode(trial.format(), value); }

// LIN-2: beta = 0 does not read c: NaN and infinities in it leave no trace.
void beta_zero(Trial& trial) {
  Problem problem = problem_of(trial);
  if (!fill_exact(trial, problem)) return;
  const Product product(problem);
  spoil(problem.c, trial.stream("spoiled c"));
  if (!multiply(trial, problem)) return;
  trial.judge_bits(
      "c", problem.c, [&](std::int64_t i) { return rounded(trial, product.exact(i)); }, ZeroSign::ignored);
}

// The result is beta c, zero where beta = 0, whatever c held then.
void judge_beta_c(Trial& trial, Problem& problem) {
  const Product product(problem);
  const std::vector<double> before = values_of(problem.c);
  if (problem.beta == 0) spoil(problem.c, trial.stream("spoiled c"));
  if (!multiply(trial, problem)) return;
  if (!carries(trial.model("matmul"), trial.format())) return judge_within_bounds(trial, problem, product);
  trial.judge_bits(
      "c", problem.c,
      [&](std::int64_t i) {
        return rounded(trial, problem.beta == 0 ? 0 : problem.beta * before[static_cast<std::size_t>(i)]);
      },
      ZeroSign::ignored);
}

// LIN-2: alpha = 0 does not read a and b: the result is beta c, zero where beta = 0 as well.
void alpha_zero(Trial& trial) {
  constexpr double betas[] = {0, 1, 2, -1};
  Problem problem = problem_of(trial);
  problem.alpha = 0;
  problem.beta = betas[trial["beta"]];
  problem.fill(trial, Pattern::wide);
  spoil(problem.a, trial.stream("spoiled a"));
  spoil(problem.b, trial.stream("spoiled b"));
  judge_beta_c(trial, problem);
}

// LIN-2: k = 0: the sum is empty and the result is beta c.
void empty_sum(Trial& trial) {
  Problem problem = problem_of(trial, 0);
  problem.beta = static_cast<double>(trial["beta"]);
  problem.fill(trial, Pattern::wide);
  judge_beta_c(trial, problem);
}

// LIN-2: m = 0 or n = 0: OK, and nothing is touched, c and its surroundings included.
void empty_result(Trial& trial) {
  Problem problem = problem_of(trial);
  (trial["empty"] == 0 ? problem.m : problem.n) = 0;
  problem.beta = 1;
  problem.fill(trial, Pattern::unit);
  trial.call_expecting(Status::ok, "matmul", {{"a", &problem.a}, {"b", &problem.b}, {"c", &problem.c}}, {},
                       {{"alpha", 1.0},
                        {"beta", 1.0},
                        {"transpose_a", problem.transpose_a ? 1.0 : 0.0},
                        {"transpose_b", problem.transpose_b ? 1.0 : 0.0}});
}

std::vector<Example> product_examples() {
  // m, n, k, ta, tb, memory, scaling, pattern
  std::vector<Example> examples;
  for (std::int64_t flags = 0; flags < 4; ++flags) {
    for (std::int64_t memory = 0; memory < layout_count; ++memory) {
      const Level from = memory < 2 ? Level::smoke : Level::standard;
      examples.push_back({from, {2, 3, 5, flags & 1, flags >> 1, memory, flags + 1, 0}});
    }
    examples.push_back({Level::standard, {17, 33, 31, flags & 1, flags >> 1, 0, flags + 2, 2}});
  }
  for (std::int64_t pattern = 0; pattern < 5; ++pattern) {
    examples.push_back({Level::smoke, {3, 4, 6, 0, 0, 0, 1, pattern}});
    examples.push_back({Level::standard, {16, 16, 64, 0, 1, 1, 5, pattern}});
  }
  // Single products: a NaN that is due is due for itself, with no other term to hide it.
  for (const std::int64_t k : {1, 2}) examples.push_back({Level::smoke, {16, 16, k, 0, 0, 0, 0, 4}});
  for (const std::int64_t scaling : {6, 7}) {
    examples.push_back({Level::smoke, {3, 4, 1, 0, 0, 0, scaling, 0}});
    examples.push_back({Level::smoke, {3, 4, 6, 0, 0, 0, scaling, 2}});
  }
  return examples;
}

}  // namespace

std::vector<Law> product_laws() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const Parameter m = Parameter::range("m", 1, 40, {1, 2, 3, 4, 5, 8, 16, 17, 33});
  const Parameter n = Parameter::range("n", 1, 40, {1, 2, 3, 4, 5, 8, 16, 17, 33});
  const Parameter k = Parameter::range("k", 1, 70, {1, 2, 3, 5, 16, 17, 31, 64, 65});
  const Parameter k_or_none = Parameter::range("k", 0, 70, {0, 1, 2, 3, 5, 16, 17, 31, 64, 65});
  const Parameter ta = Parameter::choice("ta", {"no", "yes"});
  const Parameter tb = Parameter::choice("tb", {"no", "yes"});
  const Parameter memory = memory_parameter();
  return {
      {"lin_1_product",
       "LIN-1",
       "Every entry of the product is within its bound, for all flags and layouts.",
       matmul,
       float_dtypes(),
       {m, n, k_or_none, ta, tb, memory, scaling_parameter(),
        Parameter::choice("pattern", {"unit", "positive", "wide", "extreme", "special"})},
       product_examples(),
       product},
      {"lin_1_product_128",
       "LIN-1",
       "A product large enough for tiles and lanes.",
       matmul,
       float_dtypes(),
       {},
       {{Level::standard, {}}},
       product_128},
      {"lin_1_product_long_sum",
       "LIN-1",
       "A product with sums of 1024 terms.",
       matmul,
       float_dtypes(),
       {},
       {{Level::standard, {}}},
       product_long_sum},
      {"lin_1_narrow_product",
       "LIN-1",
       "No operand is narrowed on its way into a product.",
       matmul,
       float_dtypes(),
       {Parameter::range("m", 1, 33, {1, 16}), Parameter::range("n", 1, 33, {1, 16}),
        Parameter::choice("factor", {"1024.5", "3.14", "1e-7", "2^24-1", "third"}),
        Parameter::choice("side", {"a", "b"})},
       {{Level::smoke, {1, 1, 0, 0}},
        {Level::smoke, {1, 1, 1, 1}},
        {Level::smoke, {1, 1, 2, 0}},
        {Level::smoke, {1, 1, 3, 1}},
        {Level::smoke, {16, 16, 0, 0}},
        {Level::smoke, {16, 16, 4, 1}}},
       narrow_product},
      {"lin_2_beta_zero",
       "LIN-2",
       "With beta = 0 what c held does not matter, NaN included.",
       matmul,
       float_dtypes(),
       {m, n, k, ta, tb, memory},
       {{Level::smoke, {1, 1, 1, 0, 0, 0}},
        {Level::smoke, {2, 3, 5, 0, 0, 1}},
        {Level::standard, {17, 33, 16, 1, 1, 0}}},
       beta_zero},
      {"lin_2_alpha_zero",
       "LIN-2",
       "With alpha = 0 what a and b hold does not matter, NaN included.",
       matmul,
       float_dtypes(),
       {m, n, k, ta, tb, memory, Parameter::choice("beta", {"0", "1", "2", "-1"})},
       {{Level::smoke, {2, 3, 5, 0, 0, 0, 0}},
        {Level::smoke, {2, 3, 5, 0, 0, 0, 1}},
        {Level::smoke, {2, 3, 5, 1, 0, 1, 2}},
        {Level::standard, {17, 33, 16, 0, 1, 0, 3}}},
       alpha_zero},
      {"lin_2_empty_sum",
       "LIN-2",
       "A sum of no terms leaves beta c.",
       matmul,
       float_dtypes(),
       {m, n, ta, tb, memory, Parameter::range("beta", 0, 2)},
       {{Level::smoke, {2, 3, 0, 0, 0, 0}},
        {Level::smoke, {2, 3, 0, 0, 0, 1}},
        {Level::smoke, {2, 3, 0, 0, 1, 2}},
        {Level::smoke, {4, 4, 1, 1, 0, 0}}},
       empty_sum},
      {"lin_2_empty_result",
       "LIN-2",
       "A result without entries touches nothing.",
       matmul,
       float_dtypes(),
       {m, n, k_or_none, ta, tb, memory, Parameter::choice("empty", {"m", "n"})},
       {{Level::smoke, {2, 3, 5, 0, 0, 0, 0}},
        {Level::smoke, {2, 3, 5, 0, 0, 0, 1}},
        {Level::smoke, {2, 3, 0, 1, 1, 1, 0}}},
       empty_result},
  };
}

}  // namespace etalon::linear
