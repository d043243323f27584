// The bundled backends, each operation against expectations that need no reference: copies, small integers,
// ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "conformance/host/registry.hpp"
#include "conformance/tests/backend_calls.hpp"
#include "properties/sparse.hpp"

namespace etalon {
namespace {

class Backends : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto files = resolve_backend(GetParam());
    if (files.index() != 0) GTEST_FAIL() << std::get<1>(files).message;
    subject_ = subject_from(std::get<0>(files).front());
    ASSERT_NE(subject_, nullptr);
  }
  bool offers(std::string_view operation, Dtype dtype) const {
    return subject_->model(operation, dtype) != nullptr;
  }
  // BLAS has no negative strides for matrices. Nothing else may be declined here.
  bool may_decline(std::initializer_list<Layout> layouts) const {
    return GetParam().starts_with("blas") &&
           std::find(layouts.begin(), layouts.end(), Layout::reversed) != layouts.end();
  }

  std::unique_ptr<Subject> subject_;
};

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Bundled& backend : bundled_backends()) result.push_back(backend.name);
  return result;
}
INSTANTIATE_TEST_SUITE_P(Bundled, Backends, testing::ValuesIn(names()), [](const auto& backend) {
  std::string name = backend.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// EMB-1, EMB-7: any bits, any layout, ids of both widths.
TEST_P(Backends, embed_copies_bits) {
  const std::vector<std::int64_t> rows = {2, 0, 4, 4, 1};
  for (const Dtype dtype : all_floats)
    for (const Layout layout : all_layouts)
      for (const Dtype id_dtype : {Dtype::i32, Dtype::i64}) {
        if (!offers("embed", dtype)) continue;
        Tensor table(dtype, {5, 7}, layout);
        for (std::int64_t i = 0; i < table.elements(); i++)
          table.set_bits(i, 0x7ff0000000000001ULL * static_cast<std::uint64_t>(i + 1));
        Tensor out(dtype, {5, 7}, layout);
        ASSERT_EQ(run_embed(*subject_, table, ids_of(rows, id_dtype), out), Status::ok);
        for (std::int64_t i = 0; i < 35; i++)
          ASSERT_EQ(out.bits(i), table.bits(rows[static_cast<std::size_t>(i / 7)] * 7 + i % 7)) << i;
        EXPECT_FALSE(out.first_damage().has_value());
      }
}

// EMB-3: the product with one-hot rows gives the row, bit for bit, where the table is finite.
TEST_P(Backends, embed_product_gives_the_rows) {
  for (const Dtype dtype : all_floats)
    for (const Layout layout : all_layouts) {
      if (!offers("embed_product", dtype)) continue;
      Tensor table(dtype, {3, 5}, layout);
      for (std::int64_t i = 0; i < 15; i++)
        table.set(i, std::ldexp(1.0 + static_cast<double>(i) / 16, static_cast<int>(i) - 9));
      table.set(7, format_of(dtype).smallest_subnormal());
      table.set(9, -format_of(dtype).largest_finite());
      Tensor out(dtype, {2, 5}, layout);
      const Status status = run_embed(*subject_, table, ids_of({1, 0}), out, "embed_product");
      if (status == Status::unsupported && may_decline({layout})) continue;
      ASSERT_EQ(status, Status::ok) << subject_->last_error();
      for (std::int64_t j = 0; j < 5; j++) {
        ASSERT_EQ(out.bits(j), table.bits(5 + j));
        ASSERT_EQ(out.bits(5 + j), table.bits(j));
      }
    }
}

// EMB-2
TEST_P(Backends, one_hot_has_one_one) {
  for (const Dtype dtype : all_floats)
    for (const Layout layout : all_layouts) {
      if (!offers("one_hot", dtype)) continue;
      Tensor out(dtype, {3, 4}, layout);
      out.poison();
      ASSERT_EQ(run_one_hot(*subject_, ids_of({3, 0, 3}, Dtype::i32), out), Status::ok);
      for (std::int64_t i = 0; i < 12; i++) EXPECT_EQ(out.value(i), i == 3 || i == 4 || i == 11 ? 1 : 0) << i;
      EXPECT_FALSE(out.first_damage().has_value());
    }
}

// EMB-8, ABI-4: no byte is written for an id outside the table, wherever it stands.
TEST_P(Backends, bad_ids_leave_everything_as_it_was) {
  constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                         high = std::numeric_limits<std::int64_t>::max();
  constexpr std::int32_t low_32 = std::numeric_limits<std::int32_t>::min();
  for (const std::string_view operation : {"embed", "embed_product", "one_hot"})
    for (const Dtype dtype : all_floats) {
      if (!offers(operation, dtype)) continue;
      const Tensor table = numbered(dtype, {3, 4}, 1);
      Tensor out(dtype, operation == "one_hot" ? Shape{4, 3} : Shape{4, 4});
      out.poison();
      const Tensor before = out.clone();
      const auto refuses = [&](const Tensor& ids) {
        const Status status = operation == "one_hot" ? run_one_hot(*subject_, ids, out)
                                                     : run_embed(*subject_, table, ids, out, operation);
        EXPECT_EQ(status, Status::invalid_argument) << operation;
        EXPECT_NE(subject_->last_error(), "");
        EXPECT_TRUE(out.same_bytes(before)) << operation;
      };
      for (const std::int64_t bad :
           {std::int64_t{3}, std::int64_t{-1}, std::int64_t{-3}, std::int64_t{1} << 32, low, high})
        refuses(ids_of({0, 1, 2, bad}));
      refuses(ids_of({-1, 0, 0, 0}));
      for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-1}, std::int64_t{low_32}})
        refuses(ids_of({0, 1, 2, bad}, Dtype::i32));
    }
}

