// Tests of laws by table: which mutant each law must refute, though it may not be of the mutant's clause.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "properties/mutants/mutant.hpp"
#include "properties/mutants/plain_subject.hpp"
#include "properties/runner.hpp"

namespace etalon::testing {

struct Refutation {
  std::string_view law;
  std::string_view mutant;
  bool harmless = false;  // the law cannot see this fault, and must not
};

inline const Law* law_named(const std::vector<Law>& laws, std::string_view name) {
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  return found == laws.end() ? nullptr : &*found;
}

inline const Mutant* mutant_named(std::string_view name) {
  const auto found = std::find_if(all_mutants().begin(), all_mutants().end(),
                                  [&](const Mutant& mutant) { return mutant.name == name; });
  return found == all_mutants().end() ? nullptr : &*found;
}

inline void expect_all_pass(const std::vector<Law>& laws) {
  for (const Law& law : laws) {
    for (const Dtype dtype : dtypes_of(law)) {
      plain::PlainSubject subject;
      const LawResult result = run_law(law, dtype, subject, {Level::standard, 0});
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " " << name_of(result.outcome.verdict) << " at " << result.worst_case << ": "
          << result.outcome.witness.reason;
      EXPECT_GT(result.cases, 0U) << law.name;
      EXPECT_EQ(result.unsupported, 0U) << law.name;
    }
  }
}

// What the law finds, at the quick level if that suffices.
inline LawResult result_of(const Law& law, Dtype dtype, const Mutant& mutant) {
  LawResult result;
  for (const Level level : {Level::smoke, Level::standard}) {
    const auto subject = mutant.make();
    result = run_law(law, dtype, *subject, {level, 0});
    if (result.outcome.verdict != Verdict::pass) break;
  }
  return result;
}

inline void expect_refuted(const std::vector<Law>& laws, const std::vector<Refutation>& refutations) {
  for (const Refutation& refutation : refutations) {
    const Law* law = law_named(laws, refutation.law);
    const Mutant* mutant = mutant_named(refutation.mutant);
    ASSERT_NE(law, nullptr) << refutation.law;
    ASSERT_NE(mutant, nullptr) << refutation.mutant;
    for (const Dtype dtype : mutant->dtypes) {
      const LawResult result = result_of(*law, dtype, *mutant);
      EXPECT_EQ(result.outcome.verdict, refutation.harmless ? Verdict::pass : Verdict::fail)
          << law->name << " in " << name_of(dtype) << " against " << mutant->name << ": "
          << name_of(result.outcome.verdict) << " " << result.outcome.witness.reason;
    }
  }
}

// Every law of the family is shown to refute something.
inline void expect_covered(const std::vector<Law>& laws, const std::vector<Refutation>& refutations) {
  for (const Law& law : laws) {
    EXPECT_TRUE(std::any_of(refutations.begin(), refutations.end(), [&](const Refutation& each) {
      return each.law == law.name && !each.harmless;
    })) << law.name;
  }
}

}  // namespace etalon::testing
