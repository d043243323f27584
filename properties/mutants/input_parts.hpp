// The parts of the list of faulty inputs.
#pragma once

#include <vector>

#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> input_value_mutants();  // the arithmetic of one element
std::vector<Mutant> input_call_mutants();   // sizes, and what one row or call leaves in another

}  // namespace etalon
