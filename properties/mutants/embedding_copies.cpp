// Embedding: how a row arrives, and how far the work goes.
#include <cmath>

#include "properties/mutants/embedding_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;

// By way of another format; NaNs stay as they are, so that only numbers change.
std::function<void(PlainSubject&)> copied_through(Dtype narrow) {
  return [narrow](PlainSubject& subject) {
    subject.copy = [narrow](const Format& format, std::uint64_t bits) {
      const double value = decode(format, bits);
      return std::isnan(value) ? bits : encode(format, rounded_to(narrow, value));
    };
  };
}

std::function<void(PlainSubject&)> copied_by(std::uint64_t (*copy)(const Format&, std::uint64_t)) {
  return [copy](PlainSubject& subject) { subject.copy = copy; };
}

std::vector<Mutant> inexact_mutants() {
  constexpr std::string_view kind = "inexact copy";
  return {
      mutant_of({"through_bf16",
                 kind,
                 "EMB-7",
                 Frequency::common,
                 "copies by way of bf16",
                 {"embed"},
                 {Dtype::f64, Dtype::f32, Dtype::f16},
                 {{Dtype::bf16, "a value of bf16 rounds to itself"}}},
                copied_through(Dtype::bf16)),
      mutant_of({"through_f16",
                 kind,
                 "EMB-7",
                 Frequency::common,
                 "copies by way of f16",
                 {"embed"},
                 {Dtype::f64, Dtype::f32, Dtype::bf16},
                 {{Dtype::f16, "a value of f16 rounds to itself"}}},
                copied_through(Dtype::f16)),
      mutant_of({"through_f32",
                 kind,
                 "EMB-7",
                 Frequency::occasional,
                 "copies by way of f32",
                 {"embed"},
                 {Dtype::f64},
                 {{Dtype::f32, "a value of f32 rounds to itself"},
                  {Dtype::bf16, "every value of bf16 is one of f32"},
                  {Dtype::f16, "every value of f16 is one of f32"}}},
                copied_through(Dtype::f32)),
      mutant_of(
          {"quiets_nan", kind, "EMB-7", Frequency::occasional, "makes every NaN the quiet one", {"embed"}},
          copied_by([](const Format& format, std::uint64_t bits) {
            const double value = decode(format, bits);
            return std::isnan(value) ? encode(format, value) : bits;
          })),
      mutant_of({"copy_flushes",
                 kind,
                 "EMB-7",
                 Frequency::common,
                 "copies through arithmetic that flushes subnormals",
                 {"embed"}},
                copied_by([](const Format& format, std::uint64_t bits) {
                  return std::fabs(decode(format, bits)) < format.smallest_normal() ? 0 : bits;
                })),
      mutant_of({"adds_zero",
                 kind,
                 "EMB-7",
                 Frequency::occasional,
                 "adds 0 to what it copies, so that -0 becomes +0",
                 {"embed"}},
                copied_by([](const Format& format, std::uint64_t bits) {
                  return decode(format, bits) == 0 ? 0 : bits;
                })),
      mutant_of({"last_subnormal_lost",
                 kind,
                 "EMB-7",
                 Frequency::rare,
                 "rounds the smallest subnormal away",
                 {"embed"}},
                copied_by([](const Format& format, std::uint64_t bits) {
                  return std::fabs(decode(format, bits)) == format.smallest_subnormal() ? 0 : bits;
                })),
      mutant({"one_bit_of_many",
              "single element",
              "EMB-4",
              Frequency::rare,
              "flips the last bit of the last number of results with 32 or more",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               const Status status = honest.run(call);
               const View& out = call.tensor("out");
               if (status != Status::ok || out.shape.elements() < 32) return status;
               const std::int64_t i = out.shape[0] - 1;
               const std::int64_t j = out.shape[1] - 1;
               put(out, load(out, i, j) ^ 1, i, j);
               return status;
             }),
      mutant({"block_corner_stale",
              "single element",
              "EMB-4",
              Frequency::rare,
              "shows the number above at (4, 4), where two blocks meet",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               const Status status = honest.run(call);
               const View& out = call.tensor("out");
               if (status == Status::ok && out.shape[0] > 4 && out.shape[1] > 4)
                 put(out, load(out, 3, 4), 4, 4);
               return status;
             }),
  };
}

