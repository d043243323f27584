#include "properties/stream.hpp"

#include <algorithm>
#include <cmath>

namespace etalon {
namespace {

__extension__ using Wide = unsigned __int128;

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words.
constexpr std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31);
}

// FNV-1a, then mixed: equal names give equal keys on every platform.
constexpr std::uint64_t hash(std::string_view text, std::uint64_t state) {
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return state;
}

double draw_extreme(const Format& format, Stream& stream) {
  const double sign = stream.below(2) == 0 ? 1 : -1;
  const int low = format.emin - format.precision + 1;
  switch (stream.below(8)) {
    case 0:
      return sign * 0.0;
    case 1:
      return sign * format.largest_finite();
    case 2:
      return sign * format.smallest_subnormal() * static_cast<double>(1 + stream.below(7));
    case 3: {  // a binade edge or its neighbour
      const double edge = std::ldexp(1.0, static_cast<int>(stream.between(format.emin, format.emax)));
      return sign * (stream.below(2) == 0 ? edge : edge - ulp(format, edge) / 2);
    }
    default: {
      const double exponent = static_cast<double>(stream.between(low, format.emax));
      return sign *
             std::min(std::ldexp(1 + stream.unit(), static_cast<int>(exponent)), format.largest_finite());
    }
  }
}

double draw_special(const Format& format, Stream& stream) {
  switch (stream.below(24)) {
    case 0:
      return std::nan("");
    case 1:
      return HUGE_VAL;
    case 2:
      return -HUGE_VAL;
    default:
      return draw_extreme(format, stream);
  }
}

double draw(const Format& format, Pattern pattern, Stream& stream) {
  switch (pattern) {
    case Pattern::lattice: {
      const std::int64_t reach = format.precision < 11 ? 8 : 63;
      return static_cast<double>(stream.between(-reach, reach));
    }
    case Pattern::unit:
      return 2 * stream.unit() - 1;
    case Pattern::positive:
      return stream.unit();
    case Pattern::wide: {
      const double sign = stream.below(2) == 0 ? 1 : -1;
      return sign * std::ldexp(1 + stream.unit(), static_cast<int>(stream.between(-12, 12)));
    }
    case Pattern::extreme:
      return draw_extreme(format, stream);
    default:
      return draw_special(format, stream);
  }
}

}  // namespace

Stream::Stream(std::string_view key, std::string_view label)
    : key_(mix(hash(label, mix(hash(key, 0xCBF29CE484222325U))))) {}

std::uint64_t Stream::word(std::uint64_t counter) const {
  return mix(key_ + (counter + 1) * 0x9E3779B97F4A7C15U);
}

// Multiply-shift (Lemire 2019): the bias is below bound / 2^64.
std::uint64_t Stream::below(std::uint64_t bound) {
  return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
}

std::int64_t Stream::between(std::int64_t low, std::int64_t high) {
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = span == 0 ? next() : below(span);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Stream::unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::string_view name_of(Pattern pattern) {
  constexpr std::string_view names[] = {"lattice", "unit", "positive", "wide", "extreme", "special", "bits"};
  return names[static_cast<std::size_t>(pattern)];
}

void fill(Tensor& tensor, Pattern pattern, Stream& stream) {
  const Format& format = format_of(tensor.dtype());
  const std::int64_t count = tensor.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    if (pattern == Pattern::bits) {
      tensor.set_bits(i, stream.next());
    } else {
      tensor.set(i, draw(format, pattern, stream));
    }
  }
}

void fill_ids(Tensor& ids, std::int64_t rows, Stream& stream) {
  const std::int64_t count = ids.elements();
  for (std::int64_t i = 0; i < count; ++i) ids.set_integer(i, stream.between(0, rows - 1));
}

}  // namespace etalon
