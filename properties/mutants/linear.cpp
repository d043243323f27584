#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> linear_mutants() { return {}; }

}  // namespace etalon
