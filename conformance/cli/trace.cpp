// etalon trace: where each clause lives, and what has no home.
#include "spec/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "properties/law.hpp"

namespace etalon::cli {
namespace {

namespace fs = std::filesystem;

// What no scan of the text can see: the name of a law begins with its own clause.
void check_laws(const spec::Book& book, std::vector<spec::Problem>& problems) {
  for (const Law& law : all_laws()) {
    std::string prefix;
    for (const char c : law.clause)
      prefix += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!law.name.starts_with(prefix + "_")) {
      problems.push_back({"properties", 0,
                          fmt::format("the law {} is of clause {}: its name must begin with {}_", law.name,
                                      law.clause, prefix)});
    }
    if (book.find(law.clause) == nullptr) {
      problems.push_back(
          {"properties", 0,
           fmt::format("the law {} is of clause {}, which no page states", law.name, law.clause)});
    }
  }
}

Exit show(const fs::path& root) {
  std::error_code error;
  if (!fs::is_directory(root / "spec", error) || !fs::is_directory(root / "reference", error)) {
    throw Failure(Exit::usage,
                  "there is no source tree at '" + root.string() + "'; give its root with --root DIR");
  }
  const spec::Book book = spec::parse(spec::read_pages(root));
  spec::Trace result = spec::trace(book, spec::read_tree(root));
  check_laws(book, result.problems);
  fmt::print("{}", spec::matrix(book, result));
  fmt::print("\n+ found   - required and missing   * found though not required   . neither\n");
  for (const spec::Problem& problem : result.problems) fmt::print("{}\n", problem.text());
  fmt::print("{} clauses, {} problems\n", book.clauses.size(), result.problems.size());
  return result.problems.empty() ? Exit::passed : Exit::failed;
}

}  // namespace

void add_trace(CLI::App& app, Action& action) {
  const auto root = std::make_shared<std::string>(ETALON_ROOT);
  CLI::App* command = app.add_subcommand(
      "trace", "Show where each clause is stated, implemented, tested, recorded and timed");
  command->add_option("--root", *root, "The source tree (default: the one this program was built from)")
      ->type_name("DIR");
  command->footer(examples({"etalon trace", "etalon trace --root ."}));
  command->callback([root, &action] { action = [root] { return show(*root); }; });
}

}  // namespace etalon::cli
