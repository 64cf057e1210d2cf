// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clos/network_state.h"
#include "config/wording.h"

namespace flitcast::clos {
namespace {

void throw_problems(const std::vector<std::string>& problems) {
  if (!problems.empty()) throw InvalidRequest(joined(problems, "; "));
}

}  // namespace

std::string no_such_port(const char* side, std::uint32_t number, std::uint32_t ports) {
  return fmt::format("{} {} does not exist; take 0 to {}", side, number, ports - 1);
}

std::string NetworkState::problem_of(OutputId output) const {
  if (!has_output(output)) return no_such_port("output", index(output), structure_.outputs());
  if (idle_outputs_.test(index(output))) return "";
  return fmt::format("output {} belongs to input {}; take an idle one", index(output),
                     index(owners_[index(output)]));
}

void NetworkState::refuse_invalid(InputId input, const std::vector<OutputId>& outputs) const {
  std::vector<std::string> problems;
  if (!has_input(input)) {
    problems.push_back(no_such_port("input", index(input), structure_.inputs()));
  } else if (!idle_inputs_.test(index(input))) {
    problems.push_back(fmt::format("input {} is connected; disconnect it first", index(input)));
  }
  if (outputs.empty()) problems.emplace_back("the request has no outputs; name at least one");
  std::vector<OutputId> sorted = outputs;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t at = 0; at < sorted.size(); ++at) {
    const bool first = at == 0 || sorted[at] != sorted[at - 1];
    const bool twice = first && at + 1 < sorted.size() && sorted[at + 1] == sorted[at];
    if (twice)
      problems.push_back(fmt::format("output {} is named twice; name it once", index(sorted[at])));
    if (!first) continue;
    const std::string problem = problem_of(sorted[at]);
    if (!problem.empty()) problems.push_back(problem);
  }
  throw_problems(problems);
}

void NetworkState::require_joinable(InputId input, OutputId output) const {
  std::vector<std::string> problems;
  if (!has_input(input)) {
    problems.push_back(no_such_port("input", index(input), structure_.inputs()));
  } else if (idle_inputs_.test(index(input))) {
    problems.push_back(fmt::format("input {} is not connected; connect it first", index(input)));
  }
  const std::string problem = problem_of(output);
  if (!problem.empty()) problems.push_back(problem);
  throw_problems(problems);
}

void NetworkState::verify() const {
  NetworkState again(structure_);
  for (std::uint32_t input = 0; input < structure_.inputs(); ++input) {
    const Connection& connection = connections_[input];
    if (connection.outputs.empty() && connection.route.empty()) continue;
    again.connect(InputId{input}, connection.outputs, connection.route);
  }
  if (again != *this) {
    throw std::logic_error("Clos network: the tables differ from the connections");
  }
}

}  // namespace flitcast::clos
