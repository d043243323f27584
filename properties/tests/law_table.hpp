// Tests of laws by table: which fault each law must refute.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "properties/mutants/plain_subject.hpp"

namespace etalon::testing {

struct Refutation {
  std::string_view law;
  Fault fault;
  bool harmless = false;  // the law cannot see this fault, and must not
};

inline const Law* law_named(const std::vector<Law>& laws, std::string_view name) {
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  return found == laws.end() ? nullptr : &*found;
}

inline void expect_all_pass(const std::vector<Law>& laws) {
  for (const Law& law : laws) {
    for (const Dtype dtype : dtypes_of(law)) {
      const LawResult result = result_of(law, dtype, Fault::none, Level::standard);
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " " << name_of(result.outcome.verdict) << " at " << result.worst_case << ": "
          << result.outcome.witness.reason;
      EXPECT_GT(result.cases, 0U) << law.name;
      EXPECT_EQ(result.unsupported, 0U) << law.name;
    }
  }
}

inline void expect_refuted(const std::vector<Law>& laws, const std::vector<Refutation>& refutations) {
  for (const Refutation& refutation : refutations) {
    const Law* law = law_named(laws, refutation.law);
    ASSERT_NE(law, nullptr) << refutation.law;
    for (const Dtype dtype : dtypes_of(*law)) {
      LawResult result = result_of(*law, dtype, refutation.fault, Level::smoke);
      if (result.outcome.verdict == Verdict::pass) {
        result = result_of(*law, dtype, refutation.fault, Level::standard);
      }
      EXPECT_EQ(result.outcome.verdict, refutation.harmless ? Verdict::pass : Verdict::fail)
          << law->name << " in " << name_of(dtype) << " against fault " << static_cast<int>(refutation.fault)
          << ": " << name_of(result.outcome.verdict) << " " << result.outcome.witness.reason;
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
