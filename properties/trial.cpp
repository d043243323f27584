#include "properties/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "reference/oracle/rounding.hpp"

namespace etalon {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// "(2, 5)": the index of an element along every axis.
std::string subscript(const Shape& shape, std::int64_t index) {
  Shape position;
  position.rank = shape.rank;
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    position.extent[static_cast<std::size_t>(axis)] = index % shape[axis];
    index /= shape[axis];
  }
  return to_string(position);
}

bool contains(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// An output that holds the poison throughout is write-only: whatever keeps the poison is suspect.
bool write_only(const Tensor& tensor) {
  return is_float(tensor.dtype()) && tensor.elements() > 0 && tensor.poisoned(0) &&
         tensor.poisoned(tensor.elements() - 1);
}

bool any_poisoned(const Tensor& tensor) {
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    if (tensor.poisoned(i)) return true;
  }
  return false;
}

// An element that kept the poison of both runs; random bits may hit either pattern, never both.
std::int64_t first_unwritten(const Tensor& first, const Tensor& second) {
  for (std::int64_t i = 0; i < first.elements(); ++i) {
    if (first.poisoned(i, Tensor::first_poison) && second.poisoned(i, Tensor::second_poison)) return i;
  }
  return -1;
}

std::uint64_t nearest(const Format& format, const Ball& truth) {
  return oracle::round_to(format, truth).value_or(encode(format, truth.hi));
}

// What the usual rules are given to compare with: the values themselves, as near as binary64 has them.
std::vector<double> wanted_values(const Tensor& got, const std::function<std::uint64_t(std::int64_t)>& want) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < got.elements(); ++i) {
    values.push_back(is_float(got.dtype()) ? decode(format_of(got.dtype()), want(i))
                                           : static_cast<double>(static_cast<std::int64_t>(want(i))));
  }
  return values;
}

std::vector<double> middle_values(const Tensor& got, const std::vector<Expected>& expected) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < got.elements(); ++i) {
    const Expected& want = expected[static_cast<std::size_t>(i)];
    // Where an intermediate value may overflow, whatever came is taken for right.
    values.push_back(want.overflow_allowed ? got.value(i) : want.truth.hi + want.truth.lo);
  }
  return values;
}

}  // namespace

Trial::Trial(const Case& test_case, Subject& subject, bool asks_usual_rules)
    : case_(test_case), key_(test_case.name()), subject_(subject), asks_usual_rules_(asks_usual_rules) {}

std::int64_t Trial::operator[](std::string_view parameter) const {
  for (std::size_t i = 0; i < case_.law->parameters.size(); ++i) {
    if (case_.law->parameters[i].name == parameter) return case_.values[i];
  }
  throw std::out_of_range(std::string(case_.law->name) + " has no parameter " + std::string(parameter));
}

const Model& Trial::model(std::string_view operation) const {
  const Model* declared = subject_.model(operation, case_.dtype);
  if (declared == nullptr) throw std::logic_error("no model for " + std::string(operation));
  return *declared;
}

Stream Trial::stream(std::string_view label) const { return {key_, label}; }

Tensor Trial::input(std::string_view label, Shape shape, Pattern pattern, Layout layout) const {
  return input(label, case_.dtype, shape, pattern, layout);
}

Tensor Trial::input(std::string_view label, Dtype dtype, Shape shape, Pattern pattern, Layout layout) const {
  Tensor tensor(dtype, shape, layout);
  Stream words = stream(label);
  fill(tensor, pattern, words);
  return tensor;
}

Tensor Trial::ids(std::string_view label, std::int64_t count, std::int64_t rows, Dtype dtype) const {
  Tensor tensor(dtype, {count});
  Stream words = stream(label);
  fill_ids(tensor, rows, words);
  return tensor;
}

Tensor Trial::output(Shape shape, Layout layout) const { return output(case_.dtype, shape, layout); }

