// What every honest variant stands on: elements by their strides, and a subject made of a computation and
// the models it declares.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/honest/variant.hpp"
#include "properties/law.hpp"

namespace etalon::honest {

using Compute = std::function<Status(const Call&)>;
using Declare = std::function<Model(Dtype)>;

inline double read(const View& view, std::int64_t i, std::int64_t j, std::int64_t k = 0) {
  return decode(format_of(view.dtype), load_bits(element(view, i, j, k), size_of(view.dtype)));
}

inline void write(const View& view, std::uint64_t bits, std::int64_t i, std::int64_t j, std::int64_t k = 0) {
  store_bits(element(view, i, j, k), bits, size_of(view.dtype));
}

inline bool is_matrix(const View& view) { return view.shape.rank == 2; }

class HonestSubject final : public Subject {
 public:
  HonestSubject(std::string_view name, std::vector<std::string_view> operations,
                const std::vector<Dtype>& dtypes, const Declare& declare, Compute compute)
      : name_(name), operations_(std::move(operations)), compute_(std::move(compute)) {
    for (const Dtype dtype : dtypes) models_[dtype] = declare(dtype);
  }

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    const auto entry = models_.find(dtype);
    const bool offered = std::find(operations_.begin(), operations_.end(), operation) != operations_.end();
    return offered && entry != models_.end() ? &entry->second : nullptr;
  }
  Status run(const Call& call) override { return compute_(call); }

 private:
  std::string name_;
  std::vector<std::string_view> operations_;
  std::map<Dtype, Model> models_;
  Compute compute_;
};

inline Variant variant(std::string_view name, std::string_view does,
                       const std::vector<std::string_view>& operations, const std::vector<Dtype>& dtypes,
                       const Declare& declare, const Compute& compute) {
  return {name, does, operations, dtypes,
          [=] { return std::make_unique<HonestSubject>(name, operations, dtypes, declare, compute); }};
}

// --- Models ---

// All arithmetic in one format: operands, sums and what is stored between operations.
inline Declare computes_in(Dtype accumulator) {
  return [accumulator](Dtype) {
    Model model;
    model.accumulator = model.product_input = model.storage = accumulator;
    return model;
  };
}

// The common case with something changed: `change` takes the model and the dtype.
template <typename Change>
Declare common_but(Change change) {
  return [change](Dtype dtype) {
    Model model = Model::common(dtype);
    change(model, dtype);
    return model;
  };
}

inline Declare flushing() {
  return common_but([](Model& model, Dtype) { model.flushes_subnormals = true; });
}
inline Declare truncating() {
  return common_but([](Model& model, Dtype) { model.rounding = Rounding::faithful; });
}
// Results of a chain are stored in the operands' own format.
inline Declare storing() {
  return common_but([](Model& model, Dtype dtype) { model.storage = dtype; });
}

inline std::vector<Dtype> up_to_f32() { return {Dtype::f32, Dtype::bf16, Dtype::f16}; }
inline std::vector<Dtype> half_formats() { return {Dtype::bf16, Dtype::f16}; }

}  // namespace etalon::honest
