#include "conformance/backends/simd/kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "conformance/backends/simd/kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, by Highway's rules.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace etalon_simd {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// --- Element by element ---

// Runs `body(j, vector)` over whole vectors and the last elements one by one: Lanes = 1 of the same code.
template <typename T, class Body>
void for_each(std::size_t n, Body body) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  std::size_t j = 0;
  for (; j + hn::Lanes(wide) <= n; j += hn::Lanes(wide)) body(wide, j);
  for (; j < n; j++) body(single, j);
}

template <typename T>
void combine_row(T c, const T* x, const T* p, T* out, std::size_t n) {
  for_each<T>(n, [=](auto d, std::size_t j) {
    hn::StoreU(hn::MulAdd(hn::Set(d, c), hn::LoadU(d, x + j), hn::LoadU(d, p + j)), d, out + j);
  });
}
void combine_f64(double c, const double* x, const double* p, double* out, std::size_t n) {
  combine_row(c, x, p, out, n);
}
void combine_f32(float c, const float* x, const float* p, float* out, std::size_t n) {
  combine_row(c, x, p, out, n);
}

void widen_bf16(const std::uint16_t* from, float* to, std::size_t n) {
  for_each<float>(n, [=](auto d, std::size_t j) {
    const hn::RebindToUnsigned<decltype(d)> bits;
    const hn::Rebind<std::uint16_t, decltype(d)> half;
    hn::StoreU(hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(bits, hn::LoadU(half, from + j)))), d, to + j);
  });
}

// The exponent is moved from bias 15 to bias 127; a subnormal is normalised by one exact subtraction.
void widen_f16(const std::uint16_t* from, float* to, std::size_t n) {
  for_each<float>(n, [=](auto d, std::size_t j) {
    const hn::RebindToUnsigned<decltype(d)> bits;
    const hn::Rebind<std::uint16_t, decltype(d)> half;
    const auto h = hn::PromoteTo(bits, hn::LoadU(half, from + j));
    const auto sign = hn::ShiftLeft<16>(hn::And(h, hn::Set(bits, 0x8000U)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(h, hn::Set(bits, 0x7fffU)));
    const auto exponent = hn::And(magnitude, hn::Set(bits, 0x7c00U << 13));
    const auto normal = hn::Add(magnitude, hn::Set(bits, 112U << 23));
    const auto special = hn::Add(normal, hn::Set(bits, 112U << 23));
    const auto tiny = hn::Sub(hn::BitCast(d, hn::Add(normal, hn::Set(bits, 1U << 23))),
                              hn::BitCast(d, hn::Set(bits, 113U << 23)));
    auto result = hn::IfThenElse(hn::Eq(exponent, hn::Zero(bits)), hn::BitCast(bits, tiny), normal);
    result = hn::IfThenElse(hn::Eq(exponent, hn::Set(bits, 0x7c00U << 13)), special, result);
    hn::StoreU(hn::BitCast(d, hn::Or(result, sign)), d, to + j);
  });
}

// Half a unit of the last place kept, less one where that place is even, carries exactly when it should.
void narrow_bf16(const float* from, std::uint16_t* to, std::size_t n) {
  for_each<float>(n, [=](auto d, std::size_t j) {
    const hn::RebindToUnsigned<decltype(d)> bits;
    const hn::RebindToSigned<decltype(d)> integers;
    const hn::Rebind<std::uint16_t, decltype(d)> half;
    const auto x = hn::LoadU(d, from + j);
    const auto u = hn::BitCast(bits, x);
    const auto odd = hn::And(hn::ShiftRight<16>(u), hn::Set(bits, 1U));
    const auto rounded = hn::Add(u, hn::Add(odd, hn::Set(bits, 0x7fffU)));
    const auto quiet = hn::Or(u, hn::Set(bits, 0x00400000U));
    const auto result =
        hn::ShiftRight<16>(hn::IfThenElse(hn::RebindMask(bits, hn::IsNaN(x)), quiet, rounded));
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(integers, result)), half, to + j);
  });
}

