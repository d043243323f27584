// ABI-2, ABI-3: what a backend declares about itself, checked line by line before anything of it is called.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "conformance/host/library.hpp"

namespace etalon {

struct Declaration {
  std::vector<Offer> offers;
  std::vector<std::string> unknown;  // operation names that this suite does not know
};

// The offers of a description, or one line: what is wrong and what to do. `core` may be null.
std::variant<Declaration, LoadError> read_declaration(const etalon_core* core);

// The model of an operation on a dtype, zeros replaced by what they stand for.
// Precondition: read_declaration has accepted it.
Model model_of(const etalon_model& declared, Dtype dtype);

}  // namespace etalon
