// VOC: vocabularies, token-ID maps (iota), relabelling and token occurrences.
// Positions and token IDs count from 1, as in the mathematics (IDX-1).
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/sequences.hpp"

namespace etalon {

using TokenId = std::int64_t;  // k = 1..V

// VOC-3: what a token type stands for. Two types may share a spelling and still be two types.
enum class TokenKind : int {
  piece,    // a string of one or more letters (or bytes)
  byte,     // one byte of an encoded text
  unknown,  // stands for letters that no other type spells; spells none
  special,  // a mark such as an end of text; spells none
};

struct TokenType {
  TokenKind kind = TokenKind::piece;
  std::string name;  // pieces and bytes: the bytes they spell; others: what people call them

  // VOC-3: the bytes that the type contributes to a text; empty for unknown and special types.
  std::string spelling() const {
    return kind == TokenKind::piece || kind == TokenKind::byte ? name : std::string();
  }
  bool operator==(const TokenType&) const = default;
  auto operator<=>(const TokenType&) const = default;
};

// VOC-1: a non-empty finite set of token types, without order.
template <typename Type>
class Vocabulary {
 public:
  // Throws std::invalid_argument where there is no type.
  explicit Vocabulary(std::set<Type> types) : types_(std::move(types)) {
    if (types_.empty()) throw std::invalid_argument("vocabulary: empty");
  }

  std::size_t size() const { return types_.size(); }  // V
  bool contains(const Type& type) const { return types_.contains(type); }
  const std::set<Type>& types() const { return types_; }
  bool operator==(const Vocabulary&) const = default;

 private:
  std::set<Type> types_;
};

// VOC-5: a permutation p of {1..V}.
class Permutation {
 public:
  // p(k) = images(k). Throws std::invalid_argument unless images is a bijection of {1..V}.
  explicit Permutation(FiniteSequence<TokenId> images) : images_(std::move(images)) {
    const std::set<TokenId> distinct(images_.begin(), images_.end());
    const auto size = static_cast<TokenId>(images_.length());
    if (distinct.size() != images_.length() || size == 0 || *distinct.begin() != 1 ||
        *distinct.rbegin() != size) {
      throw std::invalid_argument("permutation: not a bijection of {1..V}");
    }
  }

  std::size_t size() const { return images_.length(); }
  TokenId operator()(TokenId k) const { return images_(static_cast<std::size_t>(k)); }
  bool operator==(const Permutation&) const = default;

 private:
  FiniteSequence<TokenId> images_;
};

// VOC-2: iota, a bijection from a vocabulary to {1..V}, with its inverse.
template <typename Type>
class TokenIdMap {
 public:
  // iota(tau_k) = k for the enumeration tau_1, ..., tau_V. Throws std::invalid_argument where it is
  // empty or lists a type twice.
  explicit TokenIdMap(FiniteSequence<Type> enumeration) : types_(std::move(enumeration)) {
    if (types_.length() == 0) throw std::invalid_argument("token-ID map: empty vocabulary");
    TokenId k = 0;
    for (const Type& type : types_) {
      if (!ids_.emplace(type, ++k).second)
        throw std::invalid_argument("token-ID map: a type is listed twice");
    }
  }

  std::size_t size() const { return types_.length(); }  // V
  // iota(tau). Throws std::out_of_range where tau is not in the vocabulary.
  TokenId operator()(const Type& type) const { return ids_.at(type); }
  std::optional<TokenId> find(const Type& type) const {
    const auto found = ids_.find(type);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  bool has(TokenId k) const { return k >= 1 && k <= static_cast<TokenId>(size()); }
  // iota^-1(k). Throws std::out_of_range unless 1 <= k <= V.
  const Type& inverse(TokenId k) const {
    if (!has(k)) throw std::out_of_range("token-ID map: id outside {1..V}");
    return types_(static_cast<std::size_t>(k));
  }
  const FiniteSequence<Type>& enumeration() const { return types_; }  // tau_1, ..., tau_V
  Vocabulary<Type> vocabulary() const {
    return Vocabulary<Type>(std::set<Type>(types_.begin(), types_.end()));
  }

  // VOC-5: p∘iota. Throws std::invalid_argument where the sizes differ.
  TokenIdMap relabelled(const Permutation& p) const { return TokenIdMap(permute_rows(types_, p)); }

  bool operator==(const TokenIdMap& other) const { return types_ == other.types_; }

 private:
  FiniteSequence<Type> types_;   // iota^-1
  std::map<Type, TokenId> ids_;  // iota
};

// VOC-5: the rows of a table moved along with the labels: row p(k) of the result is row k of `rows`.
// Throws std::invalid_argument where the sizes differ.
template <typename Row>
FiniteSequence<Row> permute_rows(const FiniteSequence<Row>& rows, const Permutation& p) {
  if (rows.length() != p.size()) throw std::invalid_argument("permute_rows: sizes differ");
  std::vector<Row> moved(rows.begin(), rows.end());
  TokenId k = 0;
  for (const Row& row : rows) moved[static_cast<std::size_t>(p(++k) - 1)] = row;
  return FiniteSequence<Row>(std::move(moved));
}

// VOC-2: every token-ID map of a vocabulary, each exactly once: V! of them.
template <typename Type>
class TokenIdMaps {
 public:
  explicit TokenIdMaps(const Vocabulary<Type>& vocabulary)
      : order_(vocabulary.types().begin(), vocabulary.types().end()) {}

  std::optional<TokenIdMap<Type>> next() {
    if (done_) return std::nullopt;
    TokenIdMap<Type> iota{FiniteSequence<Type>(order_)};
    done_ = !std::next_permutation(order_.begin(), order_.end());
    return iota;
  }

 private:
  std::vector<Type> order_;
  bool done_ = false;
};

// VOC-4: a token type at a position i >= 1 of a token sequence.
template <typename Type>
struct TokenOccurrence {
  std::size_t position = 0;
  Type type;
  bool operator==(const TokenOccurrence&) const = default;
};

// VOC-4: the occurrences (1, t(1)), ..., (n, t(n)) of a token sequence; none for the empty one.
template <typename Type>
std::vector<TokenOccurrence<Type>> occurrences(const FiniteSequence<Type>& tokens) {
  std::vector<TokenOccurrence<Type>> result;
  result.reserve(tokens.length());
  for (const Type& type : tokens) result.push_back({result.size() + 1, type});
  return result;
}

}  // namespace etalon
