// Position codes as libraries compute them.
#include <cstring>
#include <map>
#include <mutex>

#include "properties/honest/double_double_waves.hpp"

namespace etalon {
namespace {

using namespace honest;

Variant code(std::string_view name, std::string_view does, const std::vector<Dtype>& dtypes,
             const Declare& declare, const Compute& compute) {
  return variant(name, does, {"sinusoidal"}, dtypes, declare, compute);
}

// --- Angles in one format: frequencies w_r = base^(-2r/d) by the usual formulas ---

constexpr auto by_pow = [](auto position, auto r, auto d, auto base) {
  return position * std::pow(base, -2 * r / d);
};
constexpr auto by_exp = [](auto position, auto r, auto d, auto base) {
  return position * std::exp(2 * r * (-std::log(base) / d));
};
constexpr auto by_exp2 = [](auto position, auto r, auto d, auto base) {
  return position * std::exp2(-2 * r / d * std::log2(base));
};
constexpr auto by_quotient = [](auto position, auto r, auto d, auto base) {
  return position / std::pow(base, 2 * r / d);
};
constexpr auto by_reciprocal = [](auto position, auto r, auto d, auto base) {
  return position * (1 / std::pow(base, 2 * r / d));
};

// Angle and sine in the format Real.
template <typename Real, typename Angle>
MakeWave naive(Angle angle) {
  return [angle](std::int64_t d, double base) -> Wave {
    return [angle, d, base](std::int64_t position, std::int64_t r) {
      const Real a = angle(static_cast<Real>(position), static_cast<Real>(r), static_cast<Real>(d),
                           static_cast<Real>(base));
      return SinCos{static_cast<double>(std::sin(a)), static_cast<double>(std::cos(a))};
    };
  };
}

template <typename Angle>
Variant working(std::string_view name, std::string_view does, Angle angle) {
  return code(name, does, float_dtypes(), Model::common,
              by_format(naive<double>(angle), naive<float>(angle)));
}

// The angle in double, its sine rounded to f32.
Wave double_angle_wave(std::int64_t d, double base) {
  return [wave = naive<double>(by_pow)(d, base)](std::int64_t position, std::int64_t r) {
    const auto [sine, cosine] = wave(position, r);
    return SinCos{static_cast<double>(static_cast<float>(sine)),
                  static_cast<double>(static_cast<float>(cosine))};
  };
}

// Everything rounded to bf16, operation by operation.
Wave bf16_wave(std::int64_t d, double base) {
  return [=](std::int64_t position, std::int64_t r) {
    using Narrow = Rounded<Nearest<Dtype::bf16>>;
    const auto rounded = [](double x) { return static_cast<double>(Narrow(x)); };
    const double exponent = rounded(rounded(-2.0 * static_cast<double>(r)) / rounded(static_cast<double>(d)));
    const double frequency = rounded(std::pow(rounded(base), exponent));
    const double angle = rounded(rounded(static_cast<double>(position)) * frequency);
    return SinCos{rounded(std::sin(angle)), rounded(std::cos(angle))};
  };
}

std::vector<Variant> naive_codes() {
  const auto in_double = common_but([](Model& model, Dtype) { model.angle = Angle::in_double; });
  const MakeWave wide = naive<double>(by_pow);
  return {
      working("sine_by_pow", "takes frequencies by pow, all in the accumulator's format", by_pow),
      working("sine_by_exp", "takes frequencies by exp and log", by_exp),
      working("sine_by_exp2", "takes frequencies by exp2 and log2", by_exp2),
      working("sine_by_quotient", "divides the position by a power", by_quotient),
      working("sine_by_reciprocal", "multiplies the position by the reciprocal of a power", by_reciprocal),
      code("sine_of_double_angle", "forms the angle in binary64 and rounds the sine to f32", up_to_f32(),
           in_double, table_of(double_angle_wave)),
      code("sine_in_f64", "computes in binary64 and rounds once", up_to_f32(), computes_in(Dtype::f64),
           table_of(wide)),
      code("sine_in_bf16", "rounds every step to bf16", {Dtype::bf16}, computes_in(Dtype::bf16),
           table_of(bf16_wave)),
      code("sine_flushing", "takes subnormal results for zero", float_dtypes(), flushing(),
           by_format(wide, naive<float>(by_pow), Flushed<Dtype::f64>::store)),
      code("sine_truncating", "cuts what it computed in binary64", up_to_f32(),
           common_but([](Model& model, Dtype) {
             model.angle = Angle::in_double;
             model.rounding = Rounding::faithful;
           }),
           table_of(wide, Truncated<Dtype::f32>::store)),
  };
}

// --- Sines by polynomials ---

// Minimax polynomials for |x| <= pi/4 (Cephes, sinf and cosf).
float sine_polynomial(float x) {
  const float z = x * x;
  return ((-1.9515295891e-4F * z + 8.3321608736e-3F) * z - 1.6666654611e-1F) * z * x + x;
}
float cosine_polynomial(float x) {
  const float z = x * x;
  return ((2.443315711809948e-5F * z - 1.388731625493765e-3F) * z + 4.166664568298827e-2F) * z * z -
         0.5F * z + 1;
}

// x - k pi/2, |k| < 2^31: the first difference is a multiple of 2^-52 below 1 and so exact (Cody and Waite).
SinCos polynomial_sine(float x) {
  constexpr double half_pi = 0x1.921fb54442d18p+0;
  constexpr double half_pi_rest = 0x1.1a62633145c07p-54;
  const double k = std::nearbyint(static_cast<double>(x) * 0x1.45f306dc9c883p-1);
  const double rest = std::fma(-k, half_pi_rest, std::fma(-k, half_pi, static_cast<double>(x)));
  const auto r = static_cast<float>(rest);
  const auto s = static_cast<double>(sine_polynomial(r));
  const auto c = static_cast<double>(cosine_polynomial(r));
  switch (static_cast<std::int64_t>(k) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

Wave polynomial_wave(std::int64_t d, double base) {
  return [=](std::int64_t position, std::int64_t r) {
    return polynomial_sine(by_pow(static_cast<float>(position), static_cast<float>(r), static_cast<float>(d),
                                  static_cast<float>(base)));
  };
}

// --- Tables ---

// Rows below `kept` are computed once and copied from then on, whatever the table asked for.
MakeWave kept_in_tables(const MakeWave& make) {
  constexpr std::int64_t kept = 256;
  struct Tables {
    std::mutex mutex;
    std::map<std::pair<std::int64_t, double>, std::vector<SinCos>> rows;
  };
  return [make, tables = std::make_shared<Tables>()](std::int64_t d, double base) -> Wave {
    const Wave wave = make(d, base);
    const std::lock_guard<std::mutex> lock(tables->mutex);
    std::vector<SinCos>& rows = tables->rows[{d, base}];
    if (rows.empty() && d <= 128) {
      for (std::int64_t i = 0; i < kept; ++i) {
        for (std::int64_t r = 0; r < d / 2; ++r) rows.push_back(wave(i, r));
      }
    }
    return [wave, rows, d](std::int64_t position, std::int64_t r) {
      const auto index = static_cast<std::size_t>(position * (d / 2) + r);
      return index < rows.size() && position < kept ? rows[index] : wave(position, r);
    };
  };
}

std::vector<Variant> careful_codes() {
  const auto half_an_ulp = [](Model& model, Dtype) {
    model.angle = Angle::exact;
    model.sine_ulp = 0.51;
  };
  const auto exact = common_but(half_an_ulp);
  const auto in_double = common_but([](Model& model, Dtype) { model.angle = Angle::in_double; });
  const auto two_ulp = common_but([](Model& model, Dtype) { model.sine_ulp = 2; });
  return {
      code("sine_by_polynomial", "takes f32 sines by a polynomial of its own", up_to_f32(), two_ulp,
           table_of(polynomial_wave)),
      code("sine_from_table", "keeps the first rows and copies them", float_dtypes(), Model::common,
           by_format(kept_in_tables(naive<double>(by_exp)), kept_in_tables(naive<float>(by_exp)))),
      code("sine_of_exact_angle", "forms the angle in double-double", up_to_f32(), exact,
           table_of(exact_angle_wave)),
      code("sine_by_repeated_product", "multiplies frequency by frequency in double-double", float_dtypes(),
           in_double, table_of(repeated_product_wave)),
      code("sine_by_walking", "rotates from row to row in double-double, beginning anew every 16 rows",
           float_dtypes(), exact, table_of(walking_wave)),
      code("sine_by_binary_powers", "multiplies the rotations of the bits of the position in double-double",
           up_to_f32(), exact, table_of(binary_power_wave)),
  };
}

// --- Learned tables ---

Status copy_rows(const Call& call) {
  const View& table = call.tensor("table");
  const View& out = call.tensor("out");
  const double first = call.attribute("first");
  if (!is_matrix(table) || !is_matrix(out) || table.shape[1] != out.shape[1] || table.dtype != out.dtype)
    return Status::invalid_argument;
  if (!(first >= 0) || first + static_cast<double>(out.shape[0]) > static_cast<double>(table.shape[0]))
    return Status::invalid_argument;
  const auto start = static_cast<std::int64_t>(first);
  const std::size_t size = size_of(out.dtype);
  const bool rows_are_dense = table.stride[1] == 1 && out.stride[1] == 1 && out.shape[1] > 0;
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    if (rows_are_dense) {
      std::memcpy(element(out, i), element(table, start + i), static_cast<std::size_t>(out.shape[1]) * size);
      continue;
    }
    for (std::int64_t j = 0; j < out.shape[1]; ++j)
      write(out, load_bits(element(table, start + i, j), size), i, j);
  }
  return Status::ok;
}

}  // namespace

std::vector<Variant> position_variants() {
  std::vector<Variant> all = naive_codes();
  for (Variant& each : careful_codes()) all.push_back(std::move(each));
  all.push_back(variant("learned_rows", "copies dense rows as a whole", {"learned_positions"}, float_dtypes(),
                        Model::common, copy_rows));
  return all;
}

}  // namespace etalon
