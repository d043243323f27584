// INP-1, NUM-9: attack on the bound of c x + p.
#include "properties/bounds/input.hpp"

#include <fmt/format.h>

#include "properties/attack/search.hpp"
#include "reference/oracle/input.hpp"

namespace etalon::attack {
namespace {

// c is the root of a width, or where that is 0, a declared number.
struct Problem {
  std::int64_t width = 0;
  double declared = 1;
  double x = 0, p = 0;

  Ball c() const { return width > 0 ? oracle::square_root(width) : Ball::exact(declared); }
};

// Product and sum, each rounded, or in one operation.
Range reachable(const Setting& setting, const Ball& c, const Problem& problem) {
  const Reach reach(setting);
  Range constant = reach.constant(c.hi);
  if (setting.model.flushes_subnormals && std::fabs(c.hi) < setting.formats.accumulator.smallest_normal()) {
    constant.admit(0);
  }
  constant = reach.narrowed(constant);
  const Range x = reach.operand(problem.x, true);
  const Range p = reach.operand(problem.p, false);
  Range sum = reach.add(reach.multiply(constant, x), p);
  sum.admit(reach.fma(constant, x, p));
  return reach.result(sum);
}

double margin(Hunt& hunt, const Setting& setting, const Problem& problem) {
  const Ball c = problem.c();
  const Expected expected =
      bounds::combine_expected(setting.model, setting.formats, setting.out, c, problem.x, problem.p,
                               oracle::scaled_sum(c, problem.x, problem.p));
  return hunt.judge(setting, reachable(setting, c, problem), expected, [&] {
    const std::string scale =
        problem.width > 0 ? fmt::format("sqrt({})", problem.width) : hex(problem.declared);
    return fmt::format("c {} x {} p {} {}", scale, hex(problem.x), hex(problem.p), words(setting));
  });
}

Problem draw_problem(std::mt19937_64& random, const Setting& setting, int reach) {
  Problem problem;
  if (random() % 2 == 0) problem.width = static_cast<std::int64_t>(1 + (random() % 4096 >> random() % 12));
  problem.declared = random() % 2 == 0 ? draw(random, format_of(Dtype::f64), reach)
                                       : near_midpoint(random, setting.formats.accumulator, reach);
  problem.x = draw(random, setting.out, reach);
  problem.p = draw(random, setting.out, reach);
  return problem;
}

void change(std::mt19937_64& random, const Setting& setting, int reach, Problem& problem) {
  const std::uint64_t word = random();
  switch (word % 8) {
    case 0:
      if (problem.width > 0)
        problem.width = static_cast<std::int64_t>(1 + random() % 4096);
      else
        problem.declared = changed(random, format_of(Dtype::f64), problem.declared, reach);
      break;
    case 1:
      problem.p = decode(setting.out, encode(setting.out, -problem.c().hi * problem.x));
      if (!std::isfinite(problem.p)) problem.p = 0;
      break;
    default: {
      double& value = word >> 63 == 0 ? problem.x : problem.p;
      value = changed(random, setting.out, value, reach);
    }
  }
}

// Every x of the binade at 1, every p of four binades around it and both signs, roots of the widths to 16.
Highest exhaust(int precision, Rounding rounding, const Effort& effort, const Claim& claim) {
  const Setting setting = wide_setting(precision, rounding);
  const Format& format = setting.out;
  Hunt hunt("combine", name_of(setting), effort, claim);
  const std::uint64_t one = encode(format, 1);
  const std::uint64_t binade = std::uint64_t{1} << (precision - 1);
  const bool complete = hunt.visit(binade * 8 * binade * 2 * 16, [&](std::uint64_t index) {
    Problem problem;
    problem.width = static_cast<std::int64_t>(1 + index % 16);
    problem.x = decode(format, one + index / 32 % binade);
    problem.p = decode(format, one - 4 * binade + index / 32 / binade);
    if (index / 16 % 2 == 1) problem.p = -problem.p;
    margin(hunt, setting, problem);
  });
  hunt.found.arithmetic += complete ? ", exhaustive" : ", sampled";
  return hunt.found;
}

}  // namespace

Found attack_input(const Effort& effort, const Claim& claim) {
  return attack_in_every_arithmetic("combine", effort, claim, exhaust, draw_problem, change, margin);
}

}  // namespace etalon::attack