// Normal results round as above; subnormal ones by adding 1/2, whose unit in the last place is 2^-24.
void narrow_f16(const float* from, std::uint16_t* to, std::size_t n) {
  for_each<float>(n, [=](auto d, std::size_t j) {
    const hn::RebindToUnsigned<decltype(d)> bits;
    const hn::RebindToSigned<decltype(d)> integers;
    const hn::Rebind<std::uint16_t, decltype(d)> half;
    const auto x = hn::BitCast(bits, hn::LoadU(d, from + j));
    const auto sign = hn::And(x, hn::Set(bits, 0x80000000U));
    const auto u = hn::Xor(x, sign);
    const auto magic = hn::Set(bits, 126U << 23);
    const auto odd = hn::And(hn::ShiftRight<13>(u), hn::Set(bits, 1U));
    const auto normal = hn::ShiftRight<13>(
        hn::Add(hn::Sub(u, hn::Set(bits, 112U << 23)), hn::Add(odd, hn::Set(bits, 0xfffU))));
    const auto tiny = hn::Sub(hn::BitCast(bits, hn::Add(hn::BitCast(d, u), hn::BitCast(d, magic))), magic);
    auto result = hn::IfThenElse(hn::Lt(u, hn::Set(bits, 113U << 23)), tiny, normal);
    result = hn::IfThenElse(hn::Lt(u, hn::Set(bits, 143U << 23)), result, hn::Set(bits, 0x7c00U));
    result = hn::IfThenElse(hn::Gt(u, hn::Set(bits, 0x7f800000U)), hn::Set(bits, 0x7e00U), result);
    result = hn::Or(result, hn::ShiftRight<16>(sign));
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(integers, result)), half, to + j);
  });
}

void demote(const double* from, float* to, std::size_t n) {
  for_each<double>(n, [=](auto d, std::size_t j) {
    const hn::Rebind<float, decltype(d)> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::LoadU(d, from + j)), narrow, to + j);
  });
}

// --- Sine and cosine ---

// a b - product, the rounding error of product = fl(a b), exactly.
template <class D, class V>
V product_error(D d, V a, V b, V product) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulSub(a, b, product);
#else
  // Veltkamp's split into halves of 26 bits, then Dekker's sum.
  const V splitter = hn::Set(d, 0x1p27 + 1);
  const V a_scaled = hn::Mul(a, splitter), b_scaled = hn::Mul(b, splitter);
  const V a1 = hn::Sub(a_scaled, hn::Sub(a_scaled, a)), b1 = hn::Sub(b_scaled, hn::Sub(b_scaled, b));
  const V a0 = hn::Sub(a, a1), b0 = hn::Sub(b, b1);
  const V error = hn::Sub(hn::Sub(hn::Sub(product, hn::Mul(a1, b1)), hn::Mul(a0, b1)), hn::Mul(a1, b0));
  return hn::Sub(hn::Mul(a0, b0), error);
#endif
}

// Integers below 2^32, times 2^exponent: 2^52 + x is x in the last places.
template <int exponent, class D, class U>
hn::VFromD<D> to_double(D d, U x) {
  const hn::RebindToUnsigned<D> bits;
  const auto biased = hn::BitCast(d, hn::Or(x, hn::Set(bits, std::uint64_t{0x4330000000000000})));
  constexpr double scale = 1.0 / static_cast<double>(std::uint64_t{1} << (-exponent / 4));
  return hn::Mul(hn::Sub(biased, hn::Set(d, 0x1p52)), hn::Set(d, scale * scale * scale * scale));
}

// Taylor's polynomials on |theta| <= pi/4, in z = theta^2: sin = theta + theta z S(z), cos = 1 - z/2 + z^2
// C(z). What they leave out, theta^19/19! and theta^20/20!, is below 2^-63 of the result.
constexpr double sine_terms[] = {
    1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800,
    1.0 / 362880,          -1.0 / 5040,          1.0 / 120,        -1.0 / 6};