Tensor Trial::output(Dtype dtype, Shape shape, Layout layout) const {
  Tensor tensor(dtype, shape, layout);
  tensor.poison();
  return tensor;
}

// TEN: whatever the status, inputs and everything outside the elements stay as they were.
Status Trial::run(std::string_view operation, std::initializer_list<Named> tensors,
                  std::initializer_list<std::string_view> outputs,
                  std::initializer_list<std::pair<std::string_view, double>> attributes,
                  bool outputs_untouched) {
  Call call{operation, {}, attributes};
  std::vector<Tensor> before;
  std::vector<bool> suspect;
  for (const auto& [name, tensor] : tensors) {
    call.tensors.emplace_back(name, tensor->view());
    const bool kept = outputs_untouched || !contains(outputs, name);
    before.push_back(kept ? tensor->clone() : Tensor());
    suspect.push_back(!kept && write_only(*tensor));
  }
  const Status status = subject_.run(call);
  std::size_t i = 0;
  for (const auto& [name, tensor] : tensors) {
    if (const auto damage = tensor->first_damage()) {
      fail("wrote outside " + std::string(name) + ": the byte at offset " + std::to_string(*damage) +
           " from its first element changed");
    } else if (before[i].view().data != nullptr && !tensor->same_bytes(before[i])) {
      fail(contains(outputs, name) ? std::string(name) + " was written though the call must not write it"
                                   : "changed its input " + std::string(name));
    } else if (status == Status::ok && suspect[i] && any_poisoned(*tensor)) {
      // Only a second run into another pattern tells "unwritten" from a result equal to the pattern.
      Tensor again(tensor->dtype(), tensor->shape(), tensor->layout());
      again.poison(Tensor::second_poison);
      Call repeated = call;
      repeated.tensors[i].second = again.view();
      const std::int64_t index = subject_.run(repeated) == Status::ok ? first_unwritten(*tensor, again) : -1;
      if (index >= 0) {
        fail("left element " + subscript(tensor->shape(), index) + " of " + std::string(name) + " unwritten");
      }
    }
    ++i;
  }
  return status;
}

bool Trial::call(std::string_view operation, std::initializer_list<Named> tensors,
                 std::initializer_list<std::string_view> outputs,
                 std::initializer_list<std::pair<std::string_view, double>> attributes) {
  if (settled_) return false;
  const Status status = run(operation, tensors, outputs, attributes, false);
  if (settled_) return false;
  if (status == Status::ok) return true;
  const std::string words = subject_.last_error();
  const std::string reason = std::string(operation) + " answered " + std::string(name_of(status)) +
                             (words.empty() ? "" : ": " + words);
  if (status == Status::unsupported) {
    settle(Verdict::unsupported, reason);
  } else {
    fail(reason);
  }
  return false;
}

void Trial::call_expecting(Status want, std::string_view operation, std::initializer_list<Named> tensors,
                           std::initializer_list<std::string_view> outputs,
                           std::initializer_list<std::pair<std::string_view, double>> attributes) {
  if (settled_) return;
  const Status status = run(operation, tensors, outputs, attributes, want != Status::ok);
  if (settled_) return;
  if (status == Status::unsupported && want != Status::unsupported) {
    settle(Verdict::unsupported, std::string(operation) + " answered UNSUPPORTED");
  } else {
    expect(status == want, std::string(operation) + " answered " + std::string(name_of(status)) + " where " +
                               std::string(name_of(want)) + " is due");
  }
}

