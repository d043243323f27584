// The parts of tensors_laws().
#pragma once

#include <vector>

#include "properties/law.hpp"

namespace etalon {

// TEN-3, TEN-4, TEN-5, TEN-10: negative and zero strides on any axis, empty tensors, shapes that disagree.
std::vector<Law> view_laws();

}  // namespace etalon
