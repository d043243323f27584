// INP-1, NUM-9: honest and faulty forms of c x + p against the bound of the input representation.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "properties/bounds/input.hpp"
#include "properties/tests/bounds_support.hpp"
#include "reference/oracle/input.hpp"

namespace etalon {
namespace {

using bounds::combine_expected;
using bounds::Formats;
using oracle::scaled_sum;
using oracle::square_root;
using tests::Arithmetic;
using tests::Attack;
using tests::expect_honest;
using tests::expect_refuted;

const Format& f16 = format_of(Dtype::f16);
const Format& bf16 = format_of(Dtype::bf16);
const Format& f32 = format_of(Dtype::f32);
const Format& f64 = format_of(Dtype::f64);

// One way to compute c x + p with the constant c already rounded.
using Way = double (*)(const Arithmetic& arithmetic, double c, double x, double p);

double multiply_add(const Arithmetic& arithmetic, double c, double x, double p) {
  return arithmetic.add(arithmetic.multiply(c, x), p);
}

double fused(const Arithmetic& arithmetic, double c, double x, double p) { return arithmetic.fma(c, x, p); }

struct Setting {
  Model model;
  const Format& out;
  const Format& accumulator;
};

Setting setting(Dtype dtype) {
  const Model model = Model::common(dtype);
  return {model, format_of(dtype), format_of(model.accumulator)};
}

double rooted(const Format& format, std::int64_t d) {
  return decode(format, encode(format, square_root(d).hi));
}

// Random x and p of comparable size, so that neither operand hides the other.
template <typename Compute>
Attack attack(const Setting& where, const Compute& compute, std::uint64_t seed = 1) {
  Attack result;
  std::mt19937_64 random(seed);
  for (const std::int64_t d : {1, 2, 3, 4, 6, 64, 80, 512, 768, 1024, 4096}) {
    const Ball c = square_root(d);
    for (int i = 0; i < 4000; ++i) {
      const double x = tests::rounded_to(where.out, tests::normal(random));
      const double scale = std::ldexp(c.hi, static_cast<int>(random() % 24) - 16);
      const double p = tests::rounded_to(where.out, i % 8 == 0 ? -c.hi * x : scale * tests::normal(random));
      result.judge(where.out, compute(d, x, p),
                   combine_expected(where.model, where.out, c, x, p, scaled_sum(c, x, p)));
    }
  }
  return result;
}

// Climbs: keeps a change of x or p when the margin grows.
Attack climb(const Setting& where, Way way, std::int64_t d) {
  Attack result;
  std::mt19937_64 random(7);
  const Arithmetic arithmetic(where.accumulator);
  const Ball c = square_root(d);
  const double rounded_c = rooted(where.accumulator, d);
  for (int start = 0; start < 12; ++start) {
    std::uint64_t x = encode(where.out, tests::normal(random));
    std::uint64_t p = encode(where.out, tests::normal(random));
    double best = 0;
    for (int step = 0; step < 1500; ++step) {
      const std::uint64_t flip = random() >> (64 - (where.out.precision - 1));
      const std::uint64_t new_x = step % 2 == 0 ? x ^ (flip & random()) : x;
      const std::uint64_t new_p = step % 2 == 1 ? p ^ (flip & random()) : p;
      const double xv = decode(where.out, new_x);
      const double pv = decode(where.out, new_p);
      const double got = way(arithmetic, rounded_c, xv, pv);
      const double margin =
          result
              .judge(where.out, got,
                     combine_expected(where.model, where.out, c, xv, pv, scaled_sum(c, xv, pv)))
              .margin;
      if (margin >= best) best = margin, x = new_x, p = new_p;
    }
  }
  return result;
}

TEST(CombineBound, HoldsForHonestArithmetic) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Setting where = setting(dtype);
    const Arithmetic arithmetic(where.accumulator);
    for (const Way way : {multiply_add, fused}) {
      const std::string name = std::string(where.out.name) + (way == fused ? " fma" : " multiply, add");
      const Attack result = attack(where, [&](std::int64_t d, double x, double p) {
        return way(arithmetic, rooted(where.accumulator, d), x, p);
      });
      expect_honest(name, result, 0.7);
      expect_honest(name + ", climbing, d = 512", climb(where, way, 512), 0.7);
    }
  }
}

// The compiler's own float arithmetic, not our simulation of it; and double arithmetic rounded once at the
// end.
TEST(CombineBound, HoldsForTheProcessorsSingles) {
  const Setting where = setting(Dtype::f32);
  const auto root = [](std::int64_t d) { return std::sqrt(static_cast<float>(d)); };
  expect_honest("float multiply, add",
                attack(where,
                       [&](std::int64_t d, double x, double p) {
                         const float product = root(d) * static_cast<float>(x);
                         return static_cast<double>(product + static_cast<float>(p));
                       }),
                0.7);
  expect_honest(
      "float fma",
      attack(where,
             [&](std::int64_t d, double x, double p) {
               return static_cast<double>(std::fma(root(d), static_cast<float>(x), static_cast<float>(p)));
             }),
      0.5);
  expect_honest("double throughout",
                attack(where,
                       [](std::int64_t d, double x, double p) {
                         return tests::rounded_to(f32, std::sqrt(static_cast<double>(d)) * x + p);
                       }),
                0.4);
}

