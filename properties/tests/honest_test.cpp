// Honest variants pass every law of their operations under the model they declare: a failure here is a
// false alarm of the suite, or a boast of the variant.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "properties/honest/variant.hpp"
#include "properties/mutants/mutant.hpp"
#include "properties/operations.hpp"
#include "properties/runner.hpp"

namespace etalon {
namespace {

// The laws that call the operation and nothing else, or nothing that the variant lacks.
bool concerns(const Law& law, const Variant& variant) {
  return !law.operations.empty() &&
         std::all_of(law.operations.begin(), law.operations.end(), [&](std::string_view operation) {
           return std::find(variant.operations.begin(), variant.operations.end(), operation) !=
                  variant.operations.end();
         });
}

// Laws of this level that judged nothing: their cases begin higher up.
bool has_cases(const Law& law) {
  return law.draws || law.examples.empty() ||
         std::any_of(law.examples.begin(), law.examples.end(),
                     [](const Example& example) { return example.from == Level::smoke; });
}

void expect_passes(const Variant& variant, Dtype dtype) {
  const auto subject = variant.make();
  int judged = 0;
  for (const Law& law : all_laws()) {
    if (!concerns(law, variant) || !has_cases(law)) continue;
    const std::vector<Dtype> dtypes = dtypes_of(law);
    if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end()) continue;
    const LawResult result = run_law(law, dtype, *subject, {Level::smoke, 0});
    if (law.parameters.empty() && result.cases == 0) continue;  // a single case, at a higher level
    EXPECT_EQ(result.outcome.verdict, Verdict::pass)
        << variant.name << " is answered " << name_of(result.outcome.verdict) << " at " << result.worst_case
        << ": " << result.outcome.witness.reason << ", margin " << result.outcome.worst_margin;
    EXPECT_EQ(result.unsupported, 0U) << variant.name << " declines cases of " << law.name;
    ++judged;
  }
  EXPECT_GT(judged, 0) << variant.name << " is judged by no law";
}

class HonestVariants : public ::testing::TestWithParam<std::string_view> {};

TEST_P(HonestVariants, PassEveryLawOfTheirOperations) {
  for (const Variant& variant : all_variants()) {
    const auto operation = std::find_if(operations.begin(), operations.end(), [&](const Operation& each) {
      return each.name == variant.operations.front();
    });
    ASSERT_NE(operation, operations.end()) << variant.name;
    if (operation->stem != GetParam()) continue;
    for (const Dtype dtype : variant.dtypes) expect_passes(variant, dtype);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, HonestVariants,
                         ::testing::Values("tokenizer", "embedding", "position", "input", "linear"),
                         [](const auto& each) { return std::string(each.param); });

TEST(HonestVariantList, NamesAreUniqueAmongVariantsAndMutants) {
  std::set<std::string_view> names;
  for (const Variant& variant : all_variants())
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
  for (const Mutant& mutant : all_mutants()) EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
}

TEST(HonestVariantList, EveryOperationHasOneAndTheListIsLong) {
  std::map<std::string_view, int> count;
  for (const Variant& variant : all_variants()) {
    EXPECT_FALSE(variant.does.empty()) << variant.name;
    EXPECT_FALSE(variant.dtypes.empty()) << variant.name;
    for (const std::string_view operation : variant.operations) ++count[operation];
  }
  for (const Operation& operation : operations) EXPECT_GE(count[operation.name], 1) << operation.name;
  EXPECT_GE(all_variants().size(), 32U);
}

// A subject offers what its variant says, on those dtypes and on no other.
TEST(HonestVariantList, SubjectsOfferWhatTheirVariantsSay) {
  for (const Variant& variant : all_variants()) {
    const auto subject = variant.make();
    EXPECT_EQ(subject->name(), variant.name);
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::u8}) {
      const bool listed =
          std::find(variant.dtypes.begin(), variant.dtypes.end(), dtype) != variant.dtypes.end();
      for (const std::string_view operation : variant.operations) {
        EXPECT_EQ(subject->model(operation, dtype) != nullptr, listed)
            << variant.name << " " << operation << " " << name_of(dtype);
      }
    }
  }
}

}  // namespace
}  // namespace etalon