constexpr double cosine_terms[] = {
    -1.0 / 6402373705728000, 1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600,
    -1.0 / 3628800,          1.0 / 40320,          -1.0 / 720,         1.0 / 24};

template <class D, class V>
V horner(D d, const double (&terms)[8], V z) {
  V sum = hn::Set(d, terms[0]);
  for (int i = 1; i < 8; i++) sum = hn::MulAdd(sum, z, hn::Set(d, terms[i]));
  return sum;
}

void sine_cosine(std::uint64_t* HWY_RESTRICT high, std::uint64_t* HWY_RESTRICT low,
                 const std::uint64_t* HWY_RESTRICT step_high, const std::uint64_t* HWY_RESTRICT step_low,
                 double* HWY_RESTRICT sine, double* HWY_RESTRICT cosine, std::size_t n) {
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> bits;
  using V = hn::VFromD<decltype(d)>;
  const auto below_32 = hn::Set(bits, std::uint64_t{0xffffffff});
  const auto zero = hn::Zero(bits);
  const auto one = hn::Set(bits, std::uint64_t{1});
  const auto eighth = hn::Set(bits, std::uint64_t{1} << 61);
  for (std::size_t r = 0; r < n; r += hn::Lanes(d)) {
    const auto turns = hn::LoadU(bits, high + r), fine = hn::LoadU(bits, low + r);

    // The nearest quarter turn, and the distance to it: at most an eighth, as sign and magnitude. (The
    // complement is one unit, 2^-128, short of the negative.)
    const auto shifted = hn::Add(turns, eighth);
    const auto quarter = hn::ShiftRight<62>(shifted);
    const auto distance = hn::Sub(hn::And(shifted, hn::Set(bits, (std::uint64_t{1} << 62) - 1)), eighth);
    const auto negative = hn::Sub(zero, hn::ShiftRight<63>(distance));  // all ones where negative
    const auto coarse_part = hn::Xor(distance, negative), fine_part = hn::Xor(fine, negative);

    // As a double and what it leaves, m + m_low, then theta + theta_low = 2 pi (m + m_low).
    const V m1 = to_double<-32>(d, hn::ShiftRight<32>(coarse_part));
    const V m0 = to_double<-64>(d, hn::And(coarse_part, below_32));
    const V m = hn::Add(m1, m0);
    const V m_low =
        hn::Add(hn::Sub(m0, hn::Sub(m, m1)), hn::Add(to_double<-96>(d, hn::ShiftRight<32>(fine_part)),
                                                     to_double<-128>(d, hn::And(fine_part, below_32))));
    const V two_pi = hn::Set(d, 0x1.921fb54442d18p+2), two_pi_low = hn::Set(d, 0x1.1a62633145c07p-52);
    const V theta = hn::Mul(m, two_pi);
    const V theta_low =
        hn::Add(product_error(d, m, two_pi, theta), hn::MulAdd(m, two_pi_low, hn::Mul(m_low, two_pi)));

    const V z = hn::Mul(theta, theta);
    const V half_z = hn::Mul(z, hn::Set(d, 0.5));
    const V rest = hn::Mul(hn::Mul(theta, z), horner(d, sine_terms, z));
    const V s = hn::Add(theta, hn::Add(rest, hn::NegMulAdd(theta_low, half_z, theta_low)));
    // 1 - z/2 and its rounding error, less the parts of theta^2 that z lacks.
    const V lead = hn::Sub(hn::Set(d, 1.0), half_z);
    const V lead_error = hn::Sub(hn::Sub(hn::Set(d, 1.0), lead), half_z);
    const V z_error =
        hn::MulAdd(hn::Set(d, 0.5), product_error(d, theta, theta, z), hn::Mul(theta, theta_low));
    const V tail = hn::MulAdd(hn::Mul(z, z), horner(d, cosine_terms, z), hn::Sub(lead_error, z_error));
    const V c = hn::Add(lead, tail);

    // Back from the first quarter: swap for odd ones; signs by (quarter, quarter + 1) >= 2 and the
    // distance's.
    const auto signed_s = hn::Xor(hn::BitCast(bits, s), hn::ShiftLeft<63>(negative));
    const auto plain_c = hn::BitCast(bits, c);
    const auto odd = hn::Eq(hn::And(quarter, one), one);
    const auto sine_sign = hn::ShiftLeft<63>(hn::ShiftRight<1>(quarter));
    const auto cosine_sign = hn::ShiftLeft<63>(hn::ShiftRight<1>(hn::Add(quarter, one)));
    hn::StoreU(hn::BitCast(d, hn::Xor(hn::IfThenElse(odd, plain_c, signed_s), sine_sign)), d, sine + r);
    hn::StoreU(hn::BitCast(d, hn::Xor(hn::IfThenElse(odd, signed_s, plain_c), cosine_sign)), d, cosine + r);

    // The next position: 128-bit addition, the carry where the low sum wrapped.
    const auto next_low = hn::Add(fine, hn::LoadU(bits, step_low + r));
    const auto carry = hn::IfThenElseZero(hn::Lt(next_low, fine), one);
    hn::StoreU(next_low, bits, low + r);
    hn::StoreU(hn::Add(hn::Add(turns, hn::LoadU(bits, step_high + r)), carry), bits, high + r);
  }
}

