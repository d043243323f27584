// The orders of summation and the compensations that libraries use, each a function of the terms of a sum.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "properties/honest/product.hpp"
#include "properties/stream.hpp"

namespace etalon::honest {

inline constexpr auto sequential = [](const auto& terms) {
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  for (std::int64_t l = 0; l < terms.k; ++l) sum = sum + terms.product(l);
  return sum;
};

inline constexpr auto reversed = [](const auto& terms) {
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  for (std::int64_t l = terms.k; l-- > 0;) sum = sum + terms.product(l);
  return sum;
};

inline constexpr auto fused = [](const auto& terms) {
  using std::fma;
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  for (std::int64_t l = 0; l < terms.k; ++l) sum = fma(terms.a[l], terms.b[l], sum);
  return sum;
};

// Halves, down to single products: ceil(log2 k) additions deep.
inline constexpr auto pairwise = [](const auto& terms) {
  const auto half = [](const auto& self, const auto& part) -> typename std::decay_t<decltype(part)>::Real {
    if (part.k == 0) return 0;
    if (part.k == 1) return part.product(0);
    const std::int64_t left = part.k / 2;
    return self(self, part.part(0, left)) + self(self, part.part(left, part.k - left));
  };
  return half(half, terms);
};

// Partial sums of `tile` terms, added one after another.
template <std::int64_t tile>
inline constexpr auto tiled = [](const auto& terms) {
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  for (std::int64_t l = 0; l < terms.k; l += tile)
    sum = sum + sequential(terms.part(l, std::min(tile, terms.k - l)));
  return sum;
};

// The same, the running sum being kept in the operands' format between tiles.
template <std::int64_t tile>
inline constexpr auto tiled_and_stored = [](const auto& terms) {
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  for (std::int64_t l = 0; l < terms.k; l += tile)
    sum = rounded_to(terms.format, sum + sequential(terms.part(l, std::min(tile, terms.k - l))));
  return sum;
};

// A few slices of the sum, each on its own, then their sum.
inline constexpr auto split = [](const auto& terms) {
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  constexpr std::int64_t slices = 4;
  for (std::int64_t s = 0; s < slices; ++s) {
    const std::int64_t first = terms.k * s / slices;
    sum = sum + sequential(terms.part(first, terms.k * (s + 1) / slices - first));
  }
  return sum;
};

// Term l goes to lane l mod `lanes`; the lanes are added as a tree.
template <std::size_t lanes>
inline constexpr auto in_lanes = [](const auto& terms) {
  using std::fma;
  std::array<typename std::decay_t<decltype(terms)>::Real, lanes> lane{};
  for (std::int64_t l = 0; l < terms.k; ++l) {
    auto& sum = lane[static_cast<std::size_t>(l) % lanes];
    sum = fma(terms.a[l], terms.b[l], sum);
  }
  for (std::size_t width = lanes / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) lane[i] = lane[i] + lane[i + width];
  }
  return lane[0];
};

// Kahan (1965): what an addition loses is taken off the next term. An infinite sum has lost nothing.
inline constexpr auto kahan = [](const auto& terms) {
  using Real = typename std::decay_t<decltype(terms)>::Real;
  Real sum = 0;
  Real lost = 0;
  for (std::int64_t l = 0; l < terms.k; ++l) {
    const Real term = terms.product(l) - lost;
    const Real next = sum + term;
    lost = std::isfinite(next) ? (next - sum) - term : Real(0);
    sum = next;
  }
  return sum;
};

// Neumaier (1974): what the additions lose is added up beside the sum.
inline constexpr auto neumaier = [](const auto& terms) {
  using Real = typename std::decay_t<decltype(terms)>::Real;
  Real sum = 0;
  Real lost = 0;
  for (std::int64_t l = 0; l < terms.k; ++l) {
    const Real term = terms.product(l);
    const Real next = sum + term;
    lost += std::fabs(sum) >= std::fabs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  return std::isfinite(sum) ? sum + lost : sum;
};

// Ogita, Rump, Oishi (2005), Dot2: the errors of the products as well, as if in twice the precision.
inline constexpr auto dot2 = [](const auto& terms) {
  using Real = typename std::decay_t<decltype(terms)>::Real;
  Real sum = 0;
  Real lost = 0;
  for (std::int64_t l = 0; l < terms.k; ++l) {
    const Real term = terms.product(l);
    const Real next = sum + term;
    const Real other = next - sum;
    const Real error = (sum - (next - other)) + (term - other);
    lost += error + std::fma(terms.a[l], terms.b[l], -term);
    sum = next;
  }
  return std::isfinite(sum) && std::isfinite(lost) ? sum + lost : sum;
};

// The terms in an order of its own for every entry, as threads that add to one place would take them.
inline constexpr auto shuffled = [](const auto& terms) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(terms.k));
  for (std::size_t l = 0; l < order.size(); ++l) order[l] = static_cast<std::int64_t>(l);
  Stream stream("order of summation", "terms");
  std::uint64_t counter = terms.entry << 16;
  for (std::size_t l = order.size(); l > 1; --l) std::swap(order[l - 1], order[stream.word(counter++) % l]);
  typename std::decay_t<decltype(terms)>::Real sum = 0;
  for (const std::int64_t l : order) sum = sum + terms.product(l);
  return sum;
};

// The smallest products first.
inline constexpr auto ascending = [](const auto& terms) {
  using Real = typename std::decay_t<decltype(terms)>::Real;
  std::vector<Real> products;
  for (std::int64_t l = 0; l < terms.k; ++l) products.push_back(terms.product(l));
  const auto key = [](Real x) { return std::isnan(x) ? Real(HUGE_VAL) : std::fabs(x); };
  std::stable_sort(products.begin(), products.end(), [&](Real x, Real y) { return key(x) < key(y); });
  Real sum = 0;
  for (const Real product : products) sum = sum + product;
  return sum;
};

}  // namespace etalon::honest
