// POS-2, NUM-7: honest and faulty position codes against the bound of the sinusoidal code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "properties/bounds/position.hpp"
#include "properties/tests/bounds_support.hpp"
#include "reference/oracle/position.hpp"
#include "reference/oracle/rounding.hpp"

namespace etalon {
namespace {

using bounds::sinusoidal_expected;
using oracle::SinusoidalOracle;
using tests::Attack;
using tests::expect_honest;
using tests::expect_refuted;

constexpr double base = 10000;

// One way from (pos, r, d) to an angle, in the arithmetic of T.
template <typename T>
using AngleOf = T (*)(std::int64_t pos, std::int64_t r, std::int64_t d);

template <typename T>
T fraction(std::int64_t r, std::int64_t d) {
  return static_cast<T>(2 * r) / static_cast<T>(d);
}

template <typename T>
struct Way {
  const char* name;
  AngleOf<T> angle;
};

template <typename T>
std::vector<Way<T>> honest_ways() {
  return {
      {"exp(-2r (ln b / d))",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) *
                std::exp(-static_cast<T>(2 * r) * (std::log(static_cast<T>(base)) / static_cast<T>(d)));
       }},
      {"exp(-(2r/d) ln b)",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) * std::exp(-fraction<T>(r, d) * std::log(static_cast<T>(base)));
       }},
      {"pos / exp((2r/d) ln b)",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) / std::exp(fraction<T>(r, d) * std::log(static_cast<T>(base)));
       }},
      {"exp2(-(2r/d) log2 b)",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) * std::exp2(-fraction<T>(r, d) * std::log2(static_cast<T>(base)));
       }},
      {"pos / pow(b, 2r/d)",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) / std::pow(static_cast<T>(base), fraction<T>(r, d));
       }},
      {"pos * (1 / pow(b, 2r/d))",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) * (T{1} / std::pow(static_cast<T>(base), fraction<T>(r, d)));
       }},
      {"pos * pow(b, -2r/d)",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) * std::pow(static_cast<T>(base), -fraction<T>(r, d));
       }},
      {"pos * pow(1/b, 2r/d)",
       [](std::int64_t p, std::int64_t r, std::int64_t d) {
         return static_cast<T>(p) * std::pow(T{1} / static_cast<T>(base), fraction<T>(r, d));
       }},
  };
}

// The range of everyday tables, and positions where a single angle has lost its meaning: there the bound is
// near 2 and any margin up to 1 may be met.
std::vector<std::int64_t> positions(bool far) {
  if (far) return {48040, 131071, 1000000, 16777217, 2147483647};
  std::vector<std::int64_t> result{4095};
  for (std::int64_t pos = 0; pos < 4096; pos += pos < 300 ? 1 : 37) result.push_back(pos);
  return result;
}

using Entry =
    std::function<void(std::int64_t pos, std::int64_t r, std::int64_t d, double& sine, double& cosine)>;

// Judges a code at every drawn (pos, r, d).
Attack attack(const Model& model, const Format& out, const Entry& entry, bool far = false) {
  Attack result;
  for (const std::int64_t d : {2, 6, 64, 128, 512, 80}) {
    const SinusoidalOracle oracle(d, base);
    for (const std::int64_t pos : positions(far)) {
      for (std::int64_t r = 0; r<d / 2; r += d> 64 ? 5 : 1) {
        const auto truth = oracle.at(pos, r);
        const double log_frequency = 2 * static_cast<double>(r) / static_cast<double>(d) * std::log(base);
        const auto position = static_cast<double>(pos);
        double sine = 0;
        double cosine = 0;
        entry(pos, r, d, sine, cosine);
        result.judge(out, sine,
                     sinusoidal_expected(model, out, position, log_frequency, truth.sine, truth.cosine));
        result.judge(out, cosine,
                     sinusoidal_expected(model, out, position, log_frequency, truth.cosine, truth.sine));
      }
    }
  }
  return result;
}

template <typename T>
Entry by_angle(AngleOf<T> angle) {
  return [angle](std::int64_t pos, std::int64_t r, std::int64_t d, double& sine, double& cosine) {
    const T theta = angle(pos, r, d);
    sine = static_cast<double>(std::sin(theta));
    cosine = static_cast<double>(std::cos(theta));
  };
}

Model with_angle(Dtype dtype, Angle angle) {
  Model model = Model::common(dtype);
  model.angle = angle;
  return model;
}

