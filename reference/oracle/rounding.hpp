// NUM-1: rounding an enclosure. Ziv's test: the rounded value of the truth is known where both ends
// of the enclosure round to it.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/numerics.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon::oracle {

// The bits of the truth rounded to nearest even, if every point of the enclosure rounds to them; else
// nullopt. Both ends are rounded once, from the exact sum hi + lo -+ radius. Zeros of both signs differ.
std::optional<std::uint64_t> round_to(const Format& format, const Ball& ball);

}  // namespace etalon::oracle
