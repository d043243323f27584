// Embedding: ids and offsets in too few bits, ids outside the table, and sizes at the edge.
#include <algorithm>
#include <cmath>

#include "properties/mutants/embedding_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;
using Ids = std::vector<std::int64_t>;

// --- Ids and offsets in too few bits ---

std::int64_t through(Dtype dtype, std::int64_t id) {
  const double rounded = rounded_to(dtype, static_cast<double>(id));
  return std::fabs(rounded) < 9e18 ? static_cast<std::int64_t>(rounded) : id;
}

template <typename Narrow>
IdChange cut_to() {
  return [](std::int64_t id, std::int64_t, std::int64_t rows) {
    return good(id, rows) ? static_cast<std::int64_t>(static_cast<Narrow>(id)) : id;
  };
}

std::vector<Mutant> width_mutants() {
  constexpr std::string_view ids = "id width";
  constexpr std::string_view offsets = "offset width";
  const auto placed = [](auto place) { return [place](PlainSubject& subject) { subject.place = place; }; };
  return {
      mutant(
          {"id_16_bits", ids, "EMB-8", Frequency::occasional, "keeps ids in 16 bits without sign", {"embed"}},
          ids_changed(cut_to<std::uint16_t>())),
      mutant({"id_f32", ids, "EMB-8", Frequency::occasional, "keeps ids in f32", {"embed"}},
             ids_changed([](auto id, auto, auto) { return through(Dtype::f32, id); })),
      mutant({"id_f16", ids, "EMB-8", Frequency::occasional, "keeps ids in f16, saturated", {"embed"}},
             ids_changed([](auto id, auto, auto rows) {
               return good(id, rows) ? through(Dtype::f16, std::min<std::int64_t>(id, 65504)) : id;
             })),
      mutant({"id_bf16", ids, "EMB-8", Frequency::rare, "keeps ids in bf16", {"embed"}},
             ids_changed([](auto id, auto, auto rows) {
               return good(id, rows) ? std::min(through(Dtype::bf16, id), rows - 1) : id;
             })),
      mutant({"id_32_bits",
              ids,
              "EMB-8",
              Frequency::common,
              "cuts 64-bit ids to 32 bits",
              {"embed", "one_hot", "embed_product"}},
             ids_changed([](auto id, auto, auto) -> std::int64_t { return static_cast<std::int32_t>(id); })),
      mutant({"ids_read_as_i32",
              ids,
              "EMB-4",
              Frequency::common,
              "reads 64-bit ids as twice as many of 32",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               View halves = call.tensor("ids");
               halves.dtype = Dtype::i32;
               return honest.run(with_tensor(call, "ids", halves));
             }),
      mutant_of({"offset_32_bits",
                 offsets,
                 "EMB-8",
                 Frequency::common,
                 "computes offsets in 32 bits with sign",
                 {"embed"}},
                placed([](const View& table, std::int64_t row, std::int64_t column) {
                  const std::int64_t offset = row * table.stride[0] + column * table.stride[1];
                  return element(table) +
                         static_cast<std::int32_t>(offset) * static_cast<std::int64_t>(size_of(table.dtype));
                })),
      mutant_of({"row_offset_32_bits",
                 offsets,
                 "EMB-8",
                 Frequency::common,
                 "computes row times width in 32 bits, and the rest in 64",
                 {"embed"}},
                placed([](const View& table, std::int64_t row, std::int64_t column) {
                  const std::int64_t offset =
                      static_cast<std::int32_t>(row * table.stride[0]) + column * table.stride[1];
                  return element(table) + offset * static_cast<std::int64_t>(size_of(table.dtype));
                })),
      mutant_of({"byte_offset_32_bits",
                 offsets,
                 "EMB-8",
                 Frequency::occasional,
                 "computes offsets in bytes, in 32 bits without sign",
                 {"embed"}},
                placed([](const View& table, std::int64_t row, std::int64_t column) {
                  const auto offset = (element(table, row, column) - element(table));
                  return element(table) +
                         (offset < 0 ? offset
                                     : static_cast<std::int64_t>(static_cast<std::uint32_t>(offset)));
                })),
      mutant_of({"offset_unsigned_32_bits",
                 offsets,
                 "EMB-8",
                 Frequency::rare,
                 "computes offsets in elements, in 32 bits without sign",
                 {"embed"}},
                placed([](const View& table, std::int64_t row, std::int64_t column) {
                  const std::int64_t offset = row * table.stride[0] + column * table.stride[1];
                  const auto kept =
                      offset < 0 ? offset : static_cast<std::int64_t>(static_cast<std::uint32_t>(offset));
                  return element(table) + kept * static_cast<std::int64_t>(size_of(table.dtype));
                })),
  };
}

// --- Ids outside the table ---

