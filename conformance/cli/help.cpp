#include "conformance/cli/cli.hpp"

namespace etalon::cli {

std::string examples(std::initializer_list<std::string_view> lines) {
  std::string text = "Examples:";
  for (const std::string_view line : lines) text += "\n  " + std::string(line);
  return text;
}

}  // namespace etalon::cli
