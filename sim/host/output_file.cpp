// SPDX-License-Identifier: Apache-2.0
#include "sim/host/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "config/problem.h"
#include "config/wording.h"

namespace flitcast {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code reason;
  fs::create_directories(folder, reason);
  if (reason) throw std::system_error(reason, folder.string() + ": the folder cannot be made");
}

namespace {

constexpr const char* kPrefix = ".flitcast-";
constexpr const char* kEnding = ".tmp";

[[noreturn]] void fail_to_write(const std::string& path) {
  const int reason = errno;  // Saved before another call changes it.
  throw std::system_error(reason, std::generic_category(), path + ": cannot be written");
}

int make_new(const std::string& path, Temporary::Kind kind) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW;
  if (kind == Temporary::Kind::kFile) {
    return ::open(path.c_str(), kFlags | O_WRONLY | O_CREAT | O_EXCL, 0666);
  }
  return ::mkdir(path.c_str(), 0700) == 0 ? ::open(path.c_str(), kFlags | O_DIRECTORY) : -1;
}

/// Locks a new file. Returns false if remove_abandoned() in another process has removed it.
bool claim(int descriptor) {
  struct stat now {};
  ::flock(descriptor, LOCK_EX);
  return ::fstat(descriptor, &now) == 0 && now.st_nlink > 0;
}

/// True if the process in the name has ended. Processes on other hosts and in other containers have
/// other numbers, but hold the lock of the temporary file that begins the name.
bool is_abandoned(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t ending = name.find(kEnding);
  if (name.rfind(kPrefix, 0) != 0 || ending == std::string::npos) return false;
  const std::string rest = name.substr(std::strlen(kPrefix));
  const std::size_t dash = rest.find('-');
  if (dash == std::string::npos) return false;
  const auto process = number_in<pid_t>(rest.substr(0, dash));
  const auto number = number_in<unsigned>(rest.substr(dash + 1, rest.find(kEnding) - dash - 1));
  if (!process || !number) return false;
  if (*process <= 0 || ::kill(*process, 0) == 0 || errno != ESRCH) return false;
  const fs::path locked = path.parent_path() / name.substr(0, ending + std::strlen(kEnding));
  const int descriptor = ::open(locked.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return errno == ENOENT;
  const bool ended = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return ended;
}

// Waits for five seconds at most: another program, such as flock(1), may hold the lock for the
// whole run.
void wait_for_lock(int descriptor) {
  for (int tries = 0; tries < 500; ++tries) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// Locks folders while the returned objects exist, whose ends flush them to disk. All processes
/// lock in the same order, so they cannot wait for each other.
[[nodiscard]] std::vector<std::shared_ptr<void>> lock_folders(const std::set<fs::path>& folders) {
  std::vector<std::shared_ptr<void>> locks;
  for (const fs::path& folder : folders) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) continue;
    wait_for_lock(descriptor);
    locks.emplace_back(nullptr, [descriptor](void*) {
      ::fsync(descriptor);
      ::close(descriptor);
    });
  }
  return locks;
}

/// Calls `place`, and calls it again if a folder vanishes meanwhile: a process that only tries
/// whether a file can be written removes the folders that it has made for it.
template <typename Place>
auto while_folders_vanish(const Place& place) {
  constexpr int kMostTries = 1000;
  for (int tries = 1;; ++tries) {
    try {
      return place();
    } catch (const std::system_error& refused) {
      // With file_exists, the folder vanished after the system had found it.
      const bool vanished = refused.code() == std::errc::no_such_file_or_directory ||
                            refused.code() == std::errc::file_exists;
      if (!vanished || tries == kMostTries) throw;
    }
  }
}

/// The absolute path of a file, which need not exist, with links resolved.
fs::path full_name(const std::string& path) {
  return while_folders_vanish([&path] { return fs::weakly_canonical(fs::absolute(path)); });
}

}  // namespace

Temporary::Temporary(const fs::path& folder, Kind kind, const std::string& purpose) {
  static std::atomic<unsigned> made{0};
  do {
    if (descriptor_ >= 0) ::close(descriptor_);
    path_ = (folder / fmt::format("{}{}-{}{}", kPrefix, ::getpid(), made++, kEnding)).string();
    descriptor_ = make_new(path_, kind);
    if (descriptor_ < 0 && errno != EEXIST) fail_to_write(purpose);
  } while (descriptor_ < 0 || !claim(descriptor_));
}

Temporary::~Temporary() {
  std::error_code renamed;
  fs::remove_all(path_, renamed);
  ::close(descriptor_);
}