template <std::int64_t lanes>
void without_tail(PlainSubject& subject) {
  subject.writes = [](std::int64_t column, std::int64_t width) { return column < width / lanes * lanes; };
}

std::vector<Mutant> width_mutants() {
  constexpr std::string_view kind = "width";
  return {
      mutant_of(
          {"tail_of_4", kind, "EMB-8", Frequency::common, "leaves columns beyond a multiple of 4", {"embed"}},
          without_tail<4>),
      mutant_of({"tail_of_64",
                 kind,
                 "EMB-8",
                 Frequency::occasional,
                 "leaves columns beyond a multiple of 64",
                 {"embed"}},
                without_tail<64>),
      mutant_of(
          {"beyond_1024", kind, "EMB-8", Frequency::occasional, "leaves columns from 1024 on", {"embed"}},
          [](PlainSubject& subject) {
            subject.writes = [](std::int64_t column, std::int64_t) { return column < 1024; };
          }),
      mutant({"tail_of_the_row_above",
              kind,
              "EMB-8",
              Frequency::rare,
              "leaves in columns beyond a multiple of 8 what the row above had in its registers",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               const Status status = honest.run(call);
               const View& out = call.tensor("out");
               if (status != Status::ok) return status;
               for (std::int64_t i = out.shape[0] - 1; i > 0; --i) {
                 for (std::int64_t j = out.shape[1] / 8 * 8; j < out.shape[1]; ++j)
                   put(out, load(out, i - 1, j), i, j);
               }
               return status;
             }),
      mutant_of({"one_hot_tail_of_8",
                 kind,
                 "EMB-2",
                 Frequency::common,
                 "leaves columns beyond a multiple of 8",
                 {"one_hot"}},
                without_tail<8>),
  };
}

// The lookup as a product: every row of the table enters with the factor 0 or 1.
Status lookup_by_product(Subject& honest, const Call& call, std::int64_t reach) {
  const Status status = honest.run(call);
  if (status != Status::ok) return status;
  const View& table = call.tensor("table");
  const View& out = call.tensor("out");
  const Format& format = format_of(out.dtype);
  const std::vector<std::int64_t> ids = ids_of(call);
  for_each(out, [&](std::int64_t i, std::int64_t j, std::int64_t) {
    const std::int64_t id = ids[static_cast<std::size_t>(i)];
    double sum = get(table, id, j);
    const std::int64_t last = std::min(table.shape[0] - 1, id + reach);
    for (std::int64_t r = std::max<std::int64_t>(0, id - reach); r <= last; ++r) {
      if (r != id) sum += 0 * get(table, r, j);
    }
    if (std::isnan(sum) || sum == 0) put(out, encode(format, sum), i, j);
  });
  return status;
}

std::vector<Mutant> product_mutants() {
  constexpr std::string_view kind = "product for lookup";
  return {
      mutant({"lookup_by_product",
              kind,
              "EMB-3",
              Frequency::common,
              "adds every other row of the table times 0",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               return lookup_by_product(honest, call, std::int64_t{1} << 32);
             }),
      mutant({"lookup_interpolates",
              kind,
              "EMB-3",
              Frequency::rare,
              "blends the rows beside the id's with weight 0",
              {"embed"}},
             [](Subject& honest, const Call& call) { return lookup_by_product(honest, call, 1); }),
  };
}

}  // namespace

std::vector<Mutant> embedding_copy_mutants() {
  return joined({inexact_mutants, width_mutants, product_mutants});
}

}  // namespace etalon
