// etalon fixtures: writes the recorded cases from the definitions, or compares them with what is there.
#include "conformance/fixtures.hpp"

#include <fmt/format.h>

#include <memory>

#include "conformance/cli/cli.hpp"

namespace etalon::cli {
namespace {

Exit write(const std::filesystem::path& directory) {
  try {
    write_fixtures(directory);
  } catch (const FixtureError& error) {  // the definitions are sound: it is the folder
    throw Failure(Exit::usage, fmt::format("{}; give a folder that can be written", error.what()));
  }
  fmt::print("{} fixtures written to {}\n", written_fixtures().size(), directory.string());
  return Exit::passed;
}

Exit verify(const std::filesystem::path& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    throw Failure(Exit::usage,
                  "there is no folder " + directory.string() + "; give the one that holds the fixtures");
  }
  const std::vector<std::string> problems = verify_fixtures(directory);
  for (const std::string& problem : problems) fmt::print("{}\n", problem);
  // Reading them back is part of it: what is written must also be accepted.
  const std::size_t count = problems.empty() ? load_fixtures(directory).size() : 0;
  if (problems.empty()) fmt::print("{} fixtures are what the definitions give\n", count);
  return problems.empty() ? Exit::passed : Exit::failed;
}

}  // namespace

void add_fixtures(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("fixtures", "Write the recorded cases, or verify them");
  command->require_subcommand(1);
  const auto directory = std::make_shared<std::string>();
  const auto chosen = [directory] {
    return directory->empty() ? fixtures_directory() : std::filesystem::path(*directory);
  };
  CLI::App* writing =
      command->add_subcommand("write", "Write every fixture, from the reference definitions alone");
  writing->add_option("dir", *directory, "Where to (default: the source tree)")->type_name("DIR");
  writing->callback([chosen, &action] { action = [chosen] { return write(chosen()); }; });
  CLI::App* verifying =
      command->add_subcommand("verify", "Compare the files with what would be written, byte by byte");
  verifying->add_option("dir", *directory, "Which (default: the source tree)")->type_name("DIR");
  verifying->callback([chosen, &action] { action = [chosen] { return verify(chosen()); }; });
  command->footer(examples({"etalon fixtures verify", "etalon fixtures write /tmp/fixtures"}));
}

}  // namespace etalon::cli
