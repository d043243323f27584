// etalon list: what there is.
#include <fmt/format.h>

#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/host/registry.hpp"
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

Exit list(const std::string& what) {
  if (what == "operations") list_operations();
  if (what == "clauses") list_clauses();
  if (what == "backends") list_backends();
  if (what == "laws") list_laws();
  return Exit::passed;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  const auto what = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("list", "List operations, clauses, backends or laws");
  command->add_option("what", *what, "What to list")
      ->required()
      ->type_name("operations|clauses|backends|laws")
      ->check(CLI::IsMember({"operations", "clauses", "backends", "laws"}));
  command->footer(examples({"etalon list clauses", "etalon list backends"}));
  command->callback([what, &action] { action = [what] { return list(*what); }; });
}

}  // namespace etalon::cli
