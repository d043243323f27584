#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> input_mutants() { return {}; }

}  // namespace etalon
