// LIN-1, NUM-8: honest and faulty matrix products against the bound, over orders, formats and kinds of data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "properties/bounds/linear.hpp"
#include "properties/tests/bounds_support.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon {
namespace {

using bounds::Formats;
using bounds::matmul_expected;
using oracle::gemm_entry;
using tests::Arithmetic;
using tests::Attack;
using tests::expect_honest;
using tests::expect_refuted;
using tests::report;

const Format& f16 = format_of(Dtype::f16);
const Format& bf16 = format_of(Dtype::bf16);
const Format& f32 = format_of(Dtype::f32);
const Format& f64 = format_of(Dtype::f64);

using Vector = std::vector<double>;

struct Problem {
  Vector a, b;
  double alpha = 1, beta = 0, c = 0;
};

// One order of evaluation, in the arithmetic of the accumulator.
using Order = double (*)(const Arithmetic& arithmetic, const Problem& problem);

double scaled(const Arithmetic& arithmetic, const Problem& problem, double sum) {
  const double product = problem.alpha == 1 ? sum : arithmetic.multiply(arithmetic.round(problem.alpha), sum);
  if (problem.beta == 0) return product;
  return arithmetic.add(product, arithmetic.multiply(arithmetic.round(problem.beta), problem.c));
}

double sequential(const Arithmetic& arithmetic, const Problem& problem) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.a.size(); ++i) {
    sum = arithmetic.add(sum, arithmetic.multiply(problem.a[i], problem.b[i]));
  }
  return scaled(arithmetic, problem, sum);
}

double fused(const Arithmetic& arithmetic, const Problem& problem) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.a.size(); ++i) sum = arithmetic.fma(problem.a[i], problem.b[i], sum);
  return scaled(arithmetic, problem, sum);
}

double reversed(const Arithmetic& arithmetic, const Problem& problem) {
  double sum = 0;
  for (std::size_t i = problem.a.size(); i-- > 0;) sum = arithmetic.fma(problem.a[i], problem.b[i], sum);
  return scaled(arithmetic, problem, sum);
}

double tree(const Arithmetic& arithmetic, const Vector& terms, std::size_t from, std::size_t to) {
  if (to - from == 0) return 0;
  if (to - from == 1) return terms[from];
  const std::size_t middle = from + (to - from) / 2;
  return arithmetic.add(tree(arithmetic, terms, from, middle), tree(arithmetic, terms, middle, to));
}

Vector products(const Arithmetic& arithmetic, const Problem& problem) {
  Vector terms;
  for (std::size_t i = 0; i < problem.a.size(); ++i)
    terms.push_back(arithmetic.multiply(problem.a[i], problem.b[i]));
  return terms;
}

double pairwise(const Arithmetic& arithmetic, const Problem& problem) {
  const Vector terms = products(arithmetic, problem);
  return scaled(arithmetic, problem, tree(arithmetic, terms, 0, terms.size()));
}

double lanes(const Arithmetic& arithmetic, const Problem& problem) {
  Vector sums(16);
  for (std::size_t i = 0; i < problem.a.size(); ++i) {
    sums[i % 16] = arithmetic.fma(problem.a[i], problem.b[i], sums[i % 16]);
  }
  return scaled(arithmetic, problem, tree(arithmetic, sums, 0, 16));
}

// The adversary's order: all positive products first, then the negative ones.
double sorted(const Arithmetic& arithmetic, const Problem& problem) {
  Vector terms = products(arithmetic, problem);
  std::sort(terms.begin(), terms.end(), std::greater<>());
  double sum = 0;
  for (const double term : terms) sum = arithmetic.add(sum, term);
  return scaled(arithmetic, problem, sum);
}

// beta c first, alpha multiplied into a.
double alpha_before(const Arithmetic& arithmetic, const Problem& problem) {
  double sum = problem.beta == 0 ? 0 : arithmetic.multiply(arithmetic.round(problem.beta), problem.c);
  for (std::size_t i = 0; i < problem.a.size(); ++i) {
    const double a = problem.alpha == 1 ? problem.a[i]
                                        : arithmetic.multiply(arithmetic.round(problem.alpha), problem.a[i]);
    sum = arithmetic.add(sum, arithmetic.multiply(a, problem.b[i]));
  }
  return sum;
}

