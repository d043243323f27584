// The parts of the list of faulty embeddings.
#pragma once

#include <vector>

#include "properties/mutants/mutant.hpp"

namespace etalon {

std::vector<Mutant> embedding_id_mutants();    // ids and offsets: their width, their domain
std::vector<Mutant> embedding_copy_mutants();  // how a row is copied, and how far
std::vector<Mutant> one_hot_mutants();         // one-hot rows, and products with them

}  // namespace etalon
