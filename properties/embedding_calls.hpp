// Calls of embed as the laws of EMB make them.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/trial.hpp"

namespace etalon {

// out(i, j) = table(ids(i), j); false once the trial is settled.
bool embed(Trial& trial, Tensor& table, Tensor& ids, Tensor& out);
// A fresh dense output of the call; still poisoned where the trial is settled.
Tensor embedded(Trial& trial, Tensor& table, Tensor& ids);
// These ids, in the case's id_type.
Tensor ids_from(const Trial& trial, const std::vector<std::int64_t>& values);

}  // namespace etalon
