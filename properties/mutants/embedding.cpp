// Embedding: which row is shown, and for which ids.
#include <algorithm>
#include <map>

#include "properties/mutants/embedding_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;

// Faults of a whole sequence: ids in, ids out.
using Ids = std::vector<std::int64_t>;
Fault sequence_changed(const std::function<Ids(Ids)>& change) {
  return [change](Subject& honest, const Call& call) {
    return run_with_ids(honest, call, change(ids_of(call)));
  };
}

// Runs honestly, then writes zeros over the rows that `loses` names.
Fault rows_zeroed(const std::function<bool(const Ids&, std::size_t)>& loses) {
  return [loses](Subject& honest, const Call& call) {
    const Status status = honest.run(call);
    const Ids ids = ids_of(call);
    for (std::size_t i = 0; status == Status::ok && i < ids.size(); ++i) {
      if (!loses(ids, i)) continue;
      const View& out = call.tensor("out");
      for (std::int64_t j = 0; j < out.shape[1]; ++j) put(out, 0, static_cast<std::int64_t>(i), j);
    }
    return status;
  };
}

bool seen_before(const Ids& ids, std::size_t i) {
  const auto here = ids.begin() + static_cast<std::ptrdiff_t>(i);
  return std::find(ids.begin(), here, ids[i]) != here;
}

std::vector<Mutant> row_mutants() {
  constexpr std::string_view kind = "wrong row";
  return {
      mutant({"next_row", kind, "EMB-1", Frequency::common, "shows row k + 1 for the id k", {"embed"}},
             ids_changed([](auto id, auto, auto rows) { return good(id, rows) ? (id + 1) % rows : id; })),
      mutant({"padding_row_is_zero",
              kind,
              "EMB-1",
              Frequency::common,
              "takes the id 0 for padding and shows zeros for it",
              {"embed"}},
             rows_zeroed([](const Ids& ids, std::size_t i) { return ids[i] == 0; })),
      mutant({"previous_token",
              kind,
              "EMB-4",
              Frequency::occasional,
              "shows in row i the token i - 1",
              {"embed"}},
             sequence_changed([](Ids ids) {
               if (ids.size() > 1) std::rotate(ids.begin(), ids.end() - 1, ids.end());
               if (ids.size() > 1) ids.front() = ids[1];
               return ids;
             })),
      mutant({"last_token_lost",
              kind,
              "EMB-4",
              Frequency::common,
              "shows the first token in the last row",
              {"embed"}},
             sequence_changed([](Ids ids) {
               if (!ids.empty()) ids.back() = ids.front();
               return ids;
             })),
      mutant(
          {"row_by_place", kind, "EMB-4", Frequency::rare, "adds the place of a token to its id", {"embed"}},
          ids_changed([](auto id, auto i, auto rows) { return good(id, rows) ? (id + i) % rows : id; })),
      mutant({"ids_stay_sorted",
              kind,
              "EMB-4",
              Frequency::occasional,
              "sorts the ids to read the table in order, and leaves the rows so",
              {"embed"}},
             sequence_changed([](Ids ids) {
               std::sort(ids.begin(), ids.end());
               return ids;
             })),
      mutant_of({"table_transposed",
                 kind,
                 "EMB-4",
                 Frequency::occasional,
                 "reads the table column by column",
                 {"embed"}},
                [](PlainSubject& subject) {
                  subject.place = [](const View& table, std::int64_t row, std::int64_t column) {
                    const std::int64_t index = column * table.shape[0] + row;
                    return element(table, index / table.shape[1], index % table.shape[1]);
                  };
                }),
      mutant({"product_next_row",
              kind,
              "EMB-3",
              Frequency::rare,
              "puts the 1 beside the column of the id",
              {"embed_product"}},
             ids_changed([](auto id, auto, auto rows) { return good(id, rows) ? (id + 1) % rows : id; })),
      mutant(
          {"one_hot_counts_from_one",
           kind,
           "EMB-2",
           Frequency::occasional,
           "takes column k - 1 for the id k",
           {"one_hot"}},
          ids_changed([](auto id, auto, auto rows) { return good(id, rows) ? (id + rows - 1) % rows : id; })),
      mutant({"repeated_id_once",
              "shared state",
              "EMB-4",
              Frequency::occasional,
              "gathers each distinct row once and leaves zeros for repetitions",
              {"embed"}},
             rows_zeroed(seen_before)),
      mutant({"one_hot_repeated_id_once",
              "shared state",
              "EMB-2",
              Frequency::rare,
              "writes the 1 of an id in its first row only",
              {"one_hot"}},
             rows_zeroed(seen_before)),
      mutant({"table_cached",
              "shared state",
              "EMB-4",
              Frequency::occasional,
              "keeps the first table of each shape for all calls",
              {"embed"}},
             [kept = std::map<std::pair<Dtype, std::int64_t>, Tensor>()](Subject& honest,
                                                                         const Call& call) mutable {
               const View& table = call.tensor("table");
               if (table.shape.elements() == 0 || table.shape.elements() > (1 << 20)) return honest.run(call);
               auto [entry, fresh] = kept.try_emplace({table.dtype, (table.shape[0] << 32) + table.shape[1]},
                                                      table.dtype, table.shape);
               const View& mine = entry->second.view();
               if (fresh) for_each(table, [&](auto i, auto j, auto) { put(mine, load(table, i, j), i, j); });
               return honest.run(with_tensor(call, "table", mine));
             }),
      mutant({"ids_cached",
              "shared state",
              "EMB-4",
              Frequency::rare,
              "takes the ids of the last call while their number is the same",
              {"embed"}},
             [kept = Ids()](Subject& honest, const Call& call) mutable {
               Ids ids = ids_of(call);
               if (ids.size() == kept.size() && std::all_of(kept.begin(), kept.end(), [&](std::int64_t id) {
                     return good(id, rows_of(call));
                   }))
                 ids = kept;
               kept = ids;
               return run_with_ids(honest, call, ids);
             }),
  };
}

}  // namespace

std::vector<Mutant> embedding_mutants() {
  return joined({row_mutants, embedding_id_mutants, embedding_copy_mutants, one_hot_mutants});
}

}  // namespace etalon