// EMB-8: n = 0, V = 1, d = 1; TOK-3.
TEST_P(Backends, small_and_empty_embeddings) {
  for (const std::string_view operation : {"embed", "embed_product"}) {
    if (!offers(operation, Dtype::f32)) continue;
    const Tensor table = numbered(Dtype::f32, {1, 1}, 4);
    Tensor none(Dtype::f32, {0, 1}), one(Dtype::f32, {1, 1}), no_columns(Dtype::f32, {2, 0});
    EXPECT_EQ(run_embed(*subject_, table, ids_of({}), none, operation), Status::ok);
    EXPECT_EQ(run_embed(*subject_, table, ids_of({0}), one, operation), Status::ok);
    EXPECT_EQ(one.value(0), table.value(0));
    EXPECT_EQ(run_embed(*subject_, Tensor(Dtype::f32, {3, 0}), ids_of({2, 0}), no_columns, operation),
              Status::ok);
  }
}

TEST_P(Backends, shapes_that_disagree_are_refused) {
  const Tensor table = numbered(Dtype::f32, {3, 4}, 1);
  Tensor out(Dtype::f32, {2, 3});
  for (const std::string_view operation : {"embed", "embed_product"})
    if (offers(operation, Dtype::f32)) {
      EXPECT_EQ(run_embed(*subject_, table, ids_of({0, 1}), out, operation), Status::invalid_argument);
      EXPECT_EQ(run_embed(*subject_, table, ids_of({0}), out, operation), Status::invalid_argument);
      EXPECT_EQ(run_embed(*subject_, numbered(Dtype::f64, {3, 3}, 1), ids_of({0, 1}), out, operation),
                Status::invalid_argument);
    }
  EXPECT_EQ(run_combine(*subject_, 0, 0, table, table, out), Status::invalid_argument);
  EXPECT_EQ(run_combine(*subject_, 3, 0, out, out, out), Status::invalid_argument);
  EXPECT_EQ(run_matmul(*subject_, {}, table, table, out), Status::invalid_argument);
  if (!offers("sinusoidal", Dtype::f32)) return;
  EXPECT_EQ(run_sinusoidal(*subject_, 0, out), Status::invalid_argument);  // POS-11
  Tensor empty(Dtype::f32, {2, 0}), even(Dtype::f32, {2, 4});
  EXPECT_EQ(run_sinusoidal(*subject_, 0, empty), Status::invalid_argument);
  EXPECT_EQ(run_sinusoidal(*subject_, -1, even), Status::invalid_argument);
  EXPECT_EQ(run_sinusoidal(*subject_, 0, even, 1), Status::invalid_argument);
  EXPECT_EQ(run_sinusoidal(*subject_, 0, even, std::nan("")), Status::invalid_argument);
  EXPECT_EQ(run_sinusoidal(*subject_, 0, even, INFINITY), Status::invalid_argument);
  EXPECT_EQ(run_sinusoidal(*subject_, 0, even, 10000, 2), Status::invalid_argument);
}

