#include "conformance/cli/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <thread>

#include "conformance/cli/cli.hpp"

namespace etalon::cli {
namespace {

Level level_named(const std::string& name) {
  for (const Level level : {Level::smoke, Level::standard, Level::full}) {
    if (name_of(level) == name) return level;
  }
  throw Failure(Exit::usage, "no level is named '" + name + "'; use smoke, standard or full");
}

std::vector<Dtype> dtypes_named(const std::vector<std::string>& names) {
  std::vector<Dtype> dtypes;
  for (const std::string& name : names) {
    const std::optional<Dtype> dtype = dtype_named(name);
    if (!dtype || !is_float(*dtype))
      throw Failure(Exit::usage, "no float dtype is named '" + name + "'; use f64, f32, bf16 or f16");
    dtypes.push_back(*dtype);
  }
  return dtypes;
}

// Strict: a slip such as -1 or 1e400 must not turn into some other number.
template <typename Number>
std::optional<Number> number_in(const std::string& text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::uint64_t seed_in(const std::string& text) {
  const auto seed = number_in<std::uint64_t>(text);
  if (!seed)
    throw Failure(Exit::usage,
                  "'" + text + "' is no seed; use a whole number from 0 to 18446744073709551615");
  return *seed;
}

double seconds_in(const std::string& text) {
  const auto seconds = number_in<double>(text);
  if (!seconds || !(*seconds >= 0) || std::isinf(*seconds))
    throw Failure(Exit::usage, "'" + text + "' is no time; --timeout takes seconds, as in 2.5, or 0 for any");
  return *seconds;
}

}  // namespace

void add_selection_options(CLI::App& command, SelectionOptions& options) {
  command
      .add_option("--clause", options.clauses,
                  "Only clauses that match, as in POS-4 or 'EMB-*'; may come again")
      ->type_name("GLOB");
  command
      .add_option("--dtype", options.dtypes,
                  "Only these float dtypes: f64,f32,bf16,f16; laws without dtype are left out then")
      ->delimiter(',')
      ->type_name("LIST");
  command.add_option("--level", options.level, "How much: smoke (seconds), standard, full (long)")
      ->type_name("smoke|standard|full")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Draws other random cases")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--jobs", options.jobs, "Threads (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_option("--timeout", options.timeout, "Seconds that one case may take; 0: any time")
      ->type_name("SECONDS")
      ->capture_default_str();
  command.add_flag("--in-process", options.in_process,
                   "Run subjects in threads of this process instead of child processes: for sanitizers");
}

Selection selection_of(const SelectionOptions& options) {
  Selection selection;
  selection.clauses = options.clauses;
  selection.dtypes = dtypes_named(options.dtypes);
  selection.options.level = level_named(options.level);
  selection.options.seed = seed_in(options.seed);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  selection.jobs = options.jobs > 0 ? options.jobs : static_cast<int>(cores);
  selection.isolated = !options.in_process;
  selection.limits.seconds = seconds_in(options.timeout);
  return selection;
}

std::vector<std::string> clauses_of(const spec::Book& book, const Selection& selection) {
  for (const std::string& pattern : selection.clauses) {
    const bool any = std::any_of(book.clauses.begin(), book.clauses.end(), [&](const spec::Clause& clause) {
      return glob_matches(pattern, clause.token);
    });
    if (!any) throw Failure(Exit::usage, "no clause matches '" + pattern + "'; see: etalon list clauses");
  }
  std::vector<std::string> tokens;
  for (const spec::Clause& clause : book.clauses) {
    // Interface clauses are not judged by running laws.
    const bool by_law = clause.required.contains(spec::Home::law);
    if (by_law && selection.takes_clause(clause.token)) tokens.push_back(clause.token);
  }
  return tokens;
}

}  // namespace etalon::cli
