// ABI: loading backends, and what the host makes of those that break a rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cstddef>
#include <fstream>
#include <limits>

#include "conformance/host/float_environment.hpp"
#include "conformance/host/library.hpp"
#include "conformance/host/registry.hpp"
#include "conformance/tests/program_folder.hpp"
#include "spec/tests/scratch.hpp"

namespace etalon {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const Library::Result& result) {
  const auto* error = std::get_if<LoadError>(&result);
  return error != nullptr ? error->message : "";
}

std::shared_ptr<const Library> loaded(const std::filesystem::path& file) {
  Library::Result result = Library::load(file);
  EXPECT_EQ(error_of(result), "");
  return std::get<0>(result);
}

// --- A description in memory, honest until a test spoils it ---

int count_to_three(etalon_context*, std::int64_t* count) {
  *count = 3;
  return ETALON_OK;
}
int copy_nothing(etalon_context*, const etalon_tensor*, const etalon_tensor*, const etalon_tensor*) {
  return ETALON_OK;
}
int open_nothing(etalon_context** context) {
  *context = nullptr;
  return ETALON_OK;
}
int refuse_to_open(etalon_context**) { return ETALON_OUT_OF_MEMORY; }
int throw_on_open(etalon_context**) { throw std::runtime_error("no"); }
int round_on_open(etalon_context**) { return std::fesetround(FE_DOWNWARD); }
void close_nothing(etalon_context*) {}
void throw_on_close(etalon_context*) { throw 1; }
void round_on_close(etalon_context*) { std::fesetround(FE_DOWNWARD); }
const char* no_words(etalon_context*) { return nullptr; }

struct Sample {
  std::vector<etalon_operation> operations = {
      ETALON_OPERATION(embed, copy_nothing, ETALON_FLOATS, etalon_model{}),
      ETALON_OPERATION(vocabulary_size, count_to_three, ETALON_BIT(ETALON_U8), etalon_model{})};
  etalon_core core = {
      ETALON_INTERFACE_VERSION, "sample", "1", open_nothing, close_nothing, no_words, 0, nullptr};

  Library::Result adopt() {
    if (core.operations == nullptr && !operations.empty()) core.operations = operations.data();
    if (core.operation_count == 0) core.operation_count = operations.size();
    return Library::adopt(&core, "sample.so");
  }
  etalon_model& model() { return operations[0].model; }
};

// ABI-1: the layout that a binary depends on.
static_assert(sizeof(void*) != 8 ||
              (sizeof(etalon_core) == 64 && offsetof(etalon_core, interface_version) == 0 &&
               offsetof(etalon_core, name) == 8 && offsetof(etalon_core, version) == 16 &&
               offsetof(etalon_core, open) == 24 && offsetof(etalon_core, close) == 32 &&
               offsetof(etalon_core, last_error) == 40 && offsetof(etalon_core, operation_count) == 48 &&
               offsetof(etalon_core, operations) == 56));
static_assert(sizeof(void*) != 8 ||
              (sizeof(etalon_operation) == 144 && offsetof(etalon_operation, function) == 8 &&
               offsetof(etalon_operation, dtypes) == 16 && offsetof(etalon_operation, model) == 24));
static_assert(sizeof(etalon_model) == 120 && offsetof(etalon_model, height) == 24 &&
              offsetof(etalon_model, sine_ulp) == 32 && offsetof(etalon_model, lossless) == 48 &&
              offsetof(etalon_model, reserved) == 56);
static_assert(sizeof(void*) != 8 ||
              (sizeof(etalon_tensor) == 32 && offsetof(etalon_tensor, ndim) == 8 &&
               offsetof(etalon_tensor, shape) == 16 && offsetof(etalon_tensor, strides) == 24));
static_assert(ETALON_F64 == static_cast<int>(Dtype::f64) && ETALON_U8 == static_cast<int>(Dtype::u8));
static_assert(ETALON_INTERNAL == static_cast<int>(Status::internal));

TEST(Host, adopts_an_honest_description) {
  Sample sample;
  const Library::Result result = sample.adopt();
  ASSERT_EQ(error_of(result), "");
  const Library& library = *std::get<0>(result);
  EXPECT_EQ(library.name(), "sample");
  EXPECT_EQ(library.offers().size(), 5U);
  ASSERT_NE(library.offer("embed", Dtype::bf16), nullptr);
  EXPECT_EQ(library.offer("embed", Dtype::bf16)->model.accumulator, Dtype::f32);
  EXPECT_EQ(library.offer("embed", Dtype::i32), nullptr);
  EXPECT_EQ(library.offer("combine", Dtype::f32), nullptr);
}