const Format& f16 = format_of(Dtype::f16);
const Format& bf16 = format_of(Dtype::bf16);
const Format& f32 = format_of(Dtype::f32);
const Format& f64 = format_of(Dtype::f64);

TEST(SinusoidalBound, HoldsForEveryHonestWayInSingle) {
  for (const auto& way : honest_ways<float>()) {
    const Attack result = attack(Model::common(Dtype::f32), f32, by_angle<float>(way.angle));
    expect_honest(std::string("f32 ") + way.name, result, 0.15);
    expect_honest(std::string("f32 far ") + way.name,
                  attack(Model::common(Dtype::f32), f32, by_angle<float>(way.angle), true));
  }
}

TEST(SinusoidalBound, HoldsForEveryHonestWayInDouble) {
  for (const auto& way : honest_ways<double>()) {
    const Attack result = attack(Model::common(Dtype::f64), f64, by_angle<double>(way.angle));
    expect_honest(std::string("f64 ") + way.name, result, 0.15);
    expect_honest(std::string("f64 far ") + way.name,
                  attack(Model::common(Dtype::f64), f64, by_angle<double>(way.angle), true));
  }
}

// sin of a double angle: in double rounded once, or twice on the way to a narrow format.
TEST(SinusoidalBound, HoldsForAnglesInDouble) {
  for (const auto& way : honest_ways<double>()) {
    for (const Dtype dtype : {Dtype::f32, Dtype::bf16, Dtype::f16}) {
      const Format& out = format_of(dtype);
      const Attack result = attack(with_angle(dtype, Angle::in_double), out, by_angle<double>(way.angle));
      expect_honest(std::string(out.name) + " of a double angle, " + way.name, result,
                    dtype == Dtype::f32 ? 0.3 : 0.9);
    }
  }
  Model rounded_once = with_angle(Dtype::f32, Angle::in_double);
  rounded_once.accumulator = Dtype::f64;
  expect_honest("f32 from f64 arithmetic",
                attack(rounded_once, f32, by_angle<double>(honest_ways<double>()[4].angle)), 0.95);
}

// A single angle in f32, stored in half formats.
TEST(SinusoidalBound, HoldsForHalfOutputsOfSingleAngles) {
  for (const auto& way : honest_ways<float>()) {
    expect_honest(std::string("bf16 from f32, ") + way.name,
                  attack(Model::common(Dtype::bf16), bf16, by_angle<float>(way.angle)), 0.15);
    expect_honest(std::string("f16 from f32, ") + way.name,
                  attack(Model::common(Dtype::f16), f16, by_angle<float>(way.angle)), 0.15);
  }
}

// Everything, the elementary functions too, rounded to a half format.
TEST(SinusoidalBound, HoldsForArithmeticInHalfFormats) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16}) {
    const Format& format = format_of(dtype);
    const tests::Arithmetic arithmetic(format);
    Model model = Model::common(dtype);
    model.accumulator = dtype;
    const auto in_format = [&](bool by_power) -> Entry {
      return [&arithmetic, by_power](std::int64_t pos, std::int64_t r, std::int64_t d, double& sine,
                                     double& cosine) {
        const auto round = [&arithmetic](double x) { return arithmetic.round(x); };
        const double e = arithmetic.divide(round(static_cast<double>(2 * r)), round(static_cast<double>(d)));
        const double p = round(static_cast<double>(pos));
        const double b = round(base);
        const double angle =
            by_power ? arithmetic.divide(p, round(std::pow(b, e)))
                     : arithmetic.multiply(p, round(std::exp(-arithmetic.multiply(e, round(std::log(b))))));
        sine = round(std::sin(angle));
        cosine = round(std::cos(angle));
      };
    };
    expect_honest(std::string(format.name) + " arithmetic by pow", attack(model, format, in_format(true)),
                  0.15);
    expect_honest(std::string(format.name) + " arithmetic by exp", attack(model, format, in_format(false)),
                  0.15);
  }
}

