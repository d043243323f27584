// TOK: laws of tokenizers, over any subject that tokenizes. Ids are 0-based here (IDX-1): a subject
// with a vocabulary of V types uses the ids 0..V-1. The definitions of the two reference tokenizers
// are checked in tokenizer_definitions.cpp.
#include <future>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/law.hpp"
#include "properties/texts.hpp"
#include "properties/tokenizer_calls.hpp"
#include "properties/tokenizer_subjects.hpp"
#include "properties/trial.hpp"
#include "reference/utf8.hpp"

namespace etalon {
namespace {

using Ids = std::vector<std::int64_t>;

std::string text_of(const Trial& trial, std::string_view label = "text") {
  Stream stream = trial.stream(label);
  return sample_text(static_cast<TextKind>(trial["text"]), trial["n"], stream);
}

// n ids, each uniform in [0, V); none where V < 1.
Ids random_ids(const Trial& trial, std::int64_t n, std::int64_t vocabulary) {
  Stream stream = trial.stream("ids");
  Ids ids;
  for (std::int64_t i = 0; i < n && vocabulary > 0; ++i) ids.push_back(stream.between(0, vocabulary - 1));
  return ids;
}

// TOK-1: Tok(s) is the same before and after other calls, and in another thread.
void tok_1_deterministic(Trial& trial) {
  const std::string text = text_of(trial);
  const auto first = tokenize(trial, text);
  if (!first) return;
  tokenize(trial, text_of(trial, "another text"));
  tokenize(trial, "");
  detokenize(trial, *first);
  tokenize(trial, "x ");
  if (const auto again = tokenize(trial, text)) expect_ids(trial, *again, *first);
  // The caller waits: a context is used by one thread at a time, but not always by the same one.
  auto elsewhere = std::async(std::launch::async, [&] { return tokenize(trial, text); });
  if (const auto there = elsewhere.get()) expect_ids(trial, *there, *first);
}

// TOK-2: 0 <= id < V for every id of Tok_ID(s), and V >= 1.
void tok_2_ids_in_vocabulary(Trial& trial) {
  const auto size = vocabulary_size(trial);
  if (!size) return;
  trial.expect(*size >= 1, "the vocabulary is empty: V = " + std::to_string(*size));
  const auto ids = tokenize(trial, text_of(trial));
  if (!ids) return;
  for (const std::int64_t id : *ids) {
    const bool inside = id >= 0 && id < *size;
    trial.expect(inside, inside ? "" : "id " + std::to_string(id) + " with V = " + std::to_string(*size));
  }
}

// TOK-3: '' has a token sequence, which may be empty; the text of no ids is ''.
void tok_3_empty_text(Trial& trial) {
  const auto ids = tokenize(trial, "");
  if (!ids) return;
  const auto text = detokenize(trial, {});
  if (text)
    trial.expect_equal(static_cast<std::int64_t>(text->size()), 0, "the length of the text of no ids");
}

// TOK-5: detokenise(Tok(s)) = s.
void tok_5_lossless(Trial& trial) {
  const std::string text = text_of(trial);
  const auto ids = tokenize(trial, text);
  if (!ids) return;
  if (const auto back = detokenize(trial, *ids)) expect_text(trial, *back, text);
}

// TOK-6: the texts of single ids, joined, and the texts of both halves, joined, are the text of all.
void expect_pieces_join(Trial& trial, const Ids& ids) {
  const auto whole = detokenize(trial, ids);
  if (!whole) return;
  std::string joined;
  for (const std::int64_t id : ids) joined += detokenize(trial, {id}).value_or("");
  expect_text(trial, joined, *whole);
  const auto split = static_cast<std::ptrdiff_t>(trial.stream("split").below(ids.size() + 1));
  const auto left = detokenize(trial, Ids(ids.begin(), ids.begin() + split));
  const auto right = detokenize(trial, Ids(ids.begin() + split, ids.end()));
  if (left && right) expect_text(trial, *left + *right, *whole);
}

void tok_6_streaming_text(Trial& trial) {
  if (const auto ids = tokenize(trial, text_of(trial))) expect_pieces_join(trial, *ids);
}

// TOK-6, for ids in any order: split letters, bytes that complete none.
void tok_6_streaming_ids(Trial& trial) {
  const auto size = vocabulary_size(trial);
  if (size) expect_pieces_join(trial, random_ids(trial, trial["n"], *size));
}

// TOK-7: a text that spells a special type's name is restored like any other text.
void tok_7_special_text_is_text(Trial& trial) {
  for (const std::string_view name : {"<|endoftext|>", "<s>", "</s>", "<unk>", "<pad>", "<bos>", "<eos>",
                                      "[CLS]", "[MASK]", "<|im_start|>", "<0x41>", "<|begin_of_text|>"}) {
    const std::string text = "a" + std::string(name) + "b";
    const auto ids = tokenize(trial, text);
    if (!ids) return;
    if (const auto back = detokenize(trial, *ids)) expect_text(trial, *back, text);
  }
}

// The reference tokenizer of which the subject has the vocabulary, type by type; nullptr: neither.
const Tokenizer* reference_of(Trial& trial) {
  const auto size = vocabulary_size(trial);
  for (const Tokenizer* reference : {&reference_byte_pairs(), &reference_longest_match()}) {
    const auto types = static_cast<std::int64_t>(reference->iota().size());
    if (!size || *size != types) continue;
    bool same = true;
    for (std::int64_t id = 0; id < types && same; ++id) {
      const auto spelling = detokenize(trial, {id});
      same = spelling == reference->iota().inverse(static_cast<TokenId>(id + 1)).spelling();
    }
    if (same) return reference;
  }
  return nullptr;
}

// TOK-7: ids, not text: of the many ways to cut a text, the one that the rules of this vocabulary give.
void tok_7_reference_vocabulary(Trial& trial) {
  const Tokenizer* reference = reference_of(trial);
  if (trial.settled()) return;
  if (reference == nullptr)
    return trial.settle(Verdict::unsupported, "the vocabulary is that of no reference tokenizer");
  const std::string text = text_of(trial);
  const auto due = reference->token_ids(text);
  const auto* k = std::get_if<TokenIds>(&due);
  const auto ids = tokenize(trial, text);
  if (k == nullptr || !ids) return;
  Ids want;
  for (const TokenId id : *k) want.push_back(static_cast<std::int64_t>(id) - 1);
  expect_ids(trial, *ids, want);
}

constexpr std::array<std::string_view, 8> bad_id_labels = {"-1",   "V",     "V+1",    "V+2^16",
                                                           "2^32", "-2^63", "2^63-1", "-V"};

std::int64_t bad_id(std::int64_t which, std::int64_t size) {
  const std::int64_t ids[] = {-1,
                              size,
                              size + 1,
                              size + 65536,
                              std::max(size, std::int64_t{1} << 32),  // 0 once narrowed to 32 bits
                              std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::int64_t>::max(),
                              -size};
  return ids[which];
}

// Each of them once, alone or among good ids.
std::vector<Example> every_bad_id() {
  std::vector<Example> examples;
  for (std::int64_t which = 0; which < 8; ++which) examples.push_back({Level::smoke, {which, which % 3}});
  return examples;
}

// TOK-8: an id outside [0, V), wherever it stands, is INVALID_ARGUMENT, and nothing is written.
void tok_8_id_outside(Trial& trial) {
  const auto size = vocabulary_size(trial);
  if (!size) return;
  trial.expect(*size >= 1, "the vocabulary is empty");
  if (trial.settled()) return;
  Ids ids = random_ids(trial, trial["n"], *size);
  const auto place = static_cast<std::ptrdiff_t>(trial.stream("place").below(ids.size() + 1));
  ids.insert(ids.begin() + place, bad_id(trial["id"], *size));
  expect_refused_ids(trial, ids);
}

std::string ill_formed(std::int64_t which) {
  constexpr std::array<std::string_view, 12> bytes = {
      "\x80",         "\xBF\xBF",         "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",     "\xF0\x8F\xBF\xBF",
      "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF",     "\xE3\x81", "\xF0\x9F\x98\x20", "\xF8\x88\x80\x80\x80"};
  return std::string(bytes[static_cast<std::size_t>(which)]);
}

// TOK-8: ill-formed UTF-8 is INVALID_ARGUMENT with nothing written, or else the text is one of bytes:
// then it is accepted, and restored byte by byte where the subject declares to be lossless.
void tok_8_ill_formed_text(Trial& trial) {
  const std::string text = text_of(trial) + ill_formed(trial["fault"]) + "z";
  const auto ids = tokenize(trial, text);
  if (!ids || !trial.model("tokenize").lossless) return;
  if (const auto back = detokenize(trial, *ids)) expect_text(trial, *back, text);
}

// TOK-9: count is the whole length whatever the capacity; with too small a capacity nothing else is
// written, and with a larger one nothing beyond count.
void tok_9_capacity(Trial& trial) {
  const std::string text = text_of(trial);
  const auto ids = tokenize(trial, text);
  if (!ids) return;
  const auto bytes = detokenize(trial, *ids);
  if (!bytes) return;
  const auto count = static_cast<std::int64_t>(ids->size());
  const auto length = static_cast<std::int64_t>(bytes->size());
  for (const std::int64_t slack : {-count, std::int64_t{-1}, std::int64_t{0}, std::int64_t{3}}) {
    if (count + slack >= 0) expect_capacity_kept(trial, text, count + slack, count);
  }
  for (const std::int64_t slack : {-length, std::int64_t{-1}, std::int64_t{0}, std::int64_t{3}}) {
    if (length + slack >= 0) expect_capacity_kept(trial, *ids, length + slack, length);
  }
}

bool lossless(const Model& model) { return model.lossless; }
bool streaming(const Model& model) { return model.streaming; }

Law law(std::string_view name, std::string_view clause, std::string_view intent, void (*check)(Trial&),
        std::vector<std::string_view> operations, std::vector<Parameter> parameters,
        std::vector<Example> examples = {}, bool (*applies)(const Model&) = nullptr) {
  return {
      name,  clause, intent, std::move(operations), {Dtype::u8}, std::move(parameters), std::move(examples),
      check, applies};
}

}  // namespace

std::vector<Law> tokenizer_laws() {
  const Parameter kind = text_kind("text");
  const Parameter n = Parameter::range("n", 0, 120, {0, 1, 2});
  const Parameter few = Parameter::range("n", 0, 24, {0, 1, 2});
  const auto run = static_cast<std::int64_t>(TextKind::run);
  const auto mixed = static_cast<std::int64_t>(TextKind::mixed);
  const auto english = static_cast<std::int64_t>(TextKind::english);
  const auto spaces = static_cast<std::int64_t>(TextKind::spaces);
  const auto japanese = static_cast<std::int64_t>(TextKind::japanese);
  const auto bytes = static_cast<std::int64_t>(TextKind::bytes);
  const std::vector<std::string_view> all = {"tokenize", "detokenize", "vocabulary_size"};
  const std::vector<std::string_view> both = {"tokenize", "detokenize"};
  const std::vector<std::string_view> backwards = {"detokenize", "vocabulary_size"};
  const std::vector<std::string_view> bad_ids(bad_id_labels.begin(), bad_id_labels.end());
  std::vector<Law> laws = {
      law("tok_1_deterministic", "TOK-1", "The tokens of a text do not depend on what happened before.",
          tok_1_deterministic, both, {kind, n}),
      law("tok_2_ids_in_vocabulary", "TOK-2", "Every id names a type of the vocabulary.",
          tok_2_ids_in_vocabulary, {"tokenize", "vocabulary_size"}, {kind, n},
          {{Level::standard, {mixed, 4000}}}),
      law("tok_3_empty_text", "TOK-3", "The empty text and the empty token sequence are legal.",
          tok_3_empty_text, both, {}),
      law("tok_5_lossless", "TOK-5", "A text comes back from its tokens byte by byte.", tok_5_lossless, both,
          {kind, n},
          {{Level::smoke, {run, 1000}},
           {Level::smoke, {english, 0}},
           {Level::smoke, {english, 120}},
           {Level::smoke, {spaces, 17}},
           {Level::smoke, {spaces, 120}},
           {Level::smoke, {japanese, 120}},
           {Level::smoke, {mixed, 360}},
           {Level::smoke, {bytes, 17}},
           {Level::standard, {run, 20000}},
           {Level::standard, {mixed, 4000}}},
          lossless),
      law("tok_6_streaming_text", "TOK-6", "The texts of the parts, joined, are the text of the whole.",
          tok_6_streaming_text, both, {kind, few}, {}, streaming),
      law("tok_6_streaming_ids", "TOK-6", "The same for ids in any order.", tok_6_streaming_ids, backwards,
          {few},
          {{Level::smoke, {1}},
           {Level::smoke, {2}},
           {Level::smoke, {3}},
           {Level::smoke, {5}},
           {Level::smoke, {7}},
           {Level::smoke, {11}},
           {Level::smoke, {17}},
           {Level::smoke, {24}},
           {Level::standard, {400}}},
          streaming),
      law("tok_7_special_text_is_text", "TOK-7", "Text that spells a special type is text.",
          tok_7_special_text_is_text, both, {}, {}, lossless),
      law("tok_7_reference_vocabulary", "TOK-7",
          "A subject with the vocabulary of a reference tokenizer gives its ids.", tok_7_reference_vocabulary,
          all, {kind, n}, {{Level::smoke, {run, 5}}, {Level::smoke, {mixed, 120}}}),
      law("tok_8_id_outside", "TOK-8", "An id outside the vocabulary is refused.", tok_8_id_outside,
          backwards, {Parameter::choice("id", bad_ids), few}, every_bad_id()),
      law("tok_8_ill_formed_text", "TOK-8", "Ill-formed UTF-8 is refused or kept, never replaced.",
          tok_8_ill_formed_text, both, {kind, few, Parameter::range("fault", 0, 11)}),
      law("tok_9_capacity", "TOK-9", "The capacity of an output is honoured.", tok_9_capacity, both,
          {kind, few}),
  };
  for (Law& definition : tokenizer_definition_laws()) laws.push_back(std::move(definition));
  return laws;
}

}  // namespace etalon
