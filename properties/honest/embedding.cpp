#include "properties/honest/variant.hpp"

namespace etalon {

std::vector<Variant> embedding_variants() { return {}; }

}  // namespace etalon