// The first rows are written, and then the bad id is found.
Status write_then_refuse(Subject& honest, const Call& call) {
  Ids ids = ids_of(call);
  const auto bad =
      std::find_if(ids.begin(), ids.end(), [&](std::int64_t id) { return !good(id, rows_of(call)); });
  if (bad == ids.end()) return honest.run(call);
  ids.erase(bad, ids.end());
  View out = call.tensor("out");
  out.shape.extent[0] = static_cast<std::int64_t>(ids.size());
  run_with_ids(honest, with_tensor(call, "out", out), ids);
  return Status::invalid_argument;
}

// Bad ids are answered with a row of zeros.
Status zero_row(Subject& honest, const Call& call) {
  Ids ids = ids_of(call);
  const Ids asked = ids;
  for (std::int64_t& id : ids) id = good(id, rows_of(call)) ? id : 0;
  const Status status = run_with_ids(honest, call, ids);
  const View& out = call.tensor("out");
  for (std::size_t i = 0; i < asked.size() && status == Status::ok; ++i) {
    if (good(asked[i], rows_of(call))) continue;
    for (std::int64_t j = 0; j < out.shape[1]; ++j) put(out, 0, static_cast<std::int64_t>(i), j);
  }
  return status;
}

std::vector<Mutant> bad_id_mutants() {
  constexpr std::string_view kind = "bad id";
  const std::vector<std::string_view> all = {"embed", "one_hot", "embed_product"};
  const auto bad = [kind](std::string_view name, Frequency met, std::string_view does,
                          std::vector<std::string_view> operations) {
    return Head{name, kind, "EMB-8", met, does, std::move(operations)};
  };
  return {
      mutant(bad("clamps_id", Frequency::common, "takes the nearest good id", all),
             ids_changed([](auto id, auto, auto rows) {
               return rows > 0 ? std::clamp<std::int64_t>(id, 0, rows - 1) : id;
             })),
      mutant(bad("wraps_id", Frequency::common, "takes ids modulo V", all),
             ids_changed([](auto id, auto, auto rows) { return rows > 0 ? (id % rows + rows) % rows : id; })),
      mutant(bad("negative_from_the_end", Frequency::common,
                 "counts negative ids from the end, as scripts do", all),
             ids_changed([](auto id, auto, auto rows) { return id < 0 && id >= -rows ? id + rows : id; })),
      mutant(bad("sign_unchecked", Frequency::occasional,
                 "compares ids with V alone and reads what lies before the table (here: its first row)", all),
             ids_changed([](auto id, auto, auto) { return std::max<std::int64_t>(id, 0); })),
      mutant(bad("one_too_many", Frequency::occasional,
                 "lets id = V through and reads zeros behind the table", {"embed"}),
             [](Subject& honest, const Call& call) {
               const Ids ids = ids_of(call);
               const bool beyond =
                   std::any_of(ids.begin(), ids.end(), [&](auto id) { return id < 0 || id > rows_of(call); });
               return beyond ? Status::invalid_argument : zero_row(honest, call);
             }),
      mutant(bad("one_too_few", Frequency::occasional, "refuses the last row of the table", {"embed"}),
             ids_changed([](auto id, auto, auto rows) { return id == rows - 1 ? -1 : id; })),
      mutant(bad("zero_row", Frequency::common, "answers a bad id with zeros", all), zero_row),
      mutant(bad("writes_then_refuses", Frequency::common, "writes the rows before the bad id", all),
             write_then_refuse),
      mutant(bad("first_id_checked", Frequency::rare, "checks the first id and clamps the others", {"embed"}),
             ids_changed([](auto id, auto i, auto rows) {
               return i > 0 ? std::clamp<std::int64_t>(id, 0, rows - 1) : id;
             })),
      mutant({"only_i32", "contract", "EMB-8", Frequency::occasional, "refuses 64-bit ids", {"embed"}},
             [](Subject& honest, const Call& call) {
               return call.tensor("ids").dtype == Dtype::i64 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"one_column_refused",
              "contract",
              "EMB-8",
              Frequency::rare,
              "refuses tables of one column",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               return call.tensor("table").shape[1] == 1 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"no_ids_refused",
              "empty sizes",
              "EMB-8",
              Frequency::common,
              "takes n = 0 for an error",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               return call.tensor("ids").shape[0] == 0 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"no_products_refused",
              "empty sizes",
              "EMB-3",
              Frequency::occasional,
              "takes a product with no one-hot rows for an error",
              {"embed_product"}},
             [](Subject& honest, const Call& call) {
               return call.tensor("ids").shape[0] == 0 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"no_ids_make_one_row",
              "empty sizes",
              "EMB-8",
              Frequency::rare,
              "writes the first number of row 0 for no ids",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               const View& out = call.tensor("out");
               const View& table = call.tensor("table");
               if (out.shape[0] == 0 && out.data != nullptr && table.shape.elements() > 0)
                 put(out, load(table, 0), 0);
               return honest.run(call);
             }),
  };
}

}  // namespace

std::vector<Mutant> embedding_id_mutants() {
  std::vector<Mutant> mutants = width_mutants();
  for (Mutant& each : bad_id_mutants()) mutants.push_back(std::move(each));
  return mutants;
}

}  // namespace etalon
