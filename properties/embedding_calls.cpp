#include "properties/embedding_calls.hpp"

#include "properties/cases.hpp"

namespace etalon {

bool embed(Trial& trial, Tensor& table, Tensor& ids, Tensor& out) {
  return trial.call("embed", {{"table", &table}, {"ids", &ids}, {"out", &out}}, {"out"});
}

Tensor embedded(Trial& trial, Tensor& table, Tensor& ids) {
  Tensor out = trial.output({ids.elements(), table.shape()[1]});
  embed(trial, table, ids, out);
  return out;
}

Tensor ids_from(const Trial& trial, const std::vector<std::int64_t>& values) {
  Tensor ids(id_type_of(trial), {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) ids.set_integer(static_cast<std::int64_t>(i), values[i]);
  return ids;
}

}  // namespace etalon
