// etalon check: the main job.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>
#include <thread>

#include "conformance/campaign.hpp"
#include "conformance/cli/cli.hpp"
#include "conformance/cli/entrants.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/text.hpp"
#include "reference/oracle/self_check.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {
namespace {

struct Options {
  std::vector<std::string> backends;
  std::vector<std::string> clauses;
  std::vector<std::string> dtypes;
  std::string level = "standard";
  std::string seed = "0";
  int jobs = 0;
  std::string timeout = fmt::format("{:g}", Limits().seconds);
  bool in_process = false;
};

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

Selection selection_of(const Options& options) {
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

// The clauses that are asked for; a pattern that names none is a slip.
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

Exit check(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Selection selection = selection_of(options);
  const spec::Book book = spec::parse(spec::embedded_pages());
  Report report;
  report.clauses = clauses_of(book, selection);
  const std::string broken = oracle::self_check();
  if (!broken.empty())
    throw Failure(Exit::internal, "the reference cannot be trusted on this machine: " + broken);
  const std::vector<Entrant> entrants = entrants_of(options.backends);
  const std::vector<Fixture> fixtures = load_fixtures(fixtures_directory());
  {
    ProgressLine line;
    report.findings = run_campaign(entrants, fixtures, selection,
                                   [&](std::size_t done, std::size_t all, const Finding& last) {
                                     line.show(done, all, last.clause + " on " + last.subject);
                                   });
  }
  for (const Entrant& entrant : entrants) report.subjects.emplace_back(entrant.name, entrant.about);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_report(std::cout, report, book, output_style());
  return exit_of(totals_of(rows_of(report.findings)));
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Judge backends, clause by clause");
  command
      ->add_option(
          "--backend", options->backends,
          "A bundled backend by name, or a library by its path; may come again (default: all bundled ones)")
      ->type_name("NAME|FILE.so");
  command
      ->add_option("--clause", options->clauses,
                   "Only clauses that match, as in POS-4 or 'EMB-*'; may come again")
      ->type_name("GLOB");
  command
      ->add_option("--dtype", options->dtypes,
                   "Only these float dtypes: f64,f32,bf16,f16; laws without dtype are left out then")
      ->delimiter(',')
      ->type_name("LIST");
  command->add_option("--level", options->level, "How much: smoke (seconds), standard, full (long)")
      ->type_name("smoke|standard|full")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Draws other random cases")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--jobs", options->jobs, "Threads (default: one a core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--timeout", options->timeout, "Seconds that one case may take; 0: any time")
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_flag("--in-process", options->in_process,
                    "Run subjects in threads of this process instead of child processes: for sanitizers");
  command->footer(
      examples({"etalon check --level smoke", "etalon check --backend portable --clause 'POS-*' --dtype f32",
                "etalon check --backend ./mine.so --level full --seed 7"}) +
      "\n\nColumns: margin is the worst error divided by its proven bound, ulp the worst error in units of "
      "the\n"
      "last place, rounded the share of correctly rounded results, Q the root mean square of error over\n"
      "predicted error.");
  command->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace etalon::cli
