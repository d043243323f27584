// The parts of embedding_laws().
#pragma once

#include <vector>

#include "properties/law.hpp"

namespace etalon {

std::vector<Law> embedding_sequence_laws();  // EMB-4, EMB-6: permutation, concatenation, relabelling
std::vector<Law> one_hot_laws();             // EMB-2, EMB-3, EMB-5, EMB-9: one_hot, embed_product, matmul
std::vector<Law> embedding_domain_laws();    // EMB-8: which ids and sizes embed accepts

}  // namespace etalon
