// The identities among rows of a position code (POS-4 .. POS-7), judged on the subject's own outputs.
// Each bound follows from the bounds beta of the entries alone: the exact values cancel.
#include <cmath>

#include "properties/position_code.hpp"

namespace etalon::position {
namespace {

Code code_of(Trial& trial) { return Code(trial, 2 * trial["pairs"], static_cast<double>(trial["base"])); }

Ball negated(const Ball& x) { return {-x.hi, -x.lo, x.radius}; }

// R_r(k) (s, c): (cos s + sin c, cos c - sin s), cos and sin those of k w_r from the oracle.
// With s, c off by at most beta(s), beta(c), the image is off by |cos| beta(s) + |sin| beta(c), and by
// |cos| beta(c) + |sin| beta(s); the entry it is compared with adds its own beta.
struct Image {
  Expected sine;
  Expected cosine;
};
Image rotated(const Ball& cos, const Ball& sin, double s, double c, const Pair& from, const Pair& to) {
  const double steep = std::fabs(cos.hi) * (1 + 0x1p-40);
  const double cross = std::fabs(sin.hi) * (1 + 0x1p-40);
  Image image;
  image.sine.truth = sum_of_products({{cos, s}, {sin, c}});
  image.sine.bound = (to.sine.bound + steep * from.sine.bound + cross * from.cosine.bound) * (1 + 0x1p-40);
  image.cosine.truth = sum_of_products({{cos, c}, {negated(sin), s}});
  image.cosine.bound =
      (to.cosine.bound + steep * from.cosine.bound + cross * from.sine.bound) * (1 + 0x1p-40);
  return image;
}

// POS-4: row i of `to` is R(k) times row i of `from`; rows start at `from_first` and from_first + k.
void judge_rotation(Trial& trial, const Code& code, const Tensor& from, std::int64_t from_first,
                    const Tensor& to, std::int64_t k) {
  trial.judge_bound("R(k) PE(pos)", to, [&](std::int64_t index) {
    const std::int64_t i = index / code.width();
    const std::int64_t column = index % code.width();
    const std::int64_t r = column / 2;
    const auto [sine, cosine] = code.oracle().at(std::abs(k), r);
    const Image image =
        rotated(cosine, k < 0 ? negated(sine) : sine, code.sine(from, i, r), code.cosine(from, i, r),
                code.pair(from_first + i, r), code.pair(from_first + k + i, r));
    return column % 2 == 0 ? image.sine : image.cosine;
  });
}

// POS-4: PE(pos + k) = R(k) PE(pos) for k >= 0, and PE(pos) = R(-k) PE(pos + k).
void rotation_identity(Trial& trial) {
  const Code code = code_of(trial);
  const std::int64_t first = trial["first"];
  const std::int64_t k = trial["k"];
  Tensor here = trial.output({trial["n"], code.width()});
  Tensor there = trial.output({trial["n"], code.width()});
  if (!code.ask(here, first) || !code.ask(there, first + k)) return;
  if (!all_finite(trial, here) || !all_finite(trial, there)) return;
  judge_rotation(trial, code, here, first, there, k);
  judge_rotation(trial, code, there, first + k, here, -k);
}

// POS-5: R(0) = I and R(j + k) = R(j) R(k), R built from the rows: sin(j + k) = sin j cos k + cos j sin k,
// cos(j + k) = cos j cos k - sin j sin k. Each product is off by |x| beta(y) + |y| beta(x) + beta beta.
void rotation_group(Trial& trial) {
  const Code code = code_of(trial);
  const std::int64_t j = trial["j"];
  const std::int64_t k = trial["k"];
  Tensor zero = trial.output({1, code.width()});
  Tensor row_j = trial.output({1, code.width()});
  Tensor row_k = trial.output({1, code.width()});
  Tensor row_sum = trial.output({1, code.width()});
  if (!code.ask(zero, 0) || !code.ask(row_j, j) || !code.ask(row_k, k) || !code.ask(row_sum, j + k)) return;
  if (!all_finite(trial, row_j) || !all_finite(trial, row_k) || !all_finite(trial, row_sum)) return;
  const std::uint64_t one = encode(trial.format(), 1);
  trial.judge_bits("R(0)", zero, [&](std::int64_t c) { return c % 2 == 0 ? std::uint64_t{0} : one; });
  trial.judge_bound("R(j) R(k)", row_sum, [&](std::int64_t column) {
    const std::int64_t r = column / 2;
    const Pair at_j = code.pair(j, r);
    const Pair at_k = code.pair(k, r);
    const Pair at_sum = code.pair(j + k, r);
    const double sj = code.sine(row_j, 0, r);
    const double cj = code.cosine(row_j, 0, r);
    const double sk = code.sine(row_k, 0, r);
    const double ck = code.cosine(row_k, 0, r);
    // product_error is taken at the computed factors: |fl fl - true true| is symmetric in the two.
    Expected expected;
    if (column % 2 == 0) {
      expected.truth = sum_of_products({{Ball::exact(sj), ck}, {Ball::exact(cj), sk}});
      expected.bound = at_sum.sine.bound + product_error(sj, at_j.sine.bound, ck, at_k.cosine.bound) +
                       product_error(cj, at_j.cosine.bound, sk, at_k.sine.bound);
    } else {
      expected.truth = sum_of_products({{Ball::exact(cj), ck}, {Ball::exact(-sj), sk}});
      expected.bound = at_sum.cosine.bound + product_error(cj, at_j.cosine.bound, ck, at_k.cosine.bound) +
                       product_error(sj, at_j.sine.bound, sk, at_k.sine.bound);
    }
    expected.bound *= 1 + 0x1p-40;
    return expected;
  });
}

// 2 |y| beta + beta^2: how far the square of an entry may be from that of the truth.
double square_error(double y, const Expected& entry) { return product_error(y, entry.bound, y, entry.bound); }

// POS-6: s^2 + c^2 = 1 in every pair, |PE(pos)|^2 = d/2, and no entry beyond 1 by more than its bound.
void unit_circle(Trial& trial) {
  const Code code = code_of(trial);
  const std::int64_t first = trial["first"];
  const std::int64_t n = trial["n"];
  Tensor out = trial.output({n, code.width()});
  if (!code.ask(out, first) || !all_finite(trial, out)) return;
  Derived squares(trial, {n, code.pairs()});
  Derived norms(trial, {n});
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<Product> whole;
    double whole_bound = 0;
    for (std::int64_t r = 0; r < code.pairs(); ++r) {
      const double s = code.sine(out, i, r);
      const double c = code.cosine(out, i, r);
      const Pair must = code.pair(first + i, r);
      trial.expect(std::fabs(s) <= 1 + must.sine.bound && std::fabs(c) <= 1 + must.cosine.bound,
                   "an entry of pair " + std::to_string(r) + " lies outside [-1, 1]");
      const double bound = square_error(s, must.sine) + square_error(c, must.cosine);
      const std::vector<Product> pair = {{Ball::exact(s), s}, {Ball::exact(c), c}};
      squares.set(i * code.pairs() + r, sum_of_products(pair), Ball::exact(1), bound);
      whole.insert(whole.end(), pair.begin(), pair.end());
      whole_bound += bound;
    }
    norms.set(i, sum_of_products(whole), Ball::exact(static_cast<double>(code.pairs())), whole_bound);
  }
  squares.judge(trial, "s^2 + c^2");
  norms.judge(trial, "|PE(pos)|^2");
}

// POS-7: PE(p) . PE(p + k) = sum_r cos(k w_r) for every p.
void relative_position(Trial& trial) {
  const Code code = code_of(trial);
  const std::int64_t first = trial["first"];
  const std::int64_t k = trial["k"];
  const std::int64_t n = trial["n"];
  Tensor here = trial.output({n, code.width()});
  Tensor there = trial.output({n, code.width()});
  if (!code.ask(here, first) || !code.ask(there, first + k)) return;
  if (!all_finite(trial, here) || !all_finite(trial, there)) return;
  std::vector<Ball> cosines;
  for (std::int64_t r = 0; r < code.pairs(); ++r) cosines.push_back(code.oracle().at(k, r).cosine);
  const Ball truth = exact_sum(cosines);
  Derived dots(trial, {n});
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<Product> products;
    double bound = 0;
    for (std::int64_t column = 0; column < code.width(); ++column) {
      const double x = here.value(i * code.width() + column);
      const double y = there.value(i * code.width() + column);
      products.push_back({Ball::exact(x), y});
      bound +=
          product_error(x, code.entry(first + i, column).bound, y, code.entry(first + k + i, column).bound);
    }
    dots.set(i, sum_of_products(products), truth, bound);
  }
  dots.judge(trial, "PE(p) . PE(p + k)");
}

}  // namespace

