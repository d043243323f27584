// The parts of numerics_laws().
#pragma once

#include <vector>

#include "properties/law.hpp"

namespace etalon {

std::vector<Law> numerics_model_laws();  // NUM-3 to NUM-6

}  // namespace etalon
