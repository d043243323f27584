// etalon spec: what a clause or a page says.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "spec/checker.hpp"

namespace etalon::cli {
namespace {

std::string folded(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return text;
}

Exit show(const std::string& name) {
  const std::vector<spec::Page> pages = spec::embedded_pages();
  const spec::Book book = spec::parse(pages);
  if (name.empty()) {
    std::string page;
    for (const spec::Clause& clause : book.clauses) {
      if (clause.page != page) fmt::print("{}{}\n", page.empty() ? "" : "\n", clause.stem());
      page = clause.page;
      fmt::print("  {}\n", clause.heading());
    }
    return Exit::passed;
  }
  if (const spec::Clause* clause = book.find(folded(name, std::toupper))) {
    fmt::print("{}\n\n{}\n", clause->heading(), clause->body);
    return Exit::passed;
  }
  const std::string stem = folded(name, std::tolower);
  for (const spec::Page& page : pages) {
    if (page.name != stem && page.name != stem + ".md") continue;
    fmt::print("{}", page.text);
    return Exit::passed;
  }
  throw Failure(Exit::usage, "no clause or page is named '" + name + "'; see: etalon spec");
}

}  // namespace

void add_spec(CLI::App& app, Action& action) {
  const auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("spec", "Print a clause or a page of the specification");
  command->add_option("name", *name, "A clause (POS-4) or a page (position); nothing lists them")
      ->type_name("TOKEN|PAGE");
  command->footer(examples({"etalon spec", "etalon spec POS-4", "etalon spec numerics"}));
  command->callback([name, &action] { action = [name] { return show(*name); }; });
}

}  // namespace etalon::cli
