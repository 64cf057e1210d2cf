// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "config/problem.h"
#include "sim/host/output_file.h"

namespace flitcast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPacker = "vcd2fst";

bool on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Returns the exit code of the packer, whose output is suppressed; -1 if it did not exit normally.
int run_packer(std::string dump, std::string packed) {
  std::string program = kPacker;
  std::array<char*, 4> words{program.data(), dump.data(), packed.data(), nullptr};
  posix_spawn_file_actions_t silent;
  ::posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, program.c_str(), &silent, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&silent);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void require_packer() {
  if (on_path(kPacker)) return;
  fail_option("--fst", std::string("there is no ") + kPacker + " here",
              "install GTKWave, of which it is a part, or leave --fst out");
}

bool pack_waveform(const std::string& dump) {
  const std::string packed = dump + ".fst";
  const bool done = run_packer(dump, packed) == 0 && fs::exists(packed);
  if (done) fs::rename(packed, dump);
  if (!done) fs::remove(packed);
  fs::remove(packed + ".hier");  // The packer leaves it if it fails.
  return done;
}

}  // namespace flitcast
