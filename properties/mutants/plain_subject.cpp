#include "properties/mutants/plain_subject.hpp"

#include <cmath>

#include "properties/law.hpp"

namespace etalon::plain {

std::uint64_t load(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) {
  return load_bits(element(view, i, j, k), size_of(view.dtype));
}

double get(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) {
  return decode(format_of(view.dtype), load(view, i, j, k));
}

void put(const View& view, std::uint64_t bits, std::int64_t i, std::int64_t j, std::int64_t k) {
  store_bits(element(view, i, j, k), bits, size_of(view.dtype));
}

double rounded_to(Dtype dtype, double value) {
  return decode(format_of(dtype), encode(format_of(dtype), value));
}

void for_each(const View& view, const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& visit) {
  const auto extent = [&](int axis) { return axis < view.shape.rank ? view.shape[axis] : 1; };
  for (std::int64_t i = 0; i < extent(0); ++i) {
    for (std::int64_t j = 0; j < extent(1); ++j) {
      for (std::int64_t k = 0; k < extent(2); ++k) visit(i, j, k);
    }
  }
}

std::int64_t id_at(const View& ids, std::int64_t i) {
  const std::uint64_t bits = load(ids, i);
  return ids.dtype == Dtype::i32 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                                 : static_cast<std::int64_t>(bits);
}

bool good(std::int64_t id, std::int64_t rows) { return id >= 0 && id < rows; }

double scale_of(const Call& call, std::int64_t d) {
  const double kind = call.attribute("scale");
  return kind == 1 ? std::sqrt(static_cast<double>(d)) : kind == 0 ? 1 : call.attribute("value");
}

PlainSubject::PlainSubject()
    : models_{Model::common(Dtype::f64), Model::common(Dtype::f32), Model::common(Dtype::bf16),
              Model::common(Dtype::f16)} {}

double PlainSubject::honest_sum(Dtype dtype, double c, double x, double p) {
  if (dtype == Dtype::f64) return c * x + p;
  return static_cast<double>(static_cast<float>(c) * static_cast<float>(x) + static_cast<float>(p));
}

const Model* PlainSubject::model(std::string_view, Dtype dtype) const {
  return is_float(dtype) ? &models_[static_cast<std::size_t>(dtype) - 1] : nullptr;
}

Status PlainSubject::run(const Call& call) {
  if (call.operation == "embed") return embed(call);
  if (call.operation == "embed_product") return embed_product(call);
  if (call.operation == "one_hot") return one_hot(call);
  if (call.operation == "matmul") return matmul(call);
  if (call.operation == "combine") return combine(call);
  return Status::unsupported;
}

void PlainSubject::store(const View& out, std::uint64_t bits, std::int64_t i, std::int64_t j,
                         std::int64_t k) const {
  if (writes(out.shape.rank == 3 ? k : j, out.shape[out.shape.rank - 1])) put(out, bits, i, j, k);
}

namespace {

// EMB-8: all ids are looked at before anything is written.
bool all_good(const View& ids, std::int64_t rows) {
  for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
    if (!good(id_at(ids, i), rows)) return false;
  }
  return true;
}

// embed and embed_product: out (n,d) of table (V,d) and ids (n).
bool fits(const View& table, const View& ids, const View& out) {
  return table.shape.rank == 2 && ids.shape.rank == 1 && table.dtype == out.dtype &&
         out.shape == Shape{ids.shape[0], table.shape[1]} && all_good(ids, table.shape[0]);
}

}  // namespace

Status PlainSubject::embed(const Call& call) const {
  const View& table = call.tensor("table");
  const View& ids = call.tensor("ids");
  const View& out = call.tensor("out");
  if (!fits(table, ids, out)) return Status::invalid_argument;
  const Format& format = format_of(out.dtype);
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    const std::int64_t row = id_at(ids, i);
    for (std::int64_t j = 0; j < out.shape[1]; ++j) {
      store(out, copy(format, load_bits(place(table, row, j), size_of(table.dtype))), i, j);
    }
  }
  return Status::ok;
}

std::uint64_t PlainSubject::product(const View& out, std::int64_t terms,
                                    const std::function<std::array<double, 2>(std::int64_t)>& term) const {
  double sum = 0;
  for (std::int64_t r = 0; r < terms; ++r) {
    const auto [a, b] = term(r);
    sum = add_term(out.dtype, sum, a, b);
  }
  return store_sum(format_of(out.dtype), sum);
}

Status PlainSubject::embed_product(const Call& call) const {
  const View& table = call.tensor("table");
  const View& ids = call.tensor("ids");
  const View& out = call.tensor("out");
  if (!fits(table, ids, out)) return Status::invalid_argument;
  for_each(out, [&](std::int64_t i, std::int64_t j, std::int64_t) {
    const std::int64_t id = id_at(ids, i);
    const auto term = [&](std::int64_t r) { return std::array{r == id ? 1.0 : 0.0, get(table, r, j)}; };
    store(out, product(out, table.shape[0], term), i, j);
  });
  return Status::ok;
}

Status PlainSubject::one_hot(const Call& call) const {
  const View& ids = call.tensor("ids");
  const View& out = call.tensor("out");
  if (ids.shape.rank != 1 || out.shape.rank != 2 || out.shape[0] != ids.shape[0] ||
      !all_good(ids, out.shape[1])) {
    return Status::invalid_argument;
  }
  const Format& format = format_of(out.dtype);
  for_each(out, [&](std::int64_t i, std::int64_t k, std::int64_t) {
    store(out, k == id_at(ids, i) ? hot(format) : cold(format), i, k);
  });
  return Status::ok;
}

Status PlainSubject::matmul(const Call& call) const {
  const View& a = call.tensor("a");
  const View& b = call.tensor("b");
  const View& c = call.tensor("c");
  const bool ta = call.attribute("transpose_a") != 0;
  const bool tb = call.attribute("transpose_b") != 0;
  if (call.attribute("alpha") != 1 || call.attribute("beta") != 0) return Status::unsupported;
  for_each(c, [&](std::int64_t i, std::int64_t j, std::int64_t) {
    const auto term = [&](std::int64_t r) {
      return std::array{ta ? get(a, r, i) : get(a, i, r), tb ? get(b, j, r) : get(b, r, j)};
    };
    store(c, product(c, a.shape[ta ? 0 : 1], term), i, j);
  });
  return Status::ok;
}

Status PlainSubject::combine(const Call& call) const {
  const View& x = call.tensor("x");
  const View& p = call.tensor("p");
  const View& out = call.tensor("out");
  const int axis = x.shape.rank - 2;
  if (axis < 0 || p.shape != Shape{x.shape[axis], x.shape[axis + 1]} || out.shape != x.shape ||
      x.dtype != out.dtype || p.dtype != out.dtype) {
    return Status::invalid_argument;
  }
  const double c = scale_of(call, x.shape[axis + 1]);
  for_each(x, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double shift = axis == 1 ? get(p, j, k) : get(p, i, j);
    store(out, encode(format_of(out.dtype), scaled_sum(out.dtype, c, get(x, i, j, k), shift)), i, j, k);
  });
  return Status::ok;
}

}  // namespace etalon::plain
