// The commands of the program: each adds itself to the command line and, when it was the one chosen, runs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>

#include "conformance/report/results.hpp"

namespace etalon::cli {

// Ends the program with one line on stderr that says what is wrong and what to do.
struct Failure : std::runtime_error {
  Failure(Exit status_, const std::string& what) : std::runtime_error(what), status(status_) {}
  Exit status;
};

// What the chosen command does.
using Action = std::function<Exit()>;

void add_check(CLI::App& app, Action& action);
void add_power(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_spec(CLI::App& app, Action& action);
void add_trace(CLI::App& app, Action& action);
void add_fixtures(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

// Ends `text` with the examples, as every command shows them below its options.
std::string examples(std::initializer_list<std::string_view> lines);

}  // namespace etalon::cli
