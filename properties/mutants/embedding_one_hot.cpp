// One-hot rows, and products with them.
#include <cmath>

#include "properties/mutants/embedding_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;

const std::vector<std::string_view> products = {"embed_product", "matmul"};

// Runs honestly, and then visits every entry of the one-hot rows.
Fault entries_changed(
    const std::function<void(const View& out, std::int64_t i, std::int64_t k, std::int64_t id)>& change) {
  return [change](Subject& honest, const Call& call) {
    const Status status = honest.run(call);
    if (status != Status::ok) return status;
    const std::vector<std::int64_t> ids = ids_of(call);
    const View& out = call.tensor("out");
    for_each(out, [&](std::int64_t i, std::int64_t k, std::int64_t) {
      change(out, i, k, ids[static_cast<std::size_t>(i)]);
    });
    return status;
  };
}

std::vector<Mutant> row_mutants() {
  return {
      mutant({"one_hot_twice",
              "wrong row",
              "EMB-2",
              Frequency::rare,
              "puts a second 1 behind the first",
              {"one_hot"}},
             entries_changed([](const View& out, auto i, auto k, auto id) {
               if (k == (id + 1) % out.shape[1]) put(out, encode(format_of(out.dtype), 1), i, k);
             })),
      mutant_of({"one_hot_minus_zero",
                 "special values",
                 "EMB-2",
                 Frequency::rare,
                 "writes -0 where 0 is due",
                 {"one_hot"}},
                [](PlainSubject& subject) {
                  subject.cold = [](const Format& format) { return encode(format, -0.0); };
                }),
      mutant_of({"one_hot_minus_one",
                 "special values",
                 "EMB-2",
                 Frequency::rare,
                 "writes -1 where 1 is due",
                 {"one_hot"}},
                [](PlainSubject& subject) {
                  subject.hot = [](const Format& format) { return encode(format, -1); };
                }),
      mutant_of({"one_hot_integer_one",
                 "inexact copy",
                 "EMB-2",
                 Frequency::occasional,
                 "writes the bits of the integer 1",
                 {"one_hot"}},
                [](PlainSubject& subject) { subject.hot = [](const Format&) { return std::uint64_t{1}; }; }),
      mutant_of({"one_hot_smoothed",
                 "special values",
                 "EMB-2",
                 Frequency::rare,
                 "leaves label smoothing on: 0.9 and a little elsewhere",
                 {"one_hot"}},
                [](PlainSubject& subject) {
                  subject.hot = [](const Format& format) { return encode(format, 0.9); };
                  subject.cold = [](const Format& format) { return encode(format, 0.001); };
                }),
      mutant({"one_hot_transposed",
              "operand order",
              "EMB-2",
              Frequency::occasional,
              "writes column by column",
              {"one_hot"}},
             [](Subject& honest, const Call& call) {
               Tensor rows(call.tensor("out").dtype, call.tensor("out").shape);
               const Status status = honest.run(with_tensor(call, "out", rows.view()));
               const View& out = call.tensor("out");
               if (status != Status::ok) return status;
               for_each(out, [&](auto i, auto k, auto) {
                 const std::int64_t index = k * out.shape[0] + i;
                 put(out, rows.bits(index), i, k);
               });
               return status;
             }),
      mutant({"one_hot_zeros_expected",
              "contract",
              "EMB-2",
              Frequency::occasional,
              "writes the 1s alone and takes the output for zeroed",
              {"one_hot"}},
             [](Subject& honest, const Call& call) {
               Tensor rows(call.tensor("out").dtype, call.tensor("out").shape);
               const Status status = honest.run(with_tensor(call, "out", rows.view()));
               const std::vector<std::int64_t> ids = ids_of(call);
               for (std::size_t i = 0; status == Status::ok && i < ids.size(); ++i) {
                 const auto row = static_cast<std::int64_t>(i);
                 put(call.tensor("out"), encode(format_of(rows.dtype()), 1), row, ids[i]);
               }
               return status;
             }),
  };
}

// Operands of the product rounded further than declared.
std::function<void(PlainSubject&)> operands_through(Dtype narrow) {
  return [narrow](PlainSubject& subject) {
    subject.add_term = [narrow](Dtype, double sum, double a, double b) {
      return sum + rounded_to(narrow, a) * rounded_to(narrow, b);
    };
  };
}
std::function<void(PlainSubject&)> sums_in(Dtype narrow) {
  return [narrow](PlainSubject& subject) {
    subject.add_term = [narrow](Dtype, double sum, double a, double b) {
      return rounded_to(narrow, sum + a * b);
    };
  };
}

