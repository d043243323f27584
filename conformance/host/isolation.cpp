#include "conformance/host/isolation.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "conformance/host/finding_bytes.hpp"

// There in a build that measures coverage, under the compiler's own name.
extern "C" __attribute__((weak)) void __gcov_dump();  // NOLINT(bugprone-reserved-identifier)

namespace etalon {

struct Worker::Shared {
  std::atomic<std::uint64_t> beginnings;  // how many cases have begun
  char test_case[4000];                   // the last of them, NUL-terminated
};

namespace {

using Clock = std::chrono::steady_clock;
constexpr int watch_milliseconds = 50;
constexpr std::uint64_t farewell = UINT64_MAX;  // the command after the last
constexpr std::uint64_t largest_result = std::uint64_t{64} << 20;
constexpr auto patience = std::chrono::seconds(2);  // with a child that has been told to end

// One fork at a time, and no child keeps this process's ends of its neighbours' pipes: it would hide the
// death of one and the end of the other.
std::mutex forking;
std::vector<int> own_ends;  // guarded by it

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

// The child's manners: a group of its own, so that whatever it starts ends with it; no life without the
// parent; nothing to read, and no say in the report.
void settle_in(pid_t parent) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(0);  // it ended in between
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (nothing > STDERR_FILENO) close(nothing);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  volunteer_for_death();
}

// The child and whatever it started.
void kill_all(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);  // should it not have come as far as its group
}

void close_own(int& file) {
  if (file < 0) return;
  const std::lock_guard lock(forking);
  std::erase(own_ends, file);
  close(file);
  file = -1;
}

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
  end();
  munmap(shared_, sizeof(Shared));
}

void Worker::end() {
  if (commands_ >= 0) write_all(commands_, &farewell, sizeof farewell);
  close_own(commands_);
  close_own(results_);
  // The child may be in no state to take leave: it is given that long, and no longer.
  const Clock::time_point told = Clock::now();
  while (child_ > 0 && waitpid(child_, nullptr, WNOHANG) == 0) {
    if (Clock::now() - told > patience) kill_all(child_);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (child_ > 0) kill(-child_, SIGKILL);  // what it left behind
  child_ = -1;
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
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(std::string("no child process: ") + std::strerror(errno));
  if (child == 0) {
    close(commands[1]);
    close(results[0]);
    for (const int file : own_ends) close(file);
    settle_in(parent);
    serve(commands[0], results[1]);
  }
  setpgid(child, child);  // whoever comes first
  close(commands[0]);
  close(results[1]);
  child_ = child;
  commands_ = commands[1];
  results_ = results[0];
  own_ends.insert(own_ends.end(), {commands_, results_});
}

// The child's life: an index comes, a result goes.
void Worker::serve(int commands, int results) {
  announced_case = shared_->test_case;
  announced_capacity = sizeof(shared_->test_case);
  announced_beginnings = &shared_->beginnings;
  const pid_t self = getpid();
  std::uint64_t index = 0;
  while (read_all(commands, &index, sizeof index) && index != farewell) {
    std::string bytes;
    try {
      bytes = "+" + bytes_of(work_(index));
    } catch (const std::bad_alloc&) {
      bytes = "!ran out of memory";
    } catch (const std::exception& error) {
      bytes = std::string("-") + error.what();
    }
    if (getpid() != self) _exit(0);  // a stranger forked and came back twice: this is the other one
    const std::uint64_t size = bytes.size();
    if (!write_all(results, &size, sizeof size) || !write_all(results, bytes.data(), bytes.size())) break;
  }
  // Without the handlers: they are the parent's and a stranger's, and the threads that they may know are
  // gone.
  if (__gcov_dump != nullptr) __gcov_dump();
  _exit(0);
}

void Worker::watch() {
  const std::size_t resident = limits_.bytes > 0 ? resident_bytes(child_) : 0;
  if (resident > limits_.bytes) {
    excess_ = fmt::format("took {:.1f} GiB of memory", static_cast<double>(resident) / (1 << 30));
    kill_all(child_);
  } else if (late_) {
    excess_ = fmt::format("did not end within {:g} s", limits_.seconds);
    kill_all(child_);
  }
}

bool Worker::arrived(const std::string& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  return bytes.size() - sizeof size >= size;
}

// Waits for the result, and meanwhile watches over time and memory. False where the child is dead, or talks
// nonsense. Every byte is waited for in that way: a stranger may have written into the pipe.
bool Worker::receive(std::string& bytes) {
  std::uint64_t begun = shared_->beginnings.load();
  Clock::time_point since = Clock::now();
  pollfd event{results_, POLLIN, 0};
  char buffer[4096];
  bool killed = false;
  while (!arrived(bytes)) {
    if (poll(&event, 1, watch_milliseconds) > 0) {
      const ssize_t got = read(results_, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0 || bytes.size() > largest_result) return false;
      bytes.append(buffer, static_cast<std::size_t>(got));
      continue;
    }
    // A child of the child may hold the pipe open: death is not seen there alone.
    siginfo_t death{};
    const bool dead = waitid(P_PID, static_cast<id_t>(child_), &death, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                      death.si_pid == child_;
    if (dead || killed) return false;
    if (const std::uint64_t now = shared_->beginnings.load(); now != begun) {
      begun = now;
      since = Clock::now();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
    late_ = limits_.seconds > 0 && seconds > limits_.seconds;
    watch();
    killed = !excess_.empty();
  }
  bytes.erase(0, sizeof(std::uint64_t));
  return !bytes.empty();
}

// What the dead child leaves behind.
Finding Worker::bury(Finding blank) {
  int status = 0;
  // A child that closed its end without dying; but one that is about to die shall do it in its own way.
  const Clock::time_point found = Clock::now();
  pid_t gone = 0;
  while (excess_.empty() && (gone = waitpid(child_, &status, WNOHANG)) == 0 &&
         Clock::now() - found < std::chrono::milliseconds(200))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill_all(child_);
  if (gone == 0) waitpid(child_, &status, 0);
  child_ = -1;
  close_own(commands_);
  close_own(results_);
  blank.cases = 1;
  blank.worst_case.assign(shared_->test_case, strnlen(shared_->test_case, sizeof shared_->test_case));
  blank.outcome.verdict = late_ ? Verdict::timeout : Verdict::crash;
  blank.outcome.grade = Grade::none;
  std::string reason = excess_;
  if (reason.empty() && gone == 0) reason = "closed the pipe to the suite, or wrote into it";
  if (reason.empty() && WIFSIGNALED(status)) {
    reason = fmt::format("died of signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  if (reason.empty()) {
    reason = fmt::format("ended the process it ran in, with status {}", WEXITSTATUS(status));
  }
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
  if (bytes.starts_with('!')) {
    excess_ = bytes.substr(1);
    return bury(std::move(blank));
  }
  if (bytes.starts_with('-')) throw std::runtime_error(bytes.substr(1));
  try {
    return finding_of(std::string_view(bytes).substr(1));
  } catch (const std::exception& error) {
    excess_ = error.what();  // the stranger wrote over the child's memory: its death, not the run's
    return bury(std::move(blank));
  }
}

}  // namespace etalon