void remove_abandoned(const fs::path& folder) {
  std::error_code refused;
  for (const auto& entry : fs::directory_iterator(folder, refused)) {
    if (is_abandoned(entry.path())) fs::remove_all(entry.path(), refused);
  }
}

// The constructor without arguments completes the object, so the destructor runs even if this one
// throws.
OutputFile::OutputFile(std::string path, std::string spare) : OutputFile() {
  path_ = std::move(path);
  spare_ = std::move(spare);
  if (!fs::exists(path_) || fs::is_regular_file(path_)) {
    while_folders_vanish([this] { make_draft(); });
  } else {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  if (descriptor_ < 0) fail_to_write(path_);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && !temporary_) ::close(descriptor_);
  temporary_.reset();
  std::error_code in_use;  // Ignores folders that other programs use in the meantime.
  for (const fs::path& folder : folders_) fs::remove(folder, in_use);
}

void OutputFile::make_draft() {
  // A link stays; the file to which it leads is replaced.
  const fs::path target = fs::weakly_canonical(fs::absolute(path_));
  folders_.clear();
  for (fs::path folder = target.parent_path(); !folder.empty() && !fs::exists(folder);) {
    folders_.push_back(folder);
    folder = folder.parent_path();
  }
  make_folder(target.parent_path());
  target_ = target.string();
  temporary_.emplace(target.parent_path(), Temporary::Kind::kFile, path_);
  descriptor_ = temporary_->descriptor();
}

void OutputFile::write(const std::string& text) {
  constexpr std::size_t kEnough = std::size_t{1} << 16;
  pending_ += text;
  if (pending_.size() >= kEnough) flush();
}

void OutputFile::flush() {
  for (std::size_t done = 0; done < pending_.size();) {
    const ssize_t written = ::write(descriptor_, pending_.data() + done, pending_.size() - done);
    if (written < 0 && errno != EINTR) fail_to_write(path_);
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  pending_.clear();
}

void OutputFile::finish() {
  flush();
  // Devices need no flush.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_to_write(path_);
  if (!temporary_) return;
  // Another writer may have replaced the draft; a writer that fails removes it.
  const int draft_now = ::open(draft().c_str(), O_RDONLY | O_CLOEXEC);
  if (draft_now < 0) {
    throw std::system_error(EIO, std::generic_category(),
                            path_ + ": not written completely; is the disk full?");
  }
  ::fsync(draft_now);
  ::close(draft_now);
}

void OutputFile::add_ending(const std::string& ending) {
  for (std::string* name : {&path_, &spare_, &target_}) {
    if (!name->empty()) *name += ending;
  }
}

/// Renames the temporary file; returns true if it has its spare name now. A link, unlike a rename,
/// never replaces a file that another process has just made; it is a second name of the same file,
/// which the rename then leaves as it is.
bool OutputFile::move(bool to_spare) {
  if (!temporary_) return to_spare;
  const char* const from = draft().c_str();
  if (!spare_.empty() && !to_spare && !fs::exists(target_)) {
    to_spare = ::link(from, target_.c_str()) != 0 && errno == EEXIST;
  }
  if (!spare_.empty() && to_spare) {
    path_ = spare_;
    target_ = full_name(spare_).string();
  }
  if (std::rename(from, target_.c_str()) != 0) fail_to_write(path_);
  folders_.clear();
  return to_spare;
}

void put_in_place(std::list<OutputFile>& files, const std::function<bool()>& taken) {
  std::set<fs::path> folders;
  for (OutputFile& file : files) {
    file.finish();
    if (!file.temporary_) continue;
    folders.insert(fs::path(file.target_).parent_path());
    for (const fs::path& made : file.folders_) folders.insert(made.parent_path());
  }
  const std::vector<std::shared_ptr<void>> locks = lock_folders(folders);
  bool to_spare = taken();
  for (auto file = files.rbegin(); file != files.rend(); ++file) to_spare = file->move(to_spare);
}

namespace {

/// True if both names denote one file, even if it does not exist. Pipes and devices do not count,
/// since they cannot be overwritten.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  if (fs::equivalent(a, b, error)) return true;
  try {
    return full_name(a) == full_name(b);
  } catch (const std::system_error&) {
    return false;  // A name that the system refuses gets its reason when the file is made.
  }
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
  for (const Output& output : outputs) {
    remove_abandoned(full_name(output.path).parent_path());
  }
}

void write_files(const std::vector<WholeFile>& files) {
  std::list<OutputFile> opened;
  for (const WholeFile& file : files) opened.emplace_front(file.path).write(file.text);
  put_in_place(opened);
}

}  // namespace flitcast