std::vector<Mutant> product_mutants() {
  constexpr std::string_view operand = "narrow operand";
  constexpr std::string_view accumulator = "narrow accumulator";
  const std::vector<Equivalence> in_bf16 = {{Dtype::bf16, "1 e + 0 is a value of bf16 at every step"}};
  const std::vector<Equivalence> in_f16 = {{Dtype::f16, "1 e + 0 is a value of f16 at every step"}};
  const std::vector<Dtype> not_bf16 = {Dtype::f64, Dtype::f32, Dtype::f16};
  const std::vector<Dtype> not_f16 = {Dtype::f64, Dtype::f32, Dtype::bf16};
  return {
      mutant_of({"product_operands_bf16", operand, "EMB-3", Frequency::common,
                 "rounds both factors to bf16 first", products, not_bf16, in_bf16},
                operands_through(Dtype::bf16)),
      mutant_of({"product_operands_f16", operand, "EMB-3", Frequency::common,
                 "rounds both factors to f16 first", products, not_f16, in_f16},
                operands_through(Dtype::f16)),
      mutant_of({"product_sums_bf16", accumulator, "EMB-3", Frequency::occasional, "keeps its sums in bf16",
                 products, not_bf16, in_bf16},
                sums_in(Dtype::bf16)),
      mutant_of({"product_sums_f16", accumulator, "EMB-3", Frequency::occasional, "keeps its sums in f16",
                 products, not_f16, in_f16},
                sums_in(Dtype::f16)),
      mutant_of({"product_last_bit", accumulator, "EMB-3", Frequency::rare, "drops the last bit of every sum",
                 products},
                [](PlainSubject& subject) {
                  subject.store_sum = [](const Format& format, double sum) {
                    return encode(format, sum) & ~std::uint64_t{1};
                  };
                }),
      mutant_of({"product_flushes", "special values", "EMB-3", Frequency::occasional,
                 "flushes subnormal terms and does not say so", products},
                [](PlainSubject& subject) {
                  subject.add_term = [](Dtype dtype, double sum, double a, double b) {
                    return std::fabs(b) < format_of(dtype).smallest_normal() ? sum : sum + a * b;
                  };
                }),
      mutant_of({"product_saturates", "special values", "EMB-3", Frequency::rare,
                 "keeps sums below half of the largest number", products},
                [](PlainSubject& subject) {
                  subject.store_sum = [](const Format& format, double sum) {
                    return encode(format, std::fmin(sum, format.largest_finite() / 2));
                  };
                }),
      mutant({"product_tail_lost",
              "tile tails",
              "EMB-3",
              Frequency::common,
              "loses rows of the table beyond a multiple of 4",
              {"embed_product"}},
             [](Subject& honest, const Call& call) {
               const Status status = honest.run(call);
               const std::vector<std::int64_t> ids = ids_of(call);
               const View& out = call.tensor("out");
               if (status != Status::ok) return status;
               for_each(out, [&](auto i, auto j, auto) {
                 if (ids[static_cast<std::size_t>(i)] >= rows_of(call) / 4 * 4) put(out, 0, i, j);
               });
               return status;
             }),
      mutant({"product_tokens_lost",
              "tile tails",
              "EMB-3",
              Frequency::occasional,
              "leaves tokens beyond a multiple of 2",
              {"embed_product"}},
             [](Subject& honest, const Call& call) {
               std::vector<std::int64_t> ids = ids_of(call);
               View out = call.tensor("out");
               if (out.shape[0] != static_cast<std::int64_t>(ids.size())) return Status::invalid_argument;
               ids.resize(ids.size() / 2 * 2);
               out.shape.extent[0] = static_cast<std::int64_t>(ids.size());
               return run_with_ids(honest, with_tensor(call, "out", out), ids);
             }),
  };
}

}  // namespace

std::vector<Mutant> one_hot_mutants() {
  std::vector<Mutant> mutants = row_mutants();
  for (Mutant& each : product_mutants()) mutants.push_back(std::move(each));
  return mutants;
}

}  // namespace etalon
