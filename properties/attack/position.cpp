// POS-2, NUM-7: attack on the bound of the sinusoidal code.
#include "properties/bounds/position.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "properties/attack/angles.hpp"
#include "properties/attack/search.hpp"
#include "reference/oracle/position.hpp"

namespace etalon::attack {
namespace {

class Attacker {
 public:
  Attacker(Hunt& hunt, const Named& named)
      : hunt_(hunt), setting_(named.setting), reach_(setting_), least_(named.reach) {
    const Format& format =
        setting_.model.angle == Angle::in_double ? format_of(Dtype::f64) : setting_.formats.accumulator;
    working_ = {setting_.model, {format, format, format}, format};
  }

  double margin(const Entry& entry) {
    if (entry.position < least_) return 0;
    const oracle::SinusoidalOracle::Pair truth = oracle(entry).at(entry.position, entry.r);
    const double log_inverse_frequency =
        2.0 * static_cast<double>(entry.r) / static_cast<double>(entry.width) * std::log(entry.base);
    double worst = 0;
    for (const bool cosine : {false, true}) {
      const Ball& y = cosine ? truth.cosine : truth.sine;
      const Expected expected =
          bounds::sinusoidal_expected(setting_.model, setting_.out, static_cast<double>(entry.position),
                                      log_inverse_frequency, y, cosine ? truth.sine : truth.cosine);
      if (std::isnan(expected.bound)) continue;
      if (setting_.model.angle == Angle::exact) {
        const Elementary sine(setting_.formats.accumulator, setting_.model.sine_ulp);
        const long double exact = static_cast<long double>(y.hi) + static_cast<long double>(y.lo);
        worst = std::fmax(worst, judge(entry, sine.near(exact), expected, cosine, "exact angle"));
        continue;
      }
      const Angles angles(working_, entry);
      for (std::size_t way = 0; way < Angles::names.size(); ++way) {
        const Range value = wave(angles.angle(way), cosine);
        worst = std::fmax(worst, judge(entry, value, expected, cosine, Angles::names[way]));
      }
    }
    return worst;
  }

 private:
  // The sine at both ends of the angle, in the accumulator's format or in binary64 and rounded to it.
  Range wave(const Range& angle, bool cosine) const {
    const auto f = [cosine](long double x) { return cosine ? std::cos(x) : std::sin(x); };
    Range result = Elementary(setting_.formats.accumulator, setting_.model.sine_ulp).at(angle, f);
    if (setting_.model.angle == Angle::in_double) {
      const Range wide = Elementary(format_of(Dtype::f64), setting_.model.sine_ulp).at(angle, f);
      result.admit(Reach({setting_.model, setting_.formats, setting_.formats.accumulator}).result(wide));
    }
    return result;
  }

  // Where the bound is of the size of the sine itself a high margin says nothing, unless it fails.
  double judge(const Entry& entry, const Range& value, const Expected& expected, bool cosine,
               const char* way) {
    const Range reached = reach_.result(value);
    if (expected.bound > 0.5) {
      Attack attack;
      attack.judge(setting_.out, reached.low, expected);
      attack.judge(setting_.out, reached.high, expected);
      if (attack.failed == 0) return 0;
    }
    return hunt_.judge(setting_, reached, expected, [&] {
      return fmt::format("{} pos {} r {} d {} base {} {}, {}", cosine ? "cos" : "sin", entry.position,
                         entry.r, entry.width, hex(entry.base), way, words(setting_));
    });
  }

  const oracle::SinusoidalOracle& oracle(const Entry& entry) {
    if (oracles_.size() > 512) oracles_.clear();
    return oracles_.try_emplace({entry.width, entry.base}, entry.width, entry.base).first->second;
  }

  Hunt& hunt_;
  Setting setting_;
  Setting working_;  // of the angle
  Reach reach_;
  std::int64_t least_;
  std::map<std::pair<std::int64_t, double>, oracle::SinusoidalOracle> oracles_;
};

double draw_base(std::mt19937_64& random, const Format& accumulator) {
  constexpr std::array usual = {10000.0, 500000.0, 2.0, 100.0, 1.25, 10007.0, 1000000.0};
  const double base = random() % 2 == 0 ? usual[random() % usual.size()]
                                        : 1 + std::fabs(draw(random, format_of(Dtype::f64), 12));
  return base < accumulator.largest_finite() && base > 1 ? base : 10000;
}

std::int64_t draw_position(std::mt19937_64& random) {
  return static_cast<std::int64_t>((random() % 0x100000) >> (random() % 20));
}

std::int64_t draw_pair(std::mt19937_64& random, std::int64_t width) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width / 2));
}

