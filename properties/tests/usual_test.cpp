// The usual rules, at the edges of what they accept.
#include "properties/usual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "properties/runner.hpp"

namespace etalon {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
enum : std::size_t { numpy, torch, nmse, relative, ulps };

Usual of(Dtype dtype, const std::vector<double>& got, const std::vector<double>& want) {
  Tensor tensor(dtype, {static_cast<std::int64_t>(got.size())});
  for (std::size_t i = 0; i < got.size(); ++i) tensor.set(static_cast<std::int64_t>(i), got[i]);
  return compared_as_usual(tensor, want);
}

TEST(Usual, AcceptsWhatIsRight) {
  const Usual usual = of(Dtype::f64, {1, -2, 0, infinity, nan}, {1, -2, 0, infinity, nan});
  EXPECT_EQ(usual.outputs, 1U);
  for (const std::uint64_t rejected : usual.rejected) EXPECT_EQ(rejected, 0U);
}

TEST(Usual, RejectsAnotherClassWhateverTheRule) {
  for (const double wrong : {nan, -infinity, 1.0}) {
    for (const std::uint64_t rejected : of(Dtype::f32, {wrong}, {infinity}).rejected) EXPECT_EQ(rejected, 1U);
  }
  for (const std::uint64_t rejected : of(Dtype::f32, {1.0}, {nan}).rejected) EXPECT_EQ(rejected, 1U);
}

TEST(Usual, HasTheTolerancesItStates) {
  struct Edge {
    std::size_t rule;
    Dtype dtype;
    double error;  // of 1: just within, and twice as far just outside
  };
  for (const Edge& edge :
       {Edge{numpy, Dtype::f64, 1.0e-5}, Edge{torch, Dtype::f64, 2e-7}, Edge{torch, Dtype::f32, 1.12e-5},
        Edge{torch, Dtype::bf16, 1.6e-2}, Edge{torch, Dtype::f16, 1e-3}, Edge{relative, Dtype::f64, 1e-3},
        Edge{ulps, Dtype::f64, 4 * 0x1p-52}, Edge{nmse, Dtype::f64, std::sqrt(0.99e-7)}}) {
    EXPECT_EQ(of(edge.dtype, {1 + edge.error * 0.99}, {1}).rejected[edge.rule], 0U) << edge.rule;
    EXPECT_EQ(of(edge.dtype, {1 + edge.error * 2}, {1}).rejected[edge.rule], 1U) << edge.rule;
  }
}

TEST(Usual, OneWrongElementOfManyPassesNmse) {
  std::vector<double> want(100000, 1000);
  std::vector<double> got = want;
  got[77] = 1001;
  const Usual usual = of(Dtype::f64, got, want);
  EXPECT_EQ(usual.rejected[nmse], 0U);
  EXPECT_EQ(usual.rejected[numpy], 1U);
}

// A rule that refuses the correctly rounded result as well has told nothing.
TEST(Usual, TellsNothingWhereItRefusesTheRightResultToo) {
  const double third = 1.0 / 3;
  const Usual usual = of(Dtype::f16, {0.5}, {third});
  EXPECT_EQ(usual.rejected[numpy], 1U);
  EXPECT_EQ(usual.told[numpy], 0U);  // f16 has no number within 1e-5 of a third
  EXPECT_EQ(usual.told[torch], 1U);
  EXPECT_EQ(usual.told[ulps], 1U);
}

TEST(Usual, ComparesIdsForEquality) {
  Tensor ids(Dtype::i64, {1});
  ids.set_integer(0, 1000000);
  for (const std::uint64_t rejected : compared_as_usual(ids, {1000000}).rejected) EXPECT_EQ(rejected, 0U);
  for (const std::uint64_t rejected : compared_as_usual(ids, {1000001}).rejected) EXPECT_EQ(rejected, 1U);
}

TEST(Usual, AddsUp) {
  Usual sum = of(Dtype::f64, {2}, {1});
  sum.absorb(of(Dtype::f64, {1}, {1}));
  EXPECT_EQ(sum.outputs, 2U);
  EXPECT_EQ(sum.rejected[numpy], 1U);
  EXPECT_EQ(sum.told[numpy], 1U);
}

// Asked for, they see every output that a judge sees, and change no verdict.
TEST(Usual, IsAskedBesideTheJudges) {
  const std::unique_ptr<Subject> reference = reference_subject()();
  for (const char* name : {"lin_1_product/f32/m=2,n=3,k=5,ta=no,tb=no,memory=dense,scaling=ab,pattern=unit",
                           "pos_3_row_zero/f32/n=1,pairs=2,base=10000,layout=interleaved"}) {
    std::string error;
    const std::optional<Case> test_case = case_named(name, error);
    ASSERT_TRUE(test_case) << error;
    const Outcome plain = run_case(*test_case, *reference);
    const Outcome asked = run_case(*test_case, *reference, true);
    EXPECT_EQ(plain.usual.outputs, 0U);
    EXPECT_GT(asked.usual.outputs, 0U);
    EXPECT_EQ(asked.verdict, plain.verdict);
    EXPECT_EQ(asked.elements, plain.elements);
    EXPECT_EQ(asked.worst_margin, plain.worst_margin);
    EXPECT_EQ(asked.usual.rejected[ulps], 0U);
  }
}

}  // namespace
}  // namespace etalon
