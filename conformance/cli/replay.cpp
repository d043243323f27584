// etalon replay: one case again, by its name or from its fixture file.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/cli/entrants.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/fixtures.hpp"
#include "conformance/report/text.hpp"
#include "properties/runner.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {
namespace {

struct Options {
  std::string name;
  std::string backend;
};

// "fixtures/position/pos_2.json#row_1/f32": the file, and optionally a case and a dtype.
struct Selector {
  std::string file;
  std::string id;
  std::optional<Dtype> dtype;
};

std::optional<Selector> fixture_selector(const std::string& name) {
  const std::size_t mark = name.find(".json");
  if (mark == std::string::npos) return std::nullopt;
  Selector selector{name.substr(0, mark + 5), "", std::nullopt};
  std::string rest = name.substr(mark + 5);
  if (rest.empty()) return selector;
  if (rest.front() != '#')
    throw Failure(Exit::usage, "'" + rest + "' follows the file; write FILE.json#ID or FILE.json#ID/DTYPE");
  const std::size_t slash = rest.find('/');
  selector.id = rest.substr(1, slash == std::string::npos ? slash : slash - 1);
  if (slash != std::string::npos) {
    selector.dtype = dtype_named(rest.substr(slash + 1));
    if (!selector.dtype)
      throw Failure(Exit::usage,
                    "no dtype is named '" + rest.substr(slash + 1) + "'; use f64, f32, bf16 or f16");
  }
  return selector;
}

// A damaged file is the user's to mend.
Fixture load_file(const std::filesystem::path& file, const std::string& name) {
  try {
    return Fixture::load(file, name);
  } catch (const FixtureError& error) {
    throw Failure(Exit::usage, error.what());
  }
}

// As it is named, else where the recorded files are.
Fixture load(const std::string& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) return load_file(file, file);
  const std::string prefix = "fixtures/";
  const std::filesystem::path inside =
      fixtures_directory() / (file.starts_with(prefix) ? file.substr(prefix.size()) : file);
  if (!std::filesystem::exists(inside, error))
    throw Failure(Exit::usage,
                  "there is no fixture file " + file + "; give its path, or a case name as reports show it");
  return load_file(inside, file);
}

// Prints what one case, or all cases of a file, gave.
Exit conclude(std::vector<Finding> findings) {
  const spec::Book book = spec::parse(spec::embedded_pages());
  const TextStyle style = output_style();
  for (const Finding& finding : findings) {
    if (finding.cases == 0) {
      const std::string& reason = finding.outcome.witness.reason;
      fmt::print("UNSUPPORTED  {} on {}, {}{}\n", finding.clause, finding.subject, finding.dtype,
                 reason.empty() ? "" : ": " + reason);
    } else {
      std::cout << std::flush;
      write_finding(std::cout, finding, book, style);
      std::cout << std::flush;
    }
  }
  const Exit status = exit_of(totals_of(rows_of(findings)));
  return status;
}

std::vector<Finding> replay_fixture(const Selector& selector, const std::vector<Entrant>& entrants) {
  const Fixture fixture = load(selector.file);
  const std::vector<std::string> ids = fixture.ids();
  if (!selector.id.empty() && std::find(ids.begin(), ids.end(), selector.id) == ids.end()) {
    std::string known;
    for (const std::string& id : ids) known += " " + id;
    throw Failure(Exit::usage,
                  fmt::format("{} has no case '{}'; it has:{}", selector.file, selector.id, known));
  }
  std::vector<Finding> findings;
  if (fixture.has_definitions(selector.id) && !selector.dtype)
    findings.push_back(fixture.replay_definitions(selector.id));
  for (const Entrant& entrant : entrants) {
    const std::unique_ptr<Subject> subject = entrant.make();
    for (const Dtype dtype : fixture.dtypes(selector.id)) {
      if (selector.dtype && *selector.dtype != dtype) continue;
      findings.push_back(fixture.replay(dtype, *subject, selector.id));
      findings.back().subject = entrant.name;
    }
  }
  if (findings.empty())
    throw Failure(Exit::usage,
                  "that case is not recorded for the dtype " + std::string(name_of(*selector.dtype)));
  return findings;
}

std::vector<Finding> replay_case(const std::string& name, const std::vector<Entrant>& entrants) {
  std::string error;
  const std::optional<Case> test_case = case_named(name, error);
  if (!test_case) throw Failure(Exit::usage, error);
  std::vector<Finding> findings;
  for (const Entrant& entrant : entrants) {
    const std::unique_ptr<Subject> subject = entrant.make();
    const Law& law = *test_case->law;
    Finding finding;
    finding.subject = entrant.name;
    finding.clause = law.clause;
    finding.law = law.name;
    finding.dtype = law.dtypes.empty() ? "-" : name_of(test_case->dtype);
    finding.worst_case = test_case->name();
    const bool offered = std::all_of(
        law.operations.begin(), law.operations.end(),
        [&](std::string_view operation) { return subject->model(operation, test_case->dtype) != nullptr; });
    if (offered) finding.outcome = run_case(*test_case, *subject);
    const bool declined = !offered || finding.outcome.verdict == Verdict::unsupported;
    finding.outcome.verdict = declined ? Verdict::unsupported : finding.outcome.verdict;
    ++(declined ? finding.unsupported : finding.cases);
    findings.push_back(std::move(finding));
  }
  return findings;
}

Exit replay(const Options& options) {
  const std::vector<Entrant> entrants = entrants_named(options.backend);
  if (const auto selector = fixture_selector(options.name))
    return conclude(replay_fixture(*selector, entrants));
  return conclude(replay_case(options.name, entrants));
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  options->backend = "reference";
  CLI::App* command = app.add_subcommand("replay", "Run one case again and show it in full");
  command
      ->add_option("case", options->name, "A case as reports name it, or a fixture file, optionally with #ID")
      ->required()
      ->type_name("CASE");
  command
      ->add_option("--backend", options->backend,
                   "The subject: a bundled backend, a library's path, or reference, longest_match, byte_bpe")
      ->type_name("NAME|FILE.so")
      ->capture_default_str();
  command->footer(examples(
      {"etalon replay --backend portable 'pos_3_row_zero/f32/n=1,pairs=2,base=10000,layout=interleaved'",
       "etalon replay --backend ./mine.so fixtures/input/inp_5.json",
       "etalon replay --backend simd fixtures/position/pos_12.json#d_6/f32"}));
  command->callback([options, &action] { action = [options] { return replay(*options); }; });
}

}  // namespace etalon::cli
