#include "conformance/cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace etalon::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

TextStyle output_style() {
  return {isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb"};
}

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) == 1 && variable("TERM") != "dumb") {}

ProgressLine::~ProgressLine() {
  if (shown_ && is_terminal_) std::fputs("\r\x1b[K", stderr);
}

void ProgressLine::show(std::size_t done, std::size_t all, const std::string& what) {
  const Clock::time_point now = Clock::now();
  if (now - last_ < (is_terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000)))
    return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string line = fmt::format("{}/{}  {:.0f} s  {}", done, all, seconds, what);
  if (is_terminal_) {
    // A line longer than the terminal would not be erased.
    fmt::print(stderr, "\r\x1b[K{}", line.substr(0, 78));
  } else {
    fmt::print(stderr, "etalon: {}\n", line);
  }
  std::fflush(stderr);
}

}  // namespace etalon::cli
