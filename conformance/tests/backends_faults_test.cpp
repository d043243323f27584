// The faulty backends: each has its fault where it says, and is portable in all else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "conformance/tests/backend_calls.hpp"
#include "conformance/tests/program_folder.hpp"
#include "properties/operations.hpp"

namespace etalon {
namespace {

struct Fault {
  const char* name;
  std::string_view operation;
  // Runs a telling call and gives its result.
  std::function<Tensor(Subject&)> telling;
  // A call that hides the fault, or none.
  std::function<Tensor(Subject&)> blind;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

Tensor codes(Subject& subject, double first, Shape shape, Dtype dtype = Dtype::f32) {
  Tensor out(dtype, shape);
  EXPECT_EQ(run_sinusoidal(subject, first, out), Status::ok);
  return out;
}

Tensor combined(Subject& subject, std::int64_t d, int scale) {
  Tensor out(Dtype::f32, {2, d});
  EXPECT_EQ(
      run_combine(subject, scale, 3, numbered(Dtype::f32, {2, d}, 1), numbered(Dtype::f32, {2, d}, 2), out),
      Status::ok);
  return out;
}

Tensor embedded(Subject& subject, const Tensor& table, const std::vector<std::int64_t>& ids) {
  Tensor out(Dtype::f32, {static_cast<std::int64_t>(ids.size()), table.shape()[1]});
  out.poison();
  run_embed(subject, table, ids_of(ids), out);
  return out;
}

Tensor table_with(std::int64_t index, double value, Layout layout = Layout::dense) {
  Tensor table = numbered(Dtype::f32, {4, 3}, 2, layout);
  table.set(index, value);
  return table;
}

Tensor long_sum(Subject& subject, std::int64_t k) {
  Tensor a(Dtype::f32, {1, k}), b(Dtype::f32, {k, 1}), c(Dtype::f32, {1, 1});
  for (std::int64_t l = 0; l < k; l++) a.set(l, 1), b.set(l, 1);
  EXPECT_EQ(run_matmul(subject, {}, a, b, c), Status::ok);
  return c;
}

const double nan = std::numeric_limits<double>::quiet_NaN();

class Faults : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(
    Planted, Faults,
    testing::Values(Fault{"half_split_layout", "sinusoidal",
                          [](Subject& s) {
                            return codes(s, 1, {2, 4});
                          },
                          [](Subject& s) {
                            return codes(s, 1, {2, 2});
                          }},
                    Fault{"exponent_divisor", "sinusoidal",
                          [](Subject& s) {
                            return codes(s, 1, {1, 4});
                          },
                          [](Subject& s) {
                            return codes(s, 1, {9, 2});
                          }},
                    Fault{"naive_f32_position", "sinusoidal",
                          [](Subject& s) {
                            return codes(s, 4000, {9, 128});
                          },
                          [](Subject& s) {
                            return codes(s, 4000, {9, 128}, Dtype::f64);
                          }},
                    Fault{"naive_f32_claims_exact", "sinusoidal",
                          [](Subject& s) {
                            return codes(s, 4000, {9, 128});
                          },
                          [](Subject& s) {
                            return codes(s, 0, {1, 128});
                          }},
                    Fault{"scale_missing", "combine", [](Subject& s) { return combined(s, 4, 1); },
                          [](Subject& s) { return combined(s, 1, 1); }},
                    Fault{"scale_bf16", "combine", [](Subject& s) { return combined(s, 512, 1); },
                          [](Subject& s) { return combined(s, 256, 1); }},
                    Fault{"next_row", "embed",
                          [](Subject& s) {
                            return embedded(s, table_with(0, 9), {0, 3});
                          },
                          [](Subject& s) {
                            return embedded(s, numbered(Dtype::f32, {1, 3}, 1), {0, 0});
                          }},
                    Fault{"fp16_table", "embed",
                          [](Subject& s) { return embedded(s, table_with(4, 0.1), {1}); },
                          [](Subject& s) { return embedded(s, table_with(4, 0.125), {1}); }},
                    Fault{"nan_spreads", "embed",
                          [](Subject& s) { return embedded(s, table_with(9, nan), {1}); },
                          [](Subject& s) { return embedded(s, table_with(9, 7), {1}); }},
                    Fault{"bf16_accumulator", "matmul", [](Subject& s) { return long_sum(s, 300); },
                          [](Subject& s) { return long_sum(s, 256); }},
                    Fault{"bad_id_clamped", "embed",
                          [](Subject& s) {
                            return embedded(s, table_with(0, 1), {1, 4});
                          },
                          [](Subject& s) {
                            return embedded(s, table_with(0, 1), {1, 3});
                          }},
                    Fault{"ignores_strides", "embed",
                          [](Subject& s) { return embedded(s, table_with(0, 1, Layout::padded), {3}); },
                          [](Subject& s) { return embedded(s, table_with(0, 1), {3}); }}),
    [](const auto& fault) { return fault.param.name; });

TEST_P(Faults, shows_in_its_operation_and_hides_where_known) {
  const auto faulty = subject_from(built_library(std::string("faulty/") + GetParam().name + ".so"));
  const auto honest = subject_from(built_library("etalon-portable.so"));
  ASSERT_TRUE(faulty != nullptr && honest != nullptr);
  EXPECT_EQ(faulty->name(), GetParam().name);
  EXPECT_FALSE(GetParam().telling(*faulty).same_bytes(GetParam().telling(*honest)));
  EXPECT_TRUE(GetParam().blind(*faulty).same_bytes(GetParam().blind(*honest)));
}

// One fault each: every other operation is the portable one, the very function of its own copy.
TEST_P(Faults, is_portable_in_all_else) {
  const auto faulty = subject_from(built_library(std::string("faulty/") + GetParam().name + ".so"));
  const auto honest = subject_from(built_library("etalon-portable.so"));
  const std::vector<std::pair<std::string_view, std::function<Tensor(Subject&)>>> calls = {
      {"sinusoidal",
       [](Subject& s) {
         return codes(s, 4000, {3, 8});
       }},
      {"combine", [](Subject& s) { return combined(s, 512, 1); }},
      {"embed",
       [](Subject& s) {
         return embedded(s, table_with(9, nan, Layout::padded), {0, 2, 1});
       }},
      {"matmul", [](Subject& s) { return long_sum(s, 300); }},
  };
  for (const auto& [operation, call] : calls) {
    if (operation == GetParam().operation) continue;
    EXPECT_TRUE(call(*faulty).same_bytes(call(*honest))) << operation;
  }
  for (const Operation& operation : operations)
    for (const Dtype dtype : all_floats)
      EXPECT_EQ(faulty->model(operation.name, dtype) != nullptr,
                honest->model(operation.name, dtype) != nullptr);
}

TEST(FaultList, every_faulty_backend_that_was_built_is_tested) {
  std::size_t built = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(built_library("faulty")))
    built++;
  EXPECT_EQ(built, 12U);
}

// What the pair is for: the same code, two claims.
TEST(FaultList, the_naive_position_codes_differ_in_their_claim_alone) {
  const auto honest = subject_from(built_library("faulty/naive_f32_position.so"));
  const auto boast = subject_from(built_library("faulty/naive_f32_claims_exact.so"));
  EXPECT_TRUE(codes(*honest, 123456, {4, 64}).same_bytes(codes(*boast, 123456, {4, 64})));
  EXPECT_EQ(honest->model("sinusoidal", Dtype::f32)->angle, Angle::working);
  EXPECT_EQ(boast->model("sinusoidal", Dtype::f32)->angle, Angle::exact);
}

}  // namespace
}  // namespace etalon
