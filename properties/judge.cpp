// NUM-5, NUM-6: classes are settled before any arithmetic; then |got - truth| meets the bound.
#include "properties/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/oracle/rounding.hpp"

namespace etalon {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest_double = std::numeric_limits<double>::max();

Judgement passed(Grade grade) { return {Verdict::pass, grade, 0, 0, 0, ""}; }

Judgement failed(std::string_view reason) { return {Verdict::fail, Grade::none, infinity, 0, 0, reason}; }

Judgement without_bound() {
  return {Verdict::no_bound, Grade::none, 0, 0, 0, "no bound is proven for what the subject declares"};
}

std::uint64_t sign_bit(const Format& format) { return std::uint64_t{1} << (format.bits - 1); }

// The pattern of the neighbour of a finite value towards +Inf or -Inf: patterns of one sign are ordered.
std::uint64_t neighbour(const Format& format, std::uint64_t bits, bool up) {
  const std::uint64_t sign = bits & sign_bit(format);
  const std::uint64_t size = bits & (sign_bit(format) - 1);
  if (size == 0) return up ? 1 : (sign_bit(format) | 1U);
  return sign | ((sign == 0) == up ? size + 1 : size - 1);
}

// got - (hi + lo). The first difference is exact where the two are within a factor 2 (Sterbenz) and
// else has relative error u, which the inflation of every bound covers.
double difference(double got, const Ball& truth) { return (got - truth.hi) - truth.lo; }

// No value of the format lies strictly between `got` and the truth, and none is the truth itself.
bool faithful(const Format& format, std::uint64_t bits, double error, const Ball& truth) {
  if (error == 0) return true;
  const double beyond = decode(format, neighbour(format, bits, error < 0));
  return error > 0 ? difference(beyond, truth) < 0 : difference(beyond, truth) > 0;
}

Grade grade_of(const Format& format, std::uint64_t bits, double error, const Ball& truth) {
  if (error == 0 && truth.is_exact()) return Grade::exact;
  const auto rounded = oracle::round_to(format, truth);
  if (rounded && (*rounded == bits || decode(format, *rounded) == decode(format, bits))) {
    return Grade::correctly_rounded;
  }
  return faithful(format, bits, error, truth) ? Grade::faithful : Grade::within_bound;
}

// In the grey zone an infinite bound says that partial results may have saturated, or that nothing is known
// of their size: any result at all is honest there, of either sign.
bool claims_nothing(const Expected& expected) {
  return std::isinf(expected.bound) && expected.overflow_allowed;
}

// The truth is +-Inf or NaN. NaN arises from non-finite operands only, so it is due from everyone.
// An infinite truth with bound 0 comes from infinite operands; with a positive bound it is a sum
// beyond the binary64 range, |truth| > Omega_f64, which an honest result may miss by the bound.
Judgement judge_non_finite(double got, const Expected& expected) {
  const double truth = expected.truth.hi;
  if (std::isnan(truth)) return std::isnan(got) ? passed(Grade::exact) : failed("a number where NaN is due");
  if (got == truth) return passed(Grade::exact);
  if (claims_nothing(expected)) return passed(Grade::within_bound);
  if (!std::isfinite(expected.bound)) return without_bound();
  if (!std::isfinite(got)) {
    if (expected.overflow_allowed) return passed(Grade::within_bound);
    return failed(std::isnan(got) ? "NaN where infinity is due" : "infinity of the wrong sign");
  }
  const double missing = largest_double - (truth > 0 ? got : -got);  // from Omega, in the truth's direction
  if (expected.bound > 0 && missing <= expected.bound) return passed(Grade::within_bound);
  return failed("a finite number where infinity is due");
}

// Decides error <= bound for an error known to +-radius.
Judgement weigh(double error, double bound, double radius, std::string_view reason) {
  const double size = std::fabs(error);
  Judgement judgement;
  judgement.error = error;
  const double least = std::max(0.0, size - radius);
  judgement.margin = least == 0 ? 0 : least / bound;  // bound 0: infinite
  if (size + radius <= bound) return judgement;
  const bool certain = size - radius > bound;
  judgement.verdict = certain ? Verdict::fail : Verdict::inconclusive;
  judgement.grade = Grade::none;
  judgement.reason = certain ? reason : "the width of the enclosure decides";
  return judgement;
}

// `got` is +-Inf or NaN and the truth is a number: an infinity is the rounding of any value from
// Omega + ulp(Omega)/2 on, so the truth may be short of that threshold by the bound.
Judgement judge_overflow(const Format& format, double got, const Expected& expected) {
  if (expected.overflow_allowed) return passed(Grade::within_bound);
  if (std::isnan(got)) return failed("NaN where a number is due");
  const Ball& truth = expected.truth;
  const double sign = got > 0 ? 1 : -1;
  const double omega = format.largest_finite();
  const double beyond = (sign * truth.hi - omega) + sign * truth.lo;  // |truth| - Omega
  const double half = ulp(format, omega) / 2;
  const double missing = beyond >= half ? 0 : half - beyond;
  Judgement judgement =
      weigh(missing, expected.bound, missing == 0 ? 0 : truth.radius, "overflow of a number in range");
  judgement.error = got;
  judgement.ulp_error = missing / (2 * half);
  if (judgement.verdict == Verdict::pass) {
    judgement.grade = missing == 0 ? Grade::correctly_rounded : Grade::within_bound;
  }
  return judgement;
}

}  // namespace

Judgement judge_exact(const Format& format, std::uint64_t got, std::uint64_t want, ZeroSign zero,
                      NanPayload nan) {
  const std::uint64_t mask = sign_bit(format) | (sign_bit(format) - 1);
  if (((got ^ want) & mask) == 0) return passed(Grade::exact);
  const double value = decode(format, got);
  const double wanted = decode(format, want);
  if (std::isnan(wanted)) {
    if (!std::isnan(value)) return failed("a number where NaN is due");
    return nan == NanPayload::ignored ? passed(Grade::exact) : failed("another NaN pattern");
  }
  if (std::isnan(value)) return failed("NaN where a number is due");
  if (value == 0 && wanted == 0) {
    return zero == ZeroSign::ignored ? passed(Grade::exact) : failed("zero of the wrong sign");
  }
  if (std::isinf(wanted)) return failed("infinity is due");
  if (std::isinf(value)) return failed("infinity where a number is due");
  Judgement judgement = failed("other bits than the exact result");
  judgement.error = value - wanted;
  judgement.ulp_error = std::fabs(judgement.error) / ulp(format, wanted);
  return judgement;
}

Judgement judge_within(const Format& format, std::uint64_t got, const Expected& expected) {
  const double value = decode(format, got);
  const Ball& truth = expected.truth;
  if (!truth.finite()) return judge_non_finite(value, expected);
  if (claims_nothing(expected)) return passed(Grade::within_bound);
  if (!(expected.bound >= 0 && expected.bound < infinity)) return without_bound();
  if (!std::isfinite(value)) return judge_overflow(format, value, expected);

  const double error = difference(value, truth);
  Judgement judgement = weigh(error, expected.bound, truth.radius, "beyond the proven bound");
  judgement.ulp_error = std::fabs(error) / ulp(format, truth.hi);
  if (judgement.verdict == Verdict::pass) {
    const std::uint64_t mask = sign_bit(format) | (sign_bit(format) - 1);
    judgement.grade = grade_of(format, got & mask, error, truth);
  }
  return judgement;
}

}  // namespace etalon
