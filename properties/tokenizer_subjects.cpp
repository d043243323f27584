// The reference tokenizers as subjects: over small vocabularies, both lossless and streaming. Ids are
// 0-based at this interface, token IDs 1-based in the reference: id = k - 1 (IDX-1).
#include "properties/tokenizer_subjects.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/runner.hpp"

namespace etalon {
namespace {

// Text to learn merges from: both scripts, punctuation, repeated spaces, a letter of four bytes.
constexpr std::string_view corpus =
    "The cat likes fish. I like cats. The cats like the token, and the tokens like the cat.\n"
    "A token is not a letter; a letter is not a token. There are as many tokens as there are places.\n"
    "I like tokens,  and   I like the   spaces between them.\n"
    "私は猫が好きです。私は魚が好きです。猫は魚が好きです。私は猫が大好きです。\n"
    "文字は語ではない。語は文字ではない。文字の列は文字列である。語の列は語列である。\n"
    "😀 is one letter, 😀😀 are two letters, and aaaaaaaa are eight letters.\n";

const std::vector<std::string> pieces = {
    "私", "は",     "猫",     "好き",   "。",   "が",  "です", "魚",   "文字", "文字列",
    "語", "大好き", "、",     " ",      "  ",   "\n",  "a",    "b",    "e",    "i",
    "s",  "t",      "the",    "The",    " the", "cat", " cat", "cats", "like", " like",
    "I",  "token",  " token", "tokens", "ing",  ".",   ",",    "aa",   "aaaa", "😀"};
const std::vector<std::string> specials = {"<s>", "</s>", "<|endoftext|>"};

std::string bytes_of(const View& text) {
  std::string bytes;
  for (std::int64_t i = 0; i < text.shape[0]; ++i) {
    bytes.push_back(static_cast<char>(load_bits(element(text, i), 1)));
  }
  return bytes;
}

// k = id + 1, by unsigned arithmetic: 2^63 - 1 becomes a number that no vocabulary has.
TokenIds token_ids_of(const View& ids) {
  return TokenIds::of_map(static_cast<std::size_t>(ids.shape[0]), [&](std::size_t i) {
    return static_cast<TokenId>(load_bits(element(ids, static_cast<std::int64_t>(i - 1)), 8) + 1U);
  });
}

// TOK-9: the count always, the elements only where all of them fit.
template <typename Values, typename Bits>
void write(const View& out, const View& count, std::size_t length, const Values& values, const Bits& bits) {
  store_bits(element(count), length, 8);
  if (static_cast<std::int64_t>(length) > out.shape[0]) return;
  std::int64_t i = 0;
  for (const auto value : values) store_bits(element(out, i++), bits(value), size_of(out.dtype));
}

class TokenizerSubject final : public Subject {
 public:
  TokenizerSubject(std::string name, const Tokenizer& tokenizer)
      : name_(std::move(name)), tokenizer_(tokenizer) {
    model_.lossless = true;
    model_.streaming = true;
  }

  const std::string& name() const override { return name_; }

  const Model* model(std::string_view operation, Dtype dtype) const override {
    const bool offered =
        operation == "tokenize" || operation == "detokenize" || operation == "vocabulary_size";
    return offered && dtype == Dtype::u8 ? &model_ : nullptr;
  }

  Status run(const Call& call) override {
    error_.clear();
    if (call.operation == "tokenize") return tokenize(call);
    if (call.operation == "detokenize") return detokenize(call);
    if (call.operation != "vocabulary_size") return Status::unsupported;
    store_bits(element(call.tensor("count")), tokenizer_.iota().size(), 8);
    return Status::ok;
  }

  std::string last_error() const override { return error_; }

 private:
  Status tokenize(const Call& call) {
    const auto ids = tokenizer_.token_ids(bytes_of(call.tensor("text")));
    if (const auto* error = std::get_if<TextError>(&ids)) return refuse(*error);
    const auto& k = std::get<TokenIds>(ids);
    write(call.tensor("ids"), call.tensor("count"), k.length(), k,
          [](TokenId id) { return static_cast<std::uint64_t>(id - 1); });
    return Status::ok;
  }

  Status detokenize(const Call& call) {
    const auto text = tokenizer_.text(token_ids_of(call.tensor("ids")));
    if (const auto* error = std::get_if<TextError>(&text)) return refuse(*error);
    const auto& bytes = std::get<std::string>(text);
    write(call.tensor("text"), call.tensor("count"), bytes.size(), bytes,
          [](char byte) { return static_cast<std::uint64_t>(static_cast<unsigned char>(byte)); });
    return Status::ok;
  }

  // TOK-8
  Status refuse(const TextError& error) {
    error_ = error.message + " (at " + std::to_string(error.offset) + ")";
    return Status::invalid_argument;
  }

  std::string name_;
  const Tokenizer& tokenizer_;
  Model model_;
  std::string error_;
};

}  // namespace

const Tokenizer& reference_longest_match() {
  static const LongestMatchTokenizer tokenizer(
      TokenIdMap<TokenType>(enumerate_types(pieces, Fallback::bytes, specials)), Fallback::bytes);
  return tokenizer;
}

const std::vector<Merge>& reference_merges() {
  static const std::vector<Merge> merges = learn_merges(corpus, 160);
  return merges;
}

const Tokenizer& reference_byte_pairs() {
  static const BytePairTokenizer tokenizer(
      TokenIdMap<TokenType>(byte_pair_types(reference_merges(), specials)), reference_merges());
  return tokenizer;
}

SubjectFactory longest_match_subject() {
  return
      [] { return std::make_unique<TokenizerSubject>("reference:longest-match", reference_longest_match()); };
}

SubjectFactory byte_bpe_subject() {
  return [] { return std::make_unique<TokenizerSubject>("reference:byte-bpe", reference_byte_pairs()); };
}

}  // namespace etalon
