// SPDX-License-Identifier: Apache-2.0
#include "folder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace flitcast::program {

namespace fs = std::filesystem;

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "flitcast_sim_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;  // A failing test need not fail twice.
  fs::remove_all(path_, ignored);
}

std::string Folder::placed(std::string text) const {
  const std::string mark = "FOLDER";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
    text.replace(at, mark.size(), path_.string());
  }
  return text;
}

void Folder::write(const std::string& name, const std::string& text) const {
  fs::create_directories((path_ / name).parent_path());
  std::ofstream(path_ / name, std::ios::binary) << text;
}

std::string Folder::read(const std::string& name) const {
  std::ifstream input(path_ / name, std::ios::binary);
  if (!input) throw std::runtime_error("there is no file " + name);
  return {std::istreambuf_iterator<char>(input), {}};
}

std::vector<std::string> Folder::contents() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) {
    const std::string name = entry.path().lexically_relative(path_).string();
    std::error_code vanished;  // A running program may remove the entry meanwhile.
    names.push_back(entry.is_directory(vanished) ? name + "/" : name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace flitcast::program
