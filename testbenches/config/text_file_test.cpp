// SPDX-License-Identifier: Apache-2.0
#include "config/text_file.h"

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
