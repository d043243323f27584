// NUM-5, NUM-6: the judges, one small pure function per kind of agreement. NaN, Inf and signed zero
// are compared by class before any arithmetic.
#pragma once

#include <cstdint>
#include <string_view>

#include "properties/model.hpp"
#include "properties/verdict.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon {

// What an element must be: the truth, how far any honest subject may stray, how far one usually does.
struct Expected {
  Ball truth;
  double bound = 0;               // absolute, proven; 0: the truth must be hit; NaN: no bound is known
  double sigma = 0;               // predicted standard deviation of the error (T2); 0: none
  bool overflow_allowed = false;  // an intermediate value may legally overflow: +-Inf and NaN pass
};

struct Judgement {
  Verdict verdict = Verdict::pass;
  Grade grade = Grade::exact;
  double margin = 0;
  double ulp_error = 0;
  double error = 0;         // signed: got - truth
  std::string_view reason;  // static text, "" when it passes
};

enum class ZeroSign { compared, ignored };
enum class NanPayload { compared, ignored };

// T0: the bits agree. ZeroSign::ignored takes +0 for -0; NanPayload::ignored takes any NaN for a NaN.
Judgement judge_exact(const Format& format, std::uint64_t got, std::uint64_t want, ZeroSign zero,
                      NanPayload nan);

// T1: |got - truth| <= bound + truth.radius, class first. INCONCLUSIVE where the enclosure's own
// width decides; NO_BOUND where the bound is NaN.
Judgement judge_within(const Format& format, std::uint64_t got, const Expected& expected);

}  // namespace etalon