// EMB-8: offsets beyond 2^31 elements. The table is address space; only the rows that are written take
// memory.
TEST_P(Backends, tables_beyond_two_to_the_31_elements) {
  constexpr std::int64_t columns = 3000, rows = 1 << 20;
  static_assert(rows * columns > std::int64_t{1} << 31);
  const SparseMemory memory(static_cast<std::size_t>(rows * columns) * 4);
  if (memory.data() == nullptr) GTEST_SKIP() << "the system gives no such mapping";
  Tensor out(Dtype::f32, {1, columns});
  const View table = {memory.data(), Dtype::f32, {rows, columns}, {columns, 1, 0}};
  for (const std::int64_t row : {rows - 1, (std::int64_t{1} << 31) / columns + 1}) {
    float* last = static_cast<float*>(table.data) + row * columns;
    for (std::int64_t j = 0; j < columns; j++) last[j] = static_cast<float>(row % 1000 + j);
    if (offers("embed", Dtype::f32)) {
      ASSERT_EQ(subject_->run(
                    {"embed", {{"table", table}, {"ids", ids_of({row}).view()}, {"out", out.view()}}, {}}),
                Status::ok);
      EXPECT_EQ(out.value(columns - 1), static_cast<double>(row % 1000 + columns - 1));
    }
    if (offers("learned_positions", Dtype::f32)) {
      out.poison();
      ASSERT_EQ(subject_->run({"learned_positions",
                               {{"table", table}, {"out", out.view()}},
                               {{"first", static_cast<double>(row)}}}),
                Status::ok);
      EXPECT_EQ(out.value(0), static_cast<double>(row % 1000));
    }
  }
}

// --- LIN: integers, so that every order is exact ---

double element(const Tensor& x, bool transpose, std::int64_t i, std::int64_t j) {
  return x.value(transpose ? j * x.shape()[1] + i : i * x.shape()[1] + j);
}

// LIN-1, LIN-3: all flags, scales and layouts; sizes around the vectors' widths.
TEST_P(Backends, matmul_is_exact_on_integers) {
  const std::array<std::array<std::int64_t, 3>, 6> sizes = {
      {{2, 3, 5}, {1, 1, 1}, {4, 1, 6}, {1, 9, 2}, {5, 33, 17}, {9, 34, 3}}};
  for (const Dtype dtype : all_floats)
    for (const auto& [m, n, k] : sizes)
      for (int flags = 0; flags < 4; flags++)
        for (const Layout layout : all_layouts)
          for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, {2.0, 1.0}, {-1.0, 0.5}, {0.0, 2.0}}) {
            if (!offers("matmul", dtype)) continue;
            const Product product{alpha, beta, (flags & 1) != 0, (flags & 2) != 0};
            const Tensor a = numbered(dtype, product.transpose_a ? Shape{k, m} : Shape{m, k}, 1, layout);
            const Tensor b = numbered(dtype, product.transpose_b ? Shape{n, k} : Shape{k, n}, 2, layout);
            Tensor c = numbered(dtype, {m, n}, 3, layout);
            const Tensor before = c.clone();
            const Status status = run_matmul(*subject_, product, a, b, c);
            if (status == Status::unsupported && may_decline({layout})) {
              EXPECT_TRUE(c.same_bytes(before));
              continue;
            }
            ASSERT_EQ(status, Status::ok) << subject_->last_error();
            for (std::int64_t i = 0; i < m; i++)
              for (std::int64_t j = 0; j < n; j++) {
                double sum = 0;
                for (std::int64_t l = 0; l < k; l++)
                  sum += element(a, product.transpose_a, i, l) * element(b, product.transpose_b, l, j);
                const double exact = alpha * sum + beta * before.value(i * n + j);
                ASSERT_EQ(c.value(i * n + j), decode(format_of(dtype), encode(format_of(dtype), exact)))
                    << m << n << k << " flags " << flags << " layout " << static_cast<int>(layout);
              }
            EXPECT_FALSE(c.first_damage().has_value());
          }
}

