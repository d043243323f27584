// etalon power: the suite measures itself.
#include "conformance/report/power.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/cli/selection.hpp"
#include "conformance/cli/terminal.hpp"
#include "reference/oracle/self_check.hpp"

namespace etalon::cli {
namespace {

struct Options {
  SelectionOptions selection;
  std::vector<std::string> subjects;
  int seeds = 1;
  double attack = PowerOptions().attack_seconds;
  std::string json;
};

void write_json(const std::string& file, const Power& power) {
  std::ofstream stream(file, std::ios::binary);
  stream << power_json(power);
  stream.close();
  if (!stream) throw Failure(Exit::usage, "'" + file + "' cannot be written; give --json another place");
}

Power power_of(const PowerOptions& asked) {
  clauses_of(spec::parse(spec::embedded_pages()), asked.selection);
  const std::string broken = oracle::self_check();
  if (!broken.empty())
    throw Failure(Exit::internal, "the reference cannot be trusted on this machine: " + broken);
  try {
    ProgressLine line;
    return measure_power(asked, [&](std::size_t done, std::size_t all, const Finding& last) {
      line.show(done, all, last.clause + " on " + last.subject);
    });
  } catch (const std::invalid_argument& error) {
    throw Failure(Exit::nothing_ran, error.what());
  }
}

// Every mutant dies by the clause that claims it, no honest form is refused, no bound is broken.
Exit exit_of_power(const Power& power) {
  for (const MutantForm& form : power.mutants) {
    if (!form.killed_where_claimed()) return Exit::failed;
  }
  return power.alarms() > 0 || !power.bounds_hold() ? Exit::failed : Exit::passed;
}

Exit power(const Options& options) {
  PowerOptions asked;
  asked.selection = selection_of(options.selection);
  asked.subjects = options.subjects;
  asked.seeds = options.seeds;
  asked.attack_seconds = options.attack;
  const Power found = power_of(asked);
  if (!options.json.empty()) write_json(options.json, found);
  write_power(std::cout, found);
  return exit_of_power(found);
}

}  // namespace

void add_power(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("power", "Measure the suite: faulty subjects must fail, honest ones must pass");
  command
      ->add_option("--subject", options->subjects,
                   "Only mutants and honest variants whose names match; may come again")
      ->type_name("GLOB");
  add_selection_options(*command, options->selection);
  command
      ->add_option("--seeds", options->seeds, "Runs the honest variants with so many seeds, from --seed on")
      ->type_name("N")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      ->add_option("--attack", options->attack,
                   "Seconds for the adversary that seeks honest arithmetic beyond a bound; 0: none")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_option("--json", options->json, "Write all that was found to a file as well")
      ->type_name("FILE");
  command->footer(
      examples({"etalon power", "etalon power --level smoke --clause 'POS-*'",
                "etalon power --subject 'scale_*' --json power.json",
                "etalon power --seeds 20 --subject 'sum_*'"}) +
      "\n\nA form is a mutant or variant on one dtype. T0, T1, call and death count the forms refuted by "
      "exact\n"
      "results, by bounds, by the contract of calls and memory, and by their own death; the columns after\n"
      "them those that a usual rule told from right ones on the same outputs: it refused some\n"
      "output though it accepts the correctly rounded result there.");
  command->callback([options, &action] { action = [options] { return power(*options); }; });
}

}  // namespace etalon::cli
