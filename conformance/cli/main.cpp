// etalon: the suite's command line. One command a file; this one joins them and turns every ending into an
// exit status.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conformance/cli/cli.hpp"
#include "conformance/fixtures.hpp"

namespace etalon::cli {
namespace {

constexpr std::string_view description =
    "Measures implementations of a Transformer's input pipeline against a standard: a written\n"
    "specification, a high-precision reference, and laws with proven error bounds.";

constexpr std::size_t longest_complaint = 1000;  // bytes

int finish(Exit status) { return static_cast<int>(status); }

int complain(Exit status, std::string what) {
  // One line that a terminal shows as it is, whatever the words came from.
  for (char& c : what) c = c >= 0 && (c < ' ' || c == 0x7f) ? ' ' : c;
  std::size_t end = longest_complaint;
  if (what.size() > end) {
    while ((static_cast<unsigned char>(what[end]) & 0xC0U) == 0x80) --end;  // not within a character
    what = what.substr(0, end) + "...";
  }
  std::fputs(("etalon: " + what + "\n").c_str(), stderr);
  return finish(status);
}

// A closed stream's number would go to the next file or pipe that is opened, and the report into that.
void hold_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);  // the lowest number: this one
  }
}

// A verdict that nobody could read is none.
int deliver(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  if (errno == EPIPE) {  // the reader has seen enough: end as any program does
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  return complain(Exit::internal,
                  fmt::format("the output could not be written{}{}; give it another place",
                              errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : ""));
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
  for (const auto add :
       {add_check, add_power, add_list, add_replay, add_spec, add_trace, add_fixtures, add_bench})
    add(app, action);
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const std::vector<std::string> extras = app.remaining(true);
    if (error.get_name() == "RequiredError" && !extras.empty())
      return complain(Exit::usage, fmt::format("there is no command '{}'; see: etalon {}--help",
                                               extras.front(), subcommand_of(app)));
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
  cli::hold_streams();
  try {
    return cli::deliver(cli::run(count, values));
  } catch (const cli::Failure& failure) {
    return cli::complain(failure.status, failure.what());
  } catch (const FixtureError& error) {
    return cli::complain(Exit::internal, error.what());
  } catch (const std::exception& error) {
    const bool lost = std::ferror(stdout) != 0;
    return lost ? cli::deliver(0)
                : cli::complain(Exit::internal, fmt::format("internal error: {}", error.what()));
  }
}
