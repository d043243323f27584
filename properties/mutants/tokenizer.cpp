// Faulty tokenizers: order of joins, treatment of text, ids, capacities and state.
#include "properties/mutants/tokenizer_subject.hpp"

namespace etalon {

std::vector<Mutant> tokenizer_mutants() {
  using namespace tokenizing;
  std::vector<Mutant> mutants = tokenizer_order_mutants();
  for (auto* list : {tokenizer_text_mutants, tokenizer_id_mutants, tokenizer_call_mutants}) {
    for (Mutant& each : list()) mutants.push_back(std::move(each));
  }
  return mutants;
}

}  // namespace etalon
