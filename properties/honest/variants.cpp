#include <utility>

#include "properties/honest/variant.hpp"

namespace etalon {

std::span<const Variant> all_variants() {
  static const std::vector<Variant> variants = [] {
    std::vector<Variant> all;
    for (auto* list :
         {tokenizer_variants, embedding_variants, position_variants, input_variants, linear_variants}) {
      for (Variant& variant : list()) all.push_back(std::move(variant));
    }
    return all;
  }();
  return variants;
}

}  // namespace etalon
