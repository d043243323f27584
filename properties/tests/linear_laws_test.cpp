// The laws of the matrix product: honest subjects pass every one of them.
#include <gtest/gtest.h>

#include <set>

#include "properties/mutants/linear_subject.hpp"

namespace etalon::multiplying {
namespace {

void expect_all_pass(const Habits& habits) {
  Multiplier subject(habits);
  for (const Law& law : linear_laws()) {
    for (const Dtype dtype : dtypes_of(law)) {
      const LawResult result = run_law(law, dtype, subject, {Level::standard, 0});
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " " << name_of(dtype) << ": " << result.worst_case << " "
          << result.outcome.witness.reason << " margin " << result.outcome.worst_margin;
      EXPECT_GT(result.cases, 0U) << law.name;
    }
  }
}

TEST(LinearLaws, ThePlainLoopPasses) { expect_all_pass({}); }

TEST(LinearLaws, OtherHonestLoopsPass) {
  Habits habits;
  habits.backwards = true;
  habits.alpha_first = true;
  habits.declines_other_layouts = true;
  expect_all_pass(habits);
}

TEST(LinearLaws, TheReferencePasses) {
  const auto subject = reference_subject()();
  for (const Law& law : linear_laws()) {
    for (const Dtype dtype : {Dtype::f64, Dtype::bf16}) {
      const LawResult result = run_law(law, dtype, *subject, {Level::smoke, 0});
      if (result.cases == 0) continue;  // no case at this level
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
    }
  }
}

// A subject that says it multiplies in bf16 is held to that, and no longer passes as one that does not.
TEST(LinearLaws, NarrowProductsPassWhereDeclared) {
  Habits habits;
  habits.operand = [](double x) { return rounded_to(Dtype::bf16, x); };
  Multiplier subject(habits);
  subject.declared(Dtype::f32).product_input = Dtype::bf16;
  for (const Law& law : linear_laws()) {
    const LawResult result = run_law(law, Dtype::f32, subject, {Level::standard, 0});
    EXPECT_EQ(result.outcome.verdict, Verdict::pass)
        << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
  }
}

// A bf16 accumulator holds no exact sum of 1024 terms: it is given as many as it holds, between zeros.
TEST(LinearLaws, AShortAccumulatorIsGivenAsManyTermsAsItHolds) {
  Multiplier subject({});
  subject.declared(Dtype::bf16).accumulator = Dtype::bf16;
  const Case test_case{&law_named("lin_3_exact_long_sum"), Dtype::bf16, {}, 0};
  const Outcome outcome = run_case(test_case, subject);
  EXPECT_EQ(outcome.verdict, Verdict::pass) << outcome.witness.reason;
  EXPECT_EQ(outcome.elements, 32U * 32U);
}

// Results stored in fewer bits, declared: no law asks for bits that cannot be there. Undeclared: caught.
TEST(LinearLaws, NarrowStoragePassesWhereDeclared) {
  Habits habits;
  habits.partial_sum = [](double x) { return rounded_to(Dtype::bf16, x); };
  Multiplier subject(habits);
  bool caught = false;
  for (const Law& law : linear_laws()) {
    caught = caught || run_law(law, Dtype::f32, subject, {Level::smoke, 0}).outcome.verdict == Verdict::fail;
  }
  EXPECT_TRUE(caught);
  subject.declared(Dtype::f32).storage = Dtype::bf16;
  for (const Law& law : linear_laws()) {
    const LawResult result = run_law(law, Dtype::f32, subject, {Level::standard, 0});
    EXPECT_EQ(result.outcome.verdict, Verdict::pass)
        << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
  }
}

TEST(LinearLaws, UnofferedProductsAreUnsupported) {
  class Nothing final : public Subject {
   public:
    const std::string& name() const override { return name_; }
    const Model* model(std::string_view, Dtype) const override { return nullptr; }
    Status run(const Call&) override { return Status::unsupported; }

   private:
    std::string name_ = "nothing";
  };
  Nothing subject;
  for (const Law& law : linear_laws()) {
    std::vector<std::int64_t> lows;
    for (const Parameter& parameter : law.parameters) lows.push_back(parameter.low);
    const Case test_case{&law, Dtype::f32, lows, 0};
    EXPECT_EQ(run_case(test_case, subject).verdict, Verdict::unsupported) << law.name;
  }
}

// LIN-3: the operands of exact cases need the bits they are said to need, and the sums fit.
TEST(LinearLaws, ExactOperandsAreWideAndTheirSumsFit) {
  Multiplier subject({});
  for (const Dtype dtype : float_dtypes()) {
    for (const std::int64_t k : {1, 2, 33, 1024}) {
      const Case test_case{&law_named("lin_3_exact_long_sum"), dtype, {}, 0};
      Trial trial(test_case, subject);
      linear::Problem problem;
      problem.k = k;
      ASSERT_TRUE(linear::fill_exact(trial, problem));
      double sum = 0;
      int wide = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        const double x = problem.a.value(l) * 0x1p5;
        const double y = problem.b.value(l) * 0x1p5;
        ASSERT_EQ(x, std::nearbyint(x));
        ASSERT_NE(x * y, 0);
        sum += std::fabs(x * y);
        const auto narrow = dtype == Dtype::f64 ? Dtype::f32 : Dtype::bf16;
        if (rounded_to(narrow, x) != x || rounded_to(narrow, y) != y) ++wide;
      }
      const int precision = format_of(subject.declared(dtype).accumulator).precision;
      EXPECT_LE(sum, std::ldexp(1, precision - 2));
      if (dtype != Dtype::bf16) {
        EXPECT_GT(wide, 0) << name_of(dtype) << " k = " << k;
      }
    }
  }
}

TEST(LinearLaws, NamesAndClausesAgree) {
  std::set<std::string_view> clauses;
  for (const Law& law : linear_laws()) {
    EXPECT_TRUE(law.name.starts_with("lin_" + std::string(law.clause.substr(4)) + "_")) << law.name;
    clauses.insert(law.clause);
    for (const Example& example : law.examples) {
      ASSERT_EQ(example.values.size(), law.parameters.size()) << law.name;
      for (std::size_t i = 0; i < example.values.size(); ++i) {
        EXPECT_GE(example.values[i], law.parameters[i].low) << law.name << " " << law.parameters[i].name;
        EXPECT_LE(example.values[i], law.parameters[i].high) << law.name << " " << law.parameters[i].name;
      }
    }
  }
  EXPECT_EQ(clauses.size(), 5U);
}

}  // namespace
}  // namespace etalon::multiplying
