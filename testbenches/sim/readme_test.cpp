// SPDX-License-Identifier: Apache-2.0
// The commands that README.md tells the reader to type.
#include <fstream>
#include <sstream>

#include "folder.h"
#include "program.h"
#include "support/test_catch.h"

using namespace flitcast::program;

namespace {

/// The arguments of every line `flitcast ...` in blocks marked sh.
std::vector<Arguments> documented_commands() {
  std::vector<Arguments> commands;
  std::ifstream readme(FLITCAST_SOURCE "/README.md");
  bool shell = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.rfind("```", 0) == 0) shell = line == "```sh";
    std::istringstream words(line.substr(0, line.find(" #")));
    std::string word;
    if (!shell || !(words >> word) || word != "flitcast") continue;
    commands.emplace_back();
    while (words >> word) commands.back().push_back(word);
  }
  return commands;
}

}  // namespace

TEST_CASE("every flitcast command of README.md succeeds", "[program]") {
  const Folder folder;
  const std::vector<Arguments> commands = documented_commands();
  CHECK(commands.size() >= 5);
  for (Arguments command : commands) {
    INFO("flitcast " << Catch::Detail::stringify(command));
    if (command.at(0) == "run") {  // Shortened, and nothing is left in the source folder.
      for (const char* word : {"--set", "measure.window=2000", "--out"}) command.push_back(word);
      command.push_back(folder.path().string());
    }
    const Outcome outcome = run(FLITCAST_SOURCE, command);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK_FALSE(outcome.out.empty());
  }
}