// ABI-2: every way in which a file can fail to be a backend.
TEST(Host, says_what_is_wrong_with_a_file) {
  EXPECT_THAT(error_of(Library::load("nowhere/none.so")),
              AllOf(HasSubstr("nowhere/none.so"), HasSubstr("no such file")));
  EXPECT_THAT(error_of(Library::load("/")), HasSubstr("folder"));
  const Scratch folder;
  const std::filesystem::path text = folder / "text.so";
  std::ofstream(text) << std::string(4096, '#');
  EXPECT_THAT(error_of(Library::load(text)),
              AllOf(HasSubstr("cannot be loaded as a shared library"), HasSubstr("ELF")));
  std::ofstream(text, std::ios::trunc) << "";
  EXPECT_THAT(error_of(Library::load(text)), HasSubstr("cannot be loaded as a shared library"));
  EXPECT_THAT(error_of(Library::load(built_library("plugins/no_symbol.so"))),
              HasSubstr("exports no function `etalon_backend`"));
}

struct Spoiled {
  const char* what;
  void (*spoil)(Sample&);
  const char* message;
};
void PrintTo(const Spoiled& spoiled, std::ostream* out) { *out << spoiled.what; }

class HostRefuses : public testing::TestWithParam<Spoiled> {};

// ABI-2, ABI-3: one line each, with the word that names the fault.
TEST_P(HostRefuses, a_description) {
  Sample sample;
  GetParam().spoil(sample);
  const std::string message = error_of(sample.adopt());
  EXPECT_THAT(message, AllOf(testing::StartsWith("sample.so: "), HasSubstr(GetParam().message)));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

INSTANTIATE_TEST_SUITE_P(
    Core, HostRefuses,
    testing::Values(
        Spoiled{"version_0", [](Sample& s) { s.core.interface_version = 0; }, "interface version 0"},
        Spoiled{"version_newer", [](Sample& s) { s.core.interface_version++; }, "update etalon"},
        Spoiled{"version_absurd", [](Sample& s) { s.core.interface_version = ~0U; }, "4294967295"},
        Spoiled{"name_null", [](Sample& s) { s.core.name = nullptr; }, "`name` is NULL"},
        Spoiled{"name_empty", [](Sample& s) { s.core.name = ""; }, "name is empty"},
        Spoiled{"version_null", [](Sample& s) { s.core.version = nullptr; }, "`version` is NULL"},
        Spoiled{"operations_null", [](Sample& s) { s.operations.clear(), s.core.operation_count = 1; },
                "`operations` is NULL"},
        Spoiled{"operations_none",
                [](Sample& s) { s.core.operations = s.operations.data(), s.operations.resize(0); },
                "list of operations is empty"},
        Spoiled{"count_absurd", [](Sample& s) { s.core.operation_count = ~std::size_t{0}; },
                "operation_count"},
        Spoiled{"open_refuses", [](Sample& s) { s.core.open = refuse_to_open; }, "answered status 3"},
        Spoiled{"open_throws", [](Sample& s) { s.core.open = throw_on_open; }, "threw a C++ exception"},
        Spoiled{"open_rounds", [](Sample& s) { s.core.open = round_on_open; }, "rounding direction"}));

INSTANTIATE_TEST_SUITE_P(
    Operations, HostRefuses,
    testing::Values(
        Spoiled{"name_null", [](Sample& s) { s.operations[1].name = nullptr; },
                "operation 1 of 2 has no name"},
        Spoiled{"function_null", [](Sample& s) { s.operations[0].function.embed = nullptr; },
                "`embed`: its function is NULL"},
        Spoiled{"dtypes_none", [](Sample& s) { s.operations[0].dtypes = 0; }, "accepts no dtype"},
        Spoiled{"dtypes_unknown", [](Sample& s) { s.operations[0].dtypes |= 1U << 9; }, "bits 0x200"},
        Spoiled{"dtypes_bit_0", [](Sample& s) { s.operations[0].dtypes |= 1U; }, "bits 0x1"},
        Spoiled{"dtypes_integer", [](Sample& s) { s.operations[0].dtypes |= ETALON_BIT(ETALON_I32); },
                "bits 0x20"},
        Spoiled{"dtypes_text", [](Sample& s) { s.operations[1].dtypes |= ETALON_BIT(ETALON_F32); },
                "`vocabulary_size`: it has dtype bits 0x4"},
        Spoiled{"twice",
                [](Sample& s) {
                  s.operations.push_back(s.operations[0]);
                  s.operations[2].dtypes = ETALON_BIT(ETALON_F16);
                },
                "listed twice for f16"},
        Spoiled{"none_known",
                [](Sample& s) { s.operations[0].name = "attention", s.operations[1].name = "softmax"; },
                "no operation that this suite knows"}));

INSTANTIATE_TEST_SUITE_P(
    Model, HostRefuses,
    testing::Values(
        Spoiled{"accumulator_i32", [](Sample& s) { s.model().accumulator = ETALON_I32; }, "accumulator = 5"},
        Spoiled{"accumulator_negative", [](Sample& s) { s.model().accumulator = -1; }, "accumulator = -1"},
        Spoiled{"product_input", [](Sample& s) { s.model().product_input = 8; }, "product_input = 8"},
        Spoiled{"storage", [](Sample& s) { s.model().storage = ETALON_U8; }, "storage = 7"},
        Spoiled{"rounding", [](Sample& s) { s.model().rounding = 2; }, "rounding = 2"},
        Spoiled{"angle", [](Sample& s) { s.model().angle = 3; }, "angle = 3"},
        Spoiled{"angle_negative", [](Sample& s) { s.model().angle = -1; }, "angle = -1"},
        Spoiled{"flushes", [](Sample& s) { s.model().flushes_subnormals = 2; }, "flushes_subnormals = 2"},
        Spoiled{"height", [](Sample& s) { s.model().height = -1; }, "height = -1"},
        Spoiled{"sine_small", [](Sample& s) { s.model().sine_ulp = 0.1; }, "sine_ulp = 0.1"},
        Spoiled{"sine_negative", [](Sample& s) { s.model().sine_ulp = -1; }, "sine_ulp = -1"},
        Spoiled{"sine_nan", [](Sample& s) { s.model().sine_ulp = nan; }, "sine_ulp = nan"},
        Spoiled{"sine_vacuous", [](Sample& s) { s.model().sine_ulp = 1e300; }, "sine_ulp = 1e+300"},
        Spoiled{"sine_too_large", [](Sample& s) { s.model().sine_ulp = 8193; }, "from 0.5 to 8192"},
        Spoiled{"power_infinite", [](Sample& s) { s.model().power_ulp = infinity; }, "power_ulp = inf"},
        Spoiled{"lossless", [](Sample& s) { s.model().lossless = -1; }, "lossless = -1"},
        Spoiled{"streaming", [](Sample& s) { s.model().streaming = 5; }, "streaming = 5"},
        Spoiled{"reserved", [](Sample& s) { s.model().reserved[7] = 1; }, "reserved"}));

TEST(Host, refuses_no_description_at_all) {
  EXPECT_THAT(error_of(Library::adopt(nullptr, "sample.so")), HasSubstr("returned NULL"));
}

// ABI-3: zeros stand for the common case, the rest is taken as said.
TEST(Host, reads_models) {
  Sample sample;
  sample.model() = {};
  sample.model().accumulator = ETALON_F64;
  sample.model().storage = ETALON_BF16;
  sample.model().rounding = ETALON_FAITHFUL;
  sample.model().angle = ETALON_ANGLE_EXACT;
  sample.model().flushes_subnormals = 1;
  sample.model().height = 12;
  sample.model().sine_ulp = 3;
  sample.model().power_ulp = 0.5;
  sample.operations[1].model.lossless = 1;
  const Library::Result result = sample.adopt();
  ASSERT_EQ(error_of(result), "");
  const Model& model = std::get<0>(result)->offer("embed", Dtype::f16)->model;
  EXPECT_EQ(model.accumulator, Dtype::f64);
  EXPECT_EQ(model.product_input, Dtype::f64);
  EXPECT_EQ(model.storage, Dtype::bf16);
  EXPECT_EQ(model.rounding, Rounding::faithful);
  EXPECT_EQ(model.angle, Angle::exact);
  EXPECT_TRUE(model.flushes_subnormals);
  EXPECT_EQ(model.height, 12);
  EXPECT_EQ(model.sine_ulp, 3);
  EXPECT_EQ(model.power_ulp, 0.5);
  const Model& text = std::get<0>(result)->offer("vocabulary_size", Dtype::u8)->model;
  EXPECT_TRUE(text.lossless);
  EXPECT_FALSE(text.streaming);
  EXPECT_EQ(text.sine_ulp, 1);
}

// ABI-8: a name of tomorrow is left alone, whatever stands beside it, and reported.
TEST(Host, leaves_unknown_names_alone) {
  Sample sample;
  sample.operations.push_back({"attention", {}, ~0U, etalon_model{}});
  const Library::Result result = sample.adopt();
  ASSERT_EQ(error_of(result), "");
  EXPECT_THAT(std::get<0>(result)->unknown_operations(), ElementsAre("attention"));
}

Call count_call(const Tensor& count) { return {"vocabulary_size", {{"count", count.view()}}, {}}; }

// ABI-1: a backend of version 1 loads and works.
TEST(Host, loads_a_backend_built_with_the_first_header) {
  const auto library = loaded(built_library("plugins/frozen_v1.so"));
  EXPECT_EQ(library->name(), "frozen");
  const Model* model = library->subjects()()->model("sinusoidal", Dtype::f64);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->angle, Angle::exact);
  EXPECT_EQ(model->height, 7);
  EXPECT_EQ(model->sine_ulp, 2);
  EXPECT_EQ(model->power_ulp, 3);
  const auto subject = library->subjects()();
  Tensor count(Dtype::i64, {});
  EXPECT_EQ(subject->run(count_call(count)), Status::ok);
  EXPECT_EQ(count.integer(0), 42);
  Tensor out(Dtype::f64, {2, 2});
  const auto codes = [&](double layout) {
    return Call{"sinusoidal", {{"out", out.view()}}, {{"first", 5}, {"base", 100}, {"layout", layout}}};
  };
  EXPECT_EQ(subject->run(codes(1)), Status::ok);
  EXPECT_EQ(out.value(2), 105);
  EXPECT_EQ(subject->run(codes(0)), Status::unsupported);
  EXPECT_EQ(subject->last_error(), "refused");
}

