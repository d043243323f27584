// What the program may do to the terminal: colours, and one line of progress that rewrites itself.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "conformance/report/text.hpp"

namespace etalon::cli {

// Colours where standard output is a terminal that has them and NO_COLOR (https://no-color.org) is not set.
TextStyle output_style();

// Progress on stderr: on a terminal one line rewritten at most ten times a second and erased at the end;
// elsewhere a plain line every ten seconds.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::size_t done, std::size_t all, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  bool is_terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace etalon::cli
