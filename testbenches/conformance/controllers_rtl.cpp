// SPDX-License-Identifier: Apache-2.0
#include "conformance/controllers_rtl.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "conformance/csv.h"

namespace flitcast::conformance {
namespace {

// The arguments are numbers and masks without characters that a shell would interpret.
constexpr const char* kScript = FLITCAST_CONFORMANCE_FOLDER "/rtl/serve_request";
constexpr const char* kCache = FLITCAST_RTL_CACHE;

struct Said {
  int status;
  std::string text;  ///< Standard output and error.
};

Said run_script(const std::string& arguments) {
  const std::string command = fmt::format("'{}' {} 2>&1", kScript, arguments);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no pipe to a child process");
  Said said{};
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) said.text += part.data();
  const int status = pclose(pipe);
  said.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (!said.text.empty() && said.text.back() == '\n') said.text.pop_back();
  return said;
}

RtlAnswer read_answer(const std::string& line) {
  RtlAnswer answer;
  std::istringstream words(line);
  words >> answer.design >> answer.clocks >> answer.passes >> std::ws;
  if (!words) throw std::runtime_error("the RTL said: " + line);
  std::getline(words, answer.route);
  return answer;
}

}  // namespace

void require_rtl() {
  const Said said = run_script("");
  if (said.status != 0) throw InputError("--level rtl: " + said.text);
}

std::vector<RtlAnswer> serve_in_rtl(const BitSet& wanted, const BitSet& available,
                                    const BitMatrix& store) {
  std::string sets;
  for (std::size_t j = 0; j < store.rows(); ++j) {
    sets += (j == 0 ? "" : ",") + to_hex(store.set_of(j));
  }
  const Said said =
      run_script(fmt::format("'{}' {} {} {} {} {}", kCache, store.rows(), store.columns(),
                             to_hex(wanted), to_hex(available), sets));
  if (said.status != 0) throw std::runtime_error(said.text);
  std::vector<RtlAnswer> answers;
  std::istringstream lines(said.text);
  for (std::string line; std::getline(lines, line);) answers.push_back(read_answer(line));
  return answers;
}

}  // namespace flitcast::conformance
