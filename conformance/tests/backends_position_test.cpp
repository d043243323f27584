// Position codes of the bundled backends, against sine and cosine of MPFR at 400 bits.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <cmath>

#include "conformance/host/registry.hpp"
#include "conformance/tests/backend_calls.hpp"

namespace etalon {
namespace {

// |value - sin or cos(position base^(-2r/d))|, rounded upward from 400 bits.
class Truth {
 public:
  Truth() { mpfr_inits2(400, angle_, value_, nullptr); }
  ~Truth() { mpfr_clears(angle_, value_, nullptr); }
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;

  double distance(double value, std::int64_t position, std::int64_t r, std::int64_t d, double base,
                  bool cosine) {
    mpfr_set_si(angle_, -2 * r, MPFR_RNDN);
    mpfr_div_si(angle_, angle_, d, MPFR_RNDN);
    mpfr_set_d(value_, base, MPFR_RNDN);
    mpfr_pow(angle_, value_, angle_, MPFR_RNDN);
    mpfr_mul_si(angle_, angle_, position, MPFR_RNDN);
    (cosine ? mpfr_cos : mpfr_sin)(value_, angle_, MPFR_RNDN);
    true_ = mpfr_get_d(value_, MPFR_RNDN);
    mpfr_sub_d(value_, value_, value, MPFR_RNDN);
    mpfr_abs(value_, value_, MPFR_RNDN);
    return mpfr_get_d(value_, MPFR_RNDU);
  }
  double value() const { return true_; }

 private:
  mpfr_t angle_, value_;
  double true_ = 0;
};

std::unique_ptr<Subject> backend(const std::string& name) {
  const auto files = resolve_backend(name);
  return files.index() == 0 ? subject_from(std::get<0>(files).front()) : nullptr;
}

struct Table {
  double base;
  std::int64_t first, d;
};
constexpr Table tables[] = {{10000, 0, 2},
                            {10000, 0, 6},
                            {10000, 0, 64},
                            {10000, 0, 512},
                            {10000, 255, 128},
                            {10000, 131070, 128},
                            {2, 1000000, 30},
                            {10000, 16777217, 256},
                            {500000, 2147483640, 512},
                            {10000, 2147483640, 64},
                            {100, 2147483600, 8},
                            {0x1p48, 3, 4096},
                            {1.0000001, 77777777, 64},
                            {1 + 0x1p-52, 12345, 16}};

// The largest error in ulp of the format over the tables, at eight positions each.
double worst_ulp(Subject& subject, const Format& format, Dtype dtype) {
  Truth truth;
  double worst = 0;
  for (const Table& table : tables) {
    Tensor out(dtype, {8, table.d});
    EXPECT_EQ(run_sinusoidal(subject, static_cast<double>(table.first), out, table.base), Status::ok)
        << subject.last_error();
    for (std::int64_t i = 0; i < 8; i++)
      for (std::int64_t column = 0; column < table.d; column++) {
        const double distance = truth.distance(out.value(i * table.d + column), table.first + i, column / 2,
                                               table.d, table.base, column % 2 == 1);
        worst = std::max(worst, distance / ulp(format, truth.value()));
      }
  }
  return worst;
}

// POS-2, NUM-3: what simd declares, exact angles and one ulp of sine and cosine, holds up to position 2^31.
TEST(SimdPositions, are_within_the_ulp_that_it_declares) {
  const auto simd = backend("simd");
  if (simd == nullptr) GTEST_SKIP() << "simd was not built";
  ASSERT_EQ(simd->model("sinusoidal", Dtype::f64)->angle, Angle::exact);
  const double f64 = worst_ulp(*simd, format_of(Dtype::f64), Dtype::f64);
  const double f32 = worst_ulp(*simd, format_of(Dtype::f32), Dtype::f32);
  RecordProperty("worst_ulp_f64", std::to_string(f64));
  RecordProperty("worst_ulp_f32", std::to_string(f32));
  EXPECT_LE(f64, simd->model("sinusoidal", Dtype::f64)->sine_ulp);
  EXPECT_LE(f32, 0.5 + 0x1p-28);  // rounded once from a double that is within one ulp of its own
  EXPECT_LE(worst_ulp(*simd, format_of(Dtype::bf16), Dtype::bf16), 0.5 + 0x1p-16);
  EXPECT_LE(worst_ulp(*simd, format_of(Dtype::f16), Dtype::f16), 0.5 + 0x1p-13);
}

TEST(SimdPositions, declines_what_its_integers_cannot_hold) {
  const auto simd = backend("simd");
  if (simd == nullptr) GTEST_SKIP() << "simd was not built";
  Tensor out(Dtype::f64, {1, 4});
  EXPECT_EQ(run_sinusoidal(*simd, 0, out, 0x1.0000000000001p48), Status::unsupported);
  EXPECT_EQ(run_sinusoidal(*simd, 0x1p40, out), Status::unsupported);
  EXPECT_EQ(run_sinusoidal(*simd, 0x1p40 - 1, out), Status::ok);
}

// The angle in double is off by a few roundings of the frequency and one of the product.
TEST(PortablePositions, are_as_near_as_angles_in_double_allow) {
  const auto portable = backend("portable");
  ASSERT_EQ(portable->model("sinusoidal", Dtype::f32)->angle, Angle::in_double);
  Truth truth;
  for (const std::int64_t d : {2, 6, 512}) {
    Tensor out(Dtype::f32, {40, d});
    ASSERT_EQ(run_sinusoidal(*portable, 1000, out), Status::ok);
    for (std::int64_t i = 0; i < 40; i++)
      for (std::int64_t column = 0; column < d; column++) {
        const double distance =
            truth.distance(out.value(i * d + column), 1000 + i, column / 2, d, 10000, column % 2 == 1);
        // pow's argument is off by u |ln w| <= 9.3 u, pow by 2u, the product by u; then half an ulp of f32.
        const double angle_error = 13 * 0x1p-53 * static_cast<double>(1000 + i);
        ASSERT_LE(distance, 0.5 * ulp(format_of(Dtype::f32), truth.value()) + angle_error + 0x1p-52);
      }
  }
}

class Positions : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    subject_ = backend(GetParam());
    if (subject_ == nullptr) GTEST_SKIP() << GetParam() << " was not built";
  }
  std::unique_ptr<Subject> subject_;
};
INSTANTIATE_TEST_SUITE_P(Bundled, Positions, testing::Values("portable", "simd"));

