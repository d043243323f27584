// INP-1, NUM-9: c x + p at both ends of the range against the bound, on machines of a few bits and in f64.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "properties/bounds/input.hpp"
#include "properties/tests/bounds_machine.hpp"
#include "reference/oracle/input.hpp"

namespace etalon {
namespace {

using bounds::combine_expected;
using bounds::Formats;
using oracle::scaled_sum;
using tests::Machine;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

const Format& f32 = format_of(Dtype::f32);
const Format& f64 = format_of(Dtype::f64);

Expected expected_of(const Model& model, const Format& out, const Ball& c, double x, double p) {
  return combine_expected(model, out, c, x, p, scaled_sum(c, x, p));
}

double computed(Machine& machine, const Ball& c, double x, double p) {
  const double scale = machine.narrowed(machine.constant(c.hi));
  const double embedding = machine.narrowed(machine.operand(x));
  const double position = machine.operand(p);
  return machine.output(machine.coin() ? machine.fused(scale, embedding, position)
                                       : machine.add(machine.multiply(scale, embedding), position));
}

// Every pattern of every format, Inf and NaN among them, on every machine: nothing honest fails.
TEST(CombineRange, HoldsOnEveryMachineOfAFewBits) {
  constexpr double scales[] = {1, 0.5, 3, -1.25, 0.1, 0, 40, 0x1p-6};
  tests::for_every_machine(
      [&](const Model& model, const Formats& formats, const Format& out, std::mt19937_64& random) {
        Machine machine(model, formats, out, random);
        for (int i = 0; i < 300; ++i) {
          const Ball c = i % 2 == 0 ? Ball::exact(scales[random() % 8])
                                    : oracle::square_root(static_cast<std::int64_t>(random() % 300));
          const double x = decode(out, random() >> (64 - out.bits));
          const double p = decode(out, random() >> (64 - out.bits));
          const Expected expected = combine_expected(model, formats, out, c, x, p, scaled_sum(c, x, p));
          const double got = computed(machine, c, x, p);
          const Judgement judgement = judge_within(out, encode(out, got), expected);
          ASSERT_EQ(judgement.verdict, Verdict::pass)
              << tests::name_of(model, formats, out) << ": " << c.hi << " * " << x << " + " << p << " = "
              << got << " within " << expected.bound << ", " << judgement.reason;
        }
      });
}

// Sums beyond binary64, cut to the largest number; and products that have lost how far beyond they were.
TEST(CombineRange, LetsCutSumsStayAtTheLargestNumber) {
  Model model = Model::common(Dtype::f64);
  const double largest = f64.largest_finite();
  const auto verdict = [&](double c, double x, double p, double got) {
    return judge_within(f64, encode(f64, got), expected_of(model, f64, Ball::exact(c), x, p)).verdict;
  };
  EXPECT_EQ(verdict(1, largest, largest, infinity), Verdict::pass);
  EXPECT_EQ(verdict(1, largest, largest, largest - 0x1p971), Verdict::fail);
  model.rounding = Rounding::faithful;
  EXPECT_EQ(verdict(1, largest, largest, largest), Verdict::pass);
  EXPECT_EQ(verdict(1, largest, largest, infinity), Verdict::pass);
  EXPECT_EQ(verdict(1, largest, largest, largest / 2), Verdict::fail);
  EXPECT_EQ(verdict(1, largest, largest, -largest), Verdict::fail);
  EXPECT_EQ(verdict(1, largest, largest, not_a_number), Verdict::fail);
  EXPECT_EQ(verdict(3, largest, -largest, 0), Verdict::pass) << "3 Omega is cut to Omega before p is added";
}

// x = 66048 has the 8 bits of bf16; cut to the largest number of f16, 65504, it has not, and is rounded
// again.
TEST(CombineRange, RoundsAgainWhatWasCutToTheLargestNumber) {
  Model model = Model::common(Dtype::f64);
  model.accumulator = Dtype::f16;
  model.product_input = Dtype::bf16;
  model.storage = Dtype::f32;
  model.rounding = Rounding::faithful;
  const Ball c = Ball::exact(-0x1.2p-13);
  const Expected expected = expected_of(model, f64, c, 0x1.02p16, 0x1.234p3);
  for (const double cut : {65504.0, 65280.0, 65536.0}) {
    const double product = c.hi * cut;
    const double got = product + 0x1.234p3;  // and its roundings in f16, each way at most an ulp
    EXPECT_EQ(judge_within(f64, encode(f64, got + 0x1p-6), expected).verdict, Verdict::pass) << cut;
  }
  EXPECT_EQ(judge_within(f64, encode(f64, 0x1.2p-3), expected).verdict, Verdict::pass);
  EXPECT_EQ(judge_within(f64, encode(f64, 1.0), expected).verdict, Verdict::fail);
}

TEST(CombineRange, CountsSubnormalsThatAreFlushedThoughExact) {
  Model model = Model::common(Dtype::f32);
  const double least = f32.smallest_normal();
  const auto verdict = [&] {
    return judge_within(f32, 0, expected_of(model, f32, Ball::exact(1), 1.5 * least, -least)).verdict;
  };
  EXPECT_EQ(verdict(), Verdict::fail);
  model.flushes_subnormals = true;
  EXPECT_EQ(verdict(), Verdict::pass);
}

TEST(CombineRange, LetsWhatIsConvertedBecomeAnInfinityOrZero) {
  Model model = Model::common(Dtype::f32);
  model.accumulator = model.product_input = model.storage = Dtype::f16;
  const auto verdict = [&](double c, double x, double p, double got) {
    return judge_within(f32, encode(f32, got), expected_of(model, f32, Ball::exact(c), x, p)).verdict;
  };
  EXPECT_EQ(verdict(1, 1, 1e6, infinity), Verdict::pass) << "p";
  EXPECT_EQ(verdict(1, -infinity, 1e6, not_a_number), Verdict::pass) << "p, and -Inf";
  EXPECT_EQ(verdict(1, -infinity, 1e4, not_a_number), Verdict::fail);
  EXPECT_EQ(verdict(0, 1e6, 1, not_a_number), Verdict::pass) << "x, and c = 0";
  EXPECT_EQ(verdict(1e-9, infinity, 1, not_a_number), Verdict::pass) << "c becomes 0";
  EXPECT_EQ(verdict(1, 1e-9, 0, 0), Verdict::pass);
  EXPECT_EQ(verdict(1, 1e-6, 0, 0), Verdict::fail);
  model.accumulator = model.storage = Dtype::f32;
  EXPECT_EQ(verdict(1, 6e4, 6e4, infinity), Verdict::fail) << "sums are not narrowed";
}

}  // namespace
}  // namespace etalon
