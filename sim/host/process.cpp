// SPDX-License-Identifier: Apache-2.0
#include "sim/host/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <mutex>
#include <new>
#include <system_error>
#include <systemc>
#include <utility>

#include "config/problem.h"
#include "config/wording.h"
#include "sim/host/progress.h"

namespace flitcast {

namespace {

[[noreturn]] void fail_to_start(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void die_with(pid_t parent) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) ::_exit(kBrokenInvariant);  // The parent has ended already.
}

/// Runs the work in the child and ends it without running destructors or flushing buffers of the
/// parent.
[[noreturn]] void live(const std::function<int()>& work, pid_t parent, int output) {
  die_with(parent);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  const int exit_code = exit_code_of(work);
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(exit_code);
}

/// One child process and the pipe from it.
class Child {
 public:
  explicit Child(const std::function<int()>& work) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) fail_to_start("no pipe to a child process");
    std::cout.flush();
    const pid_t parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0) fail_to_start("no child process");
    if (id_ == 0) {
      ::close(ends[0]);
      live(work, parent, ends[1]);
    }
    ::close(ends[1]);
    source_ = ends[0];
  }
  ~Child() {
    ::close(source_);
    if (id_ > 0) ::waitpid(id_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for the next part of the child's output, for a tenth of a second at most; false at the
  /// end.
  bool listen() {
    pollfd waiting{source_, POLLIN, 0};
    if (::poll(&waiting, 1, 100) <= 0) return true;
    std::array<char, 4096> part{};
    const ssize_t size = ::read(source_, part.data(), part.size());
    if (size < 0) return errno == EINTR;
    output_.append(part.data(), static_cast<std::size_t>(size));
    constexpr std::size_t kKept = std::size_t{1} << 14;
    if (output_.size() > 2 * kKept) output_.erase(0, output_.size() - kKept);
    return size > 0;
  }

  void pass_on(int signal) {
    if (signal == 0 || signalled_) return;
    ::kill(id_, signal);
    signalled_ = true;
  }

  ChildEnd end() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = 0;
    if (WIFSIGNALED(status)) return {-1, WTERMSIG(status), output_};
    return {WEXITSTATUS(status), 0, output_};
  }

 private:
  pid_t id_ = 0;
  int source_ = -1;
  bool signalled_ = false;
  std::string output_;
};

int fail_with(int exit_code, const std::string& what) {
  std::cerr << what << '\n';
  return exit_code;
}

}  // namespace

int exit_code_of(const std::function<int()>& command) {
  try {
    return command();
  } catch (const ConfigError& error) {
    return fail_with(kBadInput, error.what());
  } catch (const std::system_error& error) {
    return fail_with(kBadInput, visible(error.what()));
  } catch (const std::bad_alloc&) {
    return fail_with(kBadInput,
                     "out of memory; `flitcast check` estimates what an experiment needs");
  } catch (const sc_core::sc_report& report) {
    return fail_with(kBrokenInvariant, std::string("internal error: ") + report.get_msg());
  } catch (const std::exception& error) {
    return fail_with(kBrokenInvariant, std::string("internal error: ") + error.what());
  }
}

std::string ChildEnd::text() const {
  return signal != 0 ? fmt::format("killed by signal {}", signal)
                     : fmt::format("exit code {}", exit_code);
}

ChildEnd run_in_child(const std::function<int()>& work, const std::function<void()>& meanwhile) {
  Child child(work);
  while (child.listen()) {
    child.pass_on(StopSignal::received());
    meanwhile();
  }
  return child.end();
}

namespace {

/// The signal by which SetupWatch ends its waiting thread.
constexpr int kEnough = SIGUSR1;

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, kEnough}) sigaddset(&set, signal);
  return set;
}

