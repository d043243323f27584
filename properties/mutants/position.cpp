#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> position_mutants() { return {}; }

}  // namespace etalon
