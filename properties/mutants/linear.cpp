// Faulty matrix products. Each says what it does wrongly; where such a fault hides stands with its kind.
#include "properties/mutants/linear_parts.hpp"

namespace etalon {

std::vector<Mutant> linear_mutants() {
  return joined(
      {multiplying::arithmetic_mutants, multiplying::operand_mutants, multiplying::scaling_mutants});
}

}  // namespace etalon
