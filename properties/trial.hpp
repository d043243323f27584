// A trial is one case being checked: its parameters, its inputs, its subject, and what the judges
// found. A law's check function reads parameters, builds tensors, calls, and judges.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "properties/judge.hpp"
#include "properties/law.hpp"
#include "properties/stream.hpp"

namespace etalon {

class Trial {
 public:
  // `asks_usual_rules`: every output is compared by the usual rules as well, which costs its every element.
  Trial(const Case& test_case, Subject& subject, bool asks_usual_rules = false);

  std::int64_t operator[](std::string_view parameter) const;  // throws std::out_of_range
  Dtype dtype() const { return case_.dtype; }
  const Format& format() const { return format_of(case_.dtype); }
  // The model declared for an operation on this trial's dtype. Precondition: it is offered.
  const Model& model(std::string_view operation) const;
  Stream stream(std::string_view label) const;  // keyed by the case's name and the label

  // New tensors, filled from the stream of their label.
  Tensor input(std::string_view label, Shape shape, Pattern pattern, Layout layout = Layout::dense) const;
  Tensor input(std::string_view label, Dtype dtype, Shape shape, Pattern pattern,
               Layout layout = Layout::dense) const;
  Tensor ids(std::string_view label, std::int64_t count, std::int64_t rows, Dtype dtype = Dtype::i64) const;
  Tensor output(Shape shape, Layout layout = Layout::dense) const;  // poisoned
  Tensor output(Dtype dtype, Shape shape, Layout layout = Layout::dense) const;

  // Runs the subject. `outputs` names the tensors it may write; afterwards every other tensor must
  // be unchanged byte for byte and no sentinel damaged (a failure of the case names the tensor).
  // True when the status is OK. UNSUPPORTED settles the case as unsupported, any other status fails
  // it; once settled, a case's later judgements are ignored.
  using Named = std::pair<std::string_view, Tensor*>;
  bool call(std::string_view operation, std::initializer_list<Named> tensors,
            std::initializer_list<std::string_view> outputs,
            std::initializer_list<std::pair<std::string_view, double>> attributes = {});
  // The same, but asks for this status, and for untouched outputs where it is not OK.
  void call_expecting(Status want, std::string_view operation, std::initializer_list<Named> tensors,
                      std::initializer_list<std::string_view> outputs,
                      std::initializer_list<std::pair<std::string_view, double>> attributes = {});

  // T0: element i of `got` has the bits want(i).
  void judge_bits(std::string_view tensor, const Tensor& got,
                  const std::function<std::uint64_t(std::int64_t)>& want, ZeroSign zero = ZeroSign::compared,
                  NanPayload nan = NanPayload::compared);
  // T1: element i of `got` is within its bound.
  void judge_bound(std::string_view tensor, const Tensor& got,
                   const std::function<Expected(std::int64_t)>& expected);
  // A law that is a plain truth: `reason` says what is wrong when it does not hold.
  void expect(bool holds, const std::string& reason);
  void expect_equal(std::int64_t got, std::int64_t want, std::string_view what);
  // Settles the case without a verdict on the subject.
  void settle(Verdict verdict, const std::string& reason);

  Subject& subject() { return subject_; }
  const Case& test_case() const { return case_; }
  const Outcome& outcome() const { return outcome_; }
  bool settled() const { return settled_; }

 private:
  void fail(const std::string& reason);
  Status run(std::string_view operation, std::initializer_list<Named> tensors,
             std::initializer_list<std::string_view> outputs,
             std::initializer_list<std::pair<std::string_view, double>> attributes, bool outputs_untouched);

  const Case& case_;
  std::string key_;  // the case's name
  Subject& subject_;
  Outcome outcome_;
  bool asks_usual_rules_ = false;
  bool settled_ = false;
};

}  // namespace etalon
