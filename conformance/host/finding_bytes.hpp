// A finding as bytes, for a pipe between two processes of one program on one machine.
#pragma once

#include <string>
#include <string_view>

#include "conformance/report/results.hpp"

namespace etalon {

std::string bytes_of(const Finding& finding);
// Throws std::runtime_error where the bytes are not those of a finding.
Finding finding_of(std::string_view bytes);

}  // namespace etalon
