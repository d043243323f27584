// LIN-1: how far an honest matrix product may stray from the truth. Derivation: spec/numerics.md, NUM-8.
#pragma once

#include <cstdint>

#include "properties/bounds/arithmetic.hpp"
#include "properties/judge.hpp"
#include "properties/model.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon::bounds {

// One entry of alpha A B + beta C, `dot` from gemm_entry on the same operands, all of them values of
// `out`. Admits every order and blocking of the sum, FMA or not, alpha before or after the sum, beta c
// first or last; a declared height (additions on the longest path) tightens it.
Expected matmul_expected(const Model& model, const Format& out, std::int64_t k, double alpha,
                         const oracle::Dot& dot, double beta, double c);

// The same with the formats given apart; those of the model are not looked at.
Expected matmul_expected(const Model& model, const Formats& formats, const Format& out, std::int64_t k,
                         double alpha, const oracle::Dot& dot, double beta, double c);

}  // namespace etalon::bounds
