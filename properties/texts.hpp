// Texts for the laws of tokenizers: what users write, and what breaks careless code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/law.hpp"
#include "properties/stream.hpp"

namespace etalon {

enum class TextKind : int {
  english,   // words with single spaces
  spaces,    // leading, trailing and repeated white space of several kinds
  japanese,  // kana, kanji and full-width punctuation without spaces
  unicode,   // any scalar values: every length of encoding, the ends of their ranges, joiners
  run,       // one letter, many times
  mixed,     // stretches of the other kinds
  specials,  // ordinary text that spells the names of special token types
  bytes,     // any bytes: mostly ill-formed UTF-8
};

// A law's parameter over all kinds, its values in the order of TextKind.
Parameter text_kind(std::string_view name);

// About n letters (bytes: exactly n bytes); "" where n = 0.
std::string sample_text(TextKind kind, std::int64_t n, Stream& stream);

}  // namespace etalon
