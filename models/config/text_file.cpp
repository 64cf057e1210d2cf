// SPDX-License-Identifier: Apache-2.0
#include "config/text_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "base/text_hash.h"
#include "config/problem.h"

namespace flitcast {

namespace {

namespace fs = std::filesystem;

/// The files that a path denotes, in the order of their names.
std::vector<fs::path> files_of(const fs::path& path, const std::string& parts) {
  std::error_code none;  // The reader reports files that are not accessible.
  if (fs::is_regular_file(path, none)) return {path};
  if (parts.empty()) return {};
  const bool folder = fs::is_directory(path, none);
  const std::string begin = folder ? "" : path.filename().string() + ".";
  const fs::path place = folder ? path : fs::path(".") / path.parent_path();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(place, none)) {
    const fs::path& file = entry.path();
    const bool meant = file.extension() == parts && file.filename().string().rfind(begin, 0) == 0;
    if (meant && entry.is_regular_file(none)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The number of bytes of a file to read: some files claim a size that cannot exist.
constexpr std::size_t kMostHashed = std::size_t{1} << 30;

std::string hash_of_file(const fs::path& path) {
  struct Known {
    std::uintmax_t size;
    fs::file_time_type time;
    std::string hash;
  };
  static std::map<fs::path, Known> known;
  std::error_code gone;
  const std::uintmax_t size = fs::file_size(path, gone);
  const fs::file_time_type time = fs::last_write_time(path, gone);
  const auto found = known.find(path);
  if (found != known.end() && found->second.size == size && found->second.time == time) {
    return found->second.hash;
  }
  TextHash hash;
  hash.add(std::to_string(size));
  std::ifstream file(path, std::ios::binary);
  std::vector<char> part(std::size_t{1} << 20);
  for (std::size_t read = 0; file && read < kMostHashed; read += part.size()) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    hash.add({part.data(), static_cast<std::size_t>(file.gcount())});
  }
  return known.insert_or_assign(path, Known{size, time, hash.digits()}).first->second.hash;
}

/// Removes the byte-order mark with which some programs begin UTF-8.
void remove_mark(std::string& text) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
}

}  // namespace

std::string content_hash(const std::string& path, const std::string& parts) {
  const std::vector<fs::path> files = files_of(path, parts);
  if (files.empty()) return "";
  if (files.size() == 1) return hash_of_file(files.front());
  TextHash all;
  for (const fs::path& file : files) all.add(file.filename().string() + hash_of_file(file));
  return all.digits();
}

std::optional<std::string> read_text(std::istream& input) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  constexpr std::size_t kPart = std::size_t{64} << 10;
  std::string text;
  while (input && text.size() <= kMost) {
    const std::size_t size = text.size();
    text.resize(size + kPart);
    input.read(text.data() + size, kPart);
    text.resize(size + static_cast<std::size_t>(input.gcount()));
  }
  if (text.size() > kMost) return std::nullopt;
  remove_mark(text);
  return text;
}

LineIndex::LineIndex(const std::string& text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    ends_.push_back(at);
  }
}

int LineIndex::line_of(std::size_t offset) const {
  const auto ends = std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin();
  return 1 + static_cast<int>(ends);
}

bool LineReader::next() {
  constexpr std::streamsize kLongest = 1'000'000;
  buffer_.resize(kLongest + 1);
  ++number_;
  input_.getline(buffer_.data(), kLongest + 1);
  const std::streamsize taken = input_.gcount();
  if (input_.fail() && taken > 0) {
    fail({file_, number_, 0}, "a line of more than a million bytes", "name a text file");
  }
  if (input_.fail()) return false;
  line_.assign(buffer_.data(), static_cast<std::size_t>(input_.eof() ? taken : taken - 1));
  if (number_ == 1) remove_mark(line_);
  return true;
}

}  // namespace flitcast