void interleave(const double* sine, const double* cosine, double* out, std::size_t n) {
  const hn::ScalableTag<double> d;
  std::size_t r = 0;
  for (; r + hn::Lanes(d) <= n; r += hn::Lanes(d))
    hn::StoreInterleaved2(hn::LoadU(d, sine + r), hn::LoadU(d, cosine + r), d, out + 2 * r);
  for (; r < n; r++) {
    out[2 * r] = sine[r];
    out[2 * r + 1] = cosine[r];
  }
}

// --- Matrix product ---

constexpr std::int64_t row_block = 4;

// A block of `rows` x 2 vectors of a times the panel, each lane one sum in the order of l.
template <typename T, std::int64_t rows>
void block(const Matrix<const T>& a, std::int64_t first_row, const T* panel, T* sums) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d), width = 2 * lanes;
  hn::VFromD<decltype(d)> left[static_cast<std::size_t>(rows)], right[static_cast<std::size_t>(rows)];
  for (std::int64_t i = 0; i < rows; i++) left[i] = right[i] = hn::Zero(d);
  const T* from = a.data + first_row * a.row_stride;
  for (std::int64_t l = 0; l < a.columns; l++, from += a.column_stride, panel += width) {
    const auto b0 = hn::LoadU(d, panel), b1 = hn::LoadU(d, panel + lanes);
    for (std::int64_t i = 0; i < rows; i++) {
      const auto x = hn::Set(d, from[i * a.row_stride]);
      left[i] = hn::MulAdd(x, b0, left[i]);
      right[i] = hn::MulAdd(x, b1, right[i]);
    }
  }
  for (std::int64_t i = 0; i < rows; i++, sums += width) {
    hn::StoreU(left[i], d, sums);
    hn::StoreU(right[i], d, sums + lanes);
  }
}