// Padded, transposed and dense operands together: leading dimensions of their own.
TEST_P(Backends, matmul_takes_each_operand_in_its_own_layout) {
  for (const Layout layout_a : all_layouts)
    for (const Layout layout_b : all_layouts)
      for (const Layout layout_c : all_layouts) {
        const Tensor a = numbered(Dtype::f32, {3, 4}, 1, layout_a),
                     b = numbered(Dtype::f32, {4, 5}, 2, layout_b);
        Tensor c = numbered(Dtype::f32, {3, 5}, 3, layout_c), dense = numbered(Dtype::f32, {3, 5}, 3);
        ASSERT_EQ(run_matmul(*subject_, {1, 1}, numbered(Dtype::f32, {3, 4}, 1),
                             numbered(Dtype::f32, {4, 5}, 2), dense),
                  Status::ok);
        const Status status = run_matmul(*subject_, {1, 1}, a, b, c);
        if (status == Status::unsupported && may_decline({layout_a, layout_b, layout_c})) continue;
        ASSERT_EQ(status, Status::ok);
        for (std::int64_t i = 0; i < 15; i++) ASSERT_EQ(c.value(i), dense.value(i));
        EXPECT_FALSE(c.first_damage().has_value());
      }
}

// LIN-2: what is not read cannot spread, and empty sums are zero.
TEST_P(Backends, matmul_does_not_read_what_it_must_not) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Dtype dtype : all_floats)
    for (const std::int64_t n : {1, 4}) {
      if (!offers("matmul", dtype)) continue;
      Tensor a = numbered(dtype, {3, 2}, 1), b = numbered(dtype, {2, n}, 2), c(dtype, {3, n});
      for (std::int64_t i = 0; i < c.elements(); i++) c.set(i, nan);
      ASSERT_EQ(run_matmul(*subject_, {1, 0}, a, b, c), Status::ok);
      for (std::int64_t i = 0; i < c.elements(); i++) ASSERT_FALSE(std::isnan(c.value(i))) << n;
      // alpha = 0
      for (std::int64_t i = 0; i < a.elements(); i++) a.set(i, nan);
      const Tensor before = c.clone();
      ASSERT_EQ(run_matmul(*subject_, {0, 2}, a, b, c), Status::ok);
      for (std::int64_t i = 0; i < c.elements(); i++) ASSERT_EQ(c.value(i), 2 * before.value(i));
      // k = 0
      const Tensor no_columns(dtype, {3, 0}), no_rows(dtype, {0, n});
      ASSERT_EQ(run_matmul(*subject_, {5, 0.5}, no_columns, no_rows, c), Status::ok);
      for (std::int64_t i = 0; i < c.elements(); i++) ASSERT_EQ(c.value(i), before.value(i));
      for (std::int64_t i = 0; i < c.elements(); i++) c.set(i, nan);
      ASSERT_EQ(run_matmul(*subject_, {5, 0}, no_columns, no_rows, c), Status::ok);
      for (std::int64_t i = 0; i < c.elements(); i++) ASSERT_EQ(c.value(i), 0);
      // m = 0, n = 0
      Tensor nothing(dtype, {0, n}), neither(dtype, {3, 0});
      EXPECT_EQ(run_matmul(*subject_, {1, 0}, Tensor(dtype, {0, 2}), b, nothing), Status::ok);
      EXPECT_EQ(run_matmul(*subject_, {1, 0}, a, Tensor(dtype, {2, 0}), neither), Status::ok);
    }
}

// --- INP ---

