// TOK: tokenizers as maps Tok: Sigma^* -> V^*, and longest match over a given vocabulary.
// Token IDs count from 1 (IDX-1); byte offsets in errors count from 0.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/utf8.hpp"
#include "reference/vocabulary.hpp"

namespace etalon {

using TokenIds = FiniteSequence<TokenId>;
using Tokens = FiniteSequence<TokenType>;

// TOK-7: whether special types take part. In `as_text`, text that spells a special type's name is
// text like any other, and a special id spells nothing. In `as_tokens`, names in the text become the
// special types (leftmost first, the longest where several begin), and special ids spell their names.
enum class Specials { as_text, as_tokens };

// Immutable once built: its functions depend on their arguments alone (TOK-1).
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  const TokenIdMap<TokenType>& iota() const { return iota_; }
  // TOK-2: Tok_ID = iota∘Tok, and Tok itself.
  Result<TokenIds> token_ids(std::string_view text, Specials specials = Specials::as_text) const;
  Result<Tokens> tokens(std::string_view text, Specials specials = Specials::as_text) const;
  // TOK-5: the spellings of the ids, joined. TOK-8: an error at the first id outside {1..V}.
  Result<std::string> text(const TokenIds& ids, Specials specials = Specials::as_text) const;

 protected:
  // Throws std::invalid_argument where a special type has no name or one that is no text.
  explicit Tokenizer(TokenIdMap<TokenType> iota);

 private:
  // TOK-8: why the whole input is refused, before any of it is looked at more closely.
  virtual std::optional<TextError> refusal(std::string_view text) const = 0;
  // Appends the ids of text without specials; an error where some letter has no token type.
  virtual std::optional<TextError> segment(std::string_view text, std::vector<TokenId>& ids) const = 0;
  const std::string* special_at(std::string_view text) const;

  TokenIdMap<TokenType> iota_;
  std::map<std::string, TokenId, std::greater<>> specials_;  // a name stands before its own prefixes
};

// TOK-6: text from ids that arrive one at a time, never a part of a letter. The pieces and the rest,
// joined, are the text of all ids; bytes that are no UTF-8 pass through as they are.
class StreamingDecoder {
 public:
  explicit StreamingDecoder(const Tokenizer& tokenizer, Specials specials = Specials::as_text)
      : tokenizer_(tokenizer), specials_(specials) {}

  // The text that is complete once this id is known. An error leaves the state as it was.
  Result<std::string> feed(TokenId id);
  // What is still held back, to be shown at the end of the stream.
  std::string finish();

 private:
  const Tokenizer& tokenizer_;
  Specials specials_;
  std::string pending_;  // the beginning of a letter, 0..3 bytes
};

// TOK-7: what longest match does with a letter that begins no spelling of the vocabulary.
enum class Fallback {
  bytes,    // its UTF-8 bytes, as byte types; lossless
  unknown,  // one occurrence of the unknown type; total, not lossless
  none,     // an error: Tok is total on Sigma^* for the Sigma of the letters that are types themselves
};

// TOK-7: from the left, always the longest piece that the rest of the text begins with.
class LongestMatchTokenizer final : public Tokenizer {
 public:
  // The pieces of the vocabulary must be non-empty well-formed UTF-8. Fallback::bytes needs all 256
  // byte types, Fallback::unknown exactly one unknown type. Throws std::invalid_argument otherwise.
  LongestMatchTokenizer(TokenIdMap<TokenType> iota, Fallback fallback);

 private:
  std::optional<TextError> refusal(std::string_view text) const override { return utf8_error(text); }
  std::optional<TextError> segment(std::string_view text, std::vector<TokenId>& ids) const override;
  const TokenId* longest_piece(std::string_view text, std::size_t& length) const;
  bool fall_back(std::string_view letter, std::vector<TokenId>& ids) const;

  Fallback fallback_;
  std::map<std::string, TokenId, std::less<>> pieces_;
  std::size_t longest_ = 0;  // bytes of the longest piece
  std::vector<TokenId> bytes_;
  TokenId unknown_ = 0;
};

// An enumeration of token types: the pieces in the order given, then the 256 byte types or the
// unknown type where the fallback asks for them, then the specials.
Tokens enumerate_types(const std::vector<std::string>& pieces, Fallback fallback,
                       const std::vector<std::string>& specials = {});

}  // namespace etalon
