// TOK-7: the tokenizers behind the reference subjects. Their vocabularies are small and fixed, so that
// whoever takes one over can be held to its ids.
#pragma once

#include <vector>

#include "reference/byte_pair.hpp"
#include "reference/tokenizer.hpp"

namespace etalon {

const Tokenizer& reference_longest_match();
const Tokenizer& reference_byte_pairs();
const std::vector<Merge>& reference_merges();  // of reference_byte_pairs()

}  // namespace etalon
