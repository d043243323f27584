// Products that are exact in every order of summation: the bits are determined (LIN-3).
#include "properties/linear_problem.hpp"

namespace etalon::linear {
namespace {

// LIN-3: alpha sum a b + beta c is exact in the accumulator; the output is its one rounding.
// A narrowed operand or accumulator, and a lost, doubled or exchanged term, change the bits.
void judge_exact_product(Trial& trial, Problem& problem) {
  if (!fill_exact(trial, problem)) return;
  const Product product(problem);
  if (problem.beta == 0) spoil(problem.c, trial.stream("spoiled c"));
  if (!multiply(trial, problem)) return;
  trial.judge_bits(
      "c", problem.c, [&](std::int64_t i) { return encode(trial.format(), product.exact(i)); },
      ZeroSign::ignored);
}

void exact_product(Trial& trial) {
  constexpr double alphas[] = {1, -1, 2, 0.5};
  constexpr double betas[] = {0, 1, -1, 2};
  Problem problem = problem_of(trial);
  problem.alpha = alphas[trial["alpha"]];
  problem.beta = betas[trial["beta"]];
  judge_exact_product(trial, problem);
}

// LIN-3 where sums are long: neither a blocked nor a split sum may lose a term.
void exact_long_sum(Trial& trial) {
  Problem problem;
  problem.m = 32;
  problem.n = 32;
  problem.k = 1024;
  judge_exact_product(trial, problem);
}

std::vector<Example> examples() {
  // m, n, k, ta, tb, memory, alpha, beta
  std::vector<Example> all;
  for (std::int64_t flags = 0; flags < 4; ++flags) {
    for (std::int64_t memory = 0; memory < layout_count; ++memory) {
      const Level from = memory < 2 ? Level::smoke : Level::standard;
      all.push_back({from, {2, 3, 5, flags & 1, flags >> 1, memory, flags, 3 - flags}});
    }
  }
  // Every size 1 .. 33 in every dimension: the tails of tiles and lanes.
  for (std::int64_t size = 1; size <= 33; ++size) {
    const Level from = size <= 9 ? Level::smoke : Level::standard;
    all.push_back({from, {size, 3, 2, 0, 0, 0, 0, 0}});
    all.push_back({from, {3, size, 2, 0, 0, 0, 0, 1}});
    all.push_back({from, {3, 2, size, 0, 0, 0, 0, 0}});
    all.push_back({Level::standard, {size, size, size, size & 1, (size >> 1) & 1, 0, 0, 0}});
  }
  return all;
}

std::vector<Example> large_examples() {
  std::vector<Example> all;
  for (const std::int64_t k : {65, 577, 1031}) all.push_back({Level::standard, {3, 2, k, 0, 0, 0, 0, 0}});
  for (const std::int64_t size : {65, 129}) {
    all.push_back({Level::standard, {size, 5, 7, 0, 0, 0, 0, 0}});
    all.push_back({Level::standard, {5, size, 7, 0, 0, 0, 0, 1}});
  }
  all.push_back({Level::standard, {65, 67, 33, 0, 0, 0, 0, 2}});  // the corner of both tails
  for (std::int64_t flags = 1; flags < 4; ++flags) {
    all.push_back({Level::standard, {48, 7, 48, flags & 1, flags >> 1, 0, 0, 0}});
    all.push_back({Level::standard, {7, 48, 48, flags & 1, flags >> 1, 0, 0, 0}});
    all.push_back({Level::standard, {48, 48, 48, flags & 1, flags >> 1, 0, 0, 0}});
  }
  return all;
}

}  // namespace

std::vector<Law> exact_laws() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const Parameter ta = Parameter::choice("ta", {"no", "yes"});
  const Parameter tb = Parameter::choice("tb", {"no", "yes"});
  return {
      {"lin_3_exact_product",
       "LIN-3",
       "Where every sum is exact, the bits are those of the exact result.",
       matmul,
       float_dtypes(),
       {Parameter::range("m", 1, 40, {1, 2, 7, 8, 9, 33}), Parameter::range("n", 1, 40, {1, 2, 7, 8, 9, 33}),
        Parameter::range("k", 1, 70, {1, 2, 15, 16, 17, 33, 65}), ta, tb, memory_parameter(),
        Parameter::choice("alpha", {"1", "-1", "2", "half"}),
        Parameter::choice("beta", {"0", "1", "-1", "2"})},
       examples(),
       exact_product},
      {"lin_3_exact_beyond_tiles",
       "LIN-3",
       "Tails of large tiles, and flags at square shapes: the bits are exact there too.",
       matmul,
       float_dtypes(),
       {Parameter::range("m", 1, 160), Parameter::range("n", 1, 160), Parameter::range("k", 1, 1100), ta, tb,
        memory_parameter(), Parameter::choice("alpha", {"1", "-1", "2", "half"}),
        Parameter::choice("beta", {"0", "1", "-1", "2"})},
       large_examples(),
       exact_product,
       nullptr,
       false},
      {"lin_3_exact_long_sum",
       "LIN-3",
       "A sum of 1024 exact terms loses none of them.",
       matmul,
       float_dtypes(),
       {},
       {{Level::standard, {}}},
       exact_long_sum},
  };
}

}  // namespace etalon::linear
