#include "properties/attack/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace etalon::attack {

Hunt::Hunt(std::string operation, std::string arithmetic, const Effort& effort, const Claim& claim)
    : effort_(effort), claim_(claim), random_(effort.seed) {
  found.operation = std::move(operation);
  found.arithmetic = std::move(arithmetic);
  const std::chrono::duration<double> time(std::min(effort.seconds, 1e6));
  end_ = std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
}

bool Hunt::spent() {
  if (tried_ >= effort_.tries) return true;
  const bool look = ++tried_ % 16 == 0 && effort_.seconds < HUGE_VAL;
  if (look && std::chrono::steady_clock::now() > end_) effort_.tries = 0;
  return effort_.tries == 0;
}

std::string Hunt::conclusion(double got, const Expected& expected) {
  const Ball& truth = expected.truth;
  return fmt::format(": reached {}, truth {} + {}, bound {}", hex(got), hex(truth.hi), hex(truth.lo),
                     hex(expected.bound));
}

std::string hex(double x) { return fmt::format("{:a}", x); }

std::string hex(const std::vector<double>& values) {
  std::string result;
  for (const double x : values) result += (result.empty() ? "" : " ") + hex(x);
  return "(" + result + ")";
}

std::string words(const Setting& setting) {
  const Model& model = setting.model;
  return fmt::format("data {}, accumulator {}, products of {}, stored in {}, {}{}", setting.out.name,
                     setting.formats.accumulator.name, setting.formats.product_input.name,
                     setting.formats.storage.name,
                     model.rounding == Rounding::nearest ? "to nearest" : "faithful",
                     model.flushes_subnormals ? ", flushing" : "");
}

namespace {

constexpr std::array<std::string_view, 13> wide_names = {"",       "",       "p = 2", "p = 3", "p = 4",
                                                         "p = 5",  "p = 6",  "p = 7", "p = 8", "p = 9",
                                                         "p = 10", "p = 11", "p = 12"};
constexpr std::array<std::string_view, 9> short_names = {"",
                                                         "",
                                                         "p = 2 (short)",
                                                         "p = 3 (short)",
                                                         "p = 4 (short)",
                                                         "p = 5 (short)",
                                                         "p = 6 (short)",
                                                         "p = 7 (short)",
                                                         "p = 8 (short)"};

}  // namespace

Format wide_format(int precision) {
  return {wide_names[static_cast<std::size_t>(precision)], precision, -126, 127, precision + 8};
}

Format short_format(int precision) {
  return {short_names[static_cast<std::size_t>(precision)], precision, -6, 7, precision + 4};
}

namespace {

// Around the largest, the least normal and the least number.
double edge(std::mt19937_64& random, const Format& format) {
  const std::uint64_t word = random();
  const double edges[] = {format.largest_finite(), format.largest_finite(), format.smallest_normal(),
                          format.smallest_subnormal()};
  const std::uint64_t bits = encode(format, edges[word % std::size(edges)]);
  const double x = decode(format, word / 4 % 2 == 0 ? bits : bits - 1);
  return word >> 63 == 0 ? x : -x;
}

}  // namespace

