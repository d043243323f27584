// Faulty position codes. Each says what it does wrongly; where such a fault hides stands with its kind.
#include "properties/mutants/position_parts.hpp"

namespace etalon {

std::vector<Mutant> position_mutants() {
  std::vector<Mutant> all;
  for (auto* list :
       {coding::formula_mutants, coding::arithmetic_mutants, coding::call_mutants, coding::learned_mutants}) {
    for (Mutant& mutant : list()) {
      mutant.make = [make = mutant.make, name = mutant.name, operations = mutant.operations,
                     dtypes = mutant.dtypes] { return restricted(make(), name, operations, dtypes); };
      all.push_back(std::move(mutant));
    }
  }
  return all;
}

}  // namespace etalon
