#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> tokenizer_mutants() { return {}; }

}  // namespace etalon
