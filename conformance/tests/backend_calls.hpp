// Calls of the backends' operations, as the tests write them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "conformance/host/library.hpp"
#include "properties/tensors.hpp"

namespace etalon {

inline std::unique_ptr<Subject> subject_from(const std::filesystem::path& file) {
  const Library::Result result = Library::load(file);
  if (const auto* error = std::get_if<LoadError>(&result)) {
    ADD_FAILURE() << error->message;
    return nullptr;
  }
  return std::get<0>(result)->subjects()();
}

inline Status run_embed(Subject& subject, const Tensor& table, const Tensor& ids, const Tensor& out,
                        std::string_view operation = "embed") {
  return subject.run({operation, {{"table", table.view()}, {"ids", ids.view()}, {"out", out.view()}}, {}});
}

inline Status run_one_hot(Subject& subject, const Tensor& ids, const Tensor& out) {
  return subject.run({"one_hot", {{"ids", ids.view()}, {"out", out.view()}}, {}});
}

struct Product {
  double alpha = 1, beta = 0;
  bool transpose_a = false, transpose_b = false;
};
inline Status run_matmul(Subject& subject, const Product& product, const Tensor& a, const Tensor& b,
                         const Tensor& c) {
  return subject.run({"matmul",
                      {{"a", a.view()}, {"b", b.view()}, {"c", c.view()}},
                      {{"alpha", product.alpha},
                       {"beta", product.beta},
                       {"transpose_a", product.transpose_a ? 1 : 0},
                       {"transpose_b", product.transpose_b ? 1 : 0}}});
}

inline Status run_sinusoidal(Subject& subject, double first, const Tensor& out, double base = 10000,
                             double layout = 0) {
  return subject.run(
      {"sinusoidal", {{"out", out.view()}}, {{"first", first}, {"base", base}, {"layout", layout}}});
}

inline Status run_combine(Subject& subject, double scale, double value, const Tensor& x, const Tensor& p,
                          const Tensor& out) {
  return subject.run({"combine",
                      {{"x", x.view()}, {"p", p.view()}, {"out", out.view()}},
                      {{"scale", scale}, {"value", value}}});
}

inline Tensor ids_of(std::vector<std::int64_t> values, Dtype dtype = Dtype::i64) {
  Tensor ids(dtype, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); i++) ids.set_integer(static_cast<std::int64_t>(i), values[i]);
  return ids;
}

// Small odd and even integers, different everywhere: every sum of them is exact in every order.
inline Tensor numbered(Dtype dtype, Shape shape, std::int64_t salt, Layout layout = Layout::dense) {
  Tensor tensor(dtype, shape, layout);
  for (std::int64_t i = 0; i < tensor.elements(); i++)
    tensor.set(i, static_cast<double>((i * 7 + salt * 3) % 11 - 5));
  return tensor;
}

inline constexpr Layout all_layouts[] = {Layout::dense, Layout::padded, Layout::transposed, Layout::reversed,
                                         Layout::unaligned};
inline constexpr Dtype all_floats[] = {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16};

}  // namespace etalon
