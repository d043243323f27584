// The laws of SEQ, VOC and TOK pass on the reference, and each law of TOK fails on a subject with the
// fault that it is there to find.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "properties/runner.hpp"
#include "reference/utf8.hpp"

namespace etalon {
namespace {

enum class Fault {
  none,
  drops_leading_space,     // of a text
  id_is_V,                 // for the last token
  keeps_state,             // a text that ends in a space makes the next one begin differently
  differs_across_threads,  // answers otherwise outside the thread that made it
  space_from_nothing,      // the text of no ids is " "
  drops_broken_letters,    // decodes to UTF-8 and leaves out what is none
  strips_decoded_space,    // leading space of every decoded text
  spells_special,          // "<s>" in a text becomes the special type
  clamps_ids,              // into [0, V)
  narrows_ids,             // to 16 bits
  narrows_ids_to_32_bits,
  writes_then_refuses,   // the count, before it sees the bad id
  replaces_ill_formed,   // by U+FFFD
  fills_short_outputs,   // writes what fits
  writes_beyond_count,   // a terminator after the last element
  counts_what_it_wrote,  // min(count, capacity)
  negative_count,
};

// Ids are bytes, and 256 is a special type: the smallest honest tokenizer, with a fault on demand.
class ByteTokenizer final : public Subject {
 public:
  explicit ByteTokenizer(Fault fault, bool declares = true) : fault_(fault) {
    model_.lossless = declares;
    model_.streaming = declares;
  }

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    const bool offered =
        operation == "tokenize" || operation == "detokenize" || operation == "vocabulary_size";
    return offered && dtype == Dtype::u8 ? &model_ : nullptr;
  }

  Status run(const Call& call) override {
    if (call.operation == "tokenize") return tokenize(call);
    if (call.operation == "detokenize") return detokenize(call);
    store_bits(element(call.tensor("count")), size, 8);
    return Status::ok;
  }

 private:
  static constexpr std::int64_t size = 257;

  Status tokenize(const Call& call) {
    std::vector<std::int64_t> ids;
    const View& text = call.tensor("text");
    for (std::int64_t i = 0; i < text.shape[0]; ++i)
      ids.push_back(static_cast<std::int64_t>(load_bits(element(text, i), 1)));
    const bool after_space = std::exchange(after_space_, !ids.empty() && ids.back() == ' ');
    if (fault_ == Fault::drops_leading_space && !ids.empty() && ids.front() == ' ') ids.erase(ids.begin());
    if (fault_ == Fault::id_is_V && !ids.empty()) ids.back() = size;
    if (fault_ == Fault::keeps_state && after_space) ids.insert(ids.begin(), 256);
    if (fault_ == Fault::differs_across_threads && std::this_thread::get_id() != home_) ids.push_back(256);
    if (fault_ == Fault::spells_special) join_special(ids);
    if (fault_ == Fault::replaces_ill_formed) replace_ill_formed(ids);
    return answer(call.tensor("ids"), call.tensor("count"), ids);
  }

  Status detokenize(const Call& call) {
    std::string text;
    const View& ids = call.tensor("ids");
    for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
      const std::int64_t id = read_id(static_cast<std::int64_t>(load_bits(element(ids, i), 8)));
      if (id < 0 || id >= size) {
        if (fault_ == Fault::writes_then_refuses) store_bits(element(call.tensor("count")), 0, 8);
        return Status::invalid_argument;
      }
      if (id < 256) text.push_back(static_cast<char>(id));
    }
    if (fault_ == Fault::space_from_nothing && ids.shape[0] == 0) text = " ";
    if (fault_ == Fault::strips_decoded_space && text.starts_with(' ')) text.erase(0, 1);
    if (fault_ == Fault::drops_broken_letters && utf8_error(text)) text.clear();
    std::vector<std::int64_t> bytes;
    for (const char byte : text) bytes.push_back(static_cast<unsigned char>(byte));
    return answer(call.tensor("text"), call.tensor("count"), bytes);
  }

  std::int64_t read_id(std::int64_t id) const {
    if (fault_ == Fault::clamps_ids) return std::clamp<std::int64_t>(id, 0, size - 1);
    if (fault_ == Fault::narrows_ids) return id & 0xFFFF;
    if (fault_ == Fault::narrows_ids_to_32_bits) return static_cast<std::int32_t>(id);
    return id;
  }

