// The formula of POS-2 with too few bits somewhere, or with a sine that reduces its angle badly.
#include <numbers>

#include "properties/mutants/position_parts.hpp"

namespace etalon::coding {
namespace {

using enum Frequency;

double angle_of(const Request& request, std::int64_t position, std::int64_t r) {
  return static_cast<double>(position) * std::pow(request.base, exponent_of(request, r));
}

Entry position_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double seen = rounded_to(narrow, static_cast<double>(position));
    return std::isfinite(seen) ? double_entry(request, static_cast<std::int64_t>(seen), r, is_cosine) : 0;
  };
}

Entry frequency_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double frequency = rounded_to(narrow, std::pow(request.base, exponent_of(request, r)));
    return wave(static_cast<double>(position) * frequency, is_cosine);
  };
}

Entry exponent_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double exponent = rounded_to(narrow, exponent_of(request, r) * std::log(request.base));
    return wave(static_cast<double>(position) * std::exp(exponent), is_cosine);
  };
}

Entry angle_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double seen = rounded_to(narrow, angle_of(request, position, r));
    return std::isfinite(seen) ? wave(seen, is_cosine) : 0;
  };
}

Entry stored_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    return rounded_to(narrow, double_entry(request, position, r, is_cosine));
  };
}

double stored_in_bytes(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return std::nearbyint(127 * double_entry(request, position, r, is_cosine)) / 127;
}

// The bits of an f32 beyond those of the format are cut off.
double truncated(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  const double nearest = rounded_to(request.dtype, value);
  const bool away = std::fabs(nearest) > std::fabs(value);
  return away ? nearest - std::copysign(ulp(format_of(request.dtype), value), value) : nearest;
}

template <std::int64_t period>
double modulo(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, position % period, r, is_cosine);
}

// An angle taken to the turn it lies in, by the constants given for 2 pi, each subtracted in turn.
Entry reduced_by(const std::vector<double>& turns) {
  return [turns](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    double angle = angle_of(request, position, r);
    const double count = std::nearbyint(angle / (2 * std::numbers::pi));
    for (const double turn : turns) angle -= count * turn;
    return wave(angle, is_cosine);
  };
}
constexpr double float_turn = 2 * std::numbers::pi_v<float>;  // 24 bits of 2 pi
constexpr double second_turn = static_cast<float>(2 * std::numbers::pi - float_turn);

double reduced_angle(const Request& request, std::int64_t position, std::int64_t r) {
  return std::remainder(angle_of(request, position, r), 2 * std::numbers::pi);
}

// A reduction in binary64, and then a sine in f32.
double reduced_then_float(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const auto angle = static_cast<float>(reduced_angle(request, position, r));
  return is_cosine ? std::cos(angle) : std::sin(angle);
}

// sin x = x - x^3/3! + ..., as far as x^15, at x as it comes.
double taylor(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double angle = angle_of(request, position, r);
  double term = is_cosine ? 1 : angle;
  double sum = term;
  for (int i = is_cosine ? 2 : 3; i <= 15; i += 2) {
    term *= -angle * angle / (i * (i - 1));
    sum += term;
  }
  return sum;
}

// sin x = y + 0.225 (y |y| - y), y = 4/pi x - 4/pi^2 x |x|: a parabola, once improved.
double parabola(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  using std::numbers::pi;
  const double shift = is_cosine ? pi / 2 : 0;
  const double x = std::remainder(angle_of(request, position, r) + shift, 2 * pi);
  const double y = 4 / pi * x - 4 / (pi * pi) * x * std::fabs(x);
  return y + 0.225 * (y * std::fabs(y) - y);
}

// The value of the nearest of 4096 places on the circle.
double from_a_table(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  constexpr double step = 2 * std::numbers::pi / 4096;
  return wave(step * std::nearbyint(reduced_angle(request, position, r) / step), is_cosine);
}

// The frequency by repeated multiplication in f32.
double frequency_walks(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const auto ratio = static_cast<float>(std::pow(request.base, exponent_of(request, 1)));
  float frequency = 1;
  for (std::int64_t i = 0; i < r; ++i) frequency *= ratio;
  return wave(static_cast<double>(position) * static_cast<double>(frequency), is_cosine);
}

