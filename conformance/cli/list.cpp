// etalon list: what there is.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/cli/selection.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/host/registry.hpp"
#include "conformance/report/power.hpp"
#include "properties/law.hpp"
#include "properties/operations.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {
namespace {

void list_operations() {
  for (const Operation& operation : operations) {
    fmt::print("{:<18} {:<10} {}\n", operation.name, operation.stem, operation.formula);
  }
}

void list_clauses() {
  for (const spec::Clause& clause : spec::parse(spec::embedded_pages()).clauses) {
    fmt::print("{:<7} {:<9} {:<12} {}\n", clause.token, name_of(clause.level), clause.stem(), clause.title);
  }
}

void list_backends() {
  for (const Bundled& bundled : bundled_backends()) {
    const Library::Result loaded = Library::load(bundled.file);
    const auto* error = std::get_if<LoadError>(&loaded);
    fmt::print("{:<15} {}\n", bundled.name,
               error ? "cannot be loaded: " + error->message : std::get<0>(loaded)->version());
  }
}

void list_laws() {
  for (const Law& law : all_laws()) {
    std::string dtypes;
    for (const Dtype dtype : law.dtypes) dtypes += (dtypes.empty() ? "" : " ") + std::string(name_of(dtype));
    fmt::print("{}\n    {}{}\n", law.name, law.intent, dtypes.empty() ? "" : "  [" + dtypes + "]");
    std::string parameters;
    for (const Parameter& parameter : law.parameters) {
      parameters += fmt::format(" {} {}..{}", parameter.name, parameter.low, parameter.high);
    }
    if (!parameters.empty()) fmt::print("   {}\n", parameters);
  }
}

void list_mutants() {
  for (const Mutant& mutant : all_mutants()) {
    std::string dtypes;
    for (const Dtype dtype : mutant.dtypes) dtypes += " " + std::string(name_of(dtype));
    fmt::print("{:<30} {:<7} {:<18} {:<10}  {} [{}]\n", mutant.name, mutant.clause, mutant.kind,
               name_of(mutant.met), mutant.does, dtypes.substr(1));
    for (const Equivalence& each : mutant.equivalent)
      fmt::print("{:<30} equal to honest code in {}: {}\n", "", name_of(each.dtype), each.why);
  }
}

void list_variants() {
  for (const Variant& variant : all_variants()) {
    std::string words;
    for (const std::string_view operation : variant.operations) words += std::string(operation) + " ";
    for (const Dtype dtype : variant.dtypes) words += std::string(name_of(dtype)) + " ";
    fmt::print("{:<30} {} [{}]\n", variant.name, variant.does, words.substr(0, words.size() - 1));
  }
}

// Every case is run with mutants as well: about half a minute.
Exit list_trust(const SelectionOptions& options) {
  const Selection selection = selection_of(options);
  clauses_of(spec::parse(spec::embedded_pages()), selection);
  std::vector<Finding> findings;
  {
    ProgressLine line;
    findings = measure_trust(selection, [&](std::size_t done, std::size_t all, const Finding& last) {
      line.show(done, all, last.law);
    });
  }
  if (findings.empty()) throw Failure(Exit::nothing_ran, "no law over a subject is selected");
  write_trust(std::cout, findings);
  const bool mistrusted = std::any_of(findings.begin(), findings.end(),
                                      [](const Finding& finding) { return finding.blind == finding.cases; });
  return mistrusted ? Exit::inconclusive : Exit::passed;
}

Exit list(const std::string& what) {
  if (what == "mutants") list_mutants();
  if (what == "variants") list_variants();
  if (what == "operations") list_operations();
  if (what == "clauses") list_clauses();
  if (what == "backends") list_backends();
  if (what == "laws") list_laws();
  return Exit::passed;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  const auto what = std::make_shared<std::string>("laws");
  const auto trust = std::make_shared<bool>(false);
  const auto selection = std::make_shared<SelectionOptions>();
  CLI::App* command =
      app.add_subcommand("list", "List operations, clauses, backends, laws, mutants or honest variants");
  CLI::Option* named =
      command->add_option("what", *what, "What to list")
          ->type_name("operations|clauses|backends|laws|mutants|variants")
          ->check(CLI::IsMember({"operations", "clauses", "backends", "laws", "mutants", "variants"}));
  CLI::Option* flag = command->add_flag(
      "--trust", *trust,
      "Run mutants on every case and list the laws: cases, blind ones, least ratio of effect to bound");
  add_selection_options(*command, *selection);
  command->footer(
      examples({"etalon list clauses", "etalon list mutants", "etalon list --trust --clause 'POS-*'"}) +
      "\n\nThe options that select take part with --trust alone. A law that refutes no mutant is MISTRUSTED: "
      "what\n"
      "with no other cases is MISTRUSTED: what passes it has shown nothing.");
  command->callback([=, &action] {
    if (named->count() == 0 && flag->count() == 0) throw CLI::RequiredError("what");
    if (*trust && *what != "laws") throw CLI::ValidationError("--trust", "lists laws, not " + *what);
    action = [=] { return *trust ? list_trust(*selection) : list(*what); };
  });
}

}  // namespace etalon::cli
