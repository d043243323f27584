// The parts of input_laws().
#pragma once

#include <vector>

#include "properties/law.hpp"

namespace etalon {

std::vector<Law> zero_summand_laws();   // INP-4
std::vector<Law> input_example_laws();  // INP-5
std::vector<Law> batch_laws();          // INP-6

}  // namespace etalon
