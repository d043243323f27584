// The reference as a subject: every numeric operation by its definition, each result the value of the
// format nearest to the true one. It shows that the laws are satisfiable, and what a perfect grade is.
#include <cmath>
#include <map>
#include <utility>

#include "properties/runner.hpp"
#include "reference/definitions.hpp"
#include "reference/oracle/input.hpp"
#include "reference/oracle/linear.hpp"
#include "reference/oracle/position.hpp"
#include "reference/oracle/rounding.hpp"

namespace etalon {
namespace {

double read(const View& view, std::int64_t i, std::int64_t j, std::int64_t k = 0) {
  return decode(format_of(view.dtype), load_bits(element(view, i, j, k), size_of(view.dtype)));
}

void write(const View& view, std::uint64_t bits, std::int64_t i, std::int64_t j, std::int64_t k = 0) {
  store_bits(element(view, i, j, k), bits, size_of(view.dtype));
}

std::int64_t read_id(const View& ids, std::int64_t i) {
  const std::uint64_t bits = load_bits(element(ids, i), size_of(ids.dtype));
  return ids.dtype == Dtype::i32 ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
}

bool is_matrix(const View& view) { return view.shape.rank == 2; }

// EMB-8: all ids are looked at before anything is written.
bool ids_within(const View& ids, std::int64_t rows) {
  for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
    const std::int64_t id = read_id(ids, i);
    if (id < 0 || id >= rows) return false;
  }
  return true;
}

void copy_row(const View& from, std::int64_t source, const View& to, std::int64_t row) {
  for (std::int64_t j = 0; j < to.shape[1]; ++j) {
    write(to, load_bits(element(from, source, j), size_of(from.dtype)), row, j);
  }
}

// EMB-1, EMB-3, EMB-4: the lookup is the definition, also of the product for finite tables.
Status embed(const Call& call) {
  const View& table = call.tensor("table");
  const View& ids = call.tensor("ids");
  const View& out = call.tensor("out");
  if (!is_matrix(table) || ids.shape.rank != 1 || table.dtype != out.dtype) return Status::invalid_argument;
  if (out.shape != Shape{ids.shape[0], table.shape[1]}) return Status::invalid_argument;
  if (!ids_within(ids, table.shape[0])) return Status::invalid_argument;
  for (std::int64_t i = 0; i < ids.shape[0]; ++i) copy_row(table, read_id(ids, i), out, i);
  return Status::ok;
}

// EMB-2
Status one_hot(const Call& call) {
  const View& ids = call.tensor("ids");
  const View& out = call.tensor("out");
  if (ids.shape.rank != 1 || !is_matrix(out) || out.shape[0] != ids.shape[0]) return Status::invalid_argument;
  if (!ids_within(ids, out.shape[1])) return Status::invalid_argument;
  const std::uint64_t one = encode(format_of(out.dtype), 1);
  for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
    for (std::int64_t k = 0; k < out.shape[1]; ++k) write(out, k == read_id(ids, i) ? one : 0, i, k);
  }
  return Status::ok;
}

// POS-1
Status learned_positions(const Call& call) {
  const View& table = call.tensor("table");
  const View& out = call.tensor("out");
  const double first = call.attribute("first");
  if (!is_matrix(table) || !is_matrix(out) || table.shape[1] != out.shape[1] || table.dtype != out.dtype) {
    return Status::invalid_argument;
  }
  if (first < 0 || first + static_cast<double>(out.shape[0]) > static_cast<double>(table.shape[0])) {
    return Status::invalid_argument;
  }
  const auto start = static_cast<std::int64_t>(first);
  for (std::int64_t i = 0; i < out.shape[0]; ++i) copy_row(table, start + i, out, i);
  return Status::ok;
}

class Reference final : public Subject {
 public:
  Reference() {
    for (const Dtype dtype : float_dtypes()) {
      Model& model = models_[dtype];
      model = Model::common(dtype);
      model.accumulator = model.product_input = model.storage = Dtype::f64;
      model.angle = Angle::exact;
    }
  }

  const std::string& name() const override { return name_; }

  const Model* model(std::string_view operation, Dtype dtype) const override {
    const auto entry = models_.find(dtype);
    const bool tokenizer =
        operation == "tokenize" || operation == "detokenize" || operation == "vocabulary_size";
    return entry == models_.end() || tokenizer ? nullptr : &entry->second;
  }

  Status run(const Call& call) override {
    if (call.operation == "embed" || call.operation == "embed_product") return embed(call);
    if (call.operation == "one_hot") return one_hot(call);
    if (call.operation == "learned_positions") return learned_positions(call);
    if (call.operation == "sinusoidal") return sinusoidal(call);
    if (call.operation == "combine") return combine(call);
    if (call.operation == "matmul") return matmul(call);
    return Status::unsupported;
  }

