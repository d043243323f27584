#include "properties/tokenizer_calls.hpp"

#include <string_view>

#include "reference/utf8.hpp"

namespace etalon {
namespace {

using Ids = std::vector<std::int64_t>;

// No honest subject makes more output than this from the inputs of the laws; a count beyond it is
// reported before any memory is asked for.
constexpr std::int64_t most_elements = std::int64_t{1} << 24;

Tensor tensor_of(const std::string& text) {
  Tensor tensor(Dtype::u8, {static_cast<std::int64_t>(text.size())});
  std::int64_t i = 0;
  for (const char byte : text) tensor.set_integer(i++, static_cast<unsigned char>(byte));
  return tensor;
}

Tensor tensor_of(const Ids& ids) {
  Tensor tensor(Dtype::i64, {static_cast<std::int64_t>(ids.size())});
  std::int64_t i = 0;
  for (const std::int64_t id : ids) tensor.set_integer(i++, id);
  return tensor;
}

// One of the two conversions, with names and dtypes as in the list of operations.
struct Conversion {
  std::string_view operation;
  std::string_view from;
  std::string_view to;
  Dtype made;
};
constexpr Conversion to_ids{"tokenize", "text", "ids", Dtype::i64};
constexpr Conversion to_text{"detokenize", "ids", "text", Dtype::u8};

// Calls with a generous capacity, and again with the exact one where it was not enough. The first
// `count` elements of the result are what was made.
std::optional<std::int64_t> convert(Trial& trial, const Conversion& how, Tensor& input, Tensor& made) {
  std::int64_t capacity = 16 * input.elements() + 64;
  for (int attempt = 0; attempt < 2; ++attempt) {
    made = trial.output(how.made, {capacity});
    Tensor count = trial.output(Dtype::i64, Shape{});
    if (!trial.call(how.operation, {{how.from, &input}, {how.to, &made}, {"count", &count}},
                    {how.to, "count"})) {
      return std::nullopt;
    }
    const std::int64_t needed = count.integer(0);
    const bool sane = needed >= 0 && needed <= most_elements;
    trial.expect(sane,
                 sane ? "" : std::string(how.operation) + " answered count = " + std::to_string(needed));
    if (trial.settled()) return std::nullopt;
    if (needed <= capacity) return needed;
    capacity = needed;
  }
  trial.expect(false, std::string(how.operation) + " asked for more capacity than it had said to need");
  return std::nullopt;
}

// Whether the subject declines the text, found out without touching the trial.
bool declines(Trial& trial, const Tensor& text) {
  const Tensor ids = trial.output(Dtype::i64, {16 * text.elements() + 64});
  const Tensor count = trial.output(Dtype::i64, Shape{});
  const Call call{"tokenize", {{"text", text.view()}, {"ids", ids.view()}, {"count", count.view()}}, {}};
  return trial.subject().run(call) == Status::invalid_argument;
}

void expect_refused(Trial& trial, const Conversion& how, Tensor input) {
  Tensor made = trial.output(how.made, {16 * input.elements() + 64});
  Tensor count = trial.output(Dtype::i64, Shape{});
  trial.call_expecting(Status::invalid_argument, how.operation,
                       {{how.from, &input}, {how.to, &made}, {"count", &count}}, {how.to, "count"});
}

void expect_kept(Trial& trial, const Conversion& how, Tensor input, std::int64_t capacity,
                 std::int64_t want) {
  Tensor made = trial.output(how.made, {capacity});
  Tensor count = trial.output(Dtype::i64, Shape{});
  if (!trial.call(how.operation, {{how.from, &input}, {how.to, &made}, {"count", &count}}, {how.to, "count"}))
    return;
  trial.expect_equal(count.integer(0), want, "count at capacity " + std::to_string(capacity));
  for (std::int64_t i = want <= capacity ? want : 0; i < capacity; ++i) {
    const bool untouched = made.poisoned(i);
    trial.expect(untouched, untouched ? ""
                                      : std::string(how.operation) + " wrote element " + std::to_string(i) +
                                            " though count is " + std::to_string(want) +
                                            " and the capacity " + std::to_string(capacity));
  }
}

// TOK-5 and its kin: equal lengths, equal elements. Elements first: they tell where it goes wrong.
void expect_same(Trial& trial, std::string_view name, const Tensor& got, const Tensor& want) {
  const std::int64_t common = std::min(got.elements(), want.elements());
  Tensor beginning(got.dtype(), {common});
  for (std::int64_t i = 0; i < common; ++i) beginning.set_bits(i, got.bits(i));
  trial.judge_bits(name, beginning, [&](std::int64_t i) { return want.bits(i); });
  trial.expect_equal(got.elements(), want.elements(), "the length of " + std::string(name));
}

}  // namespace

std::optional<Ids> tokenize(Trial& trial, const std::string& text) {
  if (trial.settled()) return std::nullopt;
  Tensor input = tensor_of(text);
  // TOK-8: only a text that is no UTF-8 may be declined.
  if (utf8_error(text).has_value() && declines(trial, input)) {
    expect_refused(trial, to_ids, input);
    return std::nullopt;
  }
  Tensor made;
  const auto count = convert(trial, to_ids, input, made);
  if (!count) return std::nullopt;
  Ids ids;
  for (std::int64_t i = 0; i < *count; ++i) ids.push_back(made.integer(i));
  return ids;
}

std::optional<std::string> detokenize(Trial& trial, const Ids& ids) {
  if (trial.settled()) return std::nullopt;
  Tensor input = tensor_of(ids);
  Tensor made;
  const auto count = convert(trial, to_text, input, made);
  if (!count) return std::nullopt;
  std::string text;
  for (std::int64_t i = 0; i < *count; ++i) text.push_back(static_cast<char>(made.integer(i)));
  return text;
}

std::optional<std::int64_t> vocabulary_size(Trial& trial) {
  Tensor count = trial.output(Dtype::i64, Shape{});
  if (!trial.call("vocabulary_size", {{"count", &count}}, {"count"})) return std::nullopt;
  return count.integer(0);
}

void expect_refused_ids(Trial& trial, const Ids& ids) { expect_refused(trial, to_text, tensor_of(ids)); }

void expect_capacity_kept(Trial& trial, const std::string& text, std::int64_t capacity, std::int64_t count) {
  expect_kept(trial, to_ids, tensor_of(text), capacity, count);
}

void expect_capacity_kept(Trial& trial, const Ids& ids, std::int64_t capacity, std::int64_t count) {
  expect_kept(trial, to_text, tensor_of(ids), capacity, count);
}

void expect_ids(Trial& trial, const Ids& got, const Ids& want) {
  expect_same(trial, "ids", tensor_of(got), tensor_of(want));
}

void expect_text(Trial& trial, const std::string& got, const std::string& want) {
  expect_same(trial, "text", tensor_of(got), tensor_of(want));
}

}  // namespace etalon