// Blocks of five columns, each scaled and added to c.
double blocked(const Arithmetic& arithmetic, const Problem& problem) {
  double result = problem.beta == 0 ? 0 : arithmetic.multiply(arithmetic.round(problem.beta), problem.c);
  for (std::size_t from = 0; from < problem.a.size(); from += 5) {
    double sum = 0;
    for (std::size_t i = from; i < std::min(from + 5, problem.a.size()); ++i) {
      sum = arithmetic.fma(problem.a[i], problem.b[i], sum);
    }
    if (problem.alpha != 1) sum = arithmetic.multiply(arithmetic.round(problem.alpha), sum);
    result = arithmetic.add(result, sum);
  }
  return result;
}

struct NamedOrder {
  const char* name;
  Order run;
};
constexpr NamedOrder orders[] = {{"sequential", sequential},     {"fma", fused},      {"reversed", reversed},
                                 {"pairwise", pairwise},         {"16 lanes", lanes}, {"sorted", sorted},
                                 {"alpha before", alpha_before}, {"blocked", blocked}};

enum class Data { normal, positive, lognormal, cancelling };
constexpr Data kinds[] = {Data::normal, Data::positive, Data::lognormal, Data::cancelling};

Problem draw(std::mt19937_64& random, const Format& format, std::size_t n, Data data, bool factors) {
  Problem problem;
  for (std::size_t i = 0; i < n; ++i) {
    double a = data == Data::positive ? tests::uniform(random) : tests::normal(random);
    const double b = data == Data::positive ? tests::uniform(random) : tests::normal(random);
    if (data == Data::lognormal) a = std::copysign(std::exp(2 * a), b);
    problem.a.push_back(tests::rounded_to(format, a));
    problem.b.push_back(tests::rounded_to(format, b));
  }
  if (data == Data::cancelling) {
    for (std::size_t i = 0; i + 1 < n; i += 2)
      problem.a[i + 1] = -problem.a[i], problem.b[i + 1] = problem.b[i];
  }
  if (factors) {
    problem.alpha = tests::normal(random);
    problem.beta = tests::normal(random);
    problem.c = tests::rounded_to(format, tests::normal(random));
  }
  return problem;
}

Expected expected_of(const Model& model, const Format& out, const Problem& problem) {
  const auto k = static_cast<std::int64_t>(problem.a.size());
  const auto dot =
      gemm_entry(problem.alpha, problem.a.data(), 1, problem.b.data(), 1, k, problem.beta, problem.c);
  return matmul_expected(model, out, k, problem.alpha, dot, problem.beta, problem.c);
}

// What an order of evaluation scores on `outputs` problems; sums for the predicted deviation.
struct Score {
  Attack attack;
  double squares = 0;
  int predicted = 0;
  double q() const { return std::sqrt(squares / std::max(1, predicted)); }
};

template <typename Compute>
Score score(const Model& model, const Format& out, std::size_t n, Data data, bool factors, int outputs,
            Compute compute) {
  Score result;
  std::mt19937_64 random(n * 4 + static_cast<std::size_t>(data));
  for (int i = 0; i < outputs; ++i) {
    const Problem problem = draw(random, out, n, data, factors);
    const Expected expected = expected_of(model, out, problem);
    const Judgement judgement = result.attack.judge(out, compute(problem), expected);
    if (expected.sigma > 0) {
      result.squares += judgement.error / expected.sigma * (judgement.error / expected.sigma);
      ++result.predicted;
    }
  }
  return result;
}

TEST(MatmulBound, HoldsForEveryOrderAndFormat) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Model model = Model::common(dtype);
    const Format& out = format_of(dtype);
    const Arithmetic arithmetic(format_of(model.accumulator));
    for (const NamedOrder& order : orders) {
      Attack all;
      for (const std::size_t n : {1U, 2U, 3U, 16U, 100U}) {
        for (const Data data : kinds) {
          for (const bool factors : {false, true}) {
            const Score one = score(model, out, n, data, factors, 60, [&](const Problem& problem) {
              return tests::rounded_to(out, order.run(arithmetic, problem));
            });
            all.worst = std::fmax(all.worst, one.attack.worst);
            all.judged += one.attack.judged;
            all.failed += one.attack.failed;
          }
        }
      }
      expect_honest(std::string(out.name) + " " + order.name, all, 0.2);
    }
  }
}

