// NUM-5: verdicts, grades and what one judged case leaves behind.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "properties/tensors.hpp"
#include "properties/usual.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon {

enum class Verdict : int {
  pass,
  fail,
  inconclusive,  // the oracle's enclosure is too wide to decide
  no_bound,      // no proven bound exists for what the subject declares
  mistrusted,    // the case cannot tell a faulty subject from an honest one
  unsupported,   // the subject does not offer the operation, or declined the call
  crash,
  timeout,
  known,
  unexpected_pass,
};
std::string_view name_of(Verdict verdict);  // "PASS", "FAIL", ...

// T2: the best class to which every judged element belongs.
enum class Grade : int { exact, correctly_rounded, faithful, within_bound, none };
std::string_view name_of(Grade grade);

// The element that decides a case: the first failing one, else the one with the largest margin.
struct Witness {
  std::string tensor;  // name of the output
  Shape shape;
  std::int64_t index = -1;  // logical index in row order; -1: no element is to blame
  Dtype dtype = Dtype::f32;
  std::uint64_t got = 0;   // bit pattern
  std::uint64_t want = 0;  // correctly rounded, or the exact bits asked for
  Ball truth;
  double bound = 0;      // absolute; 0 for T0
  double margin = 0;     // |got - truth| / bound; infinite for a wrong class or wrong bits
  double ulp_error = 0;  // |got - truth| / ulp of the dtype at truth
  std::string reason;    // one clause: what is wrong, "" when nothing is
};

// Everything one case, or many cases added up, has to say.
struct Outcome {
  Verdict verdict = Verdict::pass;
  Grade grade = Grade::exact;
  std::uint64_t elements = 0;           // output elements judged
  std::uint64_t measured = 0;           // of them judged by T1 (against a bound)
  std::uint64_t correctly_rounded = 0;  // of the measured ones
  double worst_margin = 0;
  double worst_ulp = 0;
  double sum_ulp = 0;
  // T2: sums of err/sigma and of its square over the elements with a predicted deviation sigma.
  std::uint64_t predicted = 0;
  double sum_deviation = 0;
  double sum_square_deviation = 0;
  Usual usual;  // where the usual rules were asked as well
  Witness witness;

  void absorb(const Outcome& other);  // worst verdict, sums, worst witness
  double rms_deviation() const;       // Q = sqrt(mean((err/sigma)^2)); 0 where nothing was predicted
  double bias() const;                // M = |mean(err/sigma)| sqrt(N)
};

}  // namespace etalon