/// The memory of this process in bytes; 0 if it is unknown.
double resident_bytes() {
  std::ifstream statistics("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statistics >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// A file that the end of the program removes; null if there is none.
const char* unfinished_file = nullptr;
std::mutex unfinished_mutex;

/// Ends with the mutex locked, so that no other file is made before the program ends.
void remove_unfinished() {
  unfinished_mutex.lock();
  if (unfinished_file != nullptr) ::unlink(unfinished_file);
}

void end_if_larger(double bytes, const MemoryLimit& limit) {
  if (bytes <= limit.bytes) return;
  const std::string text = fmt::format(
      "before the first cycle the experiment takes more than {}, and {} {}; use a part of a trace, "
      "or a smaller network\n",
      size_text(limit.bytes), limit.source, size_text(limit.bytes));
  std::fputs(text.c_str(), stderr);
  remove_unfinished();
  ::_exit(kBadInput);
}

void watch_setup(bool quiet, const MemoryLimit& limit) {
  using Clock = std::chrono::steady_clock;
  const sigset_t set = waited_for();
  const double before = resident_bytes();
  const Clock::time_point start = Clock::now();
  Progress progress(quiet);
  // Memory grows by up to 4 GB/s: by 40 MB in this pause.
  constexpr timespec kPause{0, 10'000'000};
  int signal = 0;
  while ((signal = sigtimedwait(&set, nullptr, &kPause)) < 0) {
    end_if_larger(resident_bytes() - before, limit);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
    progress.show("prepare", static_cast<std::uint64_t>(seconds.count()), 0, "s");
  }
  progress.clear();
  if (signal == kEnough) return;
  std::fputs("stopped by a signal before the first cycle: nothing is written\n", stderr);
  remove_unfinished();
  // Unblocks the signal, which then ends the process, even if the parent has had it ignored, as
  // shells do for commands in the background.
  std::signal(signal, SIG_DFL);
  sigset_t came;
  sigemptyset(&came);
  sigaddset(&came, signal);
  pthread_sigmask(SIG_UNBLOCK, &came, nullptr);
  ::raise(signal);
}

}  // namespace

SetupWatch::SetupWatch(bool quiet, const MemoryLimit& limit) {
  const sigset_t set = waited_for();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  waiter_ = std::thread([quiet, limit] { watch_setup(quiet, limit); });
}

SetupWatch::~SetupWatch() {
  pthread_kill(waiter_.native_handle(), kEnough);
  waiter_.join();
  unfinished_file = nullptr;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void SetupWatch::make_unfinished(const std::function<const char*()>& make) {
  const std::lock_guard lock(unfinished_mutex);
  unfinished_file = make();
}

namespace {

namespace fs = std::filesystem;

void lower(MemoryLimit& limit, double bytes, const char* source) {
  if (bytes < limit.bytes) limit = {bytes, source};
}

void lower_to_resource(MemoryLimit& limit, int resource) {
  rlimit allowed{};
  if (::getrlimit(resource, &allowed) != 0 || allowed.rlim_cur == RLIM_INFINITY) return;
  lower(limit, static_cast<double>(allowed.rlim_cur), "the limit of this process (ulimit) is");
}

/// The number in a file; absent for "max", which version 2 of control groups writes for no limit.
std::optional<double> number_in_file(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// The smallest number in the files of that name, from the folder `group` below `root` up to
/// `root`.
std::optional<double> least_up_to(const fs::path& root, const fs::path& group, const char* name) {
  std::optional<double> least;
  for (fs::path folder = group.relative_path();; folder = folder.parent_path()) {
    const std::optional<double> number = number_in_file(root / folder / name);
    if (number && (!least || *number < *least)) least = number;
    if (folder.empty()) return least;
  }
}

}  // namespace

std::optional<double> control_group_limit(const std::string& membership,
                                          const std::string& mounted) {
  std::ifstream file(membership);
  std::optional<double> least;
  // The lines are "0::/group" in version 2, "4:memory:/group" in version 1.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    std::optional<double> limit;
    if (controllers.empty()) limit = least_up_to(mounted, group, "memory.max");
    if ((',' + controllers + ',').find(",memory,") != std::string::npos) {
      limit = least_up_to(fs::path(mounted) / "memory", group, "memory.limit_in_bytes");
    }
    if (limit && (!least || *limit < *least)) least = limit;
  }
  return least;
}

MemoryLimit memory_limit(std::optional<std::uint64_t> given) {
  MemoryLimit limit{
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)),
      "this machine has"};
  lower_to_resource(limit, RLIMIT_AS);
  lower_to_resource(limit, RLIMIT_DATA);
  if (const auto group = control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup")) {
    lower(limit, *group, "the control group of this process has");
  }
  if (given) lower(limit, static_cast<double>(*given), "--memory-limit allows");
  return limit;
}

std::string size_text(double bytes) {
  constexpr double kMiB = 1024.0 * 1024;
  constexpr double kGiB = 1024 * kMiB;
  if (bytes < kMiB) return fmt::format("{:.0f} bytes", bytes);
  return bytes < kGiB ? fmt::format("{:.1f} MiB", bytes / kMiB)
                      : fmt::format("{:.1f} GiB", bytes / kGiB);
}

void require_memory(double bytes, const MemoryLimit& limit, const std::string& what,
                    Problem problem) {
  if (bytes <= limit.bytes) return;
  problem.what =
      fmt::format("{} {}, and {} {}", what, size_text(bytes), limit.source, size_text(limit.bytes));
  throw ConfigError(std::move(problem));
}

}  // namespace flitcast