TEST(CombineBound, HoldsForStoredHalves) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
    Setting where = setting(dtype);
    where.model.storage = dtype;
    const Arithmetic single(f32);
    const auto stored = [&](double x) { return tests::rounded_to(where.out, x); };
    expect_honest(std::string(where.out.name) + " stored after every operation",
                  attack(where,
                         [&](std::int64_t d, double x, double p) {
                           return stored(single.add(stored(single.multiply(rooted(f32, d), x)), p));
                         }),
                  0.7);
  }
}

TEST(CombineBound, HoldsForTruncation) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f16}) {
    Setting where = setting(dtype);
    where.model.rounding = Rounding::faithful;
    where.model.accumulator = dtype;
    where.model.storage = dtype;
    where.model.product_input = dtype;
    const Arithmetic arithmetic(where.out, true);
    const Attack result = attack(where, [&](std::int64_t d, double x, double p) {
      return multiply_add(arithmetic, rooted(where.out, d), x, p);
    });
    expect_honest(std::string(where.out.name) + " truncating", result, 0.6);
    where.model.rounding = Rounding::nearest;
    const Attack undeclared = attack(where, [&](std::int64_t d, double x, double p) {
      return multiply_add(arithmetic, rooted(where.out, d), x, p);
    });
    expect_refuted(std::string(where.out.name) + " truncating, undeclared", undeclared);
  }
}

TEST(CombineBound, RefutesAFaultyScale) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Setting where = setting(dtype);
    const Arithmetic arithmetic(where.accumulator);
    const std::string name(where.out.name);
    const auto refute = [&](const char* fault, auto compute) {
      expect_refuted(name + " " + fault, attack(where, compute));
    };
    refute("c in bf16", [&](std::int64_t d, double x, double p) {
      return multiply_add(arithmetic, rooted(bf16, d), x, p);
    });
    refute("c missing", [&](std::int64_t, double x, double p) { return arithmetic.add(x, p); });
    refute("c applied to p", [&](std::int64_t d, double x, double p) {
      return arithmetic.multiply(rooted(where.accumulator, d), arithmetic.add(x, p));
    });
    refute("c inverted", [&](std::int64_t d, double x, double p) {
      return arithmetic.add(arithmetic.divide(x, rooted(where.accumulator, d)), p);
    });
  }
}

// The fault as planted: d = 512, P = 0, a table in bf16, where the final rounding hides most of it.
TEST(CombineBound, RefutesARootInBf16AtWidth512) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Setting where = setting(dtype);
    Attack faulty;
    Attack honest;
    std::mt19937_64 random(3);
    const Ball c = square_root(512);
    for (int i = 0; i < 512; ++i) {
      const double x = tests::rounded_to(where.out, tests::normal(random));
      const Expected expected = combine_expected(where.model, where.out, c, x, 0, scaled_sum(c, x, 0));
      faulty.judge(where.out, rooted(bf16, 512) * x, expected);
      honest.judge(where.out, Arithmetic(where.accumulator).multiply(rooted(where.accumulator, 512), x),
                   expected);
    }
    expect_refuted(std::string(where.out.name) + " sqrt(512) in bf16, P = 0", faulty);
    expect_honest(std::string(where.out.name) + " sqrt(512), P = 0", honest, 0.3);
  }
}

TEST(CombineBound, IsZeroWhereNothingIsRounded) {
  const Setting where = setting(Dtype::f32);
  const Ball c = square_root(512);
  EXPECT_EQ(combine_expected(where.model, f32, c, 0, 1.5, scaled_sum(c, 0, 1.5)).bound, 0) << "X = 0 gives P";
  const Ball two = square_root(4);
  EXPECT_EQ(combine_expected(where.model, f32, two, 3, 1, scaled_sum(two, 3, 1)).bound, 0);
  EXPECT_GT(combine_expected(where.model, f32, two, 3, 0x1p-40, scaled_sum(two, 3, 0x1p-40)).bound, 0);
  EXPECT_GT(combine_expected(where.model, f32, c, 1, 0, scaled_sum(c, 1, 0)).bound, 0);
}

TEST(CombineBound, LetsInfinityThroughOnlyWhereAnIntermediateMayOverflow) {
  const Setting where = setting(Dtype::f32);
  const double largest = f32.largest_finite();
  const double infinity = std::numeric_limits<double>::infinity();
  const Ball c = square_root(4);
  const auto verdict = [&](double x, double p, double got) {
    const Expected expected = combine_expected(where.model, f32, c, x, p, scaled_sum(c, x, p));
    return judge_within(f32, encode(f32, got), expected).verdict;
  };
  EXPECT_EQ(verdict(largest, -largest, largest), Verdict::pass) << "fma";
  EXPECT_EQ(verdict(largest, -largest, infinity), Verdict::pass) << "multiply, add";
  EXPECT_EQ(verdict(largest / 4, -largest / 8, infinity), Verdict::fail);
  EXPECT_EQ(verdict(largest, 0, infinity), Verdict::pass);
  EXPECT_EQ(verdict(infinity, 1, infinity), Verdict::pass);
  EXPECT_EQ(verdict(infinity, 1, largest), Verdict::fail);
  EXPECT_EQ(verdict(std::nan(""), 1, 1), Verdict::fail);
  EXPECT_EQ(verdict(-largest, infinity, std::nan("")), Verdict::pass) << "the product overflows to -Inf";
  EXPECT_EQ(verdict(-1, infinity, std::nan("")), Verdict::fail);
}