// The table of the design: margin and Q of f32 sums of n terms.
TEST(MatmulBound, ReportsMarginsByLength) {
  const Model model = Model::common(Dtype::f32);
  const Arithmetic arithmetic(f32);
  for (const Data data : {Data::normal, Data::positive, Data::lognormal}) {
    for (const std::size_t n : {16U, 256U, 4096U}) {
      const char* name = data == Data::normal ? "N(0,1)" : data == Data::positive ? "U(0,1)" : "lognormal";
      const Score one =
          score(model, f32, n, data, false, 100, [&](const Problem& p) { return sequential(arithmetic, p); });
      expect_honest(std::string(name) + " sequential, n = " + std::to_string(n), one.attack, 1e-5);
      EXPECT_GT(one.q(), 0.7) << name << n;
      EXPECT_LT(one.q(), 1.4) << name << n;
      const Score other =
          score(model, f32, n, data, false, 100, [&](const Problem& p) { return lanes(arithmetic, p); });
      EXPECT_LT(other.q(), 1.4) << name << n;
      Model declared = model;
      declared.height = static_cast<std::int64_t>(n) / 16 + 4;
      expect_honest(
          std::string(name) + " 16 lanes, height declared, n = " + std::to_string(n),
          score(declared, f32, n, data, false, 100, [&](const Problem& p) { return lanes(arithmetic, p); })
              .attack,
          1e-4);
    }
  }
}

TEST(MatmulBound, HoldsForDeclaredHeights) {
  const Arithmetic arithmetic(f32);
  Model model = Model::common(Dtype::f32);
  model.height = 6;
  Attack tall;
  Attack flat;
  std::mt19937_64 random(4);
  for (int i = 0; i < 400; ++i) {
    const Problem problem = draw(random, f32, 64, Data::positive, i % 2 == 0);
    flat.judge(f32, pairwise(arithmetic, problem), expected_of(model, f32, problem));
    tall.judge(f32, sorted(arithmetic, problem), expected_of(model, f32, problem));
  }
  expect_honest("pairwise of 64 with height 6", flat, 0.1);
  report("sequential of 64 with height 6", tall);
}

TEST(MatmulBound, HoldsForNarrowOperandsAndStorage) {
  Model tensor_core = Model::common(Dtype::f32);
  tensor_core.product_input = Dtype::bf16;
  const Arithmetic single(f32);
  const auto narrowed = [](const Problem& problem, const Format& format) {
    Problem result = problem;
    for (double& x : result.a) x = tests::rounded_to(format, x);
    for (double& x : result.b) x = tests::rounded_to(format, x);
    return result;
  };
  for (const std::size_t n : {1U, 8U, 64U}) {
    const auto compute = [&](const Problem& p) { return fused(single, narrowed(p, bf16)); };
    expect_honest("f32 products of bf16, n = " + std::to_string(n),
                  score(tensor_core, f32, n, Data::positive, true, 200, compute).attack, 0.05);
    expect_refuted("the same, undeclared, n = " + std::to_string(n),
                   score(Model::common(Dtype::f32), f32, n, Data::positive, true, 200, compute).attack);
  }
  Model stored = Model::common(Dtype::bf16);
  stored.storage = Dtype::bf16;
  for (const std::size_t n : {1U, 8U, 64U, 600U}) {
    expect_honest("bf16 partial sums stored, n = " + std::to_string(n),
                  score(stored, bf16, n, Data::positive, false, 100,
                        [&](const Problem& p) {
                          double sum = 0;
                          for (std::size_t i = 0; i < p.a.size(); ++i) {
                            sum = tests::rounded_to(bf16, single.add(sum, single.multiply(p.a[i], p.b[i])));
                          }
                          return sum;
                        })
                      .attack,
                  1e-3);
  }
  Model halves = Model::common(Dtype::f32);
  halves.accumulator = Dtype::f16;
  halves.storage = Dtype::f16;
  halves.product_input = Dtype::f16;
  const Arithmetic half(f16);
  expect_honest("f32 data in f16 arithmetic",
                score(halves, f32, 8, Data::positive, true, 400,
                      [&](const Problem& p) {
                        Problem q = narrowed(p, f16);
                        q.c = tests::rounded_to(f16, p.c);
                        return sequential(half, q);
                      })
                    .attack,
                0.02);
}

