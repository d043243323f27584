// An honest subject in plain loops, and faulty ones around it: what the laws of embedding, input and
// tensors must pass, and how the mutants of these families are made.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "properties/mutants/mutant.hpp"
#include "properties/subject.hpp"

namespace etalon::plain {

// Elements by logical index. Rank 1 and 2 leave the later indices 0.
std::uint64_t load(const View& view, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0);
double get(const View& view, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0);
void put(const View& view, std::uint64_t bits, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0);
double rounded_to(Dtype dtype, double value);
// Calls visit(i, j, k) for every element, in row order.
void for_each(const View& view, const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit);

// embed, one_hot, embed_product, matmul (alpha = 1, beta = 0) and combine, in the arithmetic of
// Model::common. The steps may be replaced; each is honest as it stands.
class PlainSubject final : public Subject {
 public:
  PlainSubject();

  // Bits that embed stores for bits of the table.
  std::function<std::uint64_t(const Format&, std::uint64_t)> copy = [](const Format&, std::uint64_t bits) {
    return bits;
  };
  // What one_hot stores: in the column of the id, and elsewhere.
  std::uint64_t (*hot)(const Format&) = [](const Format& format) { return encode(format, 1); };
  std::uint64_t (*cold)(const Format&) = [](const Format&) { return std::uint64_t{0}; };
  // One term added to the sum of a product; the result, encoded.
  std::function<double(Dtype, double sum, double a, double b)> add_term =
      [](Dtype, double sum, double a, double b) { return sum + a * b; };
  std::function<std::uint64_t(const Format&, double)> store_sum = encode;
  // c x + p.
  std::function<double(Dtype, double c, double x, double p)> scaled_sum = honest_sum;
  // Whether the element of `out` with this column is written at all; columns are the last axis.
  bool (*writes)(std::int64_t column, std::int64_t width) = [](std::int64_t, std::int64_t) { return true; };
  // Where an element of the table lies.
  std::byte* (*place)(const View& table, std::int64_t row, std::int64_t column) =
      [](const View& table, std::int64_t row, std::int64_t column) { return element(table, row, column); };

  // In double for f64, in float for the others.
  static double honest_sum(Dtype dtype, double c, double x, double p);

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override;
  Status run(const Call& call) override;

 private:
  void store(const View& out, std::uint64_t bits, std::int64_t i, std::int64_t j, std::int64_t k = 0) const;
  std::uint64_t product(const View& out, std::int64_t terms,
                        const std::function<std::array<double, 2>(std::int64_t)>& term) const;
  Status embed(const Call& call) const;
  Status embed_product(const Call& call) const;
  Status one_hot(const Call& call) const;
  Status matmul(const Call& call) const;
  Status combine(const Call& call) const;

  std::string name_ = "plain";
  std::array<Model, 4> models_;
};

std::int64_t id_at(const View& ids, std::int64_t i);
// c of a call of combine over rows of width d, as the real number rounded to double.
double scale_of(const Call& call, std::int64_t d);

// What a mutant does with a call, given an honest subject to lean on. It may keep state.
using Fault = std::function<Status(Subject& honest, const Call& call)>;
std::unique_ptr<Subject> faulty(Fault fault);
// The plain subject with steps replaced.
std::unique_ptr<Subject> changed(const std::function<void(PlainSubject&)>& change);

// Makers of faults: the call with another tensor, attribute or id in it.
Call with_tensor(const Call& call, std::string_view name, const View& view);
Call with_attribute(const Call& call, std::string_view name, double value);
// combine with the number c for its scale.
Call with_scale(const Call& call, double c);
using IdChange = std::function<std::int64_t(std::int64_t id, std::int64_t i, std::int64_t rows)>;
// Ids changed one by one, then honest; `rows` is V.
Fault ids_changed(IdChange change);
Status run_with_ids(Subject& honest, const Call& call, const std::vector<std::int64_t>& ids);
std::vector<std::int64_t> ids_of(const Call& call);
std::int64_t rows_of(const Call& call);  // V
bool good(std::int64_t id, std::int64_t rows);

const std::vector<Dtype>& floats();  // f64, f32, bf16, f16

// The head of a mutant; its subject follows.
struct Head {
  std::string_view name, kind, clause;
  Frequency met;
  std::string_view does;
  std::vector<std::string_view> operations;
  std::vector<Dtype> dtypes = floats();
  std::vector<Equivalence> equivalent = {};
};
Mutant mutant(const Head& head, const Fault& fault);
Mutant mutant_of(const Head& head, const std::function<void(PlainSubject&)>& change);

}  // namespace etalon::plain
