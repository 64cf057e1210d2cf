// SPDX-License-Identifier: Apache-2.0
// Checks the table of broadcasts in the manual; readme.py checks all else there and in READMEs.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "folder.h"
#include "program.h"
#include "support/test_catch.h"

using namespace flitcast::program;

namespace {

/// Returns the lines of the page in blocks marked sh, or outside of all blocks.
std::vector<std::string> documented_lines(const std::string& block) {
  std::vector<std::string> lines;
  std::ifstream page(FLITCAST_SOURCE "/scripts/site/text/guide/collectives.md");
  std::string current = "outside";
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("```", 0) == 0) {
      current = current != "outside" ? "outside" : line;
    } else if (current == block) {
      lines.push_back(line);
    }
  }
  return lines;
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> all;
  for (std::string word; text >> word;) all.push_back(word);
  return all;
}

/// Returns the only line that is a shell loop.
std::string documented_loop() {
  std::string loop;
  for (const std::string& line : documented_lines("```sh")) {
    if (line.rfind("for ", 0) == 0) loop += line;
  }
  return loop;
}

/// Returns the rows | switching | algorithm | rounds | hops | measured | analytic |, in the wording
/// of `run`.
std::vector<std::string> documented_broadcasts() {
  std::vector<std::string> rows;
  for (const std::string& line : documented_lines("outside")) {
    const std::vector<std::string> cells = words(line);
    if (cells.size() != 13 || cells[5].find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    rows.push_back(cells[1] + " routers, by " + cells[3] + ", " + cells[5] + " rounds, " +
                   cells[9] + " cycles measured, " + cells[11] + " analytic");
  }
  return rows;
}

/// Returns the text between two texts of a line, or nothing.
std::string between(const std::string& line, const std::string& left, const std::string& right) {
  const std::size_t start = line.find(left);
  if (start == std::string::npos) return {};
  return line.substr(start + left.size(),
                     line.find(right, start + left.size()) - start - left.size());
}

/// Returns the same rows from the output of the loop, which has three lines per run.
std::vector<std::string> printed_broadcasts(const std::string& out) {
  std::vector<std::string> rows;
  std::istringstream text(out);
  std::string first;
  std::string rounds;
  std::string cycles;
  while (std::getline(text, first) && std::getline(text, rounds) && std::getline(text, cycles)) {
    rows.push_back(between(first, "e_cube routing, ", " routers") + " routers, by " +
                   between(first, " by ", " from") + ", " + words(rounds).at(1) + " rounds, " +
                   between(cycles, "collective ", "\n"));
  }
  return rows;
}

}  // namespace

TEST_CASE("the table of broadcasts in the manual is what its loop prints", "[program]") {
  const Folder folder;  // The loop writes its results under out/.
  std::filesystem::create_directory_symlink(FLITCAST_SOURCE "/sim", folder.path() / "sim");
  const std::string program_folder = std::filesystem::path(FLITCAST_PROGRAM).parent_path().string();
  const std::string script = "PATH=" + program_folder + ":$PATH\n" + documented_loop();
  const Outcome outcome = Process(folder.path(), {"-c", script}, "sh").wait();
  INFO(outcome.out << outcome.err);
  CHECK(outcome.err.empty());
  CHECK(documented_broadcasts().size() == 9);
  CHECK(printed_broadcasts(outcome.out) == documented_broadcasts());
}
