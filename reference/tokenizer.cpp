#include "reference/tokenizer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace etalon {
namespace {

bool is_text(std::string_view bytes) { return !bytes.empty() && !utf8_error(bytes).has_value(); }

std::string outside(TokenId k, std::size_t size) {
  return "token ID " + std::to_string(k) + " is outside 1.." + std::to_string(size);
}

// The ids of the 256 byte types, empty where one is missing.
std::vector<TokenId> byte_ids(const TokenIdMap<TokenType>& iota) {
  std::vector<TokenId> ids;
  for (int byte = 0; byte < 256; ++byte) {
    const auto id = iota.find({TokenKind::byte, std::string(1, static_cast<char>(byte))});
    if (!id.has_value()) return {};
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace

Tokenizer::Tokenizer(TokenIdMap<TokenType> iota) : iota_(std::move(iota)) {
  for (const TokenType& type : iota_.enumeration()) {
    if (type.kind != TokenKind::special) continue;
    if (!is_text(type.name)) throw std::invalid_argument("tokenizer: the name of a special type is no text");
    specials_.emplace(type.name, iota_(type));
  }
}

// The longest special name that `text` begins with: names stand in descending order, so of all
// prefixes of the text the longest comes first.
const std::string* Tokenizer::special_at(std::string_view text) const {
  const auto found = std::find_if(specials_.begin(), specials_.end(),
                                  [&](const auto& special) { return text.starts_with(special.first); });
  return found == specials_.end() ? nullptr : &found->first;
}

// TOK-2, TOK-3, TOK-8
Result<TokenIds> Tokenizer::token_ids(std::string_view text, Specials specials) const {
  if (auto error = refusal(text)) return *std::move(error);
  std::vector<TokenId> ids;
  std::size_t begin = 0;  // of the stretch of ordinary text that has not been segmented yet
  const auto flush = [&](std::size_t end) {
    auto error = segment(text.substr(begin, end - begin), ids);
    if (error.has_value()) error->offset += begin;
    return error;
  };
  for (std::size_t at = 0; specials == Specials::as_tokens && at < text.size();) {
    const std::string* name = special_at(text.substr(at));
    if (name == nullptr) {
      ++at;
      continue;
    }
    if (auto error = flush(at)) return *std::move(error);
    ids.push_back(specials_.at(*name));
    begin = at += name->size();
  }
  if (auto error = flush(text.size())) return *std::move(error);
  return TokenIds(std::move(ids));
}

// TOK-1: Tok(s) = iota^-1 of the ids, value by value.
Result<Tokens> Tokenizer::tokens(std::string_view text, Specials specials) const {
  auto ids = token_ids(text, specials);
  if (auto* error = std::get_if<TextError>(&ids)) return std::move(*error);
  const auto& k = std::get<TokenIds>(ids);
  return Tokens::of_map(k.length(), [&](std::size_t i) { return iota_.inverse(k(i)); });
}

// TOK-5, TOK-8
Result<std::string> Tokenizer::text(const TokenIds& ids, Specials specials) const {
  std::string text;
  for (std::size_t i = 1; i <= ids.length(); ++i) {
    if (!iota_.has(ids(i))) return TextError{i - 1, outside(ids(i), iota_.size())};
    const TokenType& type = iota_.inverse(ids(i));
    const bool by_name = type.kind == TokenKind::special && specials == Specials::as_tokens;
    text += by_name ? type.name : type.spelling();
  }
  return text;
}

// TOK-6
Result<std::string> StreamingDecoder::feed(TokenId id) {
  auto piece = tokenizer_.text(sequence_of(id), specials_);
  if (std::holds_alternative<TextError>(piece)) return piece;
  pending_ += std::get<std::string>(piece);
  std::string complete = pending_.substr(0, pending_.size() - unfinished_bytes(pending_));
  pending_.erase(0, complete.size());
  return complete;
}

std::string StreamingDecoder::finish() { return std::exchange(pending_, {}); }

LongestMatchTokenizer::LongestMatchTokenizer(TokenIdMap<TokenType> iota_map, Fallback fallback)
    : Tokenizer(std::move(iota_map)), fallback_(fallback) {
  std::size_t unknown_types = 0;
  for (const TokenType& type : iota().enumeration()) {
    if (type.kind == TokenKind::unknown) {
      unknown_ = iota()(type);
      ++unknown_types;
    }
    if (type.kind != TokenKind::piece) continue;
    if (!is_text(type.name)) throw std::invalid_argument("longest match: a piece is empty or no text");
    pieces_.emplace(type.name, iota()(type));
    longest_ = std::max(longest_, type.name.size());
  }
  bytes_ = byte_ids(iota());
  if (fallback_ == Fallback::bytes && bytes_.empty())
    throw std::invalid_argument("longest match: a byte type is missing");
  if (fallback_ == Fallback::unknown && unknown_types != 1) {
    throw std::invalid_argument("longest match: needs exactly one unknown type");
  }
}

// The longest piece that is a prefix of `text`. A piece is whole letters, so it ends where one ends.
const TokenId* LongestMatchTokenizer::longest_piece(std::string_view text, std::size_t& length) const {
  for (length = std::min(longest_, text.size()); length > 0; --length) {
    const auto found = pieces_.find(text.substr(0, length));
    if (found != pieces_.end()) return &found->second;
  }
  return nullptr;
}

bool LongestMatchTokenizer::fall_back(std::string_view letter, std::vector<TokenId>& ids) const {
  if (fallback_ == Fallback::none) return false;
  if (fallback_ == Fallback::unknown) {
    ids.push_back(unknown_);
    return true;
  }
  for (const char byte : letter) ids.push_back(bytes_[static_cast<unsigned char>(byte)]);
  return true;
}

// TOK-7
std::optional<TextError> LongestMatchTokenizer::segment(std::string_view text,
                                                        std::vector<TokenId>& ids) const {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t length = 0;
    if (const TokenId* id = longest_piece(rest, length)) {
      ids.push_back(*id);
    } else {
      length = std::get<DecodedLetter>(decode_letter(rest)).bytes;
      if (!fall_back(rest.substr(0, length), ids)) return TextError{at, "no token type spells this letter"};
    }
    at += length;
  }
  return std::nullopt;
}

Tokens enumerate_types(const std::vector<std::string>& pieces, Fallback fallback,
                       const std::vector<std::string>& specials) {
  std::vector<TokenType> types;
  for (const std::string& piece : pieces) types.push_back({TokenKind::piece, piece});
  if (fallback == Fallback::unknown) types.push_back({TokenKind::unknown, "unknown"});
  if (fallback == Fallback::bytes) {
    for (int byte = 0; byte < 256; ++byte)
      types.push_back({TokenKind::byte, std::string(1, static_cast<char>(byte))});
  }
  for (const std::string& special : specials) types.push_back({TokenKind::special, special});
  return Tokens(std::move(types));
}

}  // namespace etalon
