// LIN-1, NUM-8: attack on the bound of alpha sum a_i b_i + beta c.
#include "properties/bounds/linear.hpp"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "properties/attack/orders.hpp"
#include "properties/attack/search.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon::attack {
namespace {

std::string inputs(const Setting& setting, const Product& problem) {
  std::string order;
  for (const std::size_t choice : problem.order) order += fmt::format(" {}", choice);
  return fmt::format("a {} b {} alpha {} beta {} c {} {}{}", hex(problem.a), hex(problem.b),
                     hex(problem.alpha), hex(problem.beta), hex(problem.c), words(setting),
                     order.empty() ? ", worst order" : ", tree" + order);
}

double margin(Hunt& hunt, Setting setting, const Product& problem) {
  const auto k = static_cast<std::int64_t>(problem.a.size());
  const Orders orders(setting, problem);
  Range reached;
  if (problem.order.empty()) {
    reached = orders.every_tree();
  } else {
    int height = 0;
    reached = orders.one_tree(height);
    setting.model.height = height;
  }
  const oracle::Dot dot =
      oracle::gemm_entry(problem.alpha, problem.a.data(), 1, problem.b.data(), 1, k, problem.beta, problem.c);
  const Expected expected =
      bounds::matmul_expected(setting.model, setting.formats, setting.out, k - hunt.claim().fewer_products,
                              problem.alpha, dot, problem.beta, problem.c);
  return hunt.judge(setting, reached, expected, [&] { return inputs(setting, problem); });
}

constexpr std::array factors = {1.0, 1.0, 1.0, -1.0, 3.0, 0.75, 2.0, 0.1, 1.3};

double factor(std::mt19937_64& random, const Setting& setting, bool zero) {
  const std::uint64_t word = random();
  if (zero && word % 3 == 0) return 0;
  if (word % 4 == 0) return draw(random, format_of(Dtype::f64), 2);
  if (word % 4 == 1) return near_midpoint(random, setting.formats.accumulator, 2);
  return factors[word / 4 % factors.size()];
}

// n <= 4: every tree; more: a tree drawn with the inputs, whose height is declared.
Product draw_problem(std::mt19937_64& random, const Setting& setting, int reach) {
  Product problem;
  const std::size_t sizes[] = {1, 2, 2, 3, 3, 4, 8, 16};
  const std::size_t n = sizes[random() % std::size(sizes)];
  for (std::size_t i = 0; i < n; ++i) {
    problem.a.push_back(draw(random, setting.out, reach));
    problem.b.push_back(draw(random, setting.out, reach));
  }
  problem.alpha = random() % 2 == 0 ? 1 : factor(random, setting, false);
  problem.beta = factor(random, setting, true);
  problem.c = draw(random, setting.out, reach);
  if (n > 4) {
    for (std::size_t i = 0; i < n; ++i) problem.order.push_back(random() % n);
  }
  return problem;
}

void change(std::mt19937_64& random, const Setting& setting, int reach, Product& problem) {
  const std::size_t n = problem.a.size();
  const std::uint64_t word = random();
  const std::size_t i = word / 16 % n;
  switch (word % 16) {
    case 0:
      problem.a[i] = problem.a[(word >> 32U) % n];
      break;
    case 1:
      problem.c = changed(random, setting.out, problem.c, reach);
      break;
    case 2:
      if (word >> 62 == 0)
        problem.alpha = factor(random, setting, false);
      else if (problem.alpha != 1)
        problem.alpha = changed(random, format_of(Dtype::f64), problem.alpha, 2);
      break;
    case 3:
      if (word >> 62 == 0)
        problem.beta = factor(random, setting, true);
      else if (problem.beta != 0)
        problem.beta = changed(random, format_of(Dtype::f64), problem.beta, 2);
      break;
    case 4:
      if (!problem.order.empty()) problem.order[i] = random() % n;
      break;
    default: {
      double& x = (word >> 63 == 0 ? problem.a : problem.b)[i];
      x = changed(random, setting.out, x, reach);
    }
  }
}

// All significands of n products, up to a common factor, the exponents of all but the first a_1 b_1 within
// `binades` of it, all signs but one; with c, alpha and beta.
class Enumeration {
 public:
  Enumeration(const Setting& setting, std::size_t n, bool with_c)
      : setting_(setting), n_(n), with_c_(with_c) {
    const std::uint64_t significands = std::uint64_t{1} << (setting.out.precision - 1);
    radices_ = {significands, significands};
    for (std::size_t i = 1; i < n; ++i)
      radices_.insert(radices_.end(), {significands, 2 * binades * significands});
    radices_.push_back(with_c ? 2 * binades * significands : 1);
    radices_.push_back(alphas.size());
    radices_.push_back(with_c ? betas.size() : 1);
  }
  std::uint64_t size() const {
    return std::accumulate(radices_.begin(), radices_.end(), std::uint64_t{1}, std::multiplies<>());
  }
  Product at(std::uint64_t index) const {
    Product problem;
    auto radix = radices_.begin();
    const auto digit = [&] {
      const std::uint64_t result = index % *radix;
      index /= *radix++;
      return result;
    };
    for (std::size_t i = 0; i < n_; ++i) {
      problem.a.push_back(number(digit()));
      problem.b.push_back(number(digit()));
    }
    problem.c = with_c_ ? number(digit()) : (digit(), 0.0);
    problem.alpha = alphas[digit()];
    problem.beta = with_c_ ? betas[digit()] : 0;
    return problem;
  }

 private:
  static constexpr std::uint64_t binades = 3;
  static constexpr std::array alphas = {1.0, 1.3, 0.8};
  static constexpr std::array betas = {1.0, 1.2};

  // Significand, then sign, then exponent.
  double number(std::uint64_t digit) const {
    const std::uint64_t significands = std::uint64_t{1} << (setting_.out.precision - 1);
    const double significand = static_cast<double>(significands + digit % significands);
    digit /= significands;
    const double sign = digit % 2 == 0 ? 1 : -1;
    constexpr std::array<int, binades> exponents = {0, -1, 1};
    return sign * std::ldexp(significand, 1 - setting_.out.precision + exponents[digit / 2]);
  }

  const Setting& setting_;
  std::size_t n_;
  bool with_c_;
  std::vector<std::uint64_t> radices_;
};

Highest exhaust(int precision, Rounding rounding, const Effort& effort, const Claim& claim) {
  const Setting setting = wide_setting(precision, rounding);
  Hunt hunt("matmul", name_of(setting), effort, claim);
  std::string done;
  for (const auto& [n, with_c, name] :
       {std::tuple{1, false, "1 product"}, std::tuple{1, true, "1 and c"}, std::tuple{2, false, "2"},
        std::tuple{2, true, "2 and c"}, std::tuple{3, false, "3"}, std::tuple{3, true, "3 and c"}}) {
    const Enumeration space(setting, static_cast<std::size_t>(n), with_c);
    if (!hunt.visit(space.size(), [&](std::uint64_t i) { margin(hunt, setting, space.at(i)); })) {
      done += std::string("; sampled: ") + name;
      break;
    }
    done += std::string(done.empty() ? ", exhaustive: " : ", ") + name;
  }
  hunt.found.arithmetic += done;
  return hunt.found;
}

}  // namespace

Found attack_linear(const Effort& effort, const Claim& claim) {
  return attack_in_every_arithmetic("matmul", effort, claim, exhaust, draw_problem, change, margin);
}

}  // namespace etalon::attack
