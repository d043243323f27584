// A tokenizer over the vocabulary of the reference subjects with its steps open to faults: each is honest
// as it stands. Ids are 0-based here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/mutants/mutant.hpp"
#include "properties/tokenizer_subjects.hpp"

namespace etalon::tokenizing {

using Ids = std::vector<std::int64_t>;
using Bytes = std::string;

class FaultyTokenizer final : public Subject {
 public:
  explicit FaultyTokenizer(const Tokenizer& tokenizer = reference_byte_pairs());

  // tokenize: what is done to the text; how it is cut (nothing: the text is refused); what is done to the
  // ids.
  std::function<Bytes(Bytes)> before = [](Bytes text) { return text; };
  std::function<std::optional<Ids>(const Bytes&)> cut;
  std::function<Ids(Ids, const Bytes& text)> after = [](Ids ids, const Bytes&) { return ids; };
  // detokenize: what is done to an id, whatever its value (nothing: it is skipped); the spelling of one;
  // what is done to the whole text.
  std::function<std::optional<std::int64_t>(std::int64_t id, std::int64_t size)> read_id =
      [](std::int64_t id, std::int64_t) { return id; };
  std::function<Bytes(Bytes)> spelt = [](Bytes spelling) { return spelling; };
  std::function<Bytes(Bytes)> decoded = [](Bytes text) { return text; };
  // Both: how the answer is written (TOK-9). Called on a refusal.
  std::function<void(const View& out, const View& count, const Ids& values)> answer = write_answer;
  std::function<void(const Call&)> refusal = [](const Call&) {};
  std::function<bool(const Call&)> refuses = [](const Call&) { return false; };
  std::int64_t size;  // V

  Model declared;  // lossless and streaming

  static void write_answer(const View& out, const View& count, const Ids& values);
  const Tokenizer& tokenizer() const { return tokenizer_; }

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override;
  Status run(const Call& call) override;

 private:
  Status tokenize(const Call& call);
  Status detokenize(const Call& call);
  Status refuse(const Call& call);

  const Tokenizer& tokenizer_;
  std::string name_ = "tokenizer";
};

// Bytes and three special types: the smallest vocabulary there is.
const Tokenizer& bytes_alone();

using Change = std::function<void(FaultyTokenizer&)>;
Mutant mutant(std::string_view name, std::string_view kind, std::string_view clause, Frequency met,
              std::string_view does, const Change& change,
              const Tokenizer& tokenizer = reference_byte_pairs());

// The parts of the list.
std::vector<Mutant> tokenizer_order_mutants();  // which pairs are joined
std::vector<Mutant> tokenizer_text_mutants();   // what becomes of the text
std::vector<Mutant> tokenizer_id_mutants();     // ids out of range and out of bits
std::vector<Mutant> tokenizer_call_mutants();   // capacities, state, empty sizes

}  // namespace etalon::tokenizing
