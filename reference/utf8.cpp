#include "reference/utf8.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace etalon {
namespace {

unsigned byte_at(std::string_view bytes, std::size_t i) { return static_cast<unsigned char>(bytes[i]); }

bool is_continuation(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// How many bytes the leading byte announces; 0 where it can lead nothing. C0 and C1 announce two:
// what follows shows them to be overlong.
std::size_t announced_length(unsigned lead) {
  if (lead < 0x80U) return 1;
  if (lead < 0xC0U) return 0;
  if (lead < 0xE0U) return 2;
  if (lead < 0xF0U) return 3;
  return lead < 0xF8U ? 4 : 0;
}

// The smallest value that needs `length` bytes; anything below is an overlong form.
char32_t smallest_of_length(std::size_t length) {
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  return smallest[length];
}

// "" for a scalar value in its shortest form.
std::string_view fault_of(char32_t value, std::size_t length) {
  if (value < smallest_of_length(length)) return "ill-formed UTF-8: overlong form";
  if (value > 0x10FFFF) return "ill-formed UTF-8: value above U+10FFFF";
  if (!is_scalar_value(value)) return "ill-formed UTF-8: surrogate";
  return "";
}

// The smallest and largest value that a sequence can still become once `present` bytes are read.
std::string_view fault_of_beginning(char32_t value, std::size_t present, std::size_t length) {
  const std::size_t open_bits = 6 * (length - present);
  const char32_t low = value << open_bits;
  const char32_t high = low + ((char32_t{1} << open_bits) - 1);
  if (high < smallest_of_length(length)) return fault_of(high, length);
  if (low > 0x10FFFF || (low >= 0xD800 && high <= 0xDFFF)) return fault_of(low, length);
  return "";
}

TextError fault(std::string_view message) { return {0, std::string(message)}; }

}  // namespace

bool is_scalar_value(char32_t letter) { return letter <= 0x10FFFF && (letter < 0xD800 || letter > 0xDFFF); }

// TOK-8
Result<DecodedLetter> decode_letter(std::string_view bytes) {
  const unsigned lead = byte_at(bytes, 0);
  const std::size_t length = announced_length(lead);
  if (length == 0) {
    return fault(is_continuation(lead) ? "ill-formed UTF-8: stray continuation byte"
                                       : "ill-formed UTF-8: byte that occurs in no text");
  }
  char32_t value = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const std::string_view early = fault_of_beginning(value, i, length);
    if (!early.empty()) return fault(early);
    if (i >= bytes.size() || !is_continuation(byte_at(bytes, i))) {
      return fault("ill-formed UTF-8: truncated sequence");
    }
    value = (value << 6) | (byte_at(bytes, i) & 0x3FU);
  }
  const std::string_view late = fault_of(value, length);
  if (!late.empty()) return fault(late);
  return DecodedLetter{value, length};
}

Result<FiniteSequence<char32_t>> decode_utf8(std::string_view bytes) {
  std::vector<char32_t> letters;
  for (std::size_t offset = 0; offset < bytes.size();) {
    const auto decoded = decode_letter(bytes.substr(offset));
    if (const auto* error = std::get_if<TextError>(&decoded)) return TextError{offset, error->message};
    const auto& [letter, length] = std::get<DecodedLetter>(decoded);
    letters.push_back(letter);
    offset += length;
  }
  return FiniteSequence<char32_t>(std::move(letters));
}

std::optional<TextError> utf8_error(std::string_view bytes) {
  auto decoded = decode_utf8(bytes);
  if (auto* error = std::get_if<TextError>(&decoded)) return std::move(*error);
  return std::nullopt;
}

std::string encode_utf8(char32_t letter) {
  if (!is_scalar_value(letter)) throw std::domain_error("UTF-8: not a Unicode scalar value");
  if (letter < 0x80) return std::string(1, static_cast<char>(letter));
  const std::size_t length = letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
  std::string bytes(length, '\0');
  for (std::size_t i = length - 1; i > 0; --i, letter >>= 6)
    bytes[i] = static_cast<char>(0x80U | (letter & 0x3FU));
  bytes[0] = static_cast<char>((0xF00U >> length) | letter);
  return bytes;
}

std::string encode_utf8(const FiniteSequence<char32_t>& letters) {
  std::string bytes;
  for (const char32_t letter : letters) bytes += encode_utf8(letter);
  return bytes;
}

// TOK-6
std::size_t unfinished_bytes(std::string_view bytes) {
  for (std::size_t present = std::min<std::size_t>(3, bytes.size()); present > 0; --present) {
    const std::string_view tail = bytes.substr(bytes.size() - present);
    const std::size_t length = announced_length(byte_at(tail, 0));
    if (length <= present) continue;
    const bool continues = std::all_of(tail.begin() + 1, tail.end(),
                                       [](char c) { return is_continuation(static_cast<unsigned char>(c)); });
    if (!continues) continue;
    char32_t value = byte_at(tail, 0) & (0x7FU >> length);
    for (std::size_t i = 1; i < present; ++i) value = (value << 6) | (byte_at(tail, i) & 0x3FU);
    if (fault_of_beginning(value, present, length).empty()) return present;
  }
  return 0;
}

}  // namespace etalon
