// etalon check: the main job.
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/cli/entrants.hpp"
#include "conformance/cli/selection.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/text.hpp"
#include "reference/oracle/self_check.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {
namespace {

struct Options {
  std::vector<std::string> backends;
  SelectionOptions selection;
  bool trust = false;
};

Exit check(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  Selection selection = selection_of(options.selection);
  selection.asks_trust = options.trust;
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
  add_selection_options(*command, options->selection);
  command->add_flag(
      "--trust", options->trust,
      "Run mutants on every case: those on which none fails do not count (takes three times as long)");
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