TEST(MatmulBound, HoldsForTruncatingAccumulators) {
  Model model = Model::common(Dtype::f16);
  model.rounding = Rounding::faithful;
  const Arithmetic truncating(f32, true);
  const Arithmetic last(f16, true);
  for (const NamedOrder& order : orders) {
    expect_honest(std::string("f16 truncating ") + order.name,
                  score(model, f16, 20, Data::positive, true, 200,
                        [&](const Problem& p) { return last.round(order.run(truncating, p)); })
                      .attack,
                  0.5);
  }
}

TEST(MatmulBound, RefutesFaultyProducts) {
  const Model model = Model::common(Dtype::f32);
  const Arithmetic single(f32);
  const auto refute = [&](const char* fault, std::size_t n, auto compute) {
    expect_refuted(std::string(fault) + ", n = " + std::to_string(n),
                   score(model, f32, n, Data::normal, false, 256, compute).attack);
  };
  for (const std::size_t n : {16U, 64U, 1024U}) {
    refute("bf16 accumulator", n, [](const Problem& p) { return sequential(Arithmetic(bf16), p); });
    refute("f16 accumulator", n, [](const Problem& p) { return sequential(Arithmetic(f16), p); });
    refute("drops the last element", n, [&](Problem p) { return p.a.back() = 0, sequential(single, p); });
    refute("swaps an index", n, [&](Problem p) { return std::swap(p.a[0], p.a[1]), sequential(single, p); });
  }
  const Format tf32{"tf32", 11, -126, 127, 19};
  refute("operands in tf32", 64, [&](Problem p) {
    for (double& x : p.a) x = tests::rounded_to(tf32, x);
    for (double& x : p.b) x = tests::rounded_to(tf32, x);
    return sequential(single, p);
  });
  const auto with_factors = [&](const char* fault, auto compute) {
    expect_refuted(fault, score(model, f32, 16, Data::normal, true, 256, compute).attack);
  };
  with_factors("alpha missing", [&](Problem p) { return p.alpha = 1, sequential(single, p); });
  with_factors("beta missing", [&](Problem p) { return p.beta = 1, sequential(single, p); });
  with_factors("alpha applied to c", [&](Problem p) { return p.beta *= p.alpha, sequential(single, p); });
}

// Climbs on the bits of the operands towards the largest margin of a short sum.
TEST(MatmulBound, WithstandsClimbing) {
  const Model model = Model::common(Dtype::f32);
  const Arithmetic arithmetic(f32);
  for (const std::size_t n : {1U, 2U, 3U, 6U}) {
    Attack attack;
    std::mt19937_64 random(n);
    for (int start = 0; start < 20; ++start) {
      Problem best = draw(random, f32, n, Data::positive, false);
      double margin = 0;
      for (int step = 0; step < 2000; ++step) {
        Problem next = best;
        Vector& side = step % 2 == 0 ? next.a : next.b;
        double& x = side[random() % n];
        x = decode(f32, encode(f32, x) ^ (random() & random() & random() & 0x7fffffU));
        const double now =
            attack.judge(f32, sequential(arithmetic, next), expected_of(model, f32, next)).margin;
        if (now >= margin) margin = now, best = next;
      }
    }
    expect_honest("climbing, n = " + std::to_string(n), attack, 0.4);
  }
}

TEST(MatmulBound, IsZeroWhereNothingIsRounded) {
  const Model model = Model::common(Dtype::f32);
  EXPECT_EQ(expected_of(model, f32, {{}, {}, 1, 0, 7}).bound, 0);
  EXPECT_EQ(expected_of(model, f32, {{}, {}, 1, 1, 0.1F}).bound, 0);
  EXPECT_EQ(expected_of(model, f32, {{1}, {1}, 0, 1, 0.1F}).bound, 0);
  EXPECT_EQ(expected_of(model, f32, {{0, 0}, {5, 1}, 1, 0, 0}).bound, 0);
  EXPECT_GT(expected_of(model, f32, {{}, {}, 1, 0.3, 0.1F}).bound, 0);
  EXPECT_GT(expected_of(model, f32, {{1}, {3}, 1, 0, 0}).bound, 0);
  EXPECT_EQ(expected_of(model, f32, {{}, {}, 1, 2, 0.1F}).overflow_allowed, false);
}

