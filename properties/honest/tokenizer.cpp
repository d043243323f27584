#include "properties/honest/variant.hpp"

namespace etalon {

std::vector<Variant> tokenizer_variants() { return {}; }

}  // namespace etalon
