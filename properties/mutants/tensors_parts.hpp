// The parts of the list of faulty uses of memory.
#pragma once

#include <vector>

#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> tensors_ownership_mutants();  // what is read and written beside the elements
std::vector<Mutant> tensors_shape_mutants();      // empty tensors, and shapes that disagree

}  // namespace etalon
