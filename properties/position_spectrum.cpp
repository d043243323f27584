// What the columns of a position code say about its frequencies (POS-8), and whether its rows tell
// positions apart (POS-9).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "properties/position_code.hpp"

namespace etalon::position {
namespace {

// A frequency read off row 1 of a table: w_r = atan2(sin w_r, cos w_r), since 0 < w_r <= 1.
struct Measured {
  double frequency;
  double error;  // of `frequency`, for every subject within the bounds of its entries
};

// The vectors v = (s, c), |v| = 1, and v^ off by at most (beta_s, beta_c) enclose an angle delta with
// |v^| sin delta = |s c^ - c s^| = |s (c^ - c) - c (s^ - s)| <= |s| beta_c + |c| beta_s and
// |v^| >= 1 - beta_s - beta_c. asin x <= pi x / 2 would do; asin itself is tighter. atan2 adds an ulp or
// two of binary64 (2^-50 relative is allowed here).
Measured measure(const Code& code, const Tensor& row, std::int64_t r) {
  const Pair must = code.pair(1, r);
  const double moment =
      std::fabs(must.sine.truth.hi) * must.cosine.bound + std::fabs(must.cosine.truth.hi) * must.sine.bound;
  const double length = 1 - must.sine.bound - must.cosine.bound;
  const double turn = length > 0 && moment < length ? std::asin(moment / length) : std::numbers::pi;
  const double frequency = std::atan2(code.sine(row, 0, r), code.cosine(row, 0, r));
  return {frequency, turn * (1 + 0x1p-40) + std::fabs(frequency) * 0x1p-50};
}

// POS-8: w_0 = 1, w_(r+1)/w_r = base^(-2/d) throughout, w_(d/2-1) = base^(-(d-2)/d).
// A quotient of measured frequencies is off by (e_1 + q e_0) / (w_0 - e_0).
void wavelengths(Trial& trial) {
  const std::int64_t pairs = trial["pairs"];
  const Code code(trial, 2 * pairs, static_cast<double>(trial["base"]));
  Tensor row = trial.output({1, code.width()});
  if (!code.ask(row, 1) || !all_finite(trial, row)) return;
  Derived ends(trial, {2});
  const Measured first = measure(code, row, 0);
  ends.set(0, Ball::exact(first.frequency), Ball::exact(1), first.error);
  const Measured last = measure(code, row, pairs - 1);
  ends.set(1, Ball::exact(last.frequency), code.frequency(pairs - 1), last.error);
  ends.judge(trial, "first and last frequency");
  if (pairs < 2) return;
  const Ball ratio = code.frequency(1);  // w_1 = base^(-2/d): the common quotient
  Derived quotients(trial, {pairs - 1});
  for (std::int64_t r = 0; r + 1 < pairs; ++r) {
    const Measured one = measure(code, row, r);
    const Measured next = measure(code, row, r + 1);
    const double slack = code.frequency(r).hi - one.error;
    // Where the format cannot resolve the frequency at all, any quotient is possible: nothing to judge.
    const bool resolved = slack > 0 && one.frequency > 0;
    const double got = resolved ? next.frequency / one.frequency : ratio.hi;
    const double bound = resolved ? (next.error + ratio.hi * one.error) / slack + got * 0x1p-52 : 0;
    quotients.set(r, Ball::exact(got), ratio, bound);
  }
  quotients.judge(trial, "w_(r+1) / w_r");
}

bool same_row(const Tensor& rows, std::int64_t d, std::int64_t p, std::int64_t q) {
  for (std::int64_t c = 0; c < d; ++c) {
    if (rows.bits(p * d + c) != rows.bits(q * d + c)) return false;
  }
  return true;
}

bool less_row(const Tensor& rows, std::int64_t d, std::int64_t p, std::int64_t q) {
  for (std::int64_t c = 0; c < d; ++c) {
    const std::uint64_t x = rows.bits(p * d + c);
    const std::uint64_t y = rows.bits(q * d + c);
    if (x != y) return x < y;
  }
  return false;
}

// Some column separates the two positions: |y_p - y_q| > beta_p + beta_q, so no subject within its
// bounds can give both the same value there.
bool must_differ(const Code& code, std::int64_t p, std::int64_t q) {
  for (std::int64_t c = 0; c < code.width(); ++c) {
    const Expected at_p = code.entry(p, c);
    const Expected at_q = code.entry(q, c);
    const double distance = std::fabs(at_p.truth.hi - at_q.truth.hi);
    const double reach = at_p.bound + at_q.bound + at_p.truth.radius + at_q.truth.radius;
    if (distance * (1 - 0x1p-40) > reach * (1 + 0x1p-40) + 0x1p-52) return true;
  }
  return false;
}

// POS-9: p != q => PE(p) != PE(q), wherever the bounds of the entries set the two apart.
void distinct_rows(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t first = trial["first"];
  const Code code(trial, 2 * trial["pairs"], static_cast<double>(trial["base"]));
  Tensor out = trial.output({n, code.width()});
  if (!code.ask(out, first)) return;
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto p, auto q) { return less_row(out, code.width(), p, q); });
  for (std::size_t i = 1; i < order.size() && !trial.settled(); ++i) {
    const std::int64_t p = order[i - 1];
    const std::int64_t q = order[i];
    const bool confused = same_row(out, code.width(), p, q) && must_differ(code, first + p, first + q);
    trial.expect(!confused, "the rows of positions " + std::to_string(first + p) + " and " +
                                std::to_string(first + q) + " are the same bits");
  }
}

}  // namespace

std::vector<Law> spectrum_laws() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const Parameter base = Parameter::one_of("base", base_values());
  return {
      {"pos_8_wavelengths",
       "POS-8",
       "The frequencies fall geometrically from 1 to base^(-(d-2)/d).",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("pairs", 1, 2048, {1, 2, 3, 32}), base},
       {{Level::smoke, {1, 10000}},
        {Level::smoke, {2, 10000}},
        {Level::smoke, {3, 10000}},
        {Level::standard, {256, 10000}},
        {Level::standard, {2048, 500000}}},
       wavelengths},
      {"pos_9_distinct_rows",
       "POS-9",
       "Different positions have different rows.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 1100, {2, 4, 260}), Parameter::range("pairs", 1, 32, {1, 2, 3}),
        Parameter::range("first", 0, 1048576, {0, 250, 2040}), base},
       {{Level::smoke, {4, 1, 0, 10000}},
        {Level::smoke, {4, 3, 0, 10000}},
        {Level::standard, {1100, 3, 0, 10000}},
        {Level::standard, {1100, 32, 2040, 10000}},
        {Level::standard, {1100, 32, 1048000, 500000}}},
       distinct_rows},
  };
}

}  // namespace etalon::position
