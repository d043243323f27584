#include "properties/mutants/tokenizer_subject.hpp"

#include <algorithm>

namespace etalon::tokenizing {
namespace {

Bytes bytes_of(const View& text) {
  Bytes bytes;
  for (std::int64_t i = 0; i < text.shape[0]; ++i) {
    bytes.push_back(static_cast<char>(load_bits(element(text, i), 1)));
  }
  return bytes;
}

// TOK-2, TOK-7: the reference's ids, from 0.
std::optional<Ids> honest_cut(const Tokenizer& tokenizer, const Bytes& text) {
  const auto made = tokenizer.token_ids(text);
  const auto* k = std::get_if<TokenIds>(&made);
  if (k == nullptr) return std::nullopt;
  Ids ids;
  for (const TokenId id : *k) ids.push_back(id - 1);
  return ids;
}

}  // namespace

FaultyTokenizer::FaultyTokenizer(const Tokenizer& tokenizer)
    : cut([&tokenizer](const Bytes& text) { return honest_cut(tokenizer, text); }),
      size(static_cast<std::int64_t>(tokenizer.iota().size())),
      tokenizer_(tokenizer) {
  declared.lossless = true;
  declared.streaming = true;
}

const Model* FaultyTokenizer::model(std::string_view operation, Dtype dtype) const {
  const bool offered = operation == "tokenize" || operation == "detokenize" || operation == "vocabulary_size";
  return offered && dtype == Dtype::u8 ? &declared : nullptr;
}

Status FaultyTokenizer::run(const Call& call) {
  if (refuses(call)) return Status::invalid_argument;
  if (call.operation == "tokenize") return tokenize(call);
  if (call.operation == "detokenize") return detokenize(call);
  if (call.operation != "vocabulary_size") return Status::unsupported;
  store_bits(element(call.tensor("count")), static_cast<std::uint64_t>(size), 8);
  return Status::ok;
}

Status FaultyTokenizer::refuse(const Call& call) {
  refusal(call);
  return Status::invalid_argument;
}

Status FaultyTokenizer::tokenize(const Call& call) {
  const Bytes text = before(bytes_of(call.tensor("text")));
  const auto ids = cut(text);
  if (!ids) return refuse(call);
  answer(call.tensor("ids"), call.tensor("count"), after(*ids, text));
  return Status::ok;
}

Status FaultyTokenizer::detokenize(const Call& call) {
  const View& ids = call.tensor("ids");
  const auto types = static_cast<std::int64_t>(tokenizer_.iota().size());
  Bytes text;
  for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
    const auto id = read_id(static_cast<std::int64_t>(load_bits(element(ids, i), 8)), types);
    if (!id) continue;
    if (*id < 0 || *id >= types) return refuse(call);
    text += spelt(tokenizer_.iota().inverse(*id + 1).spelling());
  }
  text = decoded(text);
  Ids bytes;
  for (const char byte : text) bytes.push_back(static_cast<unsigned char>(byte));
  answer(call.tensor("text"), call.tensor("count"), bytes);
  return Status::ok;
}

void FaultyTokenizer::write_answer(const View& out, const View& count, const Ids& values) {
  store_bits(element(count), values.size(), 8);
  if (static_cast<std::int64_t>(values.size()) > out.shape[0]) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_bits(element(out, static_cast<std::int64_t>(i)), static_cast<std::uint64_t>(values[i]),
               size_of(out.dtype));
  }
}

const Tokenizer& bytes_alone() {
  static const BytePairTokenizer tokenizer(
      TokenIdMap<TokenType>(byte_pair_types({}, {"<s>", "</s>", "<|endoftext|>"})), {});
  return tokenizer;
}

Mutant mutant(std::string_view name, std::string_view kind, std::string_view clause, Frequency met,
              std::string_view does, const Change& change, const Tokenizer& tokenizer) {
  const std::vector<std::string_view> operations = {"tokenize", "detokenize", "vocabulary_size"};
  const auto make = [=, &tokenizer]() -> std::unique_ptr<Subject> {
    auto subject = std::make_unique<FaultyTokenizer>(tokenizer);
    change(*subject);
    return subject;
  };
  return {name, kind, clause, met, does, operations, {Dtype::u8}, make};
}

}  // namespace etalon::tokenizing
