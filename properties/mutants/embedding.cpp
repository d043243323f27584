#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> embedding_mutants() { return {}; }

}  // namespace etalon
