// The options by which commands choose what runs: clauses, dtypes, level, seed, jobs, limits.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "conformance/campaign.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {

struct SelectionOptions {
  std::vector<std::string> clauses;
  std::vector<std::string> dtypes;
  std::string level = "standard";
  std::string seed = "0";
  int jobs = 0;
  std::string timeout = fmt::format("{:g}", Limits().seconds);
  bool in_process = false;
};

// The options must outlive the parsing.
void add_selection_options(CLI::App& command, SelectionOptions& options);

// Throws Failure with the status `usage` where a text is no such thing.
Selection selection_of(const SelectionOptions& options);

// The clauses that are asked for and judged by laws; a pattern that names none is a Failure.
std::vector<std::string> clauses_of(const spec::Book& book, const Selection& selection);

}  // namespace etalon::cli
