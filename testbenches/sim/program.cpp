// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <system_error>
#include <thread>

namespace flitcast::program {

namespace {

/// Actions in the child process before the program starts.
class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  void enter(const std::filesystem::path& folder) {
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  void redirect(int descriptor, std::FILE* to) {
    posix_spawn_file_actions_adddup2(&actions_, ::fileno(to), descriptor);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::string content(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  return text;
}

/// True if a signal is in a signal set of a process; "SigCgt:" is the set that it catches.
bool is_in(const std::string& set, pid_t id, int signal) {
  std::ifstream status("/proc/" + std::to_string(id) + "/status");
  std::string word;
  while (status >> word && word != set) {
  }
  return status >> word && (std::stoull(word, nullptr, 16) >> (signal - 1) & 1) != 0;
}

}  // namespace

Process::Process(const std::filesystem::path& folder, const Arguments& arguments,
                 const std::string& program)
    : out_(std::tmpfile()), err_(std::tmpfile()) {
  if (!out_ || !err_) throw std::system_error(errno, std::generic_category(), "temporary file");
  Actions actions;
  actions.enter(folder);
  actions.redirect(STDOUT_FILENO, out_.get());
  actions.redirect(STDERR_FILENO, err_.get());
  Arguments words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error =
      ::posix_spawnp(&id_, program.c_str(), actions.get(), nullptr, argv.data(), environ);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
}

Process::~Process() {
  if (id_ == 0) return;
  send(SIGKILL);
  wait();
}

void Process::send(int signal) const { ::kill(id_, signal); }

bool Process::has_ended() const {
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT);
  return ended.si_pid != 0;
}

void Process::wait_for_handler(int signal) const {
  while (!has_ended() && !is_in("SigCgt:", id_, signal)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Process::wait_for_block(int signal) const {
  while (!has_ended() && !is_in("SigBlk:", id_, signal)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Outcome Process::wait() {
  int status = 0;
  rusage usage{};
  ::wait4(id_, &status, 0, &usage);
  id_ = 0;
  Outcome outcome;
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  outcome.out = content(out_.get());
  outcome.err = content(err_.get());
  return outcome;
}

Outcome run(const std::filesystem::path& folder, const Arguments& arguments) {
  return Process(folder, arguments).wait();
}

Outcome run_under(const std::filesystem::path& folder, const std::string& limit,
                  const std::string& arguments) {
  const std::string line = limit + "; exec " FLITCAST_PROGRAM " " + arguments;
  return Process(folder, {"-c", line}, "sh").wait();
}

}  // namespace flitcast::program
