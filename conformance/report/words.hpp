// Numbers and names as every report writes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etalon {

// "1,234,567"
std::string with_separators(std::uint64_t number);
// Three significant digits, without an exponent where that stays short.
std::string short_number(double value);
// " POS-1..12 TEN-3": tokens in order, each after a space, runs of numbers joined.
std::string joined_tokens(const std::vector<std::string>& tokens);

}  // namespace etalon
