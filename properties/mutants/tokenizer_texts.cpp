// What becomes of the text on its way in and out.
#include <algorithm>

#include "properties/mutants/tokenizer_subject.hpp"
#include "reference/utf8.hpp"

namespace etalon::tokenizing {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

Bytes replaced(Bytes text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != Bytes::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

Change before(Bytes (*change)(const Bytes&)) {
  return [change](FaultyTokenizer& subject) { subject.before = change; };
}
Change decoded(Bytes (*change)(const Bytes&)) {
  return [change](FaultyTokenizer& subject) { subject.decoded = change; };
}

// One letter after the other; `broken` stands for bytes that are none, and for letters of more than
// `most` bytes.
Bytes letter_by_letter(const Bytes& text, std::string_view broken, std::size_t most = 4) {
  Bytes kept;
  for (std::string_view rest = text; !rest.empty();) {
    const auto letter = decode_letter(rest);
    const auto* whole = std::get_if<DecodedLetter>(&letter);
    const std::size_t length = whole == nullptr ? 1 : whole->bytes;
    kept += whole == nullptr || length > most ? broken : rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return kept;
}

// Names of special types in the text become those types.
void specials_recognised(FaultyTokenizer& subject) {
  const Tokenizer& tokenizer = subject.tokenizer();
  subject.cut = [&tokenizer](const Bytes& text) -> std::optional<Ids> {
    const auto made = tokenizer.token_ids(text, Specials::as_tokens);
    const auto* k = std::get_if<TokenIds>(&made);
    if (k == nullptr) return std::nullopt;
    Ids ids;
    for (const TokenId id : *k) ids.push_back(id - 1);
    return ids;
  };
}

std::vector<Mutant> boundary_mutants() {
  const auto text = [](std::string_view name, std::string_view clause, Frequency met, std::string_view does,
                       const Change& change) {
    return mutant(name, "text boundaries", clause, met, does, change);
  };
  return {
      text("leading_space_dropped", "TOK-5", Frequency::common, "drops a space at the beginning",
           before([](const Bytes& s) { return s.starts_with(' ') ? s.substr(1) : s; })),
      text("leading_space_added", "TOK-5", Frequency::common,
           "puts a space before every text and leaves it there",
           before([](const Bytes& s) { return " " + s; })),
      text("trailing_space_dropped", "TOK-5", Frequency::common, "drops spaces at the end",
           before([](const Bytes& s) { return s.substr(0, s.find_last_not_of(' ') + 1); })),
      text("spaces_merged", "TOK-5", Frequency::common, "takes two spaces for one",
           before([](const Bytes& s) { return replaced(s, "  ", " "); })),
      text("decoded_space_stripped", "TOK-6", Frequency::common,
           "drops a space at the beginning of whatever it decodes",
           decoded([](const Bytes& s) { return s.starts_with(' ') ? s.substr(1) : s; })),
      text("space_from_nothing", "TOK-3", Frequency::occasional, "decodes no ids to a space",
           decoded([](const Bytes& s) { return s.empty() ? " " : s; })),
      text("empty_is_a_space", "TOK-5", Frequency::occasional, "gives the empty text the id of a space",
           before([](const Bytes& s) { return s.empty() ? " " : s; })),
      text("cleaned_up", "TOK-5", Frequency::common, "takes out spaces before full stops when it decodes",
           decoded([](const Bytes& s) { return replaced(s, " .", "."); })),
      text("specials_recognised", "TOK-7", Frequency::common, "takes text that spells a special type for it",
           specials_recognised),
      text("byte_names_recognised", "TOK-7", Frequency::occasional, "takes the text <0x41> for the byte 41",
           before([](const Bytes& s) { return replaced(s, "<0x41>", "A"); })),
  };
}

std::vector<Mutant> letter_mutants() {
  const auto copy = [](std::string_view name, std::string_view clause, Frequency met, std::string_view does,
                       const Change& change) {
    return mutant(name, "inexact copy", clause, met, does, change);
  };
  return {
      copy("normalised", "TOK-5", Frequency::common, "composes a letter and the mark after it",
           before([](const Bytes& s) { return replaced(s, "カ\u3099", "ガ"); })),
      copy("line_ends_normalised", "TOK-5", Frequency::common, "takes CR LF for LF",
           before([](const Bytes& s) { return replaced(s, "\r\n", "\n"); })),
      copy("small_letters", "TOK-5", Frequency::common, "makes letters small", before([](const Bytes& s) {
             Bytes small;
             for (const char c : s) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
             return small;
           })),
      copy("wide_space_narrowed", "TOK-5", Frequency::occasional,
           "takes every kind of space for the plain one",
           before([](const Bytes& s) { return replaced(replaced(s, "\u3000", " "), "\u00A0", " "); })),
      copy("zero_byte_ends", "TOK-5", Frequency::occasional, "ends the text at a zero byte",
           before([](const Bytes& s) { return s.substr(0, s.find('\0')); })),
      copy("rare_letters_lost", "TOK-5", Frequency::occasional, "replaces letters of four bytes",
           before([](const Bytes& s) { return utf8_error(s) ? s : letter_by_letter(s, replacement, 3); })),
      copy("ill_formed_replaced", "TOK-8", Frequency::common, "puts U+FFFD for bytes that are no letter",
           before([](const Bytes& s) { return letter_by_letter(s, replacement); })),
      copy("ill_formed_dropped", "TOK-8", Frequency::common, "leaves out bytes that are no letter",
           before([](const Bytes& s) { return letter_by_letter(s, ""); })),
      copy("parts_of_letters_replaced", "TOK-6", Frequency::common, "decodes parts of letters to U+FFFD",
           decoded([](const Bytes& s) { return letter_by_letter(s, replacement); })),
      copy("parts_of_letters_dropped", "TOK-6", Frequency::common, "decodes parts of letters to nothing",
           decoded([](const Bytes& s) { return letter_by_letter(s, ""); })),
  };
}

std::vector<Mutant> length_mutants() {
  return {
      mutant("text_of_512", "width", "TOK-5", Frequency::common, "reads 512 bytes and no more",
             before([](const Bytes& s) { return s.substr(0, 512); })),
      mutant("ids_of_64", "width", "TOK-5", Frequency::common, "answers 64 ids and no more",
             [](FaultyTokenizer& subject) {
               subject.after = [](Ids ids, const Bytes&) {
                 ids.resize(std::min<std::size_t>(ids.size(), 64));
                 return ids;
               };
             }),
      mutant("last_byte_of_16", "tile tails", "TOK-5", Frequency::rare,
             "loses the last byte of texts of 16 n + 1 bytes",
             before([](const Bytes& s) { return s.size() % 16 == 1 ? s.substr(0, s.size() - 1) : s; })),
      mutant("letter_across_chunks", "tile tails", "TOK-5", Frequency::occasional,
             "loses the letter that lies across the end of a chunk of 32 bytes", before([](const Bytes& s) {
               Bytes kept;
               for (std::size_t at = 0; at < s.size(); at += 32) {
                 const Bytes chunk = s.substr(at, 32);
                 kept += chunk.size() == 32 ? chunk.substr(0, 32 - unfinished_bytes(chunk)) : chunk;
               }
               return kept;
             })),
  };
}

}  // namespace

std::vector<Mutant> tokenizer_text_mutants() {
  return joined({boundary_mutants, letter_mutants, length_mutants});
}

}  // namespace etalon::tokenizing
