// EMB across the C interface: embed and embed_product take (table, ids, out), one_hot takes (ids, out).
#include <array>

#include "conformance/crossing.hpp"

namespace etalon {
namespace {

int cross_embed(etalon_embed_fn* function, etalon_context* context, const Call& call) {
  const etalon_tensor table = crossed(call.tensor("table"));
  const etalon_tensor ids = crossed(call.tensor("ids"));
  const etalon_tensor out = crossed(call.tensor("out"));
  return function(context, &table, &ids, &out);
}

int embed(const etalon_operation& entry, etalon_context* context, const Call& call) {
  return cross_embed(entry.function.embed, context, call);
}

int embed_product(const etalon_operation& entry, etalon_context* context, const Call& call) {
  return cross_embed(entry.function.embed_product, context, call);
}

int one_hot(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor ids = crossed(call.tensor("ids"));
  const etalon_tensor out = crossed(call.tensor("out"));
  return entry.function.one_hot(context, &ids, &out);
}

}  // namespace

std::span<const Crossing> embedding_crossings() {
  static constexpr std::array crossings = {Crossing{"embed", embed}, Crossing{"one_hot", one_hot},
                                           Crossing{"embed_product", embed_product}};
  return crossings;
}

}  // namespace etalon