class Misbehaving : public testing::Test {
 protected:
  Status run(std::string_view operation) {
    Call call{operation, {{"table", x_.view()}, {"ids", ids_.view()}, {"out", x_.view()}}, {{"first", 0}}};
    call.attributes.insert(call.attributes.end(), {{"base", 10000}, {"layout", 0}});
    return subject_->run(call);
  }

  Tensor x_{Dtype::f32, {1, 2}};
  Tensor ids_{Dtype::i64, {1}};
  std::unique_ptr<Subject> subject_ = loaded(built_library("plugins/misbehaving.so"))->subjects()();
};

// ABI-4: no exception crosses, and a number that is no status is none.
TEST_F(Misbehaving, exceptions_become_a_status) {
  EXPECT_EQ(run("embed"), Status::internal);
  EXPECT_THAT(subject_->last_error(), AllOf(HasSubstr("embed"), HasSubstr("out of patience")));
  EXPECT_EQ(run("one_hot"), Status::internal);
  EXPECT_THAT(subject_->last_error(), HasSubstr("no std::exception"));
  Tensor count(Dtype::i64, {});
  EXPECT_EQ(subject_->run(count_call(count)), Status::internal);
  EXPECT_THAT(subject_->last_error(), HasSubstr("answered 17"));
}

// ABI-5: changes of the environment are found, reported, and undone.
TEST_F(Misbehaving, the_floating_point_environment_is_put_back) {
  EXPECT_EQ(run("sinusoidal"), Status::internal);
  EXPECT_THAT(subject_->last_error(), HasSubstr("rounding direction"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
#if defined(__x86_64__) || defined(__aarch64__)
  EXPECT_EQ(run("learned_positions"), Status::internal);
  EXPECT_THAT(subject_->last_error(), HasSubstr("flush-to-zero"));
  volatile double tiny = std::numeric_limits<double>::min();
  tiny = tiny / 2;
  EXPECT_GT(tiny, 0.0);
#endif
}

TEST(FloatEnvironmentTest, sticky_flags_are_nobodys_business) {
  const FloatEnvironment before = FloatEnvironment::current();
  std::feraiseexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(before.change_to(FloatEnvironment::current()), "");
  std::feclearexcept(FE_ALL_EXCEPT);
}

// A call that the suite itself got wrong is not the backend's fault, and still no crash.
// ABI-1: without state there is nothing to open, close or say.
TEST(Host, a_backend_without_state_leaves_its_functions_null) {
  Sample sample;
  sample.core.open = nullptr;
  sample.core.close = nullptr;
  sample.core.last_error = nullptr;
  const Library::Result loaded = sample.adopt();
  ASSERT_EQ(error_of(loaded), "");
  const auto subject = std::get<0>(loaded)->subjects()();
  EXPECT_NE(subject->run(Call{"embed", {}, {}}), Status::ok);
}

TEST(Host, a_call_that_lacks_a_tensor_is_internal) {
  Sample sample;
  const auto subject = std::get<0>(sample.adopt())->subjects()();
  Tensor out(Dtype::f32, {1, 1});
  EXPECT_EQ(subject->run({"embed", {{"out", out.view()}}, {}}), Status::internal);
  EXPECT_EQ(subject->run({"combine", {{"out", out.view()}}, {}}), Status::unsupported);
  EXPECT_EQ(subject->run({"embed", {}, {}}), Status::unsupported);
  EXPECT_EQ(subject->run({"no such thing", {}, {}}), Status::unsupported);
}

TEST(Host, subjects_outlive_the_library_object) {
  std::unique_ptr<Subject> subject;
  {
    const auto library = loaded(built_library("plugins/frozen_v1.so"));
    subject = library->subjects()();
  }
  Tensor count(Dtype::i64, {});
  EXPECT_EQ(subject->run(count_call(count)), Status::ok);
  EXPECT_EQ(subject->name(), "frozen");
}

// --- The registry ---

TEST(Registry, resolves_short_names_and_paths) {
  std::vector<std::string> names;
  for (const Bundled& backend : bundled_backends()) names.push_back(backend.name);
  EXPECT_THAT(names, testing::Contains("portable"));
  const auto portable = resolve_backend("portable");
  ASSERT_EQ(portable.index(), 0U);
  EXPECT_EQ(std::get<0>(portable).front(), built_library("etalon-portable.so"));
  EXPECT_THAT(std::get<0>(resolve_backend("./any/file.so")), ElementsAre("./any/file.so"));
  EXPECT_THAT(std::get<0>(resolve_backend("file.so")), ElementsAre("file.so"));
  std::size_t blas = 0;
  for (const std::string& name : names) blas += name.starts_with("blas-") ? 1U : 0U;
  const auto all_blas = resolve_backend("blas");
  if (blas > 0)
    EXPECT_EQ(std::get<0>(all_blas).size(), blas);
  else
    EXPECT_THAT(std::get<1>(all_blas).message, HasSubstr("was not built"));
}

TEST(Registry, an_unknown_name_lists_the_known_ones) {
  const auto result = load_backends("portabel");
  ASSERT_EQ(result.index(), 1U);
  EXPECT_THAT(std::get<1>(result).message,
              AllOf(HasSubstr("`portabel` is not known"), HasSubstr("portable"), HasSubstr("./portabel.so")));
  EXPECT_EQ(resolve_backend("").index(), 1U);
  EXPECT_THAT(std::get<1>(load_backends("./missing.so")).message, HasSubstr("no such file"));
}

TEST(Registry, every_bundled_backend_loads_under_its_name) {
  for (const Bundled& backend : bundled_backends()) {
    const auto result = load_backends(backend.name);
    ASSERT_EQ(result.index(), 0U) << std::get<1>(result).message;
    EXPECT_EQ(std::get<0>(result).front()->name(), backend.name);
    EXPECT_FALSE(std::get<0>(result).front()->version().empty());
    EXPECT_TRUE(std::get<0>(result).front()->unknown_operations().empty());
  }
}

// ABI-2: what goes into a report is short and printable.
TEST(Declaration, UnpresentableNamesAreRefused) {
  const std::string long_name(201, 'x');
  for (const char* name : {"two\nlines", "\x1b[31m", "caf\xc3\xa9", long_name.c_str()}) {
    Sample named;
    named.core.name = name;
    EXPECT_THAT(error_of(named.adopt()), HasSubstr("its name is longer"));
    Sample versioned;
    versioned.core.version = name;
    EXPECT_THAT(error_of(versioned.adopt()), HasSubstr("its version is longer"));
    Sample listed;
    listed.operations[1].name = name;
    EXPECT_THAT(error_of(listed.adopt()), HasSubstr("the name of operation 1 of 2"));
  }
}

// ABI-4, ABI-5
TEST(Declaration, AContextThatDoesNotCloseIsRefused) {
  Sample throwing;
  throwing.core.close = throw_on_close;
  EXPECT_THAT(error_of(throwing.adopt()), HasSubstr("close() threw"));
  Sample rounding;
  rounding.core.close = round_on_close;
  EXPECT_THAT(error_of(rounding.adopt()), HasSubstr("close() did not leave the floating-point environment"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

}  // namespace
}  // namespace etalon
