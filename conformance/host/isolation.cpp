#include "conformance/host/isolation.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <stdexcept>

#include "conformance/host/finding_bytes.hpp"

namespace etalon {

struct Worker::Shared {
  std::atomic<std::uint64_t> beginnings;  // how many cases have begun
  char test_case[4000];                   // the last of them, NUL-terminated
};

namespace {

using Clock = std::chrono::steady_clock;
constexpr int watch_milliseconds = 50;
constexpr std::uint64_t farewell = UINT64_MAX;  // the command after the last

// One fork at a time: a child that inherited the other end of a neighbour's pipe would hide its death.
std::mutex forking;

// The child's own view of the shared page; null in every other process.
char* announced_case = nullptr;
std::size_t announced_capacity = 0;
std::atomic<std::uint64_t>* announced_beginnings = nullptr;

bool write_all(int file, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(file, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, void* data, std::size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(file, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// Resident bytes of a process; 0 where the system does not tell.
std::size_t resident_bytes(int process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::size_t total = 0;
  std::size_t resident = 0;
  if (!(statm >> total >> resident)) return 0;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Should the memory run out after all, this process is the one to go.
void volunteer_for_death() { std::ofstream("/proc/self/oom_score_adj") << "1000"; }

}  // namespace

void announce(std::string_view test_case) {
  if (announced_case == nullptr) return;
  const std::size_t length = std::min(test_case.size(), announced_capacity - 1);
  std::memcpy(announced_case, test_case.data(), length);
  announced_case[length] = '\0';
  announced_beginnings->fetch_add(1);
}

Worker::Worker(Work work, Limits limits) : work_(std::move(work)), limits_(limits) {
  void* page = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error("no memory to share with a child process");
  shared_ = new (page) Shared{};
}

Worker::~Worker() {
  // Later children hold this pipe open as well, so closing it would not be noticed.
  if (commands_ >= 0) write_all(commands_, &farewell, sizeof farewell);
  if (commands_ >= 0) close(commands_);
  if (results_ >= 0) close(results_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
  munmap(shared_, sizeof(Shared));
}

void Worker::start() {
  const std::lock_guard lock(forking);
  // A child that is gone is found out by its pipe: writing there must not be deadly.
  std::signal(SIGPIPE, SIG_IGN);
  int commands[2];
  int results[2];
  if (pipe2(commands, O_CLOEXEC) != 0 || pipe2(results, O_CLOEXEC) != 0) {
    throw std::runtime_error(std::string("no pipe to a child process: ") + std::strerror(errno));
  }
  std::fflush(nullptr);  // or the child would write it again
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("no child process: ") + std::strerror(errno));
  if (child == 0) {
    close(commands[1]);
    close(results[0]);
    serve(commands[0], results[1]);
  }
  close(commands[0]);
  close(results[1]);
  child_ = child;
  commands_ = commands[1];
  results_ = results[0];
}

// The child's life: an index comes, a result goes.
void Worker::serve(int commands, int results) {
  announced_case = shared_->test_case;
  announced_capacity = sizeof(shared_->test_case);
  announced_beginnings = &shared_->beginnings;
  volunteer_for_death();
  std::uint64_t index = 0;
  while (read_all(commands, &index, sizeof index) && index != farewell) {
    std::string bytes;
    try {
      bytes = "+" + bytes_of(work_(index));
    } catch (const std::exception& error) {
      bytes = std::string("-") + error.what();
    }
    const std::uint64_t size = bytes.size();
    if (!write_all(results, &size, sizeof size) || !write_all(results, bytes.data(), bytes.size())) break;
  }
  std::exit(0);  // with the handlers: coverage is written by one
}

void Worker::watch() {
  const std::size_t resident = limits_.bytes > 0 ? resident_bytes(child_) : 0;
  if (resident > limits_.bytes) {
    excess_ = fmt::format("took {:.1f} GiB of memory", static_cast<double>(resident) / (1 << 30));
    kill(child_, SIGKILL);
  } else if (late_) {
    excess_ = fmt::format("did not end within {:.0f} s", limits_.seconds);
    kill(child_, SIGKILL);
  }
}

// Waits for the result, and meanwhile watches over time and memory. False where the child is dead.
bool Worker::receive(std::string& bytes) {
  std::uint64_t begun = shared_->beginnings.load();
  Clock::time_point since = Clock::now();
  pollfd event{results_, POLLIN, 0};
  while (poll(&event, 1, watch_milliseconds) <= 0) {
    if (const std::uint64_t now = shared_->beginnings.load(); now != begun) {
      begun = now;
      since = Clock::now();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
    late_ = limits_.seconds > 0 && seconds > limits_.seconds;
    watch();
  }
  std::uint64_t size = 0;
  if (!read_all(results_, &size, sizeof size) || size > (std::uint64_t{1} << 30)) return false;
  bytes.resize(size);
  return read_all(results_, bytes.data(), bytes.size());
}

// What the dead child leaves behind.
Finding Worker::bury(Finding blank) {
  int status = 0;
  kill(child_, SIGKILL);  // a child that closed its end without dying
  waitpid(child_, &status, 0);
  close(commands_);
  close(results_);
  child_ = commands_ = results_ = -1;
  blank.cases = 1;
  blank.worst_case = shared_->test_case;
  blank.outcome.verdict = late_ ? Verdict::timeout : Verdict::crash;
  blank.outcome.grade = Grade::none;
  std::string reason = excess_;
  if (reason.empty() && WIFSIGNALED(status)) {
    reason = fmt::format("died of signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  if (reason.empty()) reason = "ended the process it ran in";
  blank.outcome.witness.reason = std::move(reason);
  excess_.clear();
  late_ = false;
  return blank;
}

Finding Worker::run(std::size_t index, Finding blank) {
  if (child_ < 0) start();
  shared_->test_case[0] = '\0';
  const std::uint64_t command = index;
  std::string bytes;
  if (!write_all(commands_, &command, sizeof command) || !receive(bytes)) return bury(std::move(blank));
  if (bytes.starts_with('-')) throw std::runtime_error(bytes.substr(1));
  try {
    return finding_of(std::string_view(bytes).substr(1));
  } catch (const std::exception& error) {
    excess_ = error.what();  // the stranger wrote over the child's memory: its death, not the run's
    return bury(std::move(blank));
  }
}

}  // namespace etalon
