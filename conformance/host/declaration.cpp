#include "conformance/host/declaration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "conformance/crossing.hpp"
#include "fmt/format.h"
#include "properties/operations.hpp"

namespace etalon {
namespace {

using Problem = std::optional<std::string>;

constexpr std::array all_dtypes = {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16,
                                   Dtype::i32, Dtype::i64, Dtype::u8};
constexpr std::uint32_t bit(Dtype dtype) { return ETALON_BIT(static_cast<std::uint32_t>(dtype)); }
constexpr std::uint32_t text_dtypes = bit(Dtype::u8);

const Operation* operation_named(std::string_view name) {
  for (const Operation& operation : operations)
    if (operation.name == name) return &operation;
  return nullptr;
}

// Words that go into reports: what a terminal shows as it is, in less than a line.
bool is_presentable(std::string_view text) {
  return text.size() <= 200 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

// The part of the core that never changes; the list of operations is read only once this has passed.
Problem core_problem(const etalon_core* core) {
  if (core == nullptr) return "etalon_backend() returned NULL; it must return the backend's description";
  if (core->interface_version == 0 || core->interface_version > ETALON_INTERFACE_VERSION)
    return fmt::format("it was built for interface version {}, this suite knows versions 1 to {}; {}",
                       core->interface_version, ETALON_INTERFACE_VERSION,
                       core->interface_version == 0
                           ? "set interface_version to ETALON_INTERFACE_VERSION"
                           : "update etalon or rebuild the backend with this one's header");
  const auto unset = [](std::string_view entry) {
    return fmt::format("the core's entry `{}` is NULL; it must be set", entry);
  };
  if (core->name == nullptr) return unset("name");
  if (core->version == nullptr) return unset("version");
  if (core->operations == nullptr) return unset("operations");
  if (std::string_view(core->name).empty()) return "its name is empty; give the backend a short name";
  for (const auto& [entry, text] : {std::pair("name", core->name), std::pair("version", core->version)})
    if (!is_presentable(text))
      return fmt::format("its {} is longer than 200 characters or not printable ASCII; reports show it",
                         entry);
  if (core->operation_count == 0)
    return "its list of operations is empty; list at least one ETALON_OPERATION";
  if (core->operation_count > 100000)
    return fmt::format("operation_count is {}; it must be the number of entries of `operations`",
                       core->operation_count);
  return std::nullopt;
}

bool valid_format(std::int32_t dtype) { return dtype == 0 || (dtype >= ETALON_F64 && dtype <= ETALON_F16); }
bool valid_flag(std::int32_t flag) { return flag == 0 || flag == 1; }
// No function is within less than half an ulp of every value; 0 stands for one ulp. A function that may be
// thousands of ulp off is no sine: under such a declaration a constant would pass.
constexpr double largest_ulp = 8192;
bool valid_ulp(double ulp) { return ulp == 0 || (ulp >= 0.5 && ulp <= largest_ulp); }

Problem model_problem(const etalon_model& model) {
  const auto field = [](std::string_view name, auto value, std::string_view wanted) {
    return fmt::format("its model says {} = {}; {}", name, value, wanted);
  };
  constexpr std::string_view format = "that must be 0 or ETALON_F64, F32, BF16 or F16";
  constexpr std::string_view flag = "that must be 0 or 1";
  constexpr std::string_view ulp = "that must be 0 (one ulp) or a number from 0.5 to 8192";
  if (!valid_format(model.accumulator)) return field("accumulator", model.accumulator, format);
  if (!valid_format(model.product_input)) return field("product_input", model.product_input, format);
  if (!valid_format(model.storage)) return field("storage", model.storage, format);
  if (!valid_flag(model.rounding))
    return field("rounding", model.rounding, "that must be ETALON_NEAREST or ETALON_FAITHFUL");
  if (model.angle < ETALON_ANGLE_WORKING || model.angle > ETALON_ANGLE_EXACT)
    return field("angle", model.angle, "that must be ETALON_ANGLE_WORKING, _DOUBLE or _EXACT");
  if (!valid_flag(model.flushes_subnormals))
    return field("flushes_subnormals", model.flushes_subnormals, flag);
  if (model.height < 0)
    return field("height", model.height, "that must be 0 (any order) or a number of roundings");
  if (!valid_ulp(model.sine_ulp)) return field("sine_ulp", model.sine_ulp, ulp);
  if (!valid_ulp(model.power_ulp)) return field("power_ulp", model.power_ulp, ulp);
  if (!valid_flag(model.lossless)) return field("lossless", model.lossless, flag);
  if (!valid_flag(model.streaming)) return field("streaming", model.streaming, flag);
  if (std::any_of(std::begin(model.reserved), std::end(model.reserved), [](auto word) { return word != 0; }))
    return "its model fills reserved fields; they must be 0, or this suite is too old for the backend: "
           "update etalon";
  return std::nullopt;
}

Problem dtypes_problem(const etalon_operation& entry, const Operation& operation) {
  if (entry.dtypes == 0) return "it accepts no dtype; set dtypes to the ETALON_BIT of each";
  const std::uint32_t allowed = operation.is_float ? ETALON_FLOATS : text_dtypes;
  if ((entry.dtypes & ~allowed) != 0)
    return fmt::format("it has dtype bits {:#x} that are none of its kind; use {}", entry.dtypes & ~allowed,
                       operation.is_float ? "ETALON_FLOATS or some of them" : "ETALON_BIT(ETALON_U8)");
  return std::nullopt;
}

// Adds what one entry offers, or says why it cannot.
Problem read_entry(const etalon_operation& entry, Declaration& declaration) {
  const Operation* operation = operation_named(entry.name);
  if (operation == nullptr || crossing_of(entry.name) == nullptr) {
    declaration.unknown.emplace_back(entry.name);
    return std::nullopt;
  }
  // The union's members are pointers to functions all, and share their place.
  if (entry.function.embed == nullptr)
    return "its function is NULL; leave the operation out of the list instead";
  if (Problem problem = dtypes_problem(entry, *operation)) return problem;
  if (Problem problem = model_problem(entry.model)) return problem;
  for (const Dtype dtype : all_dtypes) {
    if ((entry.dtypes & bit(dtype)) == 0) continue;
    for (const Offer& offer : declaration.offers)
      if (offer.operation == operation->name && offer.dtype == dtype)
        return fmt::format("it is listed twice for {}; give each dtype one entry", name_of(dtype));
    declaration.offers.push_back({operation->name, dtype, model_of(entry.model, dtype), &entry});
  }
  return std::nullopt;
}

}  // namespace

Model model_of(const etalon_model& declared, Dtype dtype) {
  Model model = Model::common(dtype);
  if (declared.accumulator != 0) {
    model.accumulator = static_cast<Dtype>(declared.accumulator);
    model.product_input = model.storage = model.accumulator;
  }
  if (declared.product_input != 0) model.product_input = static_cast<Dtype>(declared.product_input);
  if (declared.storage != 0) model.storage = static_cast<Dtype>(declared.storage);
  model.rounding = static_cast<Rounding>(declared.rounding);
  model.angle = static_cast<Angle>(declared.angle);
  model.flushes_subnormals = declared.flushes_subnormals != 0;
  model.height = declared.height;
  if (declared.sine_ulp != 0) model.sine_ulp = declared.sine_ulp;
  if (declared.power_ulp != 0) model.power_ulp = declared.power_ulp;
  model.lossless = declared.lossless != 0;
  model.streaming = declared.streaming != 0;
  return model;
}

std::variant<Declaration, LoadError> read_declaration(const etalon_core* core) {
  if (const Problem problem = core_problem(core)) return LoadError{*problem};
  Declaration declaration;
  const std::span<const etalon_operation> entries(core->operations, core->operation_count);
  for (std::size_t i = 0; i < entries.size(); i++) {
    if (entries[i].name == nullptr)
      return LoadError{
          fmt::format("operation {} of {} has no name; is operation_count right?", i, entries.size())};
    if (!is_presentable(entries[i].name))
      return LoadError{fmt::format(
          "the name of operation {} of {} is longer than 200 characters or not printable ASCII; is "
          "operation_count right?",
          i, entries.size())};
    if (const Problem problem = read_entry(entries[i], declaration))
      return LoadError{fmt::format("operation `{}`: {}", entries[i].name, *problem)};
  }
  if (declaration.offers.empty())
    return LoadError{"it lists no operation that this suite knows; `etalon list` shows their names"};
  return declaration;
}

}  // namespace etalon