  Status answer(const View& out, const View& count, const std::vector<std::int64_t>& values) const {
    auto length = static_cast<std::int64_t>(values.size());
    const std::int64_t capacity = out.shape[0];
    const bool fits = length <= capacity;
    if (fault_ == Fault::counts_what_it_wrote) length = std::min(length, capacity);
    if (fault_ == Fault::negative_count) length = -length;
    store_bits(element(count), static_cast<std::uint64_t>(length), 8);
    if (!fits && fault_ != Fault::fills_short_outputs) return Status::ok;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(static_cast<std::int64_t>(values.size()), capacity);
         ++i) {
      store_bits(element(out, i), static_cast<std::uint64_t>(values[static_cast<std::size_t>(i)]),
                 size_of(out.dtype));
    }
    if (fault_ == Fault::writes_beyond_count && length < capacity)
      store_bits(element(out, length), 0, size_of(out.dtype));
    return Status::ok;
  }

  static void join_special(std::vector<std::int64_t>& ids) {
    const std::vector<std::int64_t> name = {'<', 's', '>'};
    const auto found = std::search(ids.begin(), ids.end(), name.begin(), name.end());
    if (found == ids.end()) return;
    *found = 256;
    ids.erase(found + 1, found + 3);
  }

  static void replace_ill_formed(std::vector<std::int64_t>& ids) {
    const std::string text(ids.begin(), ids.end());
    if (utf8_error(text)) ids.assign({0xEF, 0xBF, 0xBD});
  }

  std::string name_ = "test:bytes";
  Fault fault_;
  Model model_;
  bool after_space_ = false;
  std::thread::id home_ = std::this_thread::get_id();
};

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
  ByteTokenizer subject(Fault::none);
  expect_all_pass(tokenizer_laws(), subject);
}

// Which law finds which fault. A fault may break other laws too; here it must break this one.
const std::multimap<std::string_view, Fault> finders = {
    {"tok_1_deterministic", Fault::keeps_state},
    {"tok_1_deterministic", Fault::differs_across_threads},
    {"tok_2_ids_in_vocabulary", Fault::id_is_V},
    {"tok_2_ids_in_vocabulary", Fault::negative_count},
    {"tok_3_empty_text", Fault::space_from_nothing},
    {"tok_5_lossless", Fault::drops_leading_space},
    {"tok_5_lossless", Fault::strips_decoded_space},
    {"tok_6_streaming_text", Fault::drops_broken_letters},
    {"tok_6_streaming_text", Fault::strips_decoded_space},
    {"tok_6_streaming_ids", Fault::drops_broken_letters},
    {"tok_7_special_text_is_text", Fault::spells_special},
    {"tok_8_id_outside", Fault::clamps_ids},
    {"tok_8_id_outside", Fault::narrows_ids},
    {"tok_8_id_outside", Fault::narrows_ids_to_32_bits},
    {"tok_8_id_outside", Fault::writes_then_refuses},
    {"tok_8_ill_formed_text", Fault::replaces_ill_formed},
    {"tok_9_capacity", Fault::fills_short_outputs},
    {"tok_9_capacity", Fault::writes_beyond_count},
    {"tok_9_capacity", Fault::counts_what_it_wrote},
};

TEST(DiscreteLaws, EachFindsItsFault) {
  for (const auto& [name, fault] : finders) {
    ByteTokenizer subject(fault);
    const LawResult result = run_law(law_named(name), Dtype::u8, subject, {Level::standard, 0});
    EXPECT_EQ(result.outcome.verdict, Verdict::fail)
        << name << " does not see fault " << static_cast<int>(fault);
  }
}

TEST(DiscreteLaws, EveryLawOfASubjectHasAFaultThatItFinds) {
  for (const Law& law : tokenizer_laws()) {
    EXPECT_EQ(finders.contains(law.name), !law.operations.empty()) << law.name;
  }
}

// The case that a failure names fails again, alone, on a fresh subject of the same fault.
TEST(DiscreteLaws, FailuresReplayByName) {
  ByteTokenizer subject(Fault::drops_leading_space);
  const Law& law = law_named("tok_5_lossless");
  const LawResult result = run_law(law, Dtype::u8, subject, {Level::standard, 0});
  std::string error;
  const auto again = case_named(result.worst_case, error);
  ASSERT_TRUE(again.has_value()) << error;
  ByteTokenizer fresh(Fault::drops_leading_space);
  EXPECT_EQ(run_case(*again, fresh).verdict, Verdict::fail);
  ByteTokenizer honest(Fault::none);
  EXPECT_EQ(run_case(*again, honest).verdict, Verdict::pass);
}

// TOK-5, TOK-6: a subject that declares neither is not held to them, and to everything else it is.
TEST(DiscreteLaws, HoldOnlyThoseToDeclaredClausesWhoDeclareThem) {
  ByteTokenizer subject(Fault::strips_decoded_space, false);
  for (const std::string_view name : {"tok_5_lossless", "tok_6_streaming_text", "tok_6_streaming_ids"}) {
    EXPECT_EQ(run_law(law_named(name), Dtype::u8, subject, {}).outcome.verdict, Verdict::unsupported) << name;
  }
  ByteTokenizer outside(Fault::id_is_V, false);
  EXPECT_EQ(run_law(law_named("tok_2_ids_in_vocabulary"), Dtype::u8, outside, {}).outcome.verdict,
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
