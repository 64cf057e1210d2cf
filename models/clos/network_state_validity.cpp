// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clos/network_state.h"

namespace flitcast::clos {
namespace {

/// Collects the reasons why a request is not valid.
class Problems {
 public:
  void add(const std::string& problem) {
    if (problem.empty()) return;
    if (!text_.empty()) text_ += "; ";
    text_ += problem;
  }
  void require_none() const {
    if (!text_.empty()) throw InvalidRequest(text_);
  }

 private:
  std::string text_;
};

bool rises(const std::vector<OutputId>& outputs) {
  return std::adjacent_find(outputs.begin(), outputs.end(),
                            [](OutputId a, OutputId b) { return b <= a; }) == outputs.end();
}

std::string missing(const char* port, std::uint32_t number, std::uint32_t ports) {
  return fmt::format("{} {} does not exist; take 0 to {}", port, number, ports - 1);
}

}  // namespace

std::string NetworkState::problem_of(OutputId output) const {
  if (!has_output(output)) return missing("output", index(output), structure_.outputs());
  if (idle_outputs_.test(index(output))) return "";
  return fmt::format("output {} belongs to input {}; take an idle one", index(output),
                     index(owners_[index(output)]));
}

void NetworkState::require_valid(InputId input, const std::vector<OutputId>& outputs) const {
  const auto idle = [this](OutputId output) {
    return has_output(output) && idle_outputs_.test(index(output));
  };
  // Nearly every request is valid: ask first, reason later.
  if (has_input(input) && idle_inputs_.test(index(input)) && !outputs.empty() && rises(outputs) &&
      std::all_of(outputs.begin(), outputs.end(), idle)) {
    return;
  }
  Problems problems;
  if (!has_input(input)) {
    problems.add(missing("input", index(input), structure_.inputs()));
  } else if (!idle_inputs_.test(index(input))) {
    problems.add(fmt::format("input {} is connected; disconnect it first", index(input)));
  }
  if (outputs.empty()) problems.add("the request has no outputs; name at least one");
  std::vector<OutputId> sorted = outputs;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t at = 0; at < sorted.size(); ++at) {
    const bool first = at == 0 || sorted[at] != sorted[at - 1];
    const bool twice = first && at + 1 < sorted.size() && sorted[at + 1] == sorted[at];
    if (twice)
      problems.add(fmt::format("output {} is named twice; name it once", index(sorted[at])));
    if (first) problems.add(problem_of(sorted[at]));
  }
  problems.require_none();
}

void NetworkState::require_joinable(InputId input, OutputId output) const {
  Problems problems;
  if (!has_input(input)) {
    problems.add(missing("input", index(input), structure_.inputs()));
  } else if (idle_inputs_.test(index(input))) {
    problems.add(fmt::format("input {} is not connected; connect it first", index(input)));
  }
  problems.add(problem_of(output));
  problems.require_none();
}

}  // namespace flitcast::clos
