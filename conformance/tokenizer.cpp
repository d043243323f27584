// TOK across the C interface: text and ids with a capacity, and the count that was needed.
#include <array>

#include "conformance/crossing.hpp"

namespace etalon {
namespace {

int tokenize(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor text = crossed(call.tensor("text"));
  const etalon_tensor ids = crossed(call.tensor("ids"));
  return entry.function.tokenize(context, &text, &ids, count_of(call));
}

int detokenize(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor ids = crossed(call.tensor("ids"));
  const etalon_tensor text = crossed(call.tensor("text"));
  return entry.function.detokenize(context, &ids, &text, count_of(call));
}

int vocabulary_size(const etalon_operation& entry, etalon_context* context, const Call& call) {
  return entry.function.vocabulary_size(context, count_of(call));
}

}  // namespace

std::span<const Crossing> tokenizer_crossings() {
  static constexpr std::array crossings = {Crossing{"tokenize", tokenize}, Crossing{"detokenize", detokenize},
                                           Crossing{"vocabulary_size", vocabulary_size}};
  return crossings;
}

}  // namespace etalon
