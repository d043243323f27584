// Products on hardware for narrow operands: operands rounded, or cut into several narrow pieces, or added
// as tensor cores add.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "properties/honest/product.hpp"

namespace etalon::honest {

// The sum of products of operands rounded to a format.
inline float sum_of_rounded(const Terms<float>& terms, const Format& format) {
  float sum = 0;
  for (std::int64_t l = 0; l < terms.k; ++l)
    sum += rounded_to(format, terms.a[l]) * rounded_to(format, terms.b[l]);
  return sum;
}

// TensorFloat-32: the exponents of f32 with 11 bits of significand.
inline constexpr Format tf32{"tf32", 11, -126, 127, 19};

// x = piece 0 + 2^-8 piece 1 + 2^-16 piece 2, each of 8 bits, cut off and not rounded: pieces of the largest
// number stay finite, and scaled by 2^8 and 2^16 those of the smallest lose nothing.
inline std::array<float, 3> pieces_of(float x) {
  std::array<float, 3> pieces{};
  for (float& piece : pieces) {
    piece = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xFFFF0000U);
    x = (x - piece) * 0x1p8F;
  }
  return pieces;
}

inline bool finite(float x, float y) { return std::isfinite(x) && std::isfinite(y); }

// A sum of products that are made of pieces. Scaled pieces may overflow where the product does not, and
// infinite operands have no pieces; such a product is taken in f32.
template <typename Terms, typename Product>
float sum_of_pieces(const Terms& terms, const Product& product_of) {
  float sum = 0;
  for (std::int64_t l = 0; l < terms.k; ++l) {
    if (!finite(terms.a[l], terms.b[l])) {
      sum += terms.a[l] * terms.b[l];
      continue;
    }
    const float product = product_of(pieces_of(terms.a[l]), pieces_of(terms.b[l]));
    sum += std::isfinite(product) ? product : terms.product(l);
  }
  return sum;
}

// All nine products of the pieces, the smallest first: as good as f32 but for a rounding or two.
inline constexpr auto bf16_nine = [](const auto& terms) {
  return sum_of_pieces(terms, [](const auto& x, const auto& y) {
    std::array<float, 5> order{};  // order[s]: the products of pieces i + j = s
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) order[i + j] += x[i] * y[j];
    }
    float product = 0;
    for (std::size_t s = 5; s-- > 0;) product = product * 0x1p-8F + order[s];
    return product;
  });
};

// Two pieces and three products: 16 bits, more than bf16 has and fewer than f32.
inline constexpr auto bf16_three = [](const auto& terms) {
  return sum_of_pieces(terms, [](const auto& x, const auto& y) {
    return (x[0] * y[1] + x[1] * y[0]) * 0x1p-8F + x[0] * y[0];
  });
};

// Four exact products and the running sum are aligned to the largest of them, cut two bits below its last,
// added, and cut to f32. Source: Fasi, Higham, Mikaitis, Pranesh, PeerJ CS 7 (2021), e330.
inline float aligned_sum(const std::array<double, 5>& addends) {
  double largest = 0;
  double plain = 0;
  for (const double x : addends) {
    largest = std::max(largest, std::fabs(x));
    plain += x;
  }
  if (!std::isfinite(plain) || largest == 0) return static_cast<float>(plain);
  const double grain = std::ldexp(1, std::max(std::ilogb(largest), -126) - 25);
  double sum = 0;
  for (const double x : addends) sum += std::trunc(x / grain) * grain;
  return static_cast<float>(static_cast<double>(Rounded<Truncated<Dtype::f32>>(sum)));
}

inline constexpr auto tensor_core = [](const auto& terms) {
  float sum = 0;
  for (std::int64_t l = 0; l < terms.k; l += 4) {
    std::array<double, 5> addends = {static_cast<double>(sum)};
    for (std::int64_t i = l; i < std::min(l + 4, terms.k); ++i) {
      addends[static_cast<std::size_t>(i - l) + 1] =
          static_cast<double>(terms.a[i]) * static_cast<double>(terms.b[i]);
    }
    sum = aligned_sum(addends);
  }
  return sum;
};

}  // namespace etalon::honest