// INP-1, INP-2, INP-6: small integers, d = 16 so that sqrt(d) = 4, and batches of another number than n.
TEST_P(Backends, combine_is_exact_on_integers) {
  for (const Dtype dtype : all_floats)
    for (const Layout layout : all_layouts)
      for (const int scale : {0, 1, 2})
        for (const std::int64_t batch : {-1, 0, 1, 3}) {
          if (!offers("combine", dtype)) continue;
          const Shape shape = batch < 0 ? Shape{2, 16} : Shape{batch, 2, 16};
          const Tensor x = numbered(dtype, shape, 1, layout), p = numbered(dtype, {2, 16}, 2, layout);
          Tensor out(dtype, shape, layout);
          const Status status = run_combine(*subject_, scale, -3, x, p, out);
          if (status == Status::unsupported && may_decline({layout})) continue;
          ASSERT_EQ(status, Status::ok) << subject_->last_error();
          const double c = scale == 0 ? 1 : scale == 1 ? 4 : -3;
          for (std::int64_t i = 0; i < x.elements(); i++)
            ASSERT_EQ(out.value(i), c * x.value(i) + p.value(i % 32));
          EXPECT_FALSE(out.first_damage().has_value());
        }
}

// Every width around the vectors' own: tails.
TEST_P(Backends, combine_reaches_the_last_column) {
  for (const Dtype dtype : all_floats)
    for (std::int64_t d = 0; d < 40; d++) {
      if (!offers("combine", dtype)) continue;
      const Tensor x = numbered(dtype, {2, d}, 1), p = numbered(dtype, {2, d}, 2);
      Tensor out(dtype, {2, d});
      out.poison();
      ASSERT_EQ(run_combine(*subject_, 2, 2, x, p, out), Status::ok);
      for (std::int64_t i = 0; i < 2 * d; i++) ASSERT_EQ(out.value(i), 2 * x.value(i) + p.value(i));
      EXPECT_FALSE(out.first_damage().has_value());
    }
}

// NUM-1: through 1 x + (-0) every bit pattern of a 16-bit format comes back, and c x is rounded once.
TEST_P(Backends, narrow_formats_convert_exactly_and_round_once) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
    if (!offers("combine", dtype)) continue;
    const Format& format = format_of(dtype);
    Tensor x(dtype, {256, 256}), p(dtype, {256, 256}), out(dtype, {256, 256});
    for (std::int64_t i = 0; i < 65536; i++) {
      x.set_bits(i, static_cast<std::uint64_t>(i));
      p.set(i, -0.0);
    }
    for (const double c : {1.0, 0.333251953125, 1.00048828125, 0.0009765625, 24.0}) {
      ASSERT_EQ(run_combine(*subject_, 2, c, x, p, out), Status::ok);
      for (std::int64_t i = 0; i < 65536; i++) {
        const double value = x.value(i);
        if (std::isnan(value)) {
          ASSERT_TRUE(std::isnan(out.value(i))) << i;
          continue;
        }
        // The product is formed in float: c has few enough bits for it to be exact but for under- and
        // overflow.
        const double product = static_cast<double>(static_cast<float>(c * value));
        ASSERT_EQ(out.bits(i), encode(format, product)) << "x = " << value << ", c = " << c;
      }
    }
  }
}

// ABI-7: nothing is kept between calls, and inputs stay as they were.
TEST_P(Backends, the_same_tensors_with_other_data_give_other_results) {
  const std::string_view embedding = offers("embed", Dtype::f32) ? "embed" : "embed_product";
  Tensor table = numbered(Dtype::f32, {3, 5}, 1), ids = ids_of({2, 0}), out(Dtype::f32, {2, 5});
  for (const std::int64_t salt : {4, 6}) {
    for (std::int64_t i = 0; i < 15; i++) table.set(i, static_cast<double>(salt * i + 1));
    ids.set_integer(1, salt / 3);
    const Tensor table_before = table.clone(), ids_before = ids.clone();
    ASSERT_EQ(run_embed(*subject_, table, ids, out, embedding), Status::ok);
    for (std::int64_t j = 0; j < 5; j++) {
      EXPECT_EQ(out.value(j), static_cast<double>(salt * (10 + j) + 1));
      EXPECT_EQ(out.value(5 + j), static_cast<double>(salt * (salt / 3 * 5 + j) + 1));
    }
    EXPECT_TRUE(table.same_bytes(table_before) && ids.same_bytes(ids_before));
  }
  Tensor a = numbered(Dtype::f32, {4, 4}, 1), b = numbered(Dtype::f32, {4, 4}, 2), c(Dtype::f32, {4, 4});
  const Tensor a_before = a.clone(), b_before = b.clone();
  ASSERT_EQ(run_matmul(*subject_, {}, a, b, c), Status::ok);
  ASSERT_EQ(run_combine(*subject_, 1, 0, a, b, c), Status::ok);
  EXPECT_TRUE(a.same_bytes(a_before) && b.same_bytes(b_before));
}