// POS-3
TEST_P(Positions, row_0_is_0_1_0_1) {
  for (const Dtype dtype : all_floats)
    for (const std::int64_t d : {2, 10, 130}) {
      Tensor out(dtype, {1, d});
      ASSERT_EQ(run_sinusoidal(*subject_, 0, out), Status::ok);
      for (std::int64_t j = 0; j < d; j++)
        ASSERT_EQ(out.bits(j), encode(format_of(dtype), j % 2 == 0 ? 0.0 : 1.0));
    }
}

// POS-10: a row alone is the row of the table; POS-2: `halves` holds the same numbers; TEN: in any layout.
TEST_P(Positions, rows_layouts_and_columns_agree_bit_for_bit) {
  for (const Dtype dtype : all_floats)
    for (const Layout layout : all_layouts) {
      const std::int64_t n = 9, d = 22;
      Tensor table(dtype, {n, d}, layout), halves(dtype, {n, d}, layout);
      ASSERT_EQ(run_sinusoidal(*subject_, 70000, table), Status::ok);
      ASSERT_EQ(run_sinusoidal(*subject_, 70000, halves, 10000, 1), Status::ok);
      EXPECT_FALSE(table.first_damage().has_value() || halves.first_damage().has_value());
      for (std::int64_t i = 0; i < n; i++) {
        Tensor row(dtype, {1, d});
        ASSERT_EQ(run_sinusoidal(*subject_, static_cast<double>(70000 + i), row), Status::ok);
        for (std::int64_t j = 0; j < d; j++) {
          ASSERT_EQ(row.bits(j), table.bits(i * d + j));
          ASSERT_EQ(halves.bits(i * d + (j % 2 == 0 ? j / 2 : d / 2 + j / 2)), row.bits(j));
        }
      }
    }
}

// POS-1, POS-11: rows of a learned table, none beyond it; no rows at all.
TEST_P(Positions, learned_rows_and_empty_tables) {
  const Tensor table = numbered(Dtype::f32, {5, 3}, 1);
  Tensor out(Dtype::f32, {2, 3}), none(Dtype::f32, {0, 4});
  const auto learned = [&](double first, const Tensor& to) {
    return subject_->run(
        {"learned_positions", {{"table", table.view()}, {"out", to.view()}}, {{"first", first}}});
  };
  ASSERT_EQ(learned(3, out), Status::ok);
  for (std::int64_t i = 0; i < 6; i++) EXPECT_EQ(out.value(i), table.value(9 + i));
  const Tensor before = out.clone();
  for (const double first : {4.0, 5.0, -1.0, 0x1p53})
    EXPECT_EQ(learned(first, out), Status::invalid_argument);
  EXPECT_TRUE(out.same_bytes(before));
  EXPECT_EQ(learned(5, Tensor(Dtype::f32, {0, 3})), Status::ok);
  EXPECT_EQ(run_sinusoidal(*subject_, 7, none), Status::ok);
}

}  // namespace
}  // namespace etalon
