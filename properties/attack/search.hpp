// NUM-4: how the adversary searches: until its effort is spent, climbing on the margin from drawn inputs.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "properties/attack/attack.hpp"
#include "properties/attack/reach.hpp"
#include "properties/judge.hpp"

namespace etalon::attack {

// For each arithmetic of each operation: seconds, or a number of tries, which makes all reproducible.
struct Effort {
  double seconds = HUGE_VAL;
  std::uint64_t tries = ~std::uint64_t{0};
  std::uint64_t seed = 1;
};

// A claim weaker than the proven bound, on purpose, to see that the attack breaks it.
struct Claim {
  double share = 1;        // of the proven bound
  int fewer_products = 0;  // a bound for sums so much shorter
};

// One arithmetic of an operation, and the way to attack it.
class Hunt {
 public:
  Hunt(std::string operation, std::string arithmetic, const Effort& effort, const Claim& claim);

  bool spent();  // counts a try
  std::mt19937_64& random() { return random_; }
  const Claim& claim() const { return claim_; }

  // Judges every end of the range; the margin of the worse one. `inputs` writes them down.
  template <typename Inputs>
  double judge(const Setting& setting, const Range& reached, Expected expected, Inputs inputs) {
    expected.bound *= claim_.share;
    double worst = one(setting, reached.low, expected, inputs);
    if (reached.high != reached.low) worst = std::fmax(worst, one(setting, reached.high, expected, inputs));
    if (reached.nan) worst = std::fmax(worst, one(setting, std::nan(""), expected, inputs));
    return worst;
  }

  // Climbs again and again: draws an input, then keeps changes that do not lower its margin.
  template <typename Draw, typename Change, typename Margin>
  void climb(Draw draw, Change change, Margin margin, int patience = 200) {
    while (!spent()) {
      auto best = draw();
      double highest = margin(best);
      for (int idle = 0; idle < patience && !spent(); ++idle) {
        auto next = best;
        change(next);
        const double now = margin(next);
        if (now > highest) idle = 0;
        if (now >= highest) highest = now, best = std::move(next);
      }
    }
  }

  // Visits 0 to size - 1 in a scattered order, so that what is left out, if any, leaves a sample: then false.
  template <typename Visit>
  bool visit(std::uint64_t size, Visit visit_one) {
    std::uint64_t step = size / 13 * 5 + 1;
    while (std::gcd(step, size) != 1) ++step;
    std::uint64_t index = 0;
    for (std::uint64_t i = 0; i < size; ++i, index = (index + step) % size) {
      if (spent()) return false;
      visit_one(index);
    }
    return true;
  }

  Highest found;

 private:
  template <typename Inputs>
  double one(const Setting& setting, double got, const Expected& expected, Inputs inputs) {
    const Judgement judgement = judge_within(setting.out, encode(setting.out, got), expected);
    ++found.judged;
    const bool fails = judgement.verdict == Verdict::fail;
    if (judgement.margin > found.margin || (fails && !found.failed)) {
      found.margin = std::fmax(found.margin, judgement.margin);
      found.where = inputs() + conclusion(got, expected);
    }
    found.failed = found.failed || fails;
    return judgement.margin;
  }
  static std::string conclusion(double got, const Expected& expected);

  Effort effort_;
  Claim claim_;
  std::mt19937_64 random_;
  std::uint64_t tried_ = 0;
  std::chrono::steady_clock::time_point end_;
};

std::string hex(double x);  // "0x1.8p+1"
std::string hex(const std::vector<double>& values);
// " nearest, accumulator f32, ..." where it differs from the format of the data.
std::string words(const Setting& setting);

// A format of a few bits without practical limits of range, and one where limits are near.
Format wide_format(int precision);
Format short_format(int precision);
// A number of the format: any significand, an exponent up to `reach` below or above 1, either sign. With a
// reach of 8 or more also the ends of the range.
double draw(std::mt19937_64& random, const Format& format, int reach);
// A number that the format rounds by nearly half an ulp, either way: the worst alpha, beta and c.
double near_midpoint(std::mt19937_64& random, const Format& format, int reach);
// A step of an ulp, another bit, another exponent, the other sign, a power of two.
double changed(std::mt19937_64& random, const Format& format, double x, int reach);

// Arithmetic of wide_format(precision) throughout, and its name: "p = 3, faithful".
Setting wide_setting(int precision, Rounding rounding);
std::string name_of(const Setting& setting);

// The arithmetics in which every operation is attacked by climbing.
struct Named {
  std::string name;
  Setting setting;
  int reach;  // exponents of the inputs: within so many binades of 1; see draw
};
std::vector<Named> arithmetics();
// Formats, rounding and flushing drawn anew.
Setting mixed_setting(std::mt19937_64& random);

using Found = std::vector<Highest>;

// The attack on one operation: exhaust(precision, rounding, effort, claim) in formats of a few bits, then
// climbing in every arithmetic and in formats drawn anew, from draw_problem(random, setting, reach) by
// change(random, setting, reach, problem) towards a higher margin(hunt, setting, problem).
template <typename Exhaust, typename Draw, typename Change, typename Margin>
Found attack_in_every_arithmetic(const std::string& operation, const Effort& effort, const Claim& claim,
                                 Exhaust exhaust, Draw draw_problem, Change change, Margin margin) {
  Found all;
  for (int precision = 3; precision <= 8; ++precision) {
    all.push_back(exhaust(precision, Rounding::nearest, effort, claim));
  }
  all.push_back(exhaust(3, Rounding::faithful, effort, claim));
  Setting setting;
  int reach = 0;
  const auto climb = [&](const std::string& name, auto draw, int patience) {
    Hunt hunt(operation, name, effort, claim);
    auto& random = hunt.random();
    hunt.climb([&] { return draw(random); }, [&](auto& problem) { change(random, setting, reach, problem); },
               [&](const auto& problem) { return margin(hunt, setting, problem); }, patience);
    all.push_back(hunt.found);
  };
  for (const Named& named : arithmetics()) {
    setting = named.setting;
    reach = named.reach;
    climb(
        named.name, [&](std::mt19937_64& random) { return draw_problem(random, setting, reach); }, 200);
  }
  reach = 14;
  climb(
      "mixed formats",
      [&](std::mt19937_64& random) {
        setting = mixed_setting(random);
        return draw_problem(random, setting, reach);
      },
      60);
  return all;
}

Found attack_linear(const Effort& effort, const Claim& claim = {});
Found attack_input(const Effort& effort, const Claim& claim = {});
Found attack_position(const Effort& effort, const Claim& claim = {});
// One operation in one arithmetic after the other.
Found attack_all(const Effort& effort, const Claim& claim = {});

}  // namespace etalon::attack