TEST(SinusoidalBound, IsTightForExactAngles) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    Model model = with_angle(dtype, Angle::exact);
    model.accumulator = dtype;
    model.sine_ulp = 0.5;
    const Format& out = format_of(dtype);
    Attack result;
    const SinusoidalOracle oracle(64, base);
    for (const std::int64_t pos : positions(false)) {
      for (std::int64_t r = 0; r < 32; ++r) {
        const auto truth = oracle.at(pos, r);
        const auto bits = oracle::round_to(out, truth.sine);
        ASSERT_TRUE(bits.has_value());
        result.judge(
            out, decode(out, *bits),
            sinusoidal_expected(model, out, static_cast<double>(pos),
                                static_cast<double>(r) / 32 * std::log(base), truth.sine, truth.cosine));
      }
    }
    expect_honest(std::string(out.name) + " correctly rounded, exact angle", result, 0.99);
  }
}

TEST(SinusoidalBound, RefutesASingleAngleUnderTheExactModel) {
  for (const auto& way : honest_ways<float>()) {
    expect_refuted(std::string("f32 angle as exact, ") + way.name,
                   attack(with_angle(Dtype::f32, Angle::exact), f32, by_angle<float>(way.angle)));
    expect_refuted(std::string("f32 angle as double, ") + way.name,
                   attack(with_angle(Dtype::f32, Angle::in_double), f32, by_angle<float>(way.angle)));
  }
}

TEST(SinusoidalBound, RefutesFaultyCodes) {
  const Model model = Model::common(Dtype::f32);
  const auto honest = by_angle<float>(honest_ways<float>()[4].angle);
  expect_refuted("f32 stored in f16",
                 attack(model, f32, [&](auto pos, auto r, auto d, double& sine, double& cosine) {
                   honest(pos, r, d, sine, cosine);
                   sine = tests::rounded_to(f16, sine);
                   cosine = tests::rounded_to(f16, cosine);
                 }));
  const auto faulty = [&](const char* name, AngleOf<double> angle) {
    expect_refuted(name, attack(model, f32, by_angle<double>(angle)));
  };
  faulty("position in bf16", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return tests::rounded_to(bf16, static_cast<double>(pos)) * std::pow(base, -fraction<double>(r, d));
  });
  faulty("frequency in bf16", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return static_cast<double>(pos) * tests::rounded_to(bf16, std::pow(base, -fraction<double>(r, d)));
  });
  faulty("frequency in f16", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return static_cast<double>(pos) * tests::rounded_to(f16, std::pow(base, -fraction<double>(r, d)));
  });
  faulty("base 10001", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return static_cast<double>(pos) * std::pow(10001, -fraction<double>(r, d));
  });
  faulty("exponent r/(d/2 - 1)", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return static_cast<double>(pos) *
           std::pow(base, -static_cast<double>(r) / std::max(1.0, static_cast<double>(d) / 2 - 1));
  });
  faulty("position one too far", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return static_cast<double>(pos + 1) * std::pow(base, -fraction<double>(r, d));
  });
  faulty("two pi as 6.2832 in the reduction", [](std::int64_t pos, std::int64_t r, std::int64_t d) {
    return std::fmod(static_cast<double>(pos) * std::pow(base, -fraction<double>(r, d)), 6.2832);
  });
}

TEST(SinusoidalBound, ClaimsNothingBeyondTheRangeOfTheFormat) {
  Model model = Model::common(Dtype::f16);
  model.accumulator = Dtype::f16;
  const Ball y = Ball::exact(0.5);
  EXPECT_TRUE(std::isnan(sinusoidal_expected(model, f16, 70000, 0, y, y).bound));
  EXPECT_TRUE(std::isnan(sinusoidal_expected(model, f16, 1, 9.3, y, y).bound));
  EXPECT_FALSE(std::isnan(sinusoidal_expected(model, f16, 1, 5, y, y).bound));
  EXPECT_TRUE(std::isnan(sinusoidal_expected(Model::common(Dtype::f32), f32, 1, 88, y, y).bound));
}

TEST(SinusoidalBound, WidensWhereSubnormalsAreFlushed) {
  Model model = with_angle(Dtype::f32, Angle::exact);
  const Ball y = Ball::exact(0x1p-130);
  const Expected plain = sinusoidal_expected(model, f32, 1, 80, y, Ball::exact(1));
  EXPECT_EQ(judge_within(f32, 0, plain).verdict, Verdict::fail);
  model.flushes_subnormals = true;
  EXPECT_EQ(judge_within(f32, 0, sinusoidal_expected(model, f32, 1, 80, y, Ball::exact(1))).verdict,
            Verdict::pass);
}

}  // namespace
}  // namespace etalon