// Every pattern of the whole range, specials included: an honest subject never fails.
TEST(CombineBound, NeverFailsAnHonestSubjectOnAnyBits) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Setting where = setting(dtype);
    std::mt19937_64 random(5);
    Attack result;
    std::uint64_t undecided = 0;
    for (int i = 0; i < 40000; ++i) {
      const Ball c = square_root(static_cast<std::int64_t>(random() % 600));
      const double x = decode(where.out, random() >> (64 - where.out.bits));
      const double p = decode(where.out, random() >> (64 - where.out.bits));
      const double rounded_c = decode(where.accumulator, encode(where.accumulator, c.hi));
      double got = 0;
      if (dtype == Dtype::f64) {
        got = i % 2 == 0 ? rounded_c * x + p : std::fma(rounded_c, x, p);
      } else {
        const auto cf = static_cast<float>(rounded_c);
        const auto xf = static_cast<float>(x);
        const auto pf = static_cast<float>(p);
        got = static_cast<double>(i % 2 == 0 ? cf * xf + pf : std::fma(cf, xf, pf));
      }
      const Judgement judgement = result.judge(
          where.out, got, combine_expected(where.model, where.out, c, x, p, scaled_sum(c, x, p)));
      undecided += judgement.verdict != Verdict::pass && judgement.verdict != Verdict::fail;
      ASSERT_NE(judgement.verdict, Verdict::fail)
          << c.hi << " * " << x << " + " << p << " = " << got << judgement.reason;
    }
    expect_honest(std::string(where.out.name) + " any bits", result);
    EXPECT_EQ(undecided, 0U);
  }
}

TEST(CombineBound, HoldsWhereSubnormalsAreFlushed) {
  Setting where = setting(Dtype::f32);
  const double least = f32.smallest_normal();
  const auto flush = [&](double x) { return std::fabs(x) < least ? 0 : x; };
  const auto run = [&] {
    std::mt19937_64 random(11);
    Attack result;
    for (int i = 0; i < 20000; ++i) {
      const Ball c = square_root(static_cast<std::int64_t>(random() % 40 + 1));
      const double x = tests::rounded_to(f32, tests::normal(random) * least * 2);
      const double p = tests::rounded_to(f32, tests::normal(random) * least * 2);
      const Arithmetic single(f32);
      const double product = flush(single.multiply(tests::rounded_to(f32, c.hi), flush(x)));
      result.judge(f32, flush(single.add(product, flush(p))),
                   combine_expected(where.model, f32, c, x, p, scaled_sum(c, x, p)));
    }
    return result;
  };
  expect_refuted("f32 flushing, undeclared", run());
  where.model.flushes_subnormals = true;
  expect_honest("f32 flushing", run(), 0.3);
}

// Exhaustive on formats of a few bits: every x and p, sixteen constants, five forms of the arithmetic.
TEST(CombineBound, HoldsExhaustivelyInLowPrecision) {
  for (const int precision : {3, 4, 5}) {
    const Format format{"low", precision, -2, 3, 3 + precision};
    const int patterns = 1 << format.bits;
    const Arithmetic arithmetic(format);
    const Arithmetic truncating(format, true);
    Model model;
    Attack nearest;
    Attack faithful;
    for (std::int64_t d = 1; d <= 16; ++d) {
      const Ball c = square_root(d);
      const double root = decode(format, encode(format, c.hi));
      for (int i = 0; i < patterns; ++i) {
        for (int j = 0; j < patterns; ++j) {
          const double x = decode(format, static_cast<std::uint64_t>(i));
          const double p = decode(format, static_cast<std::uint64_t>(j));
          if (!std::isfinite(x) || !std::isfinite(p)) continue;
          const Formats formats{format, format, format};
          const Ball z = scaled_sum(c, x, p);
          model.rounding = Rounding::nearest;
          const Expected expected = combine_expected(model, formats, format, c, x, p, z);
          nearest.judge(format, multiply_add(arithmetic, root, x, p), expected);
          nearest.judge(format, fused(arithmetic, root, x, p), expected);
          nearest.judge(format, arithmetic.round(root * x + p), expected);
          model.rounding = Rounding::faithful;
          faithful.judge(format, multiply_add(truncating, root, x, p),
                         combine_expected(model, formats, format, c, x, p, z));
        }
      }
    }
    expect_honest("all inputs, " + std::to_string(precision) + " bits", nearest, 0.9);
    expect_honest("all inputs truncating, " + std::to_string(precision) + " bits", faithful, 0.8);
  }
}

}  // namespace
}  // namespace etalon