// The same in binary64 by divisions that are cut off after 40 bits.
double frequency_walks_truncated(const Request& request, std::int64_t position, std::int64_t r,
                                 bool is_cosine) {
  const double ratio = std::pow(request.base, -exponent_of(request, 1));
  double frequency = 1;
  for (std::int64_t i = 0; i < r; ++i) frequency = frequency / ratio * (1 - 0x1p-30);
  return wave(static_cast<double>(position) * frequency, is_cosine);
}

// Row from row by a state of its own for every pair. Entries are asked for row by row.
template <typename Real>
class Walk {
 public:
  double operator()(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    pairs_.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, request.d / 2)));
    State& state = pairs_[static_cast<std::size_t>(r)];
    const double frequency = std::pow(request.base, exponent_of(request, r));
    if (position == static_cast<std::int64_t>(request.first)) {
      state = State::at(static_cast<double>(position) * frequency);
      state.position = position;
    }
    if (state.position < position) state.step(frequency);
    state.position = position;
    return static_cast<double>(is_cosine ? state.cosine() : state.sine());
  }

 private:
  using State = Real;
  std::vector<State> pairs_;
};

// Turned by the angle of one position, in f32: the radius drifts with the angle.
struct Turned {
  float s = 0, c = 1;
  std::int64_t position = 0;
  static Turned at(double angle) {
    return {static_cast<float>(std::sin(angle)), static_cast<float>(std::cos(angle)), 0};
  }
  void step(double frequency) {
    const auto sine = static_cast<float>(std::sin(frequency));
    const auto cosine = static_cast<float>(std::cos(frequency));
    const float turned = s * cosine + c * sine;
    c = c * cosine - s * sine;
    s = turned;
  }
  float sine() const { return s; }
  float cosine() const { return c; }
};

// The frequency added to the angle once a row, in f32.
struct Added {
  float angle = 0;
  std::int64_t position = 0;
  static Added at(double start) { return {static_cast<float>(start), 0}; }
  void step(double frequency) { angle += static_cast<float>(frequency); }
  double sine() const { return std::sin(static_cast<double>(angle)); }
  double cosine() const { return std::cos(static_cast<double>(angle)); }
};

template <typename State>
void walks(Coder& subject) {
  subject.entry = [walk = std::make_shared<Walk<State>>()](const Request& request, std::int64_t position,
                                                           std::int64_t r, bool is_cosine) {
    return (*walk)(request, position, r, is_cosine);
  };
}

}  // namespace

