// Faulty position codes. Each says what it does wrongly; where such a fault hides stands with its kind.
#include "properties/mutants/position_parts.hpp"

namespace etalon {

std::vector<Mutant> position_mutants() {
  return joined(
      {coding::formula_mutants, coding::arithmetic_mutants, coding::call_mutants, coding::learned_mutants});
}

}  // namespace etalon
