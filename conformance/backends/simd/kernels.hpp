// The vector code, compiled once for every instruction set that the compiler knows and chosen at run time.
// Pointers need the alignment of their elements, no more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etalon_simd {

// out[j] = c x[j] + p[j], fused where the processor can.
void combine(double c, const double* x, const double* p, double* out, std::size_t n);
void combine(float c, const float* x, const float* p, float* out, std::size_t n);

// Between float and the 16-bit formats (bit patterns); narrowing rounds to nearest, ties to even.
void widen_bf16(const std::uint16_t* from, float* to, std::size_t n);
void widen_f16(const std::uint16_t* from, float* to, std::size_t n);
void narrow_bf16(const float* from, std::uint16_t* to, std::size_t n);
void narrow_f16(const float* from, std::uint16_t* to, std::size_t n);
void demote(const double* from, float* to, std::size_t n);

// Sine and cosine of angles in turns, (high 2^64 + low) 2^-128 each, below one ulp; then every angle grows by
// its step. n is a multiple of `turns_multiple`.
inline constexpr std::size_t turns_multiple = 64;
void sine_cosine(std::uint64_t* high, std::uint64_t* low, const std::uint64_t* step_high,
                 const std::uint64_t* step_low, double* sine, double* cosine, std::size_t n);
// out[2r] = sine[r], out[2r+1] = cosine[r], r < n.
void interleave(const double* sine, const double* cosine, double* out, std::size_t n);

// Matrices by element strides.
template <typename T>
struct Matrix {
  T* data;
  std::int64_t rows, columns, row_stride, column_stride;
};
// c = alpha a b + beta c, beta = 0 not reading c. `panel` is room for matmul_panel() columns of b.
std::size_t matmul_panel();  // columns, for either type
void matmul(double alpha, Matrix<const double> a, Matrix<const double> b, double beta, Matrix<double> c,
            double* panel);
void matmul(float alpha, Matrix<const float> a, Matrix<const float> b, float beta, Matrix<float> c,
            float* panel);

// Name of the instruction set in use, "AVX3".
const char* instruction_set();

}  // namespace etalon_simd
