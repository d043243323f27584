// etalon replay: one case again, by its name or from its fixture file.
#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/cli/entrants.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/fixtures.hpp"
#include "conformance/host/isolation.hpp"
#include "conformance/report/text.hpp"
#include "properties/runner.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {
namespace {

struct Options {
  std::string name;
  std::string backend;
  bool in_process = false;
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

// One thing to run, and what is known of it before.
struct Piece {
  Finding blank;
  std::function<Finding()> work;
};

std::vector<Piece> fixture_pieces(const Selector& selector, const std::vector<Entrant>& entrants) {
  const auto fixture = std::make_shared<const Fixture>(load(selector.file));
  const std::string id = selector.id;
  const std::vector<std::string> ids = fixture->ids();
  if (!id.empty() && std::find(ids.begin(), ids.end(), id) == ids.end()) {
    std::string known;
    for (const std::string& each : ids) known += " " + each;
    throw Failure(Exit::usage, fmt::format("{} has no case '{}'; it has:{}", selector.file, id, known));
  }
  std::vector<Piece> pieces;
  for (const Entrant& entrant : entrants) {
    Finding blank;
    blank.subject = entrant.name;
    blank.clause = fixture->clause();
    blank.law = fixture->name();
    blank.dtype = "-";
    if (fixture->has_definitions(id) && !selector.dtype && entrant.name == "reference") {
      pieces.push_back({blank, [fixture, id] { return fixture->replay_definitions(id); }});
    }
    for (const Dtype dtype : fixture->dtypes(id)) {
      if (selector.dtype && *selector.dtype != dtype) continue;
      blank.dtype = name_of(dtype);
      pieces.push_back({blank, [fixture, id, dtype, blank, &entrant] {
                          Finding finding = with_subject(entrant, blank, [&](Subject& subject) {
                            return fixture->replay(dtype, subject, id);
                          });
                          finding.subject = entrant.name;
                          return finding;
                        }});
    }
  }
  if (pieces.empty()) {
    throw Failure(Exit::usage,
                  selector.dtype
                      ? "that case is not recorded for the dtype " + std::string(name_of(*selector.dtype))
                      : "that file records definitions; replay it with --backend reference");
  }
  return pieces;
}

// The case on one subject. `known` holds its names, the subject's included.
Finding run_named(const Case& test_case, Subject& subject, Finding known) {
  const Law& law = *test_case.law;
  announce(known.worst_case);
  const bool offered = std::all_of(
      law.operations.begin(), law.operations.end(),
      [&](std::string_view operation) { return subject.model(operation, test_case.dtype) != nullptr; });
  if (offered) known.outcome = run_case(test_case, subject);
  const bool declined = !offered || known.outcome.verdict == Verdict::unsupported;
  if (declined) known.outcome.verdict = Verdict::unsupported;
  ++(declined ? known.unsupported : known.cases);
  return known;
}

std::vector<Piece> case_pieces(const std::string& name, const std::vector<Entrant>& entrants) {
  std::string error;
  const std::optional<Case> test_case = case_named(name, error);
  if (!test_case) throw Failure(Exit::usage, error);
  std::vector<Piece> pieces;
  for (const Entrant& entrant : entrants) {
    const Law& law = *test_case->law;
    Finding blank;
    blank.subject = entrant.name;
    blank.clause = law.clause;
    blank.law = law.name;
    blank.dtype = law.dtypes.empty() ? "-" : name_of(test_case->dtype);
    blank.worst_case = test_case->name();
    pieces.push_back({blank, [test_case, blank, &entrant] {
                        return with_subject(entrant, blank, [&](Subject& subject) {
                          return run_named(*test_case, subject, blank);
                        });
                      }});
  }
  return pieces;
}

// In a child process, unless it is to be watched by a debugger.
std::vector<Finding> run_pieces(const std::vector<Piece>& pieces, bool in_process) {
  std::vector<Finding> findings;
  Worker worker([&](std::size_t index) { return pieces[index].work(); }, Limits());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    findings.push_back(in_process ? pieces[i].work() : worker.run(i, pieces[i].blank));
  }
  return findings;
}

void show(const std::vector<Finding>& findings) {
  const spec::Book book = spec::parse(spec::embedded_pages());
  for (const Finding& finding : findings) {
    if (finding.cases > 0) {
      write_finding(std::cout, finding, book, output_style());
      continue;
    }
    const std::string& reason = finding.outcome.witness.reason;
    std::cout << fmt::format("UNSUPPORTED  {} on {}, {}{}\n", finding.clause, finding.subject, finding.dtype,
                             reason.empty() ? "" : ": " + reason);
  }
}

Exit replay(const Options& options) {
  const std::vector<Entrant> entrants = entrants_named(options.backend);
  const auto selector = fixture_selector(options.name);
  const std::vector<Piece> pieces =
      selector ? fixture_pieces(*selector, entrants) : case_pieces(options.name, entrants);
  const std::vector<Finding> findings = run_pieces(pieces, options.in_process);
  show(findings);
  return exit_of(totals_of(rows_of(findings)));
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
  command->add_flag("--in-process", options->in_process, "Not in a child process: for debuggers");
  command->footer(examples(
      {"etalon replay --backend portable 'pos_3_row_zero/f32/n=1,pairs=2,base=10000,layout=interleaved'",
       "etalon replay --backend ./mine.so fixtures/input/inp_5.json",
       "etalon replay --backend simd fixtures/position/pos_12.json#d_6/f32"}));
  command->callback([options, &action] { action = [options] { return replay(*options); }; });
}

}  // namespace etalon::cli
