// The suite measures itself: who dies where, who is refused wrongly, and that neither is ever passed over.
#include "conformance/power.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "conformance/report/power.hpp"

namespace etalon {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

PowerOptions asking(std::vector<std::string> subjects, Level level = Level::smoke) {
  PowerOptions options;
  options.subjects = std::move(subjects);
  options.attack_seconds = 0;
  options.selection.options.level = level;
  return options;
}

std::string text_of(const Power& power) {
  std::ostringstream text;
  write_power(text, power);
  return text.str();
}

TEST(Power, AMutantDiesWhereItIsClaimed) {
  const Power power = measure_power(asking({"code_first_ignored"}));
  ASSERT_THAT(power.mutants, SizeIs(4));  // its dtypes
  for (const MutantForm& form : power.mutants) {
    EXPECT_TRUE(form.killed_where_claimed());
    EXPECT_EQ(form.killed_at, Level::smoke);
    EXPECT_GT(form.usual.outputs, 0U);
    EXPECT_GT(form.cases, 0U);
  }
  EXPECT_THAT(power.variants, IsEmpty());
  EXPECT_EQ(power.killed(), 4U);
  EXPECT_THAT(text_of(power), EndsWith("4 of 4 mutants killed, 0 false alarms\n"));
  EXPECT_THAT(text_of(power), Not(HasSubstr("SURVIVED")));
}

TEST(Power, AnHonestVariantPasses) {
  const Power power = measure_power(asking({"matmul_pairwise"}));
  EXPECT_THAT(power.mutants, IsEmpty());
  ASSERT_FALSE(power.variants.empty());
  for (const VariantForm& form : power.variants) {
    EXPECT_THAT(form.alarms, IsEmpty()) << form.alarms.front().outcome.witness.reason;
    EXPECT_GT(form.worst_margin, 0);
    EXPECT_LE(form.worst_margin, 1);
    EXPECT_FALSE(form.nearest.empty());
  }
}

TEST(Power, ASurvivorOfOneLevelGoesOnToTheNext) {
  const Power smoke = measure_power(asking({"middle_element_off"}));
  const Power standard = measure_power(asking({"middle_element_off"}, Level::standard));
  ASSERT_THAT(smoke.mutants, SizeIs(4));
  EXPECT_EQ(smoke.killed(), 0U);
  EXPECT_THAT(text_of(smoke), HasSubstr("SURVIVED middle_element_off in f32"));
  EXPECT_EQ(standard.killed(), 4U);
  EXPECT_EQ(standard.killed_by(Level::smoke), 0U);
}

TEST(Power, SelectingNothingIsSaid) {
  EXPECT_THROW(measure_power(asking({"no_such_subject"})), std::invalid_argument);
  PowerOptions other = asking({"code_first_ignored"});
  other.selection.clauses = {"TOK-*"};
  EXPECT_THROW(measure_power(other), std::invalid_argument);
}

TEST(Power, TheBoundsAreAttacked) {
  PowerOptions options = asking({"code_first_ignored"});
  options.attack_seconds = 0.5;
  const Power power = measure_power(options);
  EXPECT_TRUE(power.bounds_hold());
  std::set<std::string> operations;
  for (const Highest& attack : power.attacks) operations.insert(attack.operation);
  EXPECT_THAT(operations, SizeIs(3));
  EXPECT_THAT(text_of(power), HasSubstr("exhaustive"));
}

// A result in which everything has gone wrong.
Power gone_wrong() {
  Power power;
  const Mutant& mutant = all_mutants().front();
  power.mutants.resize(2);
  for (MutantForm& form : power.mutants) form.mutant = &mutant;
  power.mutants[1].refutations.push_back({"XYZ-1", "xyz_1_law", "xyz_1_law/f32/", Tier::bound, 2.5});
  power.variants.resize(1);
  power.variants[0].variant = &all_variants().front();
  Finding alarm;
  alarm.law = "lin_1_product";
  alarm.worst_case = "lin_1_product/f32/m=1";
  alarm.outcome.verdict = Verdict::fail;
  alarm.outcome.worst_margin = 1.25;
  power.variants[0].alarms.push_back(alarm);
  power.attacks.push_back({"matmul", "p = 3", 1.5, 7, "a = 0x1p0", true});
  return power;
}

TEST(PowerReport, NamesSurvivorsMisclaimsAndFalseAlarms) {
  const Power power = gone_wrong();
  EXPECT_EQ(power.killed(), 1U);
  EXPECT_EQ(power.alarms(), 1U);
  const std::string text = text_of(power);
  EXPECT_THAT(text, HasSubstr("SURVIVED " + std::string(all_mutants().front().name)));
  EXPECT_THAT(text, HasSubstr("MISCLAIMED " + std::string(all_mutants().front().name)));
  EXPECT_THAT(text, HasSubstr("FALSE ALARM " + std::string(all_variants().front().name)));
  EXPECT_THAT(text, HasSubstr("lin_1_product/f32/m=1"));
  EXPECT_THAT(text, HasSubstr("BROKEN: a = 0x1p0"));
  EXPECT_FALSE(power.bounds_hold());
  EXPECT_THAT(text, EndsWith("1 of 2 mutants killed, 1 false alarms\n"));
}

TEST(PowerReport, JsonSaysTheSame) {
  const auto json = nlohmann::json::parse(power_json(gone_wrong()));
  EXPECT_EQ(json["format"], "etalon-power-1");
  EXPECT_EQ(json["killed"], 1);
  EXPECT_EQ(json["false_alarms"], 1);
  EXPECT_EQ(json["mutants"][0]["killed"], false);
  EXPECT_EQ(json["mutants"][1]["killed_by_its_clause"], false);
  EXPECT_EQ(json["mutants"][1]["refutations"][0]["ratio"], 2.5);
  EXPECT_EQ(json["variants"][0]["false_alarms"][0]["margin"], 1.25);
}

// Every case of the smoke level is worth something to somebody.
TEST(Trust, NoLawIsMistrusted) {
  Selection selection;
  selection.options.level = Level::smoke;
  std::set<std::string> laws;
  for (const Finding& finding : measure_trust(selection)) {
    EXPECT_LT(finding.blind, finding.cases) << finding.law << " in " << finding.dtype;
    EXPECT_GT(finding.least_ratio, 1) << finding.law << " in " << finding.dtype;
    laws.insert(finding.law);
  }
  EXPECT_GT(laws.size(), 50U);
}

TEST(TrustReport, NamesBlindCasesAndMistrustedLaws) {
  Finding some;
  some.law = "some_law";
  some.cases = 5;
  some.blind = 1;
  some.blind_case = "some_law/f32/n=0";
  some.least_ratio = 3;
  Finding none = some;
  none.law = "blind_law";
  none.blind = 5;
  std::ostringstream text;
  write_trust(text, {some, none});
  EXPECT_THAT(text.str(), HasSubstr("some_law/f32/n=0"));
  EXPECT_THAT(text.str(), HasSubstr("MISTRUSTED"));
  EXPECT_THAT(text.str(), EndsWith("10 cases, 6 of them blind: no planted fault shows on them\n"));
}

// Every kind of fault has at least two forms, and the honest side is as broad.
TEST(Members, AreMany) {
  for (const FaultKind& kind : fault_kinds()) {
    const auto forms = std::count_if(all_mutants().begin(), all_mutants().end(),
                                     [&](const Mutant& mutant) { return mutant.kind == kind.name; });
    EXPECT_GE(forms, 2) << kind.name;
  }
  EXPECT_GE(all_variants().size(), 25U);
}

}  // namespace
}  // namespace etalon
