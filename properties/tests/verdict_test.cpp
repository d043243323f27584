// NUM-5: how outcomes add up, and the words for them.
#include "properties/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "properties/model.hpp"

namespace etalon {
namespace {

// From the mildest to the gravest.
const std::vector<Verdict> by_severity{
    Verdict::unsupported, Verdict::pass,         Verdict::known,           Verdict::mistrusted,
    Verdict::no_bound,    Verdict::inconclusive, Verdict::unexpected_pass, Verdict::fail,
    Verdict::timeout,     Verdict::crash};

Outcome outcome(Verdict verdict, double margin = 0, std::int64_t index = -1, const std::string& reason = "") {
  Outcome result;
  result.verdict = verdict;
  result.worst_margin = margin;
  result.witness.margin = margin;
  result.witness.index = index;
  result.witness.reason = reason;
  return result;
}

TEST(Outcome, KeepsTheGravestVerdictInEitherOrder) {
  for (std::size_t i = 0; i < by_severity.size(); ++i) {
    for (std::size_t j = 0; j < by_severity.size(); ++j) {
      Outcome sum = outcome(by_severity[i]);
      sum.absorb(outcome(by_severity[j]));
      EXPECT_EQ(sum.verdict, by_severity[std::max(i, j)]);
    }
  }
}

TEST(Outcome, KeepsTheWitnessOfTheGravestVerdict) {
  Outcome sum = outcome(Verdict::pass, 0.9, 7);
  sum.absorb(outcome(Verdict::fail, 3, 1, "first"));
  sum.absorb(outcome(Verdict::fail, 9, 2, "second"));
  sum.absorb(outcome(Verdict::pass, 0.5, 3));
  EXPECT_EQ(sum.witness.reason, "first");
  EXPECT_EQ(sum.worst_margin, 9);
}

TEST(Outcome, KeepsTheWitnessWithTheLargestMarginWhereAllPass) {
  Outcome sum;
  sum.absorb(outcome(Verdict::pass, 0.2, 1));
  sum.absorb(outcome(Verdict::pass, 0.7, 2));
  sum.absorb(outcome(Verdict::pass, 0.3, 3));
  sum.absorb(Outcome{});
  EXPECT_EQ(sum.witness.index, 2);
}

TEST(Outcome, AddsWhatItCounts) {
  Outcome one;
  one.elements = 5;
  one.measured = 4;
  one.correctly_rounded = 3;
  one.worst_ulp = 0.5;
  one.sum_ulp = 1;
  one.predicted = 4;
  one.sum_deviation = 2;
  one.sum_square_deviation = 16;
  one.grade = Grade::faithful;
  Outcome sum;
  EXPECT_EQ(sum.rms_deviation(), 0);
  EXPECT_EQ(sum.bias(), 0);
  sum.absorb(one);
  sum.absorb(one);
  EXPECT_EQ(sum.elements, 10U);
  EXPECT_EQ(sum.measured, 8U);
  EXPECT_EQ(sum.correctly_rounded, 6U);
  EXPECT_EQ(sum.worst_ulp, 0.5);
  EXPECT_EQ(sum.sum_ulp, 2);
  EXPECT_EQ(sum.grade, Grade::faithful);
  EXPECT_EQ(sum.rms_deviation(), 2);  // sqrt(32 / 8)
  EXPECT_NEAR(sum.bias(), 0.5 * std::sqrt(8.0), 1e-15);
}

TEST(Names, AreDistinct) {
  std::set<std::string_view> names;
  for (const Verdict verdict : by_severity) names.insert(name_of(verdict));
  EXPECT_EQ(names.size(), by_severity.size());
  EXPECT_EQ(name_of(Verdict::no_bound), "NO_BOUND");
  std::set<std::string_view> grades;
  for (const Grade grade :
       {Grade::exact, Grade::correctly_rounded, Grade::faithful, Grade::within_bound, Grade::none}) {
    grades.insert(name_of(grade));
  }
  EXPECT_EQ(grades.size(), 5U);
  EXPECT_EQ(name_of(Grade::correctly_rounded), "correctly rounded");
}

TEST(Model, CommonAccumulatesHalvesInSingle) {
  EXPECT_EQ(Model::common(Dtype::f64).accumulator, Dtype::f64);
  for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Model model = Model::common(dtype);
    EXPECT_EQ(model.accumulator, Dtype::f32);
    EXPECT_EQ(model.product_input, Dtype::f32);
    EXPECT_EQ(model.storage, Dtype::f32);
    EXPECT_EQ(model.angle, Angle::working);
  }
}

}  // namespace
}  // namespace etalon