TEST(MatmulBound, ClaimsNothingForFactorsOutsideTheFormat) {
  const Model model = Model::common(Dtype::f32);
  EXPECT_TRUE(std::isnan(expected_of(model, f32, {{1}, {1}, 1e300, 0, 0}).bound));
  EXPECT_TRUE(std::isnan(expected_of(model, f32, {{1}, {1}, 1, 1e-300, 1}).bound));
  EXPECT_TRUE(std::isnan(expected_of(model, f32, {{1}, {1}, std::nan(""), 0, 0}).bound));
}

TEST(MatmulBound, KnowsWhereIntermediatesMayOverflow) {
  const Model model = Model::common(Dtype::f32);
  const double big = 0x1p120;
  EXPECT_TRUE(expected_of(model, f32, {{big, -big}, {big, big}, 1, 0, 0}).overflow_allowed);
  EXPECT_TRUE(expected_of(model, f32, {{big}, {0x1p20}, 0x1p-60, 0, 0}).overflow_allowed) << "before alpha";
  EXPECT_FALSE(expected_of(model, f32, {{big}, {0x1p5}, 0x1p-60, 0, 0}).overflow_allowed);
  EXPECT_FALSE(expected_of(model, f32, {{1, 2}, {3, 4}, 2, 1, 5}).overflow_allowed);
}

// Any bits at all: the float arithmetic of the processor in several orders never fails.
TEST(MatmulBound, NeverFailsAnHonestSubjectOnAnyBits) {
  std::mt19937_64 random(9);
  Attack attack;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t n = random() % 5;
    Problem p;
    for (std::size_t j = 0; j < n; ++j) {
      p.a.push_back(decode(f32, random() >> 32));
      p.b.push_back(j % 2 == 0 ? decode(f32, random() >> 32) : tests::rounded_to(f32, tests::normal(random)));
    }
    p.alpha = i % 3 == 0 ? tests::normal(random) : 1;
    p.beta = static_cast<double>(i % 2);
    p.c = decode(f32, random() >> 32);
    float sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += static_cast<float>(p.a[j]) * static_cast<float>(p.b[j]);
    if (p.alpha != 1) sum *= static_cast<float>(p.alpha);
    if (p.beta != 0) sum += static_cast<float>(p.c);
    const Judgement judgement =
        attack.judge(f32, static_cast<double>(sum), expected_of(Model::common(Dtype::f32), f32, p));
    ASSERT_EQ(judgement.verdict, Verdict::pass) << judgement.reason << " i " << i;
  }
  expect_honest("f32 any bits", attack);
}

// Exhaustive on formats of a few bits: two products and c, in every order, rounded to nearest and truncated.
TEST(MatmulBound, HoldsExhaustivelyInLowPrecision) {
  for (const int precision : {3, 4}) {
    const Format format{"low", precision, -2, 3, 3 + precision};
    const Formats formats{format, format, format};
    Model model;
    Attack nearest;
    Attack faithful;
    std::vector<double> values;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << format.bits); bits += precision == 3 ? 1 : 3) {
      const double x = decode(format, bits);
      if (std::isfinite(x) && std::fabs(x) <= 3) values.push_back(x);
    }
    for (const double a : values) {
      for (const double b : values) {
        for (std::size_t i = 0; i < values.size(); i += 2) {
          for (std::size_t j = 1; j < values.size(); j += 3) {
            const Problem problem{
                {a, values[i]}, {b, values[j]}, 1, i % 4 == 0 ? 1.0 : 0.0, values[(i + j) % values.size()]};
            const auto dot =
                gemm_entry(1, problem.a.data(), 1, problem.b.data(), 1, 2, problem.beta, problem.c);
            for (const Rounding rounding : {Rounding::nearest, Rounding::faithful}) {
              model.rounding = rounding;
              Attack& attack = rounding == Rounding::nearest ? nearest : faithful;
              const Arithmetic arithmetic(format, rounding == Rounding::faithful);
              const Expected expected =
                  matmul_expected(model, formats, format, 2, 1, dot, problem.beta, problem.c);
              for (const Order order : {sequential, fused, reversed, alpha_before}) {
                attack.judge(format, order(arithmetic, problem), expected);
              }
            }
          }
        }
      }
    }
    expect_honest("two products and c, " + std::to_string(precision) + " bits", nearest, 0.5);
    expect_honest("the same truncating, " + std::to_string(precision) + " bits", faithful, 0.4);
  }
}

}  // namespace
}  // namespace etalon
