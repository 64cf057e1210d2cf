// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace flitcast::program {

using Arguments = std::vector<std::string>;

/// Exit status and outputs of a process that has ended.
struct Outcome {
  int exit_code = -1;   ///< -1 if a signal ended it.
  int signal = 0;       ///< The signal that ended it, or 0.
  std::string out;      ///< Standard output.
  std::string err;      ///< Standard error.
  double peak_mib = 0;  ///< The most memory that it had.
};

/// A running program, by default flitcast, whose two output streams are kept.
class Process {
 public:
  /// Starts the program in `folder`; throws std::system_error if that fails.
  Process(const std::filesystem::path& folder, const Arguments& arguments,
          const std::string& program = FLITCAST_PROGRAM);
  /// Kills the process if wait() has not been called.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;

  /// Returns when the process has a handler for the signal, or has ended.
  void wait_for_handler(int signal) const;

  /// Returns when the first thread of the process has blocked the signal, or the process has ended.
  void wait_for_block(int signal) const;

  bool has_ended() const;
  Outcome wait();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using Stream = std::unique_ptr<std::FILE, Close>;

  Stream out_;
  Stream err_;
  pid_t id_ = 0;
};

/// Runs flitcast in `folder` until it ends.
Outcome run(const std::filesystem::path& folder, const Arguments& arguments);

/// Runs flitcast in `folder` until it ends, under a shell limit such as "ulimit -f 1", with the
/// arguments and redirections of a shell command line.
Outcome run_under(const std::filesystem::path& folder, const std::string& limit,
                  const std::string& arguments);

}  // namespace flitcast::program
