// Lookups, one-hot rows and their products as libraries compute them.
#include <cstring>
#include <numeric>
#include <thread>

#include "properties/honest/arithmetic.hpp"
#include "properties/honest/frame.hpp"

namespace etalon {
namespace {

using namespace honest;
using Ids = std::vector<std::int64_t>;

std::int64_t id_at(const View& ids, std::int64_t i) {
  const std::uint64_t bits = load_bits(element(ids, i), size_of(ids.dtype));
  return ids.dtype == Dtype::i32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                                 : static_cast<std::int64_t>(bits);
}

// EMB-8: the ids, or none where one is outside [0, rows).
bool good_ids(const View& view, std::int64_t rows, Ids& ids) {
  for (std::int64_t i = 0; i < view.shape[0]; ++i) {
    ids.push_back(id_at(view, i));
    if (ids.back() < 0 || ids.back() >= rows) return false;
  }
  return true;
}

// A call that copies or selects rows: ids are checked before anything is written.
using FillRows = std::function<void(const View& table, const Ids& ids, const View& out)>;

Compute lookup_by(const FillRows& fill) {
  return [fill](const Call& call) {
    const View& table = call.tensor("table");
    const View& ids = call.tensor("ids");
    const View& out = call.tensor("out");
    Ids wanted;
    const bool fits = is_matrix(table) && ids.shape.rank == 1 && table.dtype == out.dtype &&
                      out.shape == Shape{ids.shape[0], table.shape[1]};
    if (!fits || !good_ids(ids, table.shape[0], wanted)) return Status::invalid_argument;
    fill(table, wanted, out);
    return Status::ok;
  };
}

void copy_element(const View& table, std::int64_t row, const View& out, std::int64_t i, std::int64_t j) {
  write(out, load_bits(element(table, row, j), size_of(out.dtype)), i, j);
}

void copy_row(const View& table, std::int64_t row, const View& out, std::int64_t i) {
  const auto bytes = static_cast<std::size_t>(out.shape[1]) * size_of(out.dtype);
  if (table.stride[1] == 1 && out.stride[1] == 1) {
    if (bytes > 0) std::memcpy(element(out, i), element(table, row), bytes);
    return;
  }
  for (std::int64_t j = 0; j < out.shape[1]; ++j) copy_element(table, row, out, i, j);
}

std::int64_t count_of(const Ids& ids) { return static_cast<std::int64_t>(ids.size()); }

void rows_as_a_whole(const View& table, const Ids& ids, const View& out) {
  for (std::int64_t i = 0; i < count_of(ids); ++i) copy_row(table, ids[static_cast<std::size_t>(i)], out, i);
}

void column_by_column(const View& table, const Ids& ids, const View& out) {
  for (std::int64_t j = 0; j < out.shape[1]; ++j) {
    for (std::int64_t i = count_of(ids); i-- > 0;)
      copy_element(table, ids[static_cast<std::size_t>(i)], out, i, j);
  }
}

// In the order of the ids, so that the table is read once from top to bottom.
void sorted_by_id(const View& table, const Ids& ids, const View& out) {
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return ids[x] < ids[y]; });
  for (const std::size_t i : order) copy_row(table, ids[i], out, static_cast<std::int64_t>(i));
}

// Four rows ahead are called for while one is copied.
void prefetched(const View& table, const Ids& ids, const View& out) {
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + ahead < ids.size()) __builtin_prefetch(element(table, ids[i + ahead]));
    copy_row(table, ids[i], out, static_cast<std::int64_t>(i));
  }
}

void by_threads(const View& table, const Ids& ids, const View& out) {
  const auto rows = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) copy_row(table, ids[i], out, static_cast<std::int64_t>(i));
  };
  std::thread other(rows, ids.size() / 2, ids.size());
  rows(0, ids.size() / 2);
  other.join();
}

// --- Products: u_k E, all V terms or those that are not zero ---

template <typename Number>
void full_sum(const View& table, const Ids& ids, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    for (std::int64_t j = 0; j < out.shape[1]; ++j) {
      Number sum = 0;
      for (std::int64_t k = 0; k < table.shape[0]; ++k) {
        const Number hot = k == ids[static_cast<std::size_t>(i)] ? 1 : 0;
        sum = sum + hot * static_cast<Number>(read(table, k, j));
      }
      write(out, stored(format_of(out.dtype), sum), i, j);
    }
  }
}

