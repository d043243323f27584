// TOK-8: UTF-8, strictly: exactly the byte strings that encode Unicode scalar values, each in its
// shortest form (RFC 3629).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "reference/sequences.hpp"

namespace etalon {

// U, the letters of text: the Unicode scalar values, 0..10FFFF without the surrogates D800..DFFF.
bool is_scalar_value(char32_t letter);

// What is wrong with an input, and the byte (for token sequences: the index), from 0, where it begins.
struct TextError {
  std::size_t offset = 0;
  std::string message;
};

// A value, or the reason why there is none.
template <typename T>
using Result = std::variant<T, TextError>;

// The letter at the start of `bytes` (which is not empty) and how many bytes encode it, 1..4.
struct DecodedLetter {
  char32_t letter = 0;
  std::size_t bytes = 0;
};
Result<DecodedLetter> decode_letter(std::string_view bytes);

// All letters; or where the first ill-formed part begins: a stray continuation byte, a byte that
// occurs in no text, an overlong form, a surrogate, a value above 10FFFF, a truncated sequence.
Result<FiniteSequence<char32_t>> decode_utf8(std::string_view bytes);
std::optional<TextError> utf8_error(std::string_view bytes);  // nullopt where well-formed

// Throws std::domain_error where the letter is no scalar value.
std::string encode_utf8(char32_t letter);
std::string encode_utf8(const FiniteSequence<char32_t>& letters);

// The length of the longest proper beginning of a letter at the end of `bytes`: 0..3 bytes that more
// bytes could complete. What stands before them can be shown without splitting a letter.
std::size_t unfinished_bytes(std::string_view bytes);

}  // namespace etalon
