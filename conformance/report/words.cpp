#include "conformance/report/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace etalon {

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string short_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return "inf";
  if (value != 0 && (value < 0.001 || value >= 1e5)) return fmt::format("{:.1e}", value);
  return fmt::format("{:.3g}", value);
}

std::string joined_tokens(const std::vector<std::string>& tokens) {
  const auto family = [](const std::string& token) { return token.substr(0, token.find('-') + 1); };
  const auto number = [&](const std::string& token) { return std::stoi(token.substr(family(token).size())); };
  std::string text;
  for (std::size_t i = 0; i < tokens.size();) {
    std::size_t next = i + 1;
    while (next < tokens.size() && family(tokens[next]) == family(tokens[i]) &&
           number(tokens[next]) == number(tokens[next - 1]) + 1) {
      ++next;
    }
    text += " " + tokens[i];
    if (next - i > 1) text += fmt::format("..{}", number(tokens[next - 1]));
    i = next;
  }
  return text;
}

}  // namespace etalon
