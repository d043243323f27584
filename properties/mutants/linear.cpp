// Faulty matrix products. Each says what it does wrongly; where such a fault hides stands with its kind.
#include "properties/mutants/linear_parts.hpp"

namespace etalon {

std::vector<Mutant> linear_mutants() {
  std::vector<Mutant> all;
  for (auto* list :
       {multiplying::arithmetic_mutants, multiplying::operand_mutants, multiplying::scaling_mutants}) {
    for (Mutant& mutant : list()) {
      mutant.make = [make = mutant.make, name = mutant.name, operations = mutant.operations,
                     dtypes = mutant.dtypes] { return restricted(make(), name, operations, dtypes); };
      all.push_back(std::move(mutant));
    }
  }
  return all;
}

}  // namespace etalon
