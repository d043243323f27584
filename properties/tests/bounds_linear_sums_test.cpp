// NUM-8: sums that are no trees, compensated or added by blocks, keep within what it grants a tree of their
// terms: g_(k-1) sum |p_i|. Exhaustive for a few terms of a few bits, at random for more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "properties/bounds/arithmetic.hpp"
#include "properties/tests/bounds_support.hpp"

namespace etalon {
namespace {

using tests::Arithmetic;
using Terms = std::vector<double>;
using Sum = double (*)(const Format& format, const Terms& terms);

double kahan(const Format& format, const Terms& terms) {
  const Arithmetic machine(format);
  double sum = 0;
  double lost = 0;
  for (const double p : terms) {
    const double term = machine.add(p, -lost);
    const double next = machine.add(sum, term);
    lost = machine.add(machine.add(next, -sum), -term);
    sum = next;
  }
  return sum;
}

double neumaier(const Format& format, const Terms& terms) {
  const Arithmetic machine(format);
  double sum = 0;
  double lost = 0;
  for (const double p : terms) {
    const double next = machine.add(sum, p);
    lost = machine.add(lost, sum - next + p);  // exact in binary64, as TwoSum is in the format
    sum = next;
  }
  return machine.add(sum, lost);
}

// Blocks of four and the running sum, cut at one bit below the last of the largest addend, then cut.
double blocks(const Format& format, const Terms& terms) {
  const Arithmetic machine(format, true);
  double sum = 0;
  for (std::size_t first = 0; first < terms.size(); first += 4) {
    Terms addends(terms.begin() + static_cast<std::ptrdiff_t>(first),
                  terms.begin() + static_cast<std::ptrdiff_t>(std::min(first + 4, terms.size())));
    addends.push_back(sum);
    double largest = 0;
    for (const double x : addends) largest = std::max(largest, std::fabs(x));
    if (largest == 0) continue;
    const double grain = std::ldexp(1, std::ilogb(largest) - format.precision);
    double exact = 0;
    for (const double x : addends) exact += std::trunc(x / grain) * grain;
    sum = machine.round(exact);
  }
  return sum;
}

struct NamedSum {
  const char* name;
  Sum run;
  Rounding rounding;
};
constexpr NamedSum sums[] = {{"Kahan", kahan, Rounding::nearest},
                             {"Neumaier", neumaier, Rounding::nearest},
                             {"blocks of four", blocks, Rounding::faithful}};

Format of_bits(int precision) { return {"low", precision, -30, 31, 5 + precision + 1}; }

// The error in units of g_(k-1) sum |p_i|.
double margin(const NamedSum& sum, const Format& format, const Terms& terms) {
  double exact = 0;
  double size = 0;
  for (const double p : terms) exact += p, size += std::fabs(p);
  const auto additions = static_cast<std::int64_t>(terms.size()) - 1;
  const double bound = bounds::growth(additions, bounds::unit(format, sum.rounding)) * size;
  return std::fabs(sum.run(format, terms) - exact) / bound;
}

// All terms of `exponents` binades and both signs; the first one positive.
double worst_of_all(const NamedSum& sum, int precision, int exponents, std::size_t count) {
  const Format format = of_bits(precision);
  Terms values;
  for (int e = 0; e < exponents; ++e) {
    for (int m = 1 << (precision - 1); m < 1 << precision; ++m) values.push_back(std::ldexp(m, e));
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  double worst = 0;
  std::size_t cases = positive;
  for (std::size_t i = 1; i < count; ++i) cases *= values.size();
  Terms terms(count);
  for (std::size_t number = 0; number < cases; ++number) {
    std::size_t rest = number;
    for (std::size_t i = count; i-- > 1; rest /= values.size()) terms[i] = values[rest % values.size()];
    terms[0] = values[rest];
    worst = std::max(worst, margin(sum, format, terms));
  }
  return worst;
}

TEST(MatmulSums, KeepWithinWhatATreeIsGrantedExhaustively) {
  for (const NamedSum& sum : sums) {
    EXPECT_LE(worst_of_all(sum, 5, 8, 2), 1) << sum.name;
    EXPECT_LE(worst_of_all(sum, 3, 7, 3), 1) << sum.name;
    EXPECT_LE(worst_of_all(sum, 4, 4, 3), 1) << sum.name;
    EXPECT_LE(worst_of_all(sum, 3, 3, 4), 1) << sum.name;
    EXPECT_GT(worst_of_all(sum, 5, 8, 2), 0.9) << sum.name << " meets it for two terms";
  }
}

TEST(MatmulSums, KeepWithinWhatATreeIsGrantedAtRandom) {
  std::mt19937_64 random(3);
  for (const NamedSum& sum : sums) {
    for (const int precision : {4, 6, 8}) {
      double worst = 0;
      for (int i = 0; i < 20000; ++i) {
        // As long as g_(k-1) < 1: up to 11 terms of 4 bits.
        Terms terms(2 + random() % 9);
        for (double& p : terms) {
          const auto bits = (random() >> (65 - precision)) | std::uint64_t{1} << (precision - 1);
          p = std::ldexp(static_cast<double>(bits), static_cast<int>(random() % 8)) *
              (random() % 4 == 0 ? -1 : 1);
        }
        worst = std::max(worst, margin(sum, of_bits(precision), terms));
      }
      EXPECT_LE(worst, 1) << sum.name << ", " << precision << " bits";
    }
  }
}

// The recursion of the proof for Kahan's sum: what one term, the j-th of k, may contribute to the error, in
// units of the term. It takes up the tables for 3 and 4 terms and the estimate for more.
double kahan_contribution(double v, std::int64_t k, std::int64_t j) {
  double total = 0;    // sum of |f_i| + |eta_i|
  double carried = 0;  // of the term in c_(i-1)
  for (std::int64_t i = j; i <= k; ++i) {
    const double term = i == j ? 1 : 0;
    const double f = i <= 2 ? 0 : v * (term + carried);
    const double d = i == 1 ? 0 : v * (1 + total + f);
    // At i = 2 no more than d, which serves both terms; then what z is off.
    const double eta = i <= 2 ? d : v * (term + carried + f + d);
    if (i == k) return total + f + d;
    total += f + eta;
    carried = d + eta;
  }
  return 0;
}

TEST(MatmulSums, KahansProofHoldsForEveryLength) {
  for (const int precision : {4, 8, 11, 24, 53}) {
    const double u = std::ldexp(1, -precision);
    for (std::int64_t k = 2; k <= (precision == 4 ? 20 : 3000); ++k) {
      for (std::int64_t j = 1; j <= std::min<std::int64_t>(k, 12); ++j) {
        ASSERT_LE(kahan_contribution(u / (1 + u), k, j), bounds::growth(k - 1, u) * (1 + 1e-12))
            << "k " << k << " j " << j << " bits " << precision;
      }
      ASSERT_LE(kahan_contribution(u / (1 + u), k, k), bounds::growth(k - 1, u) * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace etalon
