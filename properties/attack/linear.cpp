// LIN-1, NUM-8: attack on the bound of alpha sum a_i b_i + beta c.
#include "properties/bounds/linear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "properties/attack/search.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon::attack {
namespace {

struct Problem {
  std::vector<double> a, b;
  double alpha = 1, beta = 0, c = 0;
  std::vector<std::size_t> order;  // of the leaves, for a tree drawn at random; empty: every tree
};

// What may be in a register after some part of the leaves is summed: before alpha, or after it.
struct Partial {
  Range plain, scaled;
  int height = 0;        // additions of products on the longest path
  bool is_leaf = false;  // then it is a product of two factors, which may be fused with an addition:
  Range a, b;            // plain
  std::array<std::pair<Range, Range>, 2> scaled_factors;  // alpha in the one or in the other
  bool is_c = false;
};

class Evaluation {
 public:
  Evaluation(const Setting& setting, const Problem& problem)
      : reach_(setting), problem_(problem), alpha_(reach_.constant(problem.alpha)) {
    if (problem.alpha != 0) {
      for (std::size_t i = 0; i < problem.a.size(); ++i) leaves_.push_back(product(i));
    }
    if (problem.beta != 0) leaves_.push_back(last());
  }

  // Every tree over the leaves: sums of subsets from the sums of all their halves.
  Range every_tree() const {
    if (leaves_.empty()) return Range::of(0);
    const std::size_t all = (std::size_t{1} << leaves_.size()) - 1;
    std::vector<Partial> sums(all + 1);
    for (std::size_t subset = 1; subset <= all; ++subset) {
      if ((subset & (subset - 1)) == 0) {
        sums[subset] = leaves_[static_cast<std::size_t>(std::countr_zero(subset))];
        continue;
      }
      for (std::size_t half = (subset - 1) & subset; half > (subset ^ half); half = (half - 1) & subset) {
        admit(sums[subset], join(sums[half], sums[subset ^ half]));
      }
    }
    return reach_.result(sums[all].scaled);
  }