std::vector<Mutant> arithmetic_mutants() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"code_position_bf16", "narrow position", "POS-2", common, "Positions are kept in bf16: 257 is 256.",
       sinusoidal, floats, coder(position_in(Dtype::bf16))},
      {"code_position_f16", "narrow position", "POS-2", common, "Positions are kept in fp16: 2049 is 2048.",
       sinusoidal, floats, coder(position_in(Dtype::f16))},
      {"code_position_f32", "narrow position", "POS-2", occasional,
       "Positions are kept in f32: 2^24 + 1 is 2^24.", sinusoidal, floats, coder(position_in(Dtype::f32))},
      {"code_position_16_bits", "narrow position", "POS-2", rare, "Positions are kept modulo 65536.",
       sinusoidal, floats, coder(modulo<65536>)},
      {"code_frequency_bf16", "narrow position", "POS-2", common, "Frequencies are kept in bf16.", sinusoidal,
       floats, coder(frequency_in(Dtype::bf16))},
      {"code_frequency_f16", "narrow position", "POS-2", common, "Frequencies are kept in fp16.", sinusoidal,
       floats, coder(frequency_in(Dtype::f16))},
      {"code_frequency_f32", "narrow position", "POS-2", common,
       "Frequencies are kept in f32, angles said to be formed in binary64.", sinusoidal, floats,
       coder(frequency_in(Dtype::f32))},
      {"code_exponent_bf16", "narrow position", "POS-2", occasional,
       "The exponent of the frequency is formed in bf16.", sinusoidal, floats,
       coder(exponent_in(Dtype::bf16))},
      {"code_angle_bf16", "narrow position", "POS-2", common, "Angles are rounded to bf16.", sinusoidal,
       floats, coder(angle_in(Dtype::bf16))},
      {"code_angle_f16", "narrow position", "POS-2", common, "Angles are rounded to fp16.", sinusoidal,
       floats, coder(angle_in(Dtype::f16))},
      {"code_angle_f32", "narrow position", "POS-2", common,
       "Angles are rounded to f32 and said to be formed in binary64.", sinusoidal, floats,
       coder(angle_in(Dtype::f32))},
      {"code_position_12_bits", "narrow position", "POS-7", rare, "Positions are kept modulo 4096.",
       sinusoidal, floats, coder(modulo<4096>)},

      {"code_table_f16",
       "narrow table",
       "POS-2",
       common,
       "The table is stored in fp16.",
       sinusoidal,
       {Dtype::f64, Dtype::f32, Dtype::bf16},
       coder(stored_in(Dtype::f16)),
       {{Dtype::f16, "a table in fp16 is stored in fp16"}}},
      {"code_table_bf16",
       "narrow table",
       "POS-2",
       common,
       "The table is stored in bf16.",
       sinusoidal,
       {Dtype::f64, Dtype::f32, Dtype::f16},
       coder(stored_in(Dtype::bf16)),
       {{Dtype::bf16, "a table in bf16 is stored in bf16"}}},
      {"code_table_f32",
       "narrow table",
       "POS-2",
       occasional,
       "A table in f64 is stored in f32.",
       sinusoidal,
       {Dtype::f64},
       coder(stored_in(Dtype::f32)),
       {{Dtype::f32, "a table in f32 is stored in f32"},
        {Dtype::bf16, "f32 is the declared accumulator, from which the entry is rounded"},
        {Dtype::f16, "f32 is the declared accumulator, from which the entry is rounded"}}},
      {"code_entries_truncated",
       "narrow table",
       "POS-2",
       common,
       "Entries are cut to the format, not rounded.",
       sinusoidal,
       {Dtype::bf16, Dtype::f16},
       coder(truncated),
       {{Dtype::f64, "a sine of the declared accuracy, one ulp, may be the truncated one"},
        {Dtype::f32, "a sine of the declared accuracy, one ulp, may be the truncated one"}}},
      {"code_table_8_bits", "narrow table", "POS-6", rare, "The table is stored in 8 bits with one scale.",
       sinusoidal, floats, coder(stored_in_bytes)},

      {"code_frequency_walks", "recurrence", "POS-2", common,
       "A frequency is the one before it times a constant, in f32.", sinusoidal, floats,
       coder(frequency_walks)},
      {"code_frequency_walks_truncated", "recurrence", "POS-2", rare,
       "A frequency is the one before it divided by a constant, 2^-30 too small each time.", sinusoidal,
       floats, coder(frequency_walks_truncated)},
      {"code_rows_turned", "recurrence", "POS-10", common,
       "A row is the one before it turned by one position, in f32.", sinusoidal, floats,
       altered(walks<Turned>)},
      {"code_angle_added", "recurrence", "POS-10", common,
       "The angle of a row is that of the row before plus the frequency, in f32.", sinusoidal, floats,
       altered(walks<Added>)},

      {"code_reduced_by_one_constant", "argument reduction", "POS-2", common,
       "Angles are reduced by one f32 constant for 2 pi.", sinusoidal, floats,
       coder(reduced_by({float_turn}))},
      {"code_reduced_by_two_constants", "argument reduction", "POS-2", occasional,
       "Angles are reduced by two f32 constants that add up to 2 pi: enough for short texts.", sinusoidal,
       floats, coder(reduced_by({float_turn, second_turn}))},
      {"code_not_reduced", "argument reduction", "POS-2", rare,
       "A Taylor series to x^15 at the angle as it comes.", sinusoidal, floats, coder(taylor)},
      {"code_sine_of_float", "argument reduction", "POS-2", occasional,
       "The reduced angle is rounded to f32 before its sine is taken.", sinusoidal, floats,
       coder(reduced_then_float)},
      {"code_sine_by_parabola", "argument reduction", "POS-2", occasional,
       "A parabola, once improved, for the sine.", sinusoidal, floats, coder(parabola)},
      {"code_sine_from_table", "argument reduction", "POS-2", occasional,
       "The sine is looked up among 4096 of a turn.", sinusoidal, floats, coder(from_a_table)},
  };
}

}  // namespace etalon::coding
