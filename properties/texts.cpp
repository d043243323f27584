#include "properties/texts.hpp"

#include <array>
#include <utility>

#include "reference/utf8.hpp"

namespace etalon {
namespace {

template <std::size_t size>
std::string_view pick(const std::array<std::string_view, size>& choices, Stream& stream) {
  return choices[static_cast<std::size_t>(stream.below(size))];
}

// Letters and pieces of a few letters; a text is a row of them.
constexpr std::array<std::string_view, 14> english_pieces = {
    "the ", "cat ", "I ", "like ", "a", "b", "token", "ing ", "s ", "Don't ", "3.14 ", "\n", ". ", "n't, "};
constexpr std::array<std::string_view, 10> space_pieces = {" ",  " ",    "  ",     "   ",    "\t",
                                                           "\n", "\r\n", "\u00A0", "\u3000", "a"};
constexpr std::array<std::string_view, 12> japanese_pieces = {"私", "は", "猫", "好き",     "好",   "き",
                                                              "。", "が", "、", "カ\u3099", "東京", "　"};
constexpr std::array<std::string_view, 9> special_pieces = {
    "<|endoftext|>", "<s>", "</s>", "<unk>", "<pad>", "[CLS]", "[SEP]", "<0x41>", " and "};
constexpr std::array<std::string_view, 6> run_letters = {"a", " ", "あ", "é", "😀", "\n"};

// The first and last scalar value of every length of encoding, the neighbours of the surrogates, the
// byte order mark, the replacement character, joiners and a combining accent.
constexpr std::array<char32_t, 18> edge_letters = {0x0,    0x7F,   0x80,   0x7FF,  0x800,   0xD7FF,
                                                   0xE000, 0xFFFD, 0xFEFF, 0xFFFF, 0x10000, 0x10FFFF,
                                                   0x301,  0x200D, 0xFE0F, 0x20,   0xA0,    0x1F468};

// Each length of encoding equally often, one letter in four an edge.
std::string unicode_letter(Stream& stream) {
  if (stream.below(4) == 0) return encode_utf8(edge_letters[static_cast<std::size_t>(stream.below(18))]);
  constexpr std::array<std::pair<std::int64_t, std::int64_t>, 5> ranges = {
      {{0, 0x7F}, {0x80, 0x7FF}, {0x800, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, 0x10FFFF}}};
  const auto& [low, high] = ranges[static_cast<std::size_t>(stream.below(ranges.size()))];
  return encode_utf8(static_cast<char32_t>(stream.between(low, high)));
}

std::string piece(TextKind kind, Stream& stream) {
  switch (kind) {
    case TextKind::english:
      return std::string(pick(english_pieces, stream));
    case TextKind::spaces:
      return std::string(pick(space_pieces, stream));
    case TextKind::japanese:
      return std::string(pick(japanese_pieces, stream));
    case TextKind::specials:
      return std::string(pick(special_pieces, stream));
    case TextKind::bytes:
      return std::string(1, static_cast<char>(stream.below(256)));
    default:
      return unicode_letter(stream);
  }
}

std::string run(std::int64_t n, Stream& stream) {
  const std::string_view letter = pick(run_letters, stream);
  std::string text;
  for (std::int64_t i = 0; i < n; ++i) text += letter;
  return text;
}

}  // namespace

Parameter text_kind(std::string_view name) {
  return Parameter::choice(name,
                           {"english", "spaces", "japanese", "unicode", "run", "mixed", "specials", "bytes"});
}

std::string sample_text(TextKind kind, std::int64_t n, Stream& stream) {
  if (kind == TextKind::run) return run(n, stream);
  std::string text;
  TextKind now = kind;
  for (std::int64_t i = 0; i < n; ++i) {
    if (kind == TextKind::mixed && i % 3 == 0) now = static_cast<TextKind>(stream.below(4));
    text += piece(now, stream);
  }
  return text;
}

}  // namespace etalon
