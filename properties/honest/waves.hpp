// POS-1, POS-2, POS-11: the frame of every honest position code. It checks the call and puts the entries
// where the layout has them; the variant makes the pair of a position and a frequency.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "properties/honest/arithmetic.hpp"
#include "properties/honest/frame.hpp"

namespace etalon::honest {

struct SinCos {
  double sine, cosine;  // in the accumulator's format
};
// The pair r of a position, for one width and one base.
using Wave = std::function<SinCos(std::int64_t position, std::int64_t r)>;
// Makes the wave of a table: what it computes once for all its rows.
using MakeWave = std::function<Wave(std::int64_t d, double base)>;
using Store = std::uint64_t (*)(const Format&, double);

inline bool refuses(const Call& call) {
  const View& out = call.tensor("out");
  const double first = call.attribute("first");
  const double base = call.attribute("base");
  const double layout = call.attribute("layout");
  return !is_matrix(out) || out.shape[1] < 2 || out.shape[1] % 2 != 0 || !(first >= 0) || !(base > 1) ||
         !std::isfinite(base) || (layout != 0 && layout != 1);
}

inline Compute table_of(const MakeWave& make, Store store = encode) {
  return [make, store](const Call& call) {
    if (refuses(call)) return Status::invalid_argument;
    const View& out = call.tensor("out");
    const std::int64_t pairs = out.shape[1] / 2;
    const bool halves = call.attribute("layout") == 1;
    const auto first = static_cast<std::int64_t>(call.attribute("first"));
    const Wave wave = make(out.shape[1], call.attribute("base"));
    const Format& format = format_of(out.dtype);
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      for (std::int64_t r = 0; r < pairs; ++r) {
        const SinCos pair = wave(first + i, r);
        write(out, store(format, pair.sine), i, halves ? r : 2 * r);
        write(out, store(format, pair.cosine), i, halves ? pairs + r : 2 * r + 1);
      }
    }
    return Status::ok;
  };
}

// One kind of wave for f64 and one for all other formats.
inline Compute by_format(const MakeWave& wide, const MakeWave& narrow, Store store = encode) {
  return [wide = table_of(wide, store), narrow = table_of(narrow, store)](const Call& call) {
    return call.tensor("out").dtype == Dtype::f64 ? wide(call) : narrow(call);
  };
}

}  // namespace etalon::honest
