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

/// What a process that has ended left to its parent.
struct Outcome {
  int exit_code = -1;  ///< -1 if a signal ended it.
  int signal = 0;      ///< The signal that ended it, or 0.
  std::string out;     ///< Standard output.
  std::string err;     ///< Standard error.
};

/// A running program, flitcast unless another is named, whose two output streams are kept.
class Process {
 public:
  /// Starts it in `folder`. Throws std::system_error if that fails.
  Process(const std::filesystem::path& folder, const Arguments& arguments,
          const std::string& program = FLITCAST_PROGRAM);
  /// Kills it if nobody has waited for it.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;

  /// Returns when the process has a handler for the signal, or has ended.
  void wait_for_handler(int signal) const;

  /// Returns when its first thread has blocked the signal, or the process has ended.
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

/// Runs flitcast in `folder` to its end.
Outcome run(const std::filesystem::path& folder, const Arguments& arguments);

/// Runs flitcast in `folder` to its end, under a limit of the shell such as "ulimit -f 1", with the
/// arguments and redirections of a line of the shell.
Outcome run_under(const std::filesystem::path& folder, const std::string& limit,
                  const std::string& arguments);

}  // namespace flitcast::program
