// SPDX-License-Identifier: Apache-2.0
#include "config/text_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "config/problem.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream input(text);
  const std::string file = "a.txt";
  LineReader reader(input, file);
  std::vector<std::string> lines;
  while (reader.next()) {
    lines.push_back(reader.line());
    CHECK(reader.number() == static_cast<int>(lines.size()));
  }
  return lines;
}

/// A device that never ends.
class Endless : public std::streambuf {
 public:
  std::size_t taken = 0;

 protected:
  int_type underflow() override {
    taken += sizeof bytes_;
    setg(bytes_, bytes_, bytes_ + sizeof bytes_);
    return 0;
  }

 private:
  char bytes_[4096] = {};
};

}  // namespace

TEST_CASE("lines are what stands between line ends, the last one without one, too", "[config]") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a\n\nb") == std::vector<std::string>{"a", "", "b"});
  CHECK(lines_of("a\n") == std::vector<std::string>{"a"});
  CHECK(lines_of(std::string("a\0b\n", 4)) == std::vector<std::string>{std::string("a\0b", 3)});
  CHECK(lines_of(std::string(1'000'000, 'x') + "\ny").size() == 2);
}

TEST_CASE("a line of more than a million bytes is no line of a text", "[config]") {
  CHECK_THROWS_AS(lines_of("a\n" + std::string(1'000'001, 'x') + "\n"), ConfigError);
  Endless zero;
  std::istream input(&zero);
  const std::string file = "/dev/zero";
  CHECK_THROWS_WITH(LineReader(input, file).next(),
                    "/dev/zero:1: a line of more than a million bytes; name a text file");
  CHECK(zero.taken < 2'000'000);
}

TEST_CASE("of a text that never ends no more than 64 MiB are read", "[config]") {
  Endless zero;
  std::istream input(&zero);
  CHECK_FALSE(read_text(input));
  CHECK(zero.taken < std::size_t{65} << 20);
  std::istringstream text("abc");
  CHECK(read_text(text) == "abc");
}

TEST_CASE("a byte-order mark at the start of a text is not part of it, elsewhere it is",
          "[config]") {
  CHECK(lines_of("\xEF\xBB\xBFsource,rate\n\xEF\xBB\xBF"
                 "1\n") == std::vector<std::string>{"source,rate",
                                                    "\xEF\xBB\xBF"
                                                    "1"});
  CHECK(lines_of("\xEF\xBB") == std::vector<std::string>{"\xEF\xBB"});
  std::istringstream text("\xEF\xBB\xBF{}\xEF\xBB\xBF");
  CHECK(read_text(text) == "{}\xEF\xBB\xBF");
}

TEST_CASE("a hash of contents follows every file that a path stands for, and no other",
          "[config]") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "flitcast.XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  const fs::path folder = name;
  const auto write = [&](const char* file, const char* text) {
    std::ofstream(folder / file) << text;
  };
  write("ring.0.et", "a");
  write("ring.1.et", "b");
  write("other.0.et", "c");
  write("note.txt", "d");
  const auto hash = [&](const char* path) { return content_hash((folder / path).string(), ".et"); };
  const std::string ring = hash("ring"), all = hash("."), note = hash("note.txt");
  CHECK(ring.size() == 16);
  CHECK(content_hash((folder / "ring").string()).empty());
  CHECK(hash("none").empty());
  CHECK(content_hash("/dev/zero").empty());

  write("note.txt", "dd");
  CHECK(hash("note.txt") != note);
  CHECK(hash(".") == all);
  write("other.0.et", "cc");
  CHECK(hash(".") != all);
  CHECK(hash("ring") == ring);
  write("ring.1.et", "bb");
  CHECK(hash("ring") != ring);
  write("ring.1.et", "b");
  CHECK(hash("ring") == ring);
  fs::remove_all(folder);
}
