#include "conformance/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace etalon {
namespace {

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(glob_matches("POS-4", "POS-4"));
  EXPECT_TRUE(glob_matches("pos-*", "POS-12"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*-1?", "POS-12"));
  EXPECT_TRUE(glob_matches("P*S*2", "POS-12"));
  EXPECT_FALSE(glob_matches("POS-1", "POS-12"));
  EXPECT_FALSE(glob_matches("POS-1?", "POS-1"));
  EXPECT_FALSE(glob_matches("", "POS-1"));
  EXPECT_FALSE(glob_matches("*3", "POS-12"));
}

Selection smoke(const std::string& clause) {
  Selection selection;
  selection.clauses = {clause};
  selection.options.level = Level::smoke;
  selection.jobs = 2;
  return selection;
}

TEST(Campaign, LawsOfTheReferenceRunOnceAndFloatLawsOnEachSubject) {
  std::vector<Entrant> entrants = own_entrants();
  entrants.push_back({"second", "", reference_subject()});
  std::multiset<std::string> sequences;
  for (const Finding& finding : run_campaign(entrants, {}, smoke("SEQ-1"))) sequences.insert(finding.subject);
  EXPECT_GT(sequences.count("reference"), 0U);
  EXPECT_EQ(sequences.size(), sequences.count("reference"));
  std::set<std::string> subjects;
  for (const Finding& finding : run_campaign(entrants, {}, smoke("EMB-1"))) subjects.insert(finding.subject);
  EXPECT_EQ(subjects, (std::set<std::string>{"reference", "second"}));
  subjects.clear();
  for (const Finding& finding : run_campaign(entrants, {}, smoke("TOK-1"))) {
    if (finding.cases > 0) subjects.insert(finding.subject);
  }
  EXPECT_TRUE(subjects.contains("longest_match") && subjects.contains("byte_bpe"));
}

TEST(Campaign, ProgressCountsEveryPieceOnce) {
  std::vector<std::size_t> seen;
  std::size_t total = 0;
  run_campaign(own_entrants(), {}, smoke("POS-3"), [&](std::size_t done, std::size_t all, const Finding&) {
    seen.push_back(done);
    total = all;
  });
  ASSERT_EQ(seen.size(), total);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i + 1);
}

}  // namespace
}  // namespace etalon
