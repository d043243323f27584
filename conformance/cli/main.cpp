// etalon: the suite's command line. One command a file; this one joins them and turns every ending into an
// exit status.
#include <fmt/format.h>

#include <cstdlib>

#include "conformance/cli/cli.hpp"
#include "conformance/fixtures.hpp"

namespace etalon::cli {
namespace {

constexpr std::string_view description =
    "Measures implementations of a Transformer's input pipeline against a standard: a written\n"
    "specification, a high-precision reference, and laws with proven error bounds.";

int finish(Exit status) { return static_cast<int>(status); }

int complain(Exit status, std::string what) {
  // One line, whatever the words came from.
  for (char& c : what) c = c == '\n' ? ' ' : c;
  fmt::print(stderr, "etalon: {}\n", what);
  return finish(status);
}

std::string subcommand_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name() + " ";
}

int run(int count, char** values) {
  CLI::App app(std::string(description), "etalon");
  app.set_version_flag("--version", "etalon " ETALON_VERSION);
  app.require_subcommand(1);
  app.fallthrough(false);
  app.get_formatter()->column_width(34);
  app.footer(
      examples({"etalon check                       every bundled backend, every clause",
                "etalon check --backend ./mine.so    a backend of your own",
                "etalon spec POS-4                   what a clause says"}) +
      "\n\nExit status: 0 all passed, 1 a subject does not conform, 2 usage, 3 slower than before,\n"
      "4 something could not be decided, 5 nothing ran, 6 a subject could not be loaded, 70 a fault of\n"
      "the suite's own.");
  Action action;
  for (const auto add : {add_check, add_list, add_replay, add_spec, add_trace, add_fixtures, add_bench})
    add(app, action);
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return complain(Exit::usage, fmt::format("{}; see: etalon {}--help", error.what(), subcommand_of(app)));
  }
  return finish(action());
}

}  // namespace
}  // namespace etalon::cli

int main(int count, char** values) {
  using namespace etalon;
  // Many subjects run side by side; a library's own threads would only fight over the same cores.
  for (const char* name : {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS", "OMP_NUM_THREADS"})
    setenv(name, "1", 0);
  try {
    return cli::run(count, values);
  } catch (const cli::Failure& failure) {
    return cli::complain(failure.status, failure.what());
  } catch (const FixtureError& error) {
    return cli::complain(Exit::internal, error.what());
  } catch (const std::exception& error) {
    return cli::complain(Exit::internal, fmt::format("internal error: {}", error.what()));
  }
}