 private:
  // POS-2, POS-11
  Status sinusoidal(const Call& call) {
    const View& out = call.tensor("out");
    if (!is_matrix(out)) return Status::invalid_argument;
    const std::int64_t d = out.shape[1];
    const double first = call.attribute("first");
    const double base = call.attribute("base");
    const double layout = call.attribute("layout");
    if (d < 2 || d % 2 != 0 || first < 0 || !(base > 1) || !std::isfinite(base))
      return Status::invalid_argument;
    if (layout != 0 && layout != 1) return Status::invalid_argument;
    const bool halves = layout == 1;
    const oracle::SinusoidalOracle& table = positions(d, base);
    const Format& format = format_of(out.dtype);
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      const std::int64_t pos = static_cast<std::int64_t>(first) + i;
      for (std::int64_t r = 0; r < d / 2; ++r) {
        const auto [sine, cosine] = table.at(pos, r);
        const auto exactly = [&](std::int64_t column, const Ball& ball) {
          const auto bits = oracle::round_to(format, ball);
          return bits ? *bits : round_sinusoidal(format, pos, column, d, base).value();
        };
        write(out, exactly(2 * r, sine), i, halves ? r : 2 * r);
        write(out, exactly(2 * r + 1, cosine), i, halves ? d / 2 + r : 2 * r + 1);
      }
    }
    return Status::ok;
  }

  // INP-1, INP-2, INP-6
  Status combine(const Call& call) {
    const View& x = call.tensor("x");
    const View& p = call.tensor("p");
    const View& out = call.tensor("out");
    const int batched = x.shape.rank == 3 ? 1 : 0;
    if (batched == 0 && !is_matrix(x)) return Status::invalid_argument;
    const std::int64_t n = x.shape[batched];
    const std::int64_t d = x.shape[batched + 1];
    if (p.shape != Shape{n, d} || out.shape != x.shape) return Status::invalid_argument;
    const auto kind = static_cast<ScaleKind>(static_cast<int>(call.attribute("scale")));
    const Ball c = kind == ScaleKind::one    ? Ball::exact(1)
                   : kind == ScaleKind::root ? oracle::square_root(d)
                                             : Ball::exact(call.attribute("value"));
    const Format& format = format_of(out.dtype);
    for (std::int64_t b = 0; b < (batched == 1 ? x.shape[0] : 1); ++b) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < d; ++j) {
          const auto index = batched == 1 ? std::array{b, i, j} : std::array{i, j, std::int64_t{0}};
          const double value = read(x, index[0], index[1], index[2]);
          const double shift = read(p, i, j);
          const auto bits = oracle::round_to(format, oracle::scaled_sum(c, value, shift));
          write(out,
                bits ? *bits : round_combine(format, kind, d, call.attribute("value"), value, shift).value(),
                index[0], index[1], index[2]);
        }
      }
    }
    return Status::ok;
  }

  // LIN-1, LIN-2
  Status matmul(const Call& call) {
    const View& a = call.tensor("a");
    const View& b = call.tensor("b");
    const View& c = call.tensor("c");
    if (!is_matrix(a) || !is_matrix(b) || !is_matrix(c)) return Status::invalid_argument;
    const int across_a = call.attribute("transpose_a") != 0 ? 0 : 1;  // the axis of a that k runs along
    const int along_b = call.attribute("transpose_b") != 0 ? 1 : 0;
    const std::int64_t k = a.shape[across_a];
    if (b.shape[along_b] != k || a.shape[1 - across_a] != c.shape[0] || b.shape[1 - along_b] != c.shape[1]) {
      return Status::invalid_argument;
    }
    const std::vector<double> left = gather(a, across_a == 0);
    const std::vector<double> right = gather(b, along_b == 0);
    const double alpha = call.attribute("alpha");
    const double beta = call.attribute("beta");
    const Format& format = format_of(c.dtype);
    for (std::int64_t i = 0; i < c.shape[0]; ++i) {
      for (std::int64_t j = 0; j < c.shape[1]; ++j) {
        const double* row = left.data() + i * k;
        const double* column = right.data() + j * k;
        const double old = beta == 0 ? 0 : read(c, i, j);
        const auto bits =
            oracle::round_to(format, oracle::gemm_entry(alpha, row, 1, column, 1, k, beta, old).value);
        write(c,
              bits ? *bits
                   : round_matmul_entry(format, alpha, {row, static_cast<std::size_t>(k)},
                                        {column, static_cast<std::size_t>(k)}, beta, old)
                         .value(),
              i, j);
      }
    }
    return Status::ok;
  }

  // The matrix, or its transpose, as rows of doubles.
  static std::vector<double> gather(const View& view, bool transposed) {
    std::vector<double> values;
    const std::int64_t rows = view.shape[transposed ? 1 : 0];
    const std::int64_t columns = view.shape[transposed ? 0 : 1];
    values.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j)
        values.push_back(transposed ? read(view, j, i) : read(view, i, j));
    }
    return values;
  }

  const oracle::SinusoidalOracle& positions(std::int64_t d, double base) {
    return tables_.try_emplace({d, base}, d, base).first->second;
  }

  std::string name_ = "reference";
  std::map<Dtype, Model> models_;
  std::map<std::pair<std::int64_t, double>, oracle::SinusoidalOracle> tables_;
};

}  // namespace

SubjectFactory reference_subject() {
  return [] { return std::make_unique<Reference>(); };
}

}  // namespace etalon
