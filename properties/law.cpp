#include "properties/law.hpp"

#include <algorithm>
#include <charconv>

namespace etalon {
namespace {

std::string show(const Parameter& parameter, std::int64_t value) {
  const auto index = static_cast<std::size_t>(value);
  return index < parameter.labels.size() ? std::string(parameter.labels[index]) : std::to_string(value);
}

template <typename Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Range {
  std::int64_t low;
  std::int64_t high;
};

// What parameter `index` may be: its own range, widened to the examples, which may lie far outside of it
// and shrink through the values between.
Range admitted(const Law& law, std::size_t index) {
  Range range{law.parameters[index].low, law.parameters[index].high};
  for (const Example& example : law.examples) {
    range.low = std::min(range.low, example.values[index]);
    range.high = std::max(range.high, example.values[index]);
  }
  return range;
}

std::optional<std::int64_t> parse_value(const Parameter& parameter, Range range, std::string_view text) {
  const auto label = std::find(parameter.labels.begin(), parameter.labels.end(), text);
  if (label != parameter.labels.end()) return label - parameter.labels.begin();
  const auto value = parse_integer<std::int64_t>(text);
  if (!value || *value < range.low || *value > range.high) return std::nullopt;
  return value;
}

// Cuts `text` at the first `mark`; the rest is empty where there is none.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

bool parse_values(const Law& law, std::string_view text, std::vector<std::int64_t>& values,
                  std::string& error) {
  for (const Parameter& parameter : law.parameters) {
    std::string_view pair = cut(text, ',');
    if (cut(pair, '=') != parameter.name) {
      error =
          "expected " + std::string(parameter.name) + "=… among the parameters of " + std::string(law.name);
      return false;
    }
    const Range range = admitted(law, values.size());
    const auto value = parse_value(parameter, range, pair);
    if (!value) {
      error = "'" + std::string(pair) + "' is no value of " + std::string(parameter.name) + " in [" +
              std::to_string(range.low) + ", " + std::to_string(range.high) + "]";
      return false;
    }
    values.push_back(*value);
  }
  if (!text.empty())
    error = "'" + std::string(text) + "' follows the last parameter of " + std::string(law.name);
  return text.empty();
}

}  // namespace

std::string_view name_of(Level level) {
  constexpr std::string_view names[] = {"smoke", "standard", "full"};
  return names[static_cast<std::size_t>(level)];
}

Parameter Parameter::range(std::string_view name, std::int64_t low, std::int64_t high,
                           std::vector<std::int64_t> edges) {
  return {name, low, high, std::move(edges), {}, {}};
}

Parameter Parameter::choice(std::string_view name, std::vector<std::string_view> labels) {
  const auto last = static_cast<std::int64_t>(labels.size()) - 1;
  return {name, 0, last, {}, std::move(labels), {}};
}

Parameter Parameter::one_of(std::string_view name, std::vector<std::int64_t> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {name, *low, *high, {}, {}, std::move(values)};
}

std::string Case::name() const {
  std::string text{law->name};
  text += "/" + (law->dtypes.empty() ? std::string("-") : std::string(name_of(dtype)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = law->parameters[i];
    text += (i == 0 ? "/" : ",") + std::string(parameter.name) + "=" + show(parameter, values[i]);
  }
  if (seed != 0) text += "@" + std::to_string(seed);
  return text;
}

std::span<const Law> all_laws() {
  static const std::vector<Law> laws = [] {
    std::vector<Law> all;
    for (const auto family : {sequences_laws, vocabulary_laws, tokenizer_laws, embedding_laws, position_laws,
                              input_laws, linear_laws, numerics_laws, tensors_laws}) {
      for (Law& law : family()) all.push_back(std::move(law));
    }
    return all;
  }();
  return laws;
}

std::optional<Case> case_named(std::string_view name, std::string& error) {
  const std::string_view law_name = cut(name, '/');
  const auto laws = all_laws();
  const auto law =
      std::find_if(laws.begin(), laws.end(), [&](const Law& each) { return each.name == law_name; });
  if (law == laws.end()) {
    error = "there is no law named '" + std::string(law_name) + "' (etalon list laws shows them)";
    return std::nullopt;
  }
  Case result{&*law, Dtype::u8, {}, 0};
  std::string_view body = cut(name, '@');
  if (!name.empty()) {
    const auto seed = parse_integer<std::uint64_t>(name);
    if (!seed) {
      error = "'" + std::string(name) + "' after @ is no seed";
      return std::nullopt;
    }
    result.seed = *seed;
  }
  const std::string_view dtype_name = cut(body, '/');
  if (!law->dtypes.empty()) {
    const auto dtype = dtype_named(dtype_name);
    if (!dtype || std::find(law->dtypes.begin(), law->dtypes.end(), *dtype) == law->dtypes.end()) {
      error = "'" + std::string(dtype_name) + "' is no dtype of " + std::string(law_name);
      return std::nullopt;
    }
    result.dtype = *dtype;
  } else if (dtype_name != "-") {
    error = std::string(law_name) + " has no dtype: write '-' in its place";
    return std::nullopt;
  }
  if (!parse_values(*law, body, result.values, error)) return std::nullopt;
  return result;
}

std::vector<Dtype> float_dtypes() { return {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}; }

}  // namespace etalon