void Trial::judge_bits(std::string_view tensor, const Tensor& got,
                       const std::function<std::uint64_t(std::int64_t)>& want, ZeroSign zero,
                       NanPayload nan) {
  const bool has_format = is_float(got.dtype());
  const std::int64_t count = got.elements();
  if (asks_usual_rules_ && !settled_) outcome_.usual.absorb(compared_as_usual(got, wanted_values(got, want)));
  for (std::int64_t i = 0; i < count && !settled_; ++i) {
    const std::uint64_t bits = got.bits(i);
    const std::uint64_t wanted = want(i);
    ++outcome_.elements;
    if (bits == wanted) continue;
    Judgement judgement{Verdict::fail, Grade::none, infinite, infinite, 0, "the bits differ"};
    if (has_format) judgement = judge_exact(format_of(got.dtype()), bits, wanted, zero, nan);
    if (judgement.verdict == Verdict::pass) continue;
    outcome_.verdict = Verdict::fail;
    outcome_.grade = Grade::none;
    outcome_.worst_margin = judgement.margin;
    outcome_.worst_ulp = std::max(outcome_.worst_ulp, judgement.ulp_error);
    const Ball truth = has_format ? Ball::exact(decode(format_of(got.dtype()), wanted)) : Ball{};
    outcome_.witness = {std::string(tensor),
                        got.shape(),
                        i,
                        got.dtype(),
                        bits,
                        wanted,
                        truth,
                        0,
                        judgement.margin,
                        judgement.ulp_error,
                        std::string(judgement.reason)};
    settled_ = true;
  }
}

void Trial::judge_bound(std::string_view tensor, const Tensor& got,
                        const std::function<Expected(std::int64_t)>& expected) {
  const Format& format = format_of(got.dtype());
  const std::int64_t count = got.elements();
  std::vector<Expected> all;  // where the usual rules want every one
  if (asks_usual_rules_ && !settled_) {
    for (std::int64_t i = 0; i < count; ++i) all.push_back(expected(i));
    outcome_.usual.absorb(compared_as_usual(got, middle_values(got, all)));
  }
  for (std::int64_t i = 0; i < count && !settled_; ++i) {
    const Expected want = all.empty() ? expected(i) : all[static_cast<std::size_t>(i)];
    const std::uint64_t bits = got.bits(i);
    const Judgement judgement = judge_within(format, bits, want);
    ++outcome_.elements;
    ++outcome_.measured;
    outcome_.correctly_rounded += judgement.grade <= Grade::correctly_rounded ? 1 : 0;
    outcome_.grade = std::max(outcome_.grade, judgement.grade);
    outcome_.worst_ulp = std::max(outcome_.worst_ulp, judgement.ulp_error);
    outcome_.sum_ulp += judgement.ulp_error;
    if (want.sigma > 0 && std::isfinite(judgement.error)) {
      const double deviation = judgement.error / want.sigma;
      ++outcome_.predicted;
      outcome_.sum_deviation += deviation;
      outcome_.sum_square_deviation += deviation * deviation;
    }
    const bool passes = judgement.verdict == Verdict::pass;
    if (passes && judgement.margin <= outcome_.worst_margin && outcome_.witness.index >= 0) continue;
    outcome_.worst_margin = std::max(outcome_.worst_margin, judgement.margin);
    outcome_.witness = {
        std::string(tensor),          got.shape(), i,          got.dtype(),      bits,
        nearest(format, want.truth),  want.truth,  want.bound, judgement.margin, judgement.ulp_error,
        std::string(judgement.reason)};
    if (passes) continue;
    outcome_.verdict = judgement.verdict;
    settled_ = true;
  }
}

void Trial::expect(bool holds, const std::string& reason) {
  if (settled_) return;
  ++outcome_.elements;
  if (!holds) fail(reason);
}

void Trial::expect_equal(std::int64_t got, std::int64_t want, std::string_view what) {
  expect(got == want, std::string(what) + " is " + std::to_string(got) + ", not " + std::to_string(want));
}

void Trial::settle(Verdict verdict, const std::string& reason) {
  if (settled_) return;
  outcome_.verdict = verdict;
  outcome_.witness.reason = reason;
  settled_ = true;
}

void Trial::fail(const std::string& reason) {
  if (settled_) return;
  outcome_.grade = Grade::none;
  outcome_.worst_margin = infinite;
  outcome_.witness = Witness{};
  outcome_.witness.margin = infinite;
  settle(Verdict::fail, reason);
}

}  // namespace etalon
