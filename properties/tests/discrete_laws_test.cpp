// The laws of SEQ, VOC and TOK pass on the reference, and each law of TOK fails on a subject with the
// fault that it is there to find.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/mutants/tokenizer_subject.hpp"
#include "properties/runner.hpp"

namespace etalon {
namespace {

const Law& law_named(std::string_view name) {
  static const std::vector<Law> laws = tokenizer_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  if (found == laws.end()) throw std::out_of_range("no law " + std::string(name));
  return *found;
}

void expect_all_pass(const std::vector<Law>& laws, Subject& subject) {
  for (const Law& law : laws) {
    for (const Dtype dtype : dtypes_of(law)) {
      const LawResult result = run_law(law, dtype, subject, {Level::standard, 0});
      // A vocabulary of one's own has no reference to agree with.
      if (law.name == "tok_7_reference_vocabulary" && result.cases == 0) continue;
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " on " << subject.name() << ": " << result.outcome.witness.reason << " in "
          << result.worst_case;
      EXPECT_GT(result.outcome.elements, 0U) << law.name << " judged nothing";
    }
  }
}

TEST(DiscreteLaws, PassOnTheReferenceDefinitions) {
  const auto subject = longest_match_subject()();
  expect_all_pass(sequences_laws(), *subject);
  expect_all_pass(vocabulary_laws(), *subject);
}

TEST(DiscreteLaws, PassOnLongestMatch) { expect_all_pass(tokenizer_laws(), *longest_match_subject()()); }
TEST(DiscreteLaws, PassOnBytePairs) { expect_all_pass(tokenizer_laws(), *byte_bpe_subject()()); }

TEST(DiscreteLaws, PassOnTheSmallestHonestTokenizer) {
  tokenizing::FaultyTokenizer subject(tokenizing::bytes_alone());
  expect_all_pass(tokenizer_laws(), subject);
}

// Which law finds which fault. A fault may break other laws too; here it must break this one.
const std::multimap<std::string_view, std::string_view> finders = {
    {"tok_1_deterministic", "mark_after_space"},
    {"tok_1_deterministic", "differs_across_threads"},
    {"tok_2_ids_in_vocabulary", "last_id_is_V"},
    {"tok_2_ids_in_vocabulary", "count_negative"},
    {"tok_3_empty_text", "space_from_nothing"},
    {"tok_5_lossless", "leading_space_dropped"},
    {"tok_5_lossless", "decoded_space_stripped"},
    {"tok_6_streaming_text", "parts_of_letters_dropped"},
    {"tok_6_streaming_text", "decoded_space_stripped"},
    {"tok_6_streaming_ids", "parts_of_letters_dropped"},
    {"tok_7_special_text_is_text", "specials_recognised"},
    {"tok_7_reference_vocabulary", "first_pair_met"},
    {"tok_7_reference_vocabulary", "rightmost_of_equal_rank"},
    {"tok_8_id_outside", "ids_clamped"},
    {"tok_8_id_outside", "ids_read_in_16_bits"},
    {"tok_8_id_outside", "ids_read_in_32_bits"},
    {"tok_8_id_outside", "refuses_after_counting"},
    {"tok_8_ill_formed_text", "ill_formed_replaced"},
    {"tok_9_capacity", "short_output_filled"},
    {"tok_9_capacity", "terminator"},
    {"tok_9_capacity", "count_of_what_fits"},
};

std::unique_ptr<Subject> mutant_named(std::string_view name) {
  for (const Mutant& mutant : all_mutants()) {
    if (mutant.name == name) return mutant.make();
  }
  throw std::out_of_range("no mutant " + std::string(name));
}

TEST(DiscreteLaws, EachFindsItsFault) {
  for (const auto& [name, fault] : finders) {
    const auto subject = mutant_named(fault);
    const LawResult result = run_law(law_named(name), Dtype::u8, *subject, {Level::standard, 0});
    EXPECT_EQ(result.outcome.verdict, Verdict::fail) << name << " does not see " << fault;
  }
}

TEST(DiscreteLaws, EveryLawOfASubjectHasAFaultThatItFinds) {
  for (const Law& law : tokenizer_laws()) {
    EXPECT_EQ(finders.contains(law.name), !law.operations.empty()) << law.name;
  }
}

// The case that a failure names fails again, alone, on a fresh subject of the same fault.
TEST(DiscreteLaws, FailuresReplayByName) {
  const auto subject = mutant_named("leading_space_dropped");
  const LawResult result = run_law(law_named("tok_5_lossless"), Dtype::u8, *subject, {Level::standard, 0});
  std::string error;
  const auto again = case_named(result.worst_case, error);
  ASSERT_TRUE(again.has_value()) << error;
  EXPECT_EQ(run_case(*again, *mutant_named("leading_space_dropped")).verdict, Verdict::fail);
  tokenizing::FaultyTokenizer honest;
  EXPECT_EQ(run_case(*again, honest).verdict, Verdict::pass);
}

// TOK-5, TOK-6: a subject that declares neither is not held to them, and to everything else it is.
TEST(DiscreteLaws, HoldOnlyThoseToDeclaredClausesWhoDeclareThem) {
  tokenizing::FaultyTokenizer subject;
  subject.declared = Model();
  subject.decoded = [](const std::string& text) { return text.starts_with(' ') ? text.substr(1) : text; };
  for (const std::string_view name : {"tok_5_lossless", "tok_6_streaming_text", "tok_6_streaming_ids"}) {
    EXPECT_EQ(run_law(law_named(name), Dtype::u8, subject, {}).outcome.verdict, Verdict::unsupported) << name;
  }
  subject.after = [&](tokenizing::Ids ids, const std::string&) {
    if (!ids.empty()) ids.back() = subject.size;
    return ids;
  };
  EXPECT_EQ(run_law(law_named("tok_2_ids_in_vocabulary"), Dtype::u8, subject, {}).outcome.verdict,
            Verdict::fail);
}

TEST(DiscreteLaws, AreNamedAfterTheirClauses) {
  std::set<std::string_view> names;
  for (const auto family : {sequences_laws, vocabulary_laws, tokenizer_laws}) {
    for (const Law& law : family()) {
      std::string stem;
      for (const char c : law.clause) stem += c == '-' ? '_' : static_cast<char>(std::tolower(c));
      EXPECT_TRUE(law.name.starts_with(stem + "_")) << law.name << " is a law of " << law.clause;
      EXPECT_TRUE(names.insert(law.name).second) << law.name << " is there twice";
    }
  }
}

}  // namespace
}  // namespace etalon