template <typename T>
void multiply(T alpha, const Matrix<const T>& a, const Matrix<const T>& b, T beta, const Matrix<T>& c,
              T* panel) {
  const std::size_t width = 2 * hn::Lanes(hn::ScalableTag<T>());
  T sums[std::size_t{row_block} * 2 * HWY_MAX_BYTES / sizeof(T)];
  for (std::int64_t j = 0; j < c.columns; j += static_cast<std::int64_t>(width)) {
    const auto columns = std::min<std::int64_t>(c.columns - j, static_cast<std::int64_t>(width));
    // Columns j.. of b side by side, zeros beyond the last.
    std::fill_n(panel, static_cast<std::size_t>(b.rows) * width, T{0});
    for (std::int64_t l = 0; l < b.rows; l++)
      for (std::int64_t t = 0; t < columns; t++)
        panel[l * static_cast<std::int64_t>(width) + t] =
            b.data[l * b.row_stride + (j + t) * b.column_stride];
    for (std::int64_t i = 0; i < c.rows; i += row_block) {
      const auto rows = std::min<std::int64_t>(c.rows - i, row_block);
      if (rows == row_block)
        block<T, row_block>(a, i, panel, sums);
      else
        for (std::int64_t t = 0; t < rows; t++)
          block<T, 1>(a, i + t, panel, sums + static_cast<std::size_t>(t) * width);
      for (std::int64_t s = 0; s < rows; s++)
        for (std::int64_t t = 0; t < columns; t++) {
          T& to = c.data[(i + s) * c.row_stride + (j + t) * c.column_stride];
          const T product = alpha * sums[s * static_cast<std::int64_t>(width) + t];
          to = beta == 0 ? product : product + beta * to;
        }
    }
  }
}

void matmul_f64(double alpha, const Matrix<const double>& a, const Matrix<const double>& b, double beta,
                const Matrix<double>& c, double* panel) {
  multiply(alpha, a, b, beta, c, panel);
}
void matmul_f32(float alpha, const Matrix<const float>& a, const Matrix<const float>& b, float beta,
                const Matrix<float>& c, float* panel) {
  multiply(alpha, a, b, beta, c, panel);
}
std::size_t matmul_panel() { return 2 * hn::Lanes(hn::ScalableTag<float>()); }

const char* instruction_set() { return hwy::TargetName(HWY_TARGET); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace etalon_simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace etalon_simd {

HWY_EXPORT(combine_f64);
HWY_EXPORT(combine_f32);
HWY_EXPORT(widen_bf16);
HWY_EXPORT(widen_f16);
HWY_EXPORT(narrow_bf16);
HWY_EXPORT(narrow_f16);
HWY_EXPORT(demote);
HWY_EXPORT(sine_cosine);
HWY_EXPORT(interleave);
HWY_EXPORT(matmul_f64);
HWY_EXPORT(matmul_f32);
HWY_EXPORT(matmul_panel);
HWY_EXPORT(instruction_set);

void combine(double c, const double* x, const double* p, double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(combine_f64)(c, x, p, out, n);
}
void combine(float c, const float* x, const float* p, float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(combine_f32)(c, x, p, out, n);
}
void widen_bf16(const std::uint16_t* from, float* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(widen_bf16)(from, to, n);
}
void widen_f16(const std::uint16_t* from, float* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(widen_f16)(from, to, n);
}
void narrow_bf16(const float* from, std::uint16_t* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_bf16)(from, to, n);
}
void narrow_f16(const float* from, std::uint16_t* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(narrow_f16)(from, to, n);
}
void demote(const double* from, float* to, std::size_t n) { HWY_DYNAMIC_DISPATCH(demote)(from, to, n); }
void sine_cosine(std::uint64_t* high, std::uint64_t* low, const std::uint64_t* step_high,
                 const std::uint64_t* step_low, double* sine, double* cosine, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(sine_cosine)(high, low, step_high, step_low, sine, cosine, n);
}
void interleave(const double* sine, const double* cosine, double* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(interleave)(sine, cosine, out, n);
}
void matmul(double alpha, Matrix<const double> a, Matrix<const double> b, double beta, Matrix<double> c,
            double* panel) {
  HWY_DYNAMIC_DISPATCH(matmul_f64)(alpha, a, b, beta, c, panel);
}
void matmul(float alpha, Matrix<const float> a, Matrix<const float> b, float beta, Matrix<float> c,
            float* panel) {
  HWY_DYNAMIC_DISPATCH(matmul_f32)(alpha, a, b, beta, c, panel);
}
std::size_t matmul_panel() { return HWY_DYNAMIC_DISPATCH(matmul_panel)(); }
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(instruction_set)(); }

}  // namespace etalon_simd
#endif