// --- TOK, ABI-9 ---

TEST_P(Backends, byte_tokenizer_goes_both_ways) {
  if (!offers("tokenize", Dtype::u8)) return;
  Tensor text(Dtype::u8, {256}), ids(Dtype::i64, {300}), back(Dtype::u8, {256}), count(Dtype::i64, {});
  for (std::int64_t i = 0; i < 256; i++) text.set_integer(i, 255 - i);
  ids.poison();
  const auto tokenize = [&](const Tensor& from, const Tensor& to) {
    return subject_->run(
        {"tokenize", {{"text", from.view()}, {"ids", to.view()}, {"count", count.view()}}, {}});
  };
  const auto detokenize = [&](const Tensor& from, const Tensor& to) {
    return subject_->run(
        {"detokenize", {{"ids", from.view()}, {"text", to.view()}, {"count", count.view()}}, {}});
  };
  ASSERT_EQ(tokenize(text, ids), Status::ok);
  EXPECT_EQ(count.integer(0), 256);
  EXPECT_EQ(ids.integer(255), 0);
  EXPECT_TRUE(ids.poisoned(256));
  Tensor used(Dtype::i64, {256});
  for (std::int64_t i = 0; i < 256; i++) used.set_integer(i, ids.integer(i));
  ASSERT_EQ(detokenize(used, back), Status::ok);
  EXPECT_TRUE(back.same_bytes(text));

  Tensor room(Dtype::i64, {3});  // too little: the count alone is told
  room.poison();
  ASSERT_EQ(tokenize(text, room), Status::ok);
  EXPECT_EQ(count.integer(0), 256);
  EXPECT_TRUE(room.poisoned(0) && room.poisoned(2));
  ASSERT_EQ(tokenize(Tensor(Dtype::u8, {0}), room), Status::ok);  // TOK-3
  EXPECT_EQ(count.integer(0), 0);
  count.set_integer(0, 77);
  for (const std::int64_t bad : {std::int64_t{256}, std::int64_t{-1}}) {  // TOK-8
    used.set_integer(200, bad);
    const Tensor before = back.clone();
    EXPECT_EQ(detokenize(used, back), Status::invalid_argument);
    EXPECT_TRUE(back.same_bytes(before));
    EXPECT_EQ(count.integer(0), 77);
  }
}

// ABI-9: contexts at work at once give the bits that each gives alone.
TEST_P(Backends, contexts_do_not_disturb_each_other) {
  const auto factory =
      std::get<0>(Library::load(std::get<0>(resolve_backend(GetParam())).front()))->subjects();
  const Tensor a = numbered(Dtype::f32, {37, 65}, 1), b = numbered(Dtype::f32, {65, 41}, 5);
  const auto work = [&](Tensor* out) {
    const auto subject = factory();
    for (int round = 0; round < 20; round++)
      ASSERT_EQ(run_matmul(*subject, {0.3, 0}, a, b, *out), Status::ok);
  };
  Tensor alone(Dtype::f32, {37, 41});
  work(&alone);
  std::vector<Tensor> outs;
  for (int i = 0; i < 4; i++) outs.emplace_back(Dtype::f32, Shape{37, 41});
  std::vector<std::thread> threads;
  for (Tensor& out : outs) threads.emplace_back(work, &out);
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& out : outs) EXPECT_TRUE(out.same_bytes(alone));
}

}  // namespace
}  // namespace etalon
