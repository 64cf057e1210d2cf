// SPDX-License-Identifier: Apache-2.0
#include "sim/host/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <list>
#include <system_error>

#include "config/problem.h"
#include "config/wording.h"

namespace flitcast {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code reason;
  fs::create_directories(folder, reason);
  if (reason) throw std::system_error(reason, folder.string() + ": the folder cannot be made");
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  try {
    open();
  } catch (...) {
    discard();  // The destructor does not run after a constructor throws.
    throw;
  }
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::open() {
  int flags = O_WRONLY | O_CLOEXEC;
  if (!fs::exists(path_) || fs::is_regular_file(path_)) {
    const fs::path target = fs::weakly_canonical(path_);  // Links are kept.
    for (fs::path folder = target.parent_path(); !folder.empty() && !fs::exists(folder);) {
      folders_.push_back(folder);
      folder = folder.parent_path();
    }
    if (target.has_parent_path()) make_folder(target.parent_path());
    target_ = target.string();
    temporary_ = target_ + ".tmp" + std::to_string(::getpid());
    flags |= O_CREAT | O_TRUNC;
  }
  descriptor_ = ::open(temporary_.empty() ? path_.c_str() : temporary_.c_str(), flags, 0666);
  if (descriptor_ < 0) fail();
}

void OutputFile::discard() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
  std::error_code in_use;  // Ignores folders that other programs use in the meantime.
  for (const fs::path& folder : folders_) fs::remove(folder, in_use);
}

void OutputFile::fail() const {
  const int reason = errno;  // Saved before another call changes it.
  throw std::system_error(reason, std::generic_category(), path_ + ": cannot be written");
}

void OutputFile::write(const std::string& text) {
  constexpr std::size_t kEnough = std::size_t{1} << 16;
  pending_ += text;
  if (pending_.size() >= kEnough) flush();
}

void OutputFile::flush() {
  for (std::size_t done = 0; done < pending_.size();) {
    const ssize_t written = ::write(descriptor_, pending_.data() + done, pending_.size() - done);
    if (written < 0 && errno != EINTR) fail();
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  pending_.clear();
}

void OutputFile::finish() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail();  // Devices need no flush.
}

void OutputFile::commit() {
  finish();
  folders_.clear();
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
  temporary_.clear();
}

namespace {

/// True if both names denote one file, even if it does not exist. Pipes and devices do not count,
/// since they cannot be overwritten.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  if (fs::equivalent(a, b, error)) return true;
  const fs::path left = fs::weakly_canonical(fs::absolute(a, error), error);
  return left == fs::weakly_canonical(fs::absolute(b, error), error);
}

/// The other use of the file of output `number`; null if there is none.
const char* other_use(const std::vector<Output>& outputs, std::size_t number,
                      const std::vector<std::string>& inputs) {
  const std::string& path = outputs[number].path;
  for (const std::string& input : inputs) {
    if (same_file(path, input)) return "is read by this experiment and would be lost";
  }
  for (std::size_t other = 0; other < number; ++other) {
    if (same_file(path, outputs[other].path)) return "is written to already";
  }
  return nullptr;
}

/// The reason why the system refuses to write the file; empty if it does not. Does not open pipes,
/// since closing one would signal the end of the file to its reader.
std::string fault_of_place(const std::string& path) {
  try {
    std::error_code error;
    const bool device = fs::exists(path, error) && fs::is_other(path, error);
    if (!device) {
      OutputFile file(path);
    } else if (::access(path.c_str(), W_OK) != 0) {
      throw std::system_error(errno, std::generic_category(), path + ": cannot be written");
    }
  } catch (const std::system_error& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

std::string fault_of_file_name(const std::string& name) {
  return name.empty() ? "is empty; name a file" : "";
}

void require_writable(const std::vector<Output>& outputs, const std::vector<std::string>& inputs) {
  std::vector<Problem> problems;
  for (std::size_t number = 0; number < outputs.size(); ++number) {
    const Output& output = outputs[number];
    const char* const use = other_use(outputs, number, inputs);
    std::string fault =
        use != nullptr ? quoted(output.path) + " " + use : fault_of_place(output.path);
    if (fault.empty()) continue;
    problems.push_back({{}, output.option, std::move(fault), "name another file"});
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
}

void write_files(const std::vector<WholeFile>& files) {
  // Destroyed in reverse order, so that common folders are empty by then.
  std::list<OutputFile> opened;
  for (const WholeFile& file : files) opened.emplace_front(file.path).write(file.text);
  for (OutputFile& file : opened) file.finish();
  for (OutputFile& file : opened) file.commit();
}

}  // namespace flitcast