double draw(std::mt19937_64& random, const Format& format, int reach) {
  const std::uint64_t word = random();
  if (word % 64 == 0) return 0;
  if (reach >= 8 && word % 8 == 1) return edge(random, format);
  const double significand = 1 + std::ldexp(static_cast<double>(random() >> 11), -53);
  const int exponent = static_cast<int>(word / 64 % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
  const double x = decode(format, encode(format, std::ldexp(significand, exponent)));
  if (!std::isfinite(x)) return format.largest_finite();
  return word >> 63 == 0 ? x : -x;
}

double near_midpoint(std::mt19937_64& random, const Format& format, int reach) {
  const double x = draw(random, format, reach);
  const double half = ulp(format, x) / 2;
  return x + half * (random() % 2 == 0 ? 1 - 0x1p-20 : 1 + 0x1p-20);
}

double changed(std::mt19937_64& random, const Format& format, double x, int reach) {
  const std::uint64_t word = random();
  const std::uint64_t bits = encode(format, x);
  double next = x;
  switch (word % 8) {
    case 0:
      next = decode(format, bits + 1);
      break;
    case 1:
      next = decode(format, bits - 1);
      break;
    case 2:
      next = -x;
      break;
    case 3:
      next = x * (word >> 63 == 0 ? 2 : 0.5);
      break;
    case 4:
      next = draw(random, format, reach);
      break;
    case 5:
      next = std::ldexp(1.0, static_cast<int>(word / 8 % static_cast<std::uint64_t>(2 * reach + 1)) - reach);
      break;
    default:
      next = decode(
          format, bits ^ (std::uint64_t{1} << (word / 8 % static_cast<std::uint64_t>(format.precision - 1))));
  }
  next = decode(format, encode(format, next));
  return std::isfinite(next) ? next : x;
}

namespace {

Setting declared(Dtype dtype, void (*declare)(Model&)) {
  Model model = Model::common(dtype);
  declare(model);
  return {model, bounds::formats_of(model), format_of(dtype)};
}

Setting of_one(const Format& format, Rounding rounding, bool flushes) {
  Model model;
  model.rounding = rounding;
  model.flushes_subnormals = flushes;
  return {model, {format, format, format}, format};
}

void all_in(Model& model, Dtype dtype) { model.accumulator = model.product_input = model.storage = dtype; }

}  // namespace

Setting wide_setting(int precision, Rounding rounding) {
  const Format format = wide_format(precision);
  Setting setting;
  setting.out = format;
  setting.formats = {format, format, format};
  setting.model.rounding = rounding;
  return setting;
}

std::string name_of(const Setting& setting) {
  return std::string(setting.out.name) + (setting.model.rounding == Rounding::nearest ? "" : ", faithful");
}

std::vector<Named> arithmetics() {
  std::vector<Named> all;
  const auto add = [&](const char* name, Dtype dtype, int reach, void (*declare)(Model&)) {
    all.push_back({name, declared(dtype, declare), reach});
  };
  const auto common = [](Model&) {};
  add("f64", Dtype::f64, 4, common);
  add("f32", Dtype::f32, 4, common);
  add("f16 in f32", Dtype::f16, 4, common);
  add("bf16 in f32", Dtype::bf16, 4, common);
  add("f16", Dtype::f16, 3, [](Model& model) { all_in(model, Dtype::f16); });
  add("bf16", Dtype::bf16, 4, [](Model& model) { all_in(model, Dtype::bf16); });
  add("f32 in f64", Dtype::f32, 4, [](Model& model) { all_in(model, Dtype::f64); });
  add("bf16 in f32, stored in bf16", Dtype::bf16, 4, [](Model& model) { model.storage = Dtype::bf16; });
  add("f16 in f32, stored in f16", Dtype::f16, 14, [](Model& model) { model.storage = Dtype::f16; });
  add("f32, products of bf16", Dtype::f32, 4, [](Model& model) { model.product_input = Dtype::bf16; });
  add("f32, faithful", Dtype::f32, 4, [](Model& model) { model.rounding = Rounding::faithful; });
  add("f32, flushing", Dtype::f32, 126, [](Model& model) { model.flushes_subnormals = true; });
  add("f16, whole range", Dtype::f16, 24, [](Model& model) { all_in(model, Dtype::f16); });
  add("f32, data of f32 in f16", Dtype::f32, 14, [](Model& model) { all_in(model, Dtype::f16); });
  all.push_back({"p = 3, near the limits", of_one(short_format(3), Rounding::nearest, false), 8});
  all.push_back({"p = 3, near the limits, flushing", of_one(short_format(3), Rounding::nearest, true), 8});
  all.push_back({"p = 3, near the limits, faithful", of_one(short_format(3), Rounding::faithful, false), 8});
  return all;
}

Setting mixed_setting(std::mt19937_64& random) {
  constexpr std::array dtypes = {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16};
  const bool small = random() % 2 == 0;
  const auto any = [&] {
    if (!small) return format_of(dtypes[random() % dtypes.size()]);
    const int precision = 3 + static_cast<int>(random() % 6);
    return random() % 2 == 0 ? wide_format(precision) : short_format(precision);
  };
  Setting setting;
  setting.out = any();
  setting.formats = {any(), any(), any()};
  if (random() % 2 == 0) setting.formats.product_input = setting.formats.accumulator;
  if (random() % 2 == 0) setting.formats.storage = setting.formats.accumulator;
  setting.model.rounding = random() % 2 == 0 ? Rounding::nearest : Rounding::faithful;
  setting.model.flushes_subnormals = random() % 4 == 0;
  return setting;
}

Found attack_all(const Effort& effort, const Claim& claim) {
  Found all;
  for (const auto attack : {attack_linear, attack_input, attack_position}) {
    for (Highest& one : attack(effort, claim)) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace etalon::attack

namespace etalon {

std::vector<Highest> attack_bounds(double seconds, std::uint64_t seed) {
  attack::Effort effort;
  effort.seed = seed;
  effort.tries = 1;
  const auto arithmetics = static_cast<double>(attack::attack_all(effort).size());
  effort.tries = ~std::uint64_t{0};
  effort.seconds = seconds / arithmetics;
  return attack::attack_all(effort);
}

}  // namespace etalon
