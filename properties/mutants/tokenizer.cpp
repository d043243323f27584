// Faulty tokenizers: order of joins, treatment of text, ids, capacities and state.
#include "properties/mutants/tokenizer_subject.hpp"

namespace etalon {

std::vector<Mutant> tokenizer_mutants() {
  using namespace tokenizing;
  return joined(
      {tokenizer_order_mutants, tokenizer_text_mutants, tokenizer_id_mutants, tokenizer_call_mutants});
}

}  // namespace etalon