  // One tree: each number of `order` says which two neighbours are added next. Its height, beside c.
  Range one_tree(int& height) const {
    if (leaves_.empty()) return Range::of(0);
    std::vector<Partial> rest = leaves_;
    for (const std::size_t choice : problem_.order) {
      if (rest.size() == 1) break;
      const std::size_t i = choice % (rest.size() - 1);
      rest[i] = join(rest[i], rest[i + 1]);
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    height = rest[0].height;
    return reach_.result(rest[0].scaled);
  }

 private:
  Partial product(std::size_t i) const {
    Partial leaf;
    leaf.is_leaf = true;
    leaf.a = reach_.operand(problem_.a[i], true);
    leaf.b = reach_.operand(problem_.b[i], true);
    leaf.plain = reach_.multiply(leaf.a, leaf.b);
    leaf.scaled = leaf.plain;
    if (problem_.alpha == 1) return leaf;
    leaf.scaled_factors[0] = {reach_.narrowed(reach_.multiply(alpha_, leaf.a)), leaf.b};
    leaf.scaled_factors[1] = {leaf.a, reach_.narrowed(reach_.multiply(alpha_, leaf.b))};
    leaf.scaled = reach_.multiply(alpha_, leaf.plain);
    for (const auto& [x, y] : leaf.scaled_factors) leaf.scaled.admit(reach_.multiply(x, y));
    return leaf;
  }

  Partial last() const {
    Partial leaf;
    leaf.is_c = true;
    leaf.a = reach_.constant(problem_.beta);
    leaf.b = reach_.operand(problem_.c, false);
    leaf.scaled = problem_.beta == 1 ? leaf.b : reach_.multiply(leaf.a, leaf.b);
    return leaf;
  }

  static void admit(Partial& to, const Partial& from) {
    to.plain.admit(from.plain);
    to.scaled.admit(from.scaled);
  }

  Partial join(const Partial& x, const Partial& y) const {
    Partial sum;
    sum.height = std::max(x.height, y.height) + (x.is_c || y.is_c ? 0 : 1);
    sum.plain = reach_.add(x.plain, y.plain);
    fuse(sum, x, y);
    fuse(sum, y, x);
    if (problem_.alpha == 1 && !x.is_c && !y.is_c && !sum.plain.empty()) {
      sum.scaled = sum.plain;
      return sum;
    }
    sum.scaled.admit(reach_.add(x.scaled, y.scaled));
    if (problem_.alpha != 1) sum.scaled.admit(reach_.multiply(alpha_, sum.plain));
    return sum;
  }

  // x, a product, fused with the addition of y.
  void fuse(Partial& sum, const Partial& x, const Partial& y) const {
    if (x.is_leaf) {
      sum.plain.admit(reach_.fma(x.a, x.b, y.plain));
      if (problem_.alpha == 1) {
        if (y.plain.empty() || y.is_c) sum.scaled.admit(reach_.fma(x.a, x.b, y.scaled));
        return;
      }
      for (const auto& [a, b] : x.scaled_factors) sum.scaled.admit(reach_.fma(a, b, y.scaled));
    }
    if (x.is_c) sum.scaled.admit(reach_.fma(x.a, x.b, y.scaled));
    if (problem_.alpha != 1) sum.scaled.admit(reach_.fma(alpha_, x.plain, y.scaled));
  }

  Reach reach_;
  const Problem& problem_;
  Range alpha_;
  std::vector<Partial> leaves_;
};

std::string inputs(const Setting& setting, const Problem& problem) {
  std::string order;
  for (const std::size_t choice : problem.order) order += fmt::format(" {}", choice);
  return fmt::format("a {} b {} alpha {} beta {} c {} {}{}", hex(problem.a), hex(problem.b),
                     hex(problem.alpha), hex(problem.beta), hex(problem.c), words(setting),
                     order.empty() ? ", worst order" : ", tree" + order);
}

double margin(Hunt& hunt, Setting setting, const Problem& problem) {
  const auto k = static_cast<std::int64_t>(problem.a.size());
  const Evaluation evaluation(setting, problem);
  Range reached;
  if (problem.order.empty()) {
    reached = evaluation.every_tree();
  } else {
    int height = 0;
    reached = evaluation.one_tree(height);
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
Problem draw_problem(std::mt19937_64& random, const Setting& setting, int reach) {
  Problem problem;
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

void change(std::mt19937_64& random, const Setting& setting, int reach, Problem& problem) {
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

Highest climb(const Named& named, const Effort& effort, const Claim& claim) {
  Hunt hunt("matmul", named.name, effort, claim);
  auto& random = hunt.random();
  hunt.climb([&] { return draw_problem(random, named.setting, named.reach); },
             [&](Problem& problem) { change(random, named.setting, named.reach, problem); },
             [&](const Problem& problem) { return margin(hunt, named.setting, problem); });
  return hunt.found;
}

Highest climb_mixed(const Effort& effort, const Claim& claim) {
  Hunt hunt("matmul", "mixed formats", effort, claim);
  auto& random = hunt.random();
  Setting setting;
  hunt.climb(
      [&] {
        setting = mixed_setting(random);
        return draw_problem(random, setting, 14);
      },
      [&](Problem& problem) { change(random, setting, 14, problem); },
      [&](const Problem& problem) { return margin(hunt, setting, problem); }, 60);
  return hunt.found;
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
  Problem at(std::uint64_t index) const {
    Problem problem;
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
  Setting setting;
  const Format format = wide_format(precision);
  setting.out = format;
  setting.formats = {format, format, format};
  setting.model.rounding = rounding;
  Hunt hunt("matmul", std::string(format.name) + (rounding == Rounding::nearest ? "" : ", faithful"), effort,
            claim);
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
  Found all;
  for (int precision = 3; precision <= 8; ++precision) {
    all.push_back(exhaust(precision, Rounding::nearest, effort, claim));
  }
  all.push_back(exhaust(3, Rounding::faithful, effort, claim));
  for (const Named& named : arithmetics()) all.push_back(climb(named, effort, claim));
  all.push_back(climb_mixed(effort, claim));
  return all;
}

}  // namespace etalon::attack
