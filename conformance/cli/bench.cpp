// etalon bench, etalon perf: the second program, which lies beside this one.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "conformance/cli/cli.hpp"
#include "conformance/program.hpp"

namespace etalon::cli {
namespace {

Exit execute(const std::vector<std::string>& arguments) {
  const std::string program = (program_directory() / "etalon-perf").string();
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> values;
  for (std::string& word : words) values.push_back(word.data());
  values.push_back(nullptr);
  execv(program.c_str(), values.data());
  throw Failure(Exit::not_loaded,
                "cannot run " + program + ": " + std::strerror(errno) + "; build it with: ./etalon build");
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  for (const char* name : {"bench", "perf"}) {
    CLI::App* command = app.add_subcommand(name, std::string(name) == "bench"
                                                     ? "Time the operations (etalon-perf; its options follow)"
                                                     : "The same as bench");
    command->prefix_command();
    command->set_help_flag();  // the second program has its own
    command->callback([command, &action] {
      const std::vector<std::string> arguments = command->remaining();
      action = [arguments] { return execute(arguments); };
    });
  }
}

}  // namespace etalon::cli
