#include "reference/utf8.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace etalon {
namespace {

// What the error says, and where; "" and npos for well-formed text.
struct Found {
  std::string message;
  std::size_t offset;
};
Found fault(std::string_view bytes) {
  const auto error = utf8_error(bytes);
  return error ? Found{error->message, error->offset} : Found{"", std::string::npos};
}

void expect_fault(std::string_view bytes, std::string_view part, std::size_t offset = 0) {
  const Found found = fault(bytes);
  EXPECT_NE(found.message.find(part), std::string::npos) << "got '" << found.message << "', want " << part;
  EXPECT_EQ(found.offset, offset);
}

// TOK-8: all 1 112 064 scalar values, encoded and decoded.
TEST(Utf8, RoundTripsEveryScalarValue) {
  std::size_t count = 0;
  for (char32_t letter = 0; letter <= 0x10FFFF; ++letter) {
    if (!is_scalar_value(letter)) continue;
    const std::string bytes = encode_utf8(letter);
    const auto decoded = decode_letter(bytes);
    const auto* found = std::get_if<DecodedLetter>(&decoded);
    ASSERT_TRUE(found != nullptr) << static_cast<unsigned long>(letter);
    ASSERT_EQ(found->letter, letter);
    ASSERT_EQ(found->bytes, bytes.size());
    ++count;
  }
  EXPECT_EQ(count, 1112064U);
}

// TOK-8: of all strings of one or two bytes, exactly the encodings are well-formed.
TEST(Utf8, AcceptsExactlyTheEncodingsAmongShortStrings) {
  int accepted = 0;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string bytes = {static_cast<char>(a), static_cast<char>(b)};
      accepted += utf8_error(bytes) ? 0 : 1;
    }
  }
  EXPECT_EQ(accepted, 128 * 128 + (0x800 - 0x80));
}

// TOK-8: of all strings of three bytes that begin as a three-byte letter, exactly the encodings.
TEST(Utf8, AcceptsExactlyTheEncodingsOfThreeBytes) {
  int accepted = 0;
  for (int a = 0xE0; a < 0xF0; ++a) {
    for (int b = 0; b < 256; ++b) {
      for (int c = 0; c < 256; ++c) {
        const std::string bytes = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)};
        accepted += utf8_error(bytes) ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(accepted, 0x10000 - 0x800 - 0x800);
}

TEST(Utf8, NamesEveryClassOfFault) {
  expect_fault("\x80", "stray continuation");
  expect_fault("\xBF", "stray continuation");
  expect_fault("\xFE", "occurs in no text");
  expect_fault("\xF8\x88\x80\x80\x80", "occurs in no text");
  expect_fault("\xC0\x80", "overlong");
  expect_fault("\xC1\xBF", "overlong");
  expect_fault("\xE0\x9F\xBF", "overlong");
  expect_fault("\xF0\x8F\xBF\xBF", "overlong");
  expect_fault("\xED\xA0\x80", "surrogate");
  expect_fault("\xED\xBF\xBF", "surrogate");
  expect_fault("\xF4\x90\x80\x80", "above U+10FFFF");
  expect_fault("\xF5\x80\x80\x80", "above U+10FFFF");
  expect_fault("\xE3\x81", "truncated");
  expect_fault("\xC3", "truncated");
  expect_fault("\xF0\x9F\x98 ", "truncated");
  expect_fault("\xC3\xC3\xA9", "truncated");
}

TEST(Utf8, TellsTheByteWhereTheFaultBegins) {
  expect_fault("abc\xFF", "occurs in no text", 3);
  expect_fault("猫\xE7\x8C", "truncated", 3);
  expect_fault("\xF0\x9F\x98\x80\xED\xA0\x80", "surrogate", 4);
}

TEST(Utf8, AcceptsTheNeighboursOfEveryFault) {
  for (const std::string_view bytes : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                       "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(fault(bytes).message, "");
  }
  EXPECT_EQ(fault(std::string_view("a\0b", 3)).message, "");
  EXPECT_EQ(fault("").message, "");
}

TEST(Utf8, EncodesNothingButScalarValues) {
  EXPECT_THROW(encode_utf8(char32_t{0xD800}), std::domain_error);
  EXPECT_THROW(encode_utf8(char32_t{0xDFFF}), std::domain_error);
  EXPECT_THROW(encode_utf8(char32_t{0x110000}), std::domain_error);
  EXPECT_EQ(encode_utf8(FiniteSequence<char32_t>({U'a', U'猫', U'😀'})), "a猫😀");
  EXPECT_EQ(encode_utf8(FiniteSequence<char32_t>()), "");
}

// TOK-6: a beginning is held back exactly where more bytes could complete it.
TEST(Utf8, FindsUnfinishedLetters) {
  EXPECT_EQ(unfinished_bytes(""), 0U);
  EXPECT_EQ(unfinished_bytes("a"), 0U);
  EXPECT_EQ(unfinished_bytes("猫"), 0U);
  EXPECT_EQ(unfinished_bytes("a\xE7"), 1U);
  EXPECT_EQ(unfinished_bytes("a\xE7\x8C"), 2U);
  EXPECT_EQ(unfinished_bytes("\xF0\x9F\x98"), 3U);
  EXPECT_EQ(unfinished_bytes("\xF0\x9F\x98\x80"), 0U);
  EXPECT_EQ(unfinished_bytes("\x80"), 0U) << "a stray continuation byte completes nothing";
  EXPECT_EQ(unfinished_bytes("\xC0"), 0U) << "an overlong form cannot become a letter";
  EXPECT_EQ(unfinished_bytes("\xED\xA0"), 0U) << "a surrogate cannot become a letter";
  EXPECT_EQ(unfinished_bytes("\xF4\x90"), 0U);
  EXPECT_EQ(unfinished_bytes("\xFF\xE3"), 1U);
  EXPECT_EQ(unfinished_bytes("\xE7 \x8C"), 0U);
}

// TOK-6: the same for every proper beginning of every 97th letter.
TEST(Utf8, EveryProperBeginningIsUnfinished) {
  for (char32_t letter = 0; letter <= 0x10FFFF; letter += 97) {
    if (!is_scalar_value(letter)) continue;
    const std::string bytes = encode_utf8(letter);
    for (std::size_t k = 1; k < bytes.size(); ++k) ASSERT_EQ(unfinished_bytes("x" + bytes.substr(0, k)), k);
  }
}

}  // namespace
}  // namespace etalon
