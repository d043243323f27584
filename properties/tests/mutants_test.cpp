// The strength of the laws: every mutant is refuted by those of its clause, and every law refutes a mutant.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "properties/honest/variant.hpp"
#include "properties/mutants/mutant.hpp"
#include "properties/operations.hpp"
#include "properties/runner.hpp"

namespace etalon {
namespace {

template <typename Range, typename Value>
bool contains(const Range& range, const Value& value) {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

bool calls_one_of(const Law& law, const Mutant& mutant) {
  return std::any_of(law.operations.begin(), law.operations.end(),
                     [&](std::string_view operation) { return contains(mutant.operations, operation); });
}

bool runs_on(const Law& law, const Mutant& mutant, Dtype dtype) {
  return calls_one_of(law, mutant) && contains(dtypes_of(law), dtype);
}

LawResult result_of(const Law& law, Dtype dtype, Subject& subject, Level level) {
  RunOptions options;
  options.level = level;
  options.shrinks = false;
  return run_law(law, dtype, subject, options);
}

// Whether one of the laws refutes the mutant: all of them at the quick level before any at the slower one.
bool refuted(const std::vector<const Law*>& laws, const Mutant& mutant, Dtype dtype) {
  const auto subject = mutant.make();
  for (const Level level : {Level::smoke, Level::standard}) {
    for (const Law* law : laws) {
      if (result_of(*law, dtype, *subject, level).outcome.verdict == Verdict::fail) return true;
    }
  }
  return false;
}

std::vector<const Law*> laws_of(std::string_view clause, const Mutant& mutant, Dtype dtype) {
  std::vector<const Law*> laws;
  for (const Law& law : all_laws()) {
    if (law.clause == clause && runs_on(law, mutant, dtype)) laws.push_back(&law);
  }
  return laws;
}

struct Planted {
  const Mutant* mutant;
  Dtype dtype;
};

std::string name_of(const Planted& planted) {
  return std::string(planted.mutant->name) + "_" + std::string(name_of(planted.dtype));
}
std::ostream& operator<<(std::ostream& out, const Planted& planted) { return out << name_of(planted); }

std::vector<Planted> all_planted() {
  std::vector<Planted> all;
  for (const Mutant& mutant : all_mutants()) {
    for (const Dtype dtype : mutant.dtypes) all.push_back({&mutant, dtype});
  }
  return all;
}

class Mutants : public testing::TestWithParam<Planted> {};

TEST_P(Mutants, AreRefutedByTheirClause) {
  const auto& [mutant, dtype] = GetParam();
  const std::vector<const Law*> laws = laws_of(mutant->clause, *mutant, dtype);
  ASSERT_FALSE(laws.empty()) << mutant->clause << " has no law of these operations on " << name_of(dtype);
  EXPECT_TRUE(refuted(laws, *mutant, dtype)) << mutant->does;
}

INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(all_planted()),
                         [](const auto& each) { return name_of(each.param); });

TEST(MutantList, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const Mutant& mutant : all_mutants()) EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
  for (const Variant& variant : all_variants())
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
}

TEST(MutantList, KindsAndDtypesAreWellFormed) {
  std::set<std::string_view> kinds;
  for (const FaultKind& kind : fault_kinds()) kinds.insert(kind.name);
  for (const Mutant& mutant : all_mutants()) {
    EXPECT_TRUE(kinds.contains(mutant.kind)) << mutant.name << ": " << mutant.kind;
    EXPECT_FALSE(mutant.does.empty()) << mutant.name;
    EXPECT_FALSE(mutant.operations.empty()) << mutant.name;
    EXPECT_FALSE(mutant.dtypes.empty()) << mutant.name;
    for (const Equivalence& equivalence : mutant.equivalent) {
      EXPECT_FALSE(contains(mutant.dtypes, equivalence.dtype)) << mutant.name << " " << equivalence.why;
      EXPECT_FALSE(equivalence.why.empty()) << mutant.name;
    }
  }
}

TEST(MutantList, OffersItsOperationsOnItsDtypesAndNothingElse) {
  for (const Mutant& mutant : all_mutants()) {
    const auto subject = mutant.make();
    for (const Operation& operation : operations) {
      for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16, Dtype::u8}) {
        const bool due = contains(mutant.operations, operation.name) && contains(mutant.dtypes, dtype);
        EXPECT_EQ(subject->model(operation.name, dtype) != nullptr, due)
            << mutant.name << " " << operation.name << " " << name_of(dtype);
      }
    }
  }
}

// A law that refutes nothing may as well be left out. Mutants of its own clause are tried first.
struct Demand {
  const Law* law;
  Dtype dtype;
};

std::string name_of(const Demand& demand) {
  return std::string(demand.law->name) + "_" + std::string(name_of(demand.dtype));
}
std::ostream& operator<<(std::ostream& out, const Demand& demand) { return out << name_of(demand); }

std::vector<Demand> all_demands() {
  std::vector<Demand> all;
  for (const Law& law : all_laws()) {
    if (law.operations.empty() || law.dtypes.empty()) continue;
    for (const Dtype dtype : law.dtypes) all.push_back({&law, dtype});
  }
  return all;
}

class Laws : public testing::TestWithParam<Demand> {};

TEST_P(Laws, RefuteAMutant) {
  const auto& [law, dtype] = GetParam();
  for (const bool own_clause : {true, false}) {
    for (const Mutant& mutant : all_mutants()) {
      if ((mutant.clause == law->clause) != own_clause) continue;
      if (!contains(mutant.dtypes, dtype) || !calls_one_of(*law, mutant)) continue;
      if (refuted({law}, mutant, dtype)) return;
    }
  }
  FAIL() << "no mutant is refuted by " << law->name << " on " << name_of(dtype);
}

INSTANTIATE_TEST_SUITE_P(All, Laws, testing::ValuesIn(all_demands()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace etalon
