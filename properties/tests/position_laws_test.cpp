// The laws of position codes: honest subjects pass every one of them, and a float angle is told from an
// exact one by the margins that the model predicts.
#include <gtest/gtest.h>

#include <set>

#include "properties/mutants/position_subject.hpp"

namespace etalon::coding {
namespace {

void expect_all_pass(Coder& subject) {
  for (const Law& law : position_laws()) {
    for (const Dtype dtype : dtypes_of(law)) {
      const LawResult result = run_standard(law.name, dtype, subject);
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " " << name_of(dtype) << ": " << result.worst_case << " "
          << result.outcome.witness.reason << " margin " << result.outcome.worst_margin;
      EXPECT_GT(result.cases, 0U) << law.name;
    }
  }
}

TEST(PositionLaws, FloatAnglesPassWhereDeclared) {
  Coder subject(Angle::working, working_entry);
  expect_all_pass(subject);
}

TEST(PositionLaws, DoubleAnglesPassWhereDeclared) {
  Coder subject(Angle::in_double, double_entry);
  expect_all_pass(subject);
}

TEST(PositionLaws, TheReferencePasses) {
  const auto subject = reference_subject()();
  for (const Law& law : position_laws()) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f16}) {
      const LawResult result = run_law(law, dtype, *subject, {Level::smoke, 0});
      if (result.cases == 0) continue;  // no case at this level
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
    }
  }
}

TEST(PositionLaws, NamesAndClausesAgree) {
  std::set<std::string_view> clauses;
  for (const Law& law : position_laws()) {
    const std::string number(law.clause.substr(4));
    EXPECT_TRUE(law.name.starts_with("pos_" + number + "_")) << law.name;
    clauses.insert(law.clause);
    for (const Example& example : law.examples) {
      ASSERT_EQ(example.values.size(), law.parameters.size()) << law.name;
      for (std::size_t i = 0; i < example.values.size(); ++i) {
        EXPECT_GE(example.values[i], law.parameters[i].low) << law.name << " " << law.parameters[i].name;
        EXPECT_LE(example.values[i], law.parameters[i].high) << law.name << " " << law.parameters[i].name;
      }
    }
  }
  EXPECT_EQ(clauses.size(), 12U);
}

// The frequency by exp, the other formula that float programs use: the longer way to the angle.
double float_entry_by_exp(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const float exponent = -2.0F * static_cast<float>(r) * std::log(static_cast<float>(request.base));
  const float angle = static_cast<float>(position) * std::exp(exponent / static_cast<float>(request.d));
  return is_cosine ? std::cos(angle) : std::sin(angle);
}

// What a whole table shows: d = 64, positions 0 .. 4095, base 10000, in f32.
struct Survey {
  double error = 0;         // largest |got - truth|
  double margin = 0;        // largest error in units of the bound
  double steep_margin = 0;  // the same over the entries of at least 1/2 in size
};

Survey survey(Angle angle, Entry entry) {
  Coder subject(angle, std::move(entry));
  const Case test_case{&law_named("pos_2_last_rows"), Dtype::f32, {}, 0};
  Trial trial(test_case, subject);
  const position::Code code(trial, 64, 10000);
  Tensor out = trial.output({4096, 64});
  EXPECT_TRUE(code.ask(out, 0));
  Survey found;
  for (std::int64_t i = 0; i < out.elements(); ++i) {
    const Expected expected = code.entry(i / 64, i % 64);
    const double error = std::fabs((out.value(i) - expected.truth.hi) - expected.truth.lo);
    if (error == 0) continue;
    found.error = std::max(found.error, error);
    found.margin = std::max(found.margin, error / expected.bound);
    if (std::fabs(expected.truth.hi) >= 0.5)
      found.steep_margin = std::max(found.steep_margin, error / expected.bound);
  }
  return found;
}

// POS-2: the bound of the working-format angle is about twice to five times what float programs do,
// and the largest error is near 2^-12.
TEST(PositionLaws, MarginsOfFloatAnglesLieWhereTheModelPutsThem) {
  for (const Entry& entry : {Entry(float_entry), Entry(float_entry_by_exp)}) {
    const Survey declared = survey(Angle::working, entry);
    EXPECT_GT(declared.margin, 0.2);
    EXPECT_LT(declared.margin, 0.55);
    EXPECT_GT(declared.error, 0x1p-13);
    EXPECT_LT(declared.error, 0x1p-11);
  }
}

// The same programs against the bound of an exact angle, an ulp or two: thousands of times too far off,
// and more where the truth is near a zero.
TEST(PositionLaws, FloatAnglesFailWhereExactOnesAreDeclared) {
  const Survey boasted = survey(Angle::exact, float_entry);
  EXPECT_GT(boasted.steep_margin, 500);
  EXPECT_LT(boasted.steep_margin, 8000);
  EXPECT_GT(boasted.margin, boasted.steep_margin);
  Coder honest(Angle::working, float_entry);
  Coder boasting(Angle::exact, float_entry);
  for (const std::string_view law : {"pos_2_definition", "pos_2_table_512x512", "pos_2_table_from_2_20"}) {
    EXPECT_EQ(run_standard(law, Dtype::f32, honest).outcome.verdict, Verdict::pass) << law;
    EXPECT_EQ(run_standard(law, Dtype::f32, boasting).outcome.verdict, Verdict::fail) << law;
  }
}

// Angles in binary64, rounded once at the end: half an ulp of f32 and a trifle.
TEST(PositionLaws, DoubleAnglesAreWithinHalfAnUlp) {
  const Survey found = survey(Angle::in_double, double_entry);
  EXPECT_LT(found.error, 0x1.0001p-25);
  EXPECT_LE(found.margin, 1);
}

}  // namespace
}  // namespace etalon::coding
