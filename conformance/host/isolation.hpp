// Isolation: subjects are strangers' code. They run in a child process, so that one which crashes, hangs
// or eats the memory costs its own case and nothing else.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "conformance/report/results.hpp"

namespace etalon {

struct Limits {
  double seconds = 60;                       // for one case; 0: none
  std::size_t bytes = std::size_t{4} << 30;  // of resident memory; 0: none (read on Linux only)
};

// A child process that does pieces of work one after another. The child is a copy of this process made
// before its first piece of work and after each of its deaths; it sees memory as it was then. What it prints
// goes to stderr: stdout is the report's. It dies with this process, and its own children with it.
class Worker {
 public:
  using Work = std::function<Finding(std::size_t index)>;
  Worker(Work work, Limits limits);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Makes the child now. To be called while this process has one thread; else the first run() does it.
  void start();
  // Ends the child, if there is one: the next piece of work begins with a new one.
  void end();
  // work(index), done by the child. Where the child does not survive it: `blank` with the verdict CRASH or
  // TIMEOUT, the reason, and the case that was announced last. Throws std::runtime_error with the child's
  // words where `work` throws, or where there can be no child.
  Finding run(std::size_t index, Finding blank);

 private:
  struct Shared;
  [[noreturn]] void serve(int commands, int results);
  bool receive(std::string& bytes);
  bool arrived(const std::string& bytes);  // the whole result
  void watch();                            // kills the child that has exceeded a limit
  Finding bury(Finding blank);

  Work work_;
  Limits limits_;
  Shared* shared_ = nullptr;  // a page that both processes see
  int child_ = -1;
  int commands_ = -1;
  int results_ = -1;
  std::string excess_;  // the limit that was exceeded
  bool late_ = false;
};

// In a child: the case that begins, as `replay` takes it. Elsewhere: nothing.
void announce(std::string_view test_case);

}  // namespace etalon