Entry draw_entry(std::mt19937_64& random, const Format& accumulator) {
  Entry entry;
  entry.width = 2 + 2 * static_cast<std::int64_t>(random() % 32);
  entry.r = draw_pair(random, entry.width);
  entry.base = draw_base(random, accumulator);
  entry.position = draw_position(random);
  return entry;
}

void change(std::mt19937_64& random, const Format& accumulator, Entry& entry) {
  const std::uint64_t word = random();
  switch (word % 16) {
    case 0:
      entry.base = draw_base(random, accumulator);
      break;
    case 1:
      entry.width = 2 + 2 * static_cast<std::int64_t>(random() % 48);
      entry.r %= entry.width / 2;
      break;
    case 2:
    case 3:
      entry.r = draw_pair(random, entry.width);
      break;
    case 4: {
      const double base = changed(random, format_of(Dtype::f64), entry.base, 12);
      if (base > 1 && base < accumulator.largest_finite()) entry.base = base;
      break;
    }
    case 5:
      entry.position = draw_position(random);
      break;
    case 6:
      entry.position /= 2;
      break;
    case 7:
      if (entry.position < 1 << 24) entry.position *= 2;
      break;
    default:
      entry.position += static_cast<std::int64_t>(word / 16 % 65) - 32;
  }
  if (entry.position < 0) entry.position = -entry.position;
}

Named declared(const char* name, Dtype dtype, void (*declare)(Model&), int least = 0) {
  Model model = Model::common(dtype);
  declare(model);
  return {name, {model, bounds::formats_of(model), format_of(dtype)}, least};
}

// Far positions are a row of their own: there the angle counts, and near 0 the sine.
std::vector<Named> position_arithmetics() {
  const auto common = [](Model&) {};
  const auto in_double = [](Model& model) { model.angle = Angle::in_double; };
  const auto exact = [](Model& model) { model.angle = Angle::exact; };
  return {
      declared("f64", Dtype::f64, common),
      declared("f32", Dtype::f32, common),
      declared("f64, far", Dtype::f64, common, 1000),
      declared("f32, far", Dtype::f32, common, 1000),
      declared("bf16 in f32", Dtype::bf16, common),
      declared("f16 in f32", Dtype::f16, common),
      declared("bf16", Dtype::bf16, [](Model& model) { model.accumulator = Dtype::bf16; }),
      declared("f16", Dtype::f16, [](Model& model) { model.accumulator = Dtype::f16; }),
      declared("f32, rounded once", Dtype::f32, [](Model& model) { model.sine_ulp = model.power_ulp = 0.5; }),
      declared("f32, functions of 4 ulp", Dtype::f32, [](Model& m) { m.sine_ulp = m.power_ulp = 4; }),
      declared("f32, faithful", Dtype::f32, [](Model& model) { model.rounding = Rounding::faithful; }),
      declared("f16, faithful", Dtype::f16,
               [](Model& model) {
                 model.accumulator = Dtype::f16;
                 model.rounding = Rounding::faithful;
               }),
      declared("f32, double angle", Dtype::f32, in_double),
      declared("f16 in f32, double angle", Dtype::f16, in_double),
      declared("f64, exact angle", Dtype::f64, exact),
      declared("f32, exact angle", Dtype::f32, exact),
      declared("bf16 in f32, exact angle", Dtype::bf16, exact),
  };
}

}  // namespace

Found attack_position(const Effort& effort, const Claim& claim) {
  Found all;
  for (const Named& named : position_arithmetics()) {
    Hunt hunt("sinusoidal", named.name, effort, claim);
    Attacker attacker(hunt, named);
    auto& random = hunt.random();
    const Format& accumulator = named.setting.formats.accumulator;
    hunt.climb([&] { return draw_entry(random, accumulator); },
               [&](Entry& entry) { change(random, accumulator, entry); },
               [&](const Entry& entry) { return attacker.margin(entry); });
    all.push_back(hunt.found);
  }
  return all;
}

}  // namespace etalon::attack
