// What the laws of several families share: parameters with one fixed meaning, and calls over views that
// no Tensor can own (zero strides, tables larger than memory).
#pragma once

#include <string_view>

#include "properties/law.hpp"
#include "properties/trial.hpp"

namespace etalon {

// The layouts of TEN by name, and the one that a case asks for.
Parameter layout_parameter(std::string_view name);
Layout layout_of(const Trial& trial, std::string_view parameter);

// "id_type": i32 or i64 (EMB-8).
Parameter id_type_parameter();
Dtype id_type_of(const Trial& trial);

// Ids of the given layout, uniform in [0, rows), from the stream of `label`.
Tensor ids_laid_out(const Trial& trial, std::string_view label, std::int64_t count, std::int64_t rows,
                    Layout layout);

// True when every value of `narrow` is a value of `wide`, subnormals included.
bool holds(const Format& wide, const Format& narrow);
// True when the model's sums, products and intermediate results hold every value of the dtype, so that
// x + 0 and 1 x are exact (but for a flush of subnormals).
bool keeps_values(const Model& model, Dtype dtype);
// What a subject of this model may make of an exact result: a declared flush turns subnormals into zero.
// `got` is returned where it is such a zero, else `exact`.
std::uint64_t or_flushed(const Model& model, const Format& format, std::uint64_t exact, std::uint64_t got);

// Runs a call over any views. True when the status is OK; else the trial is settled: UNSUPPORTED as
// unsupported, anything else as a failure.
bool call_views(Trial& trial, const Call& call);

}  // namespace etalon
