// SEQ: finite sequences as maps {1..n} -> A, the sets A^n and A^*, and alphabets.
// Positions count from 1, as in the mathematics (IDX-1). Finite sets are std::set; their storage
// order, and the order of sequences, serve containers only and mean nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace etalon {

// SEQ-1: a map w: {1..n} -> A. Equal iff the lengths and all values are equal.
template <typename A>
class FiniteSequence {
  static_assert(!std::is_same_v<A, bool>, "std::vector<bool> has no elements to refer to");

 public:
  FiniteSequence() = default;  // SEQ-2: epsilon, the empty map
  explicit FiniteSequence(std::vector<A> values) : values_(std::move(values)) {}

  // The map with values f(1), ..., f(n).
  template <typename Map>
  static FiniteSequence of_map(std::size_t n, const Map& f) {
    std::vector<A> values;
    values.reserve(n);
    for (std::size_t i = 1; i <= n; ++i) values.push_back(f(i));
    return FiniteSequence(std::move(values));
  }

  std::size_t length() const { return values_.size(); }
  // w(i). Throws std::out_of_range unless 1 <= i <= length().
  const A& operator()(std::size_t i) const {
    if (i < 1 || i > values_.size()) throw std::out_of_range("sequence: position outside {1..n}");
    return values_[i - 1];
  }
  // The values from the first to the last, for loops over all of them.
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  bool operator==(const FiniteSequence&) const = default;
  auto operator<=>(const FiniteSequence&) const = default;

 private:
  std::vector<A> values_;
};

// SEQ-4: a -> w_a, the one-element sequence with w_a(1) = a. A bijection A -> A^1; `a` and `w_a`
// have different types, so neither passes for the other.
template <typename A>
FiniteSequence<A> sequence_of(const A& a) {
  return FiniteSequence<A>::of_map(1, [&](std::size_t) { return a; });
}

// SEQ-4: its inverse w -> w(1). Throws std::domain_error unless w is in A^1.
template <typename A>
A element_of(const FiniteSequence<A>& w) {
  if (w.length() != 1) throw std::domain_error("sequence: not of length 1");
  return w(1);
}

// SEQ-6: uv, with (uv)(i) = u(i) for i <= |u| and v(i - |u|) beyond.
template <typename A>
FiniteSequence<A> concatenate(const FiniteSequence<A>& u, const FiniteSequence<A>& v) {
  return FiniteSequence<A>::of_map(u.length() + v.length(), [&](std::size_t i) -> const A& {
    return i <= u.length() ? u(i) : v(i - u.length());
  });
}

// SEQ-6: the first, or last, k values. Throws std::out_of_range where k > |w|.
template <typename A>
FiniteSequence<A> prefix(const FiniteSequence<A>& w, std::size_t k) {
  return FiniteSequence<A>::of_map(k, [&](std::size_t i) -> const A& { return w(i); });
}
template <typename A>
FiniteSequence<A> suffix(const FiniteSequence<A>& w, std::size_t k) {
  if (k > w.length()) throw std::out_of_range("sequence: suffix longer than the whole");
  return FiniteSequence<A>::of_map(k, [&](std::size_t i) -> const A& { return w(w.length() - k + i); });
}

// SEQ-3: the elements of A^n, one a call, each exactly once; nullopt when there are no more.
// SEQ-2: A^0 has one element for every A; A^n has none for A empty and n > 0.
template <typename A>
class Power {
 public:
  Power(const std::set<A>& set, std::size_t n)
      : elements_(set.begin(), set.end()), digits_(n, 0), done_(n > 0 && set.empty()) {}

  std::optional<FiniteSequence<A>> next() {
    if (done_) return std::nullopt;
    auto w = FiniteSequence<A>::of_map(digits_.size(),
                                       [&](std::size_t i) -> const A& { return elements_[digits_[i - 1]]; });
    advance();
    return w;
  }

 private:
  // An odometer in base |A|: the last position turns fastest.
  void advance() {
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (++digits_[i] < elements_.size()) return;
      digits_[i] = 0;
    }
    done_ = true;
  }

  std::vector<A> elements_;
  std::vector<std::size_t> digits_;
  bool done_;
};

// SEQ-5: the elements of A^*, shorter ones first, each exactly once. Never ends unless A is empty.
template <typename A>
class Star {
 public:
  explicit Star(std::set<A> set) : set_(std::move(set)), power_(set_, 0) {}

  std::optional<FiniteSequence<A>> next() {
    auto w = power_.next();
    if (w.has_value() || set_.empty()) return w;
    power_ = Power<A>(set_, ++length_);
    return power_.next();
  }

 private:
  std::set<A> set_;
  std::size_t length_ = 0;
  Power<A> power_;
};

// SEQ-7: a non-empty finite subset of a candidate set U, which is given by its membership test.
// Epsilon is a sequence and no letter: its type keeps it out of every U (SEQ-5).
template <typename Letter>
class Alphabet {
 public:
  // Throws std::invalid_argument where `letters` is empty or not a subset of U.
  Alphabet(const std::function<bool(const Letter&)>& in_candidates, std::set<Letter> letters)
      : letters_(std::move(letters)) {
    if (letters_.empty()) throw std::invalid_argument("alphabet: empty");
    for (const Letter& letter : letters_) {
      if (!in_candidates(letter)) throw std::invalid_argument("alphabet: a letter is no candidate");
    }
  }

  const std::set<Letter>& letters() const { return letters_; }
  bool contains(const Letter& letter) const { return letters_.contains(letter); }
  // Whether w is in Sigma^*: every letter of w is in Sigma.
  bool spells(const FiniteSequence<Letter>& w) const {
    for (const Letter& letter : w) {
      if (!contains(letter)) return false;
    }
    return true;
  }
  bool operator==(const Alphabet&) const = default;

 private:
  std::set<Letter> letters_;
};

// A natural number of any size, kept as its decimal digits: for counting, not for speed.
class Natural {
 public:
  explicit Natural(std::uint64_t value = 0);
  // base^exponent, with 0^0 = 1. Throws std::length_error where the result would need more than
  // 2^26 bits.
  static Natural power(std::uint64_t base, std::uint64_t exponent);
  static Natural factorial(std::uint64_t n);  // likewise

  const std::string& decimal() const { return digits_; }
  bool operator==(const Natural&) const = default;
  friend Natural operator+(const Natural& a, const Natural& b);
  friend Natural operator*(const Natural& a, const Natural& b);

 private:
  std::string digits_;
};

// SEQ-3: |A^n| = |A|^n.
inline Natural count_sequences(std::uint64_t letters, std::uint64_t n) { return Natural::power(letters, n); }

}  // namespace etalon
