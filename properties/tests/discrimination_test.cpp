// What a case is worth: planted faults show on it under the subject's own bounds, or it is blind.
#include "properties/mutants/discrimination.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "properties/runner.hpp"

namespace etalon {
namespace {

double ratio_of(const std::string& name) {
  std::string error;
  const std::optional<Case> test_case = case_named(name, error);
  if (!test_case) throw std::invalid_argument(error);
  const std::unique_ptr<Subject> reference = reference_subject()();
  return Discrimination().ratio(*test_case, *reference);
}

TEST(Discrimination, ACaseThatShowsAFaultIsWorthItsMargin) {
  EXPECT_GT(ratio_of("lin_1_product/f32/m=2,n=3,k=5,ta=no,tb=no,memory=dense,scaling=ab,pattern=unit"), 1);
  EXPECT_TRUE(std::isinf(ratio_of("pos_3_row_zero/f32/n=1,pairs=2,base=10000,layout=interleaved")));
}

TEST(Discrimination, ACaseWithoutMutantsIsNaN) {
  Law law;
  law.name = "emb_0_nothing";
  law.operations = {"no_such_operation"};
  law.check = [](Trial&) {};
  const std::unique_ptr<Subject> reference = reference_subject()();
  EXPECT_TRUE(std::isnan(Discrimination().ratio({&law, Dtype::f32, {}, 0}, *reference)));
}

// A law that asks for nothing lets every mutant pass.
TEST(Discrimination, ALawThatAsksNothingIsBlind) {
  Law law;
  law.name = "lin_0_nothing";
  law.clause = "LIN-0";
  law.operations = {"matmul"};
  law.dtypes = {Dtype::f32};
  law.check = [](Trial&) {};
  law.examples = {{Level::smoke, {}}};
  law.draws = false;
  const std::unique_ptr<Subject> reference = reference_subject()();
  Discrimination discrimination;
  RunOptions options;
  options.ratio = [&](const Case& test_case, const Subject& subject) {
    return discrimination.ratio(test_case, subject);
  };
  const LawResult result = run_law(law, Dtype::f32, *reference, options);
  EXPECT_EQ(result.outcome.verdict, Verdict::mistrusted);
  EXPECT_EQ(result.cases, 1U);
  EXPECT_EQ(result.blind, 1U);
  EXPECT_EQ(result.blind_case, "lin_0_nothing/f32");
}

TEST(Discrimination, TheLooserModelAdmitsWhatEitherAdmits) {
  Model a = Model::common(Dtype::f32);
  Model b = a;
  a.accumulator = Dtype::f64;
  a.angle = Angle::exact;
  a.height = 3;
  a.sine_ulp = 0.5;
  b.product_input = Dtype::bf16;
  b.rounding = Rounding::faithful;
  b.flushes_subnormals = true;
  b.height = 7;
  const Model loose = looser_of(a, b);
  EXPECT_EQ(loose.accumulator, Dtype::f32);
  EXPECT_EQ(loose.product_input, Dtype::bf16);
  EXPECT_EQ(loose.rounding, Rounding::faithful);
  EXPECT_EQ(loose.angle, Angle::working);
  EXPECT_TRUE(loose.flushes_subnormals);
  EXPECT_EQ(loose.height, 7);
  EXPECT_EQ(loose.sine_ulp, 1);
  b.height = 0;  // any order
  EXPECT_EQ(looser_of(a, b).height, 0);
}

// Levels are nested: what dies at one dies at every higher one.
TEST(Levels, AHigherLevelRunsTheCasesOfALowerOne) {
  const std::unique_ptr<Subject> reference = reference_subject()();
  for (const Law& law : all_laws()) {
    if (law.clause != "INP-2" && law.clause != "POS-1") continue;
    std::set<std::string> smoke;
    std::set<std::string> standard;
    for (auto* names : {&smoke, &standard}) {
      RunOptions options;
      options.level = names == &smoke ? Level::smoke : Level::standard;
      options.begins = [names](const Case& test_case) { names->insert(test_case.name()); };
      run_law(law, Dtype::f32, *reference, options);
    }
    for (const std::string& name : smoke) EXPECT_TRUE(standard.contains(name)) << name;
    EXPECT_LE(smoke.size(), standard.size());
    EXPECT_FALSE(smoke.empty()) << law.name;
  }
}

}  // namespace
}  // namespace etalon