// EMB-3: where the row is finite the other terms are zeros, which a sparse product leaves out.
template <typename Number>
void sparse_sum(const View& table, const Ids& ids, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    for (std::int64_t j = 0; j < out.shape[1]; ++j) {
      const Number term = static_cast<Number>(read(table, ids[static_cast<std::size_t>(i)], j));
      write(out, stored(format_of(out.dtype), Number(0) + term), i, j);
    }
  }
}

// Both operands of the product rounded to bf16.
void bf16_sum(const View& table, const Ids& ids, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    for (std::int64_t j = 0; j < out.shape[1]; ++j) {
      const double held = read(table, ids[static_cast<std::size_t>(i)], j);
      write(out, encode(format_of(out.dtype), rounded_to(format_of(Dtype::bf16), held)), i, j);
    }
  }
}

template <typename Arithmetic>
Compute product_by(void (*wide)(const View&, const Ids&, const View&),
                   void (*narrow)(const View&, const Ids&, const View&)) {
  return lookup_by([=](const View& table, const Ids& ids, const View& out) {
    (out.dtype == Dtype::f64 ? wide : narrow)(table, ids, out);
  });
}
template <typename Arithmetic>
Compute full_product() {
  return product_by<Arithmetic>(full_sum<typename Arithmetic::Wide>, full_sum<typename Arithmetic::Narrow>);
}
template <typename Arithmetic>
Compute sparse_product() {
  return product_by<Arithmetic>(sparse_sum<typename Arithmetic::Wide>,
                                sparse_sum<typename Arithmetic::Narrow>);
}

// --- One-hot rows ---

Compute one_hot_by(const std::function<void(const Ids&, const View&)>& fill) {
  return [fill](const Call& call) {
    const View& ids = call.tensor("ids");
    const View& out = call.tensor("out");
    Ids wanted;
    const bool fits = ids.shape.rank == 1 && is_matrix(out) && out.shape[0] == ids.shape[0];
    if (!fits || !good_ids(ids, out.shape[1], wanted)) return Status::invalid_argument;
    fill(wanted, out);
    return Status::ok;
  };
}

void scattered(const Ids& ids, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    for (std::int64_t k = 0; k < out.shape[1]; ++k) write(out, 0, i, k);
  }
  const std::uint64_t one = encode(format_of(out.dtype), 1);
  for (std::int64_t i = 0; i < out.shape[0]; ++i) write(out, one, i, ids[static_cast<std::size_t>(i)]);
}

void compared(const Ids& ids, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    for (std::int64_t k = 0; k < out.shape[1]; ++k) {
      write(out, encode(format_of(out.dtype), k == ids[static_cast<std::size_t>(i)] ? 1 : 0), i, k);
    }
  }
}

Variant lookup(std::string_view name, std::string_view does, const FillRows& fill) {
  return variant(name, does, {"embed"}, float_dtypes(), Model::common, lookup_by(fill));
}

Variant product(std::string_view name, std::string_view does, const std::vector<Dtype>& dtypes,
                const Declare& declare, const Compute& compute) {
  return variant(name, does, {"embed_product"}, dtypes, declare, compute);
}

}  // namespace

std::vector<Variant> embedding_variants() {
  const auto bf16_products = common_but([](Model& model, Dtype) { model.product_input = Dtype::bf16; });
  return {
      lookup("embed_rows", "copies dense rows as a whole", rows_as_a_whole),
      lookup("embed_columns", "copies column by column, from the last token", column_by_column),
      lookup("embed_sorted", "copies rows in the order of their ids", sorted_by_id),
      lookup("embed_prefetched", "calls for rows before it copies them", prefetched),
      lookup("embed_threads", "shares out the tokens between two threads", by_threads),
      product("product_full", "adds all V products of a one-hot row", float_dtypes(), Model::common,
              full_product<Native>()),
      product("product_sparse", "adds the one product that is not zero", float_dtypes(), Model::common,
              sparse_product<Native>()),
      product("product_flushing", "takes subnormal numbers of the table for zero", float_dtypes(), flushing(),
              full_product<Flushing>()),
      product("product_bf16_operands", "rounds the table to bf16 before it multiplies", {Dtype::f32},
              bf16_products, lookup_by(bf16_sum)),
      variant("one_hot_scattered", "writes zeros and then the ones", {"one_hot"}, float_dtypes(),
              Model::common, one_hot_by(scattered)),
      variant("one_hot_compared", "compares every column with the id", {"one_hot"}, float_dtypes(),
              Model::common, one_hot_by(compared)),
  };
}

}  // namespace etalon