std::vector<Law> identity_laws() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const std::int64_t far = 1048576;
  const Parameter n = Parameter::range("n", 1, 16, {1, 2});
  const Parameter pairs = Parameter::range("pairs", 1, 256, {1, 2, 3, 32});
  const Parameter base = Parameter::one_of("base", base_values());
  const Parameter first = Parameter::range("first", 0, far, {0, 1, 257, 2049, 48040});
  const Parameter shift = Parameter::range("k", 0, far, {0, 1, 2, 1001});
  const std::vector<Example> shifted = {{Level::smoke, {2, 1, 0, 1, 10000}},
                                        {Level::smoke, {3, 3, 1, 2, 10000}},
                                        {Level::standard, {8, 32, 257, 1001, 10000}},
                                        {Level::standard, {4, 256, 48040, 83031, 500000}},
                                        {Level::standard, {64, 32, 0, 1, 10000}}};
  return {
      {"pos_4_rotation_identity",
       "POS-4",
       "Moving by k positions rotates every pair by the same angle.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 64, {1, 2}), pairs, first, shift, base},
       shifted,
       rotation_identity},
      {"pos_5_rotation_group",
       "POS-5",
       "The rotations read off the rows compose.",
       sinusoidal,
       float_dtypes(),
       {pairs, Parameter::range("j", 0, far, {0, 1, 257}), shift, base},
       {{Level::smoke, {1, 1, 1, 10000}},
        {Level::smoke, {3, 2, 1, 10000}},
        {Level::standard, {32, 257, 1001, 500000}}},
       rotation_group},
      {"pos_6_unit_circle",
       "POS-6",
       "Every pair lies on the unit circle and every row has the same length.",
       sinusoidal,
       float_dtypes(),
       {n, pairs, first, base},
       {{Level::smoke, {3, 1, 0, 10000}},
        {Level::smoke, {4, 3, 0, 10000}},
        {Level::standard, {16, 256, 2049, 10000}}},
       unit_circle},
      {"pos_7_relative_position",
       "POS-7",
       "The dot product of two rows depends on their distance only.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 64, {1, 2}), pairs, first, shift, base},
       shifted,
       relative_position},
  };
}

}  // namespace etalon::position
