// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clos/multirate/multirate_state.h"
#include "clos/network_state.h"

namespace flitcast::clos {
namespace {

std::string missing(const char* port, std::uint32_t number, std::uint32_t ports) {
  return fmt::format("{} {} does not exist; take 0 to {}", port, number, ports - 1);
}

std::string too_full(const char* port, std::uint32_t number, Weight load,
                     const WeightRange& weights) {
  return fmt::format("{} {} carries {} of {}; take at most {} more", port, number, load,
                     weights.capacity, weights.capacity - load);
}

}  // namespace

void MultirateState::require_valid(const MultirateRequest& request) const {
  std::vector<std::string> problems;
  const Weight weight = request.weight;
  // A weight that no port takes would only repeat itself for every port.
  const bool in_range = weight >= weights_.least && weight <= weights_.capacity;
  if (!in_range) {
    problems.push_back(
        fmt::format("the weight is {}; take {} to {}", weight, weights_.least, weights_.capacity));
  }
  const std::uint32_t input = index(request.input);
  if (input >= structure().inputs()) {
    problems.push_back(missing("input", input, structure().inputs()));
  } else if (in_range && !fits(request.input, weight)) {
    problems.push_back(too_full("input", input, loads_.load(request.input), weights_));
  }
  if (request.outputs.empty()) {
    problems.emplace_back("the request has no outputs; name at least one");
  }
  std::vector<OutputId> outputs = request.outputs;
  std::sort(outputs.begin(), outputs.end());
  for (std::size_t at = 0; at < outputs.size(); ++at) {
    const std::uint32_t output = index(outputs[at]);
    const bool again = at > 0 && outputs[at] == outputs[at - 1];
    if (again) {
      problems.push_back(fmt::format("output {} is named twice; name it once", output));
    } else if (output >= structure().outputs()) {
      problems.push_back(missing("output", output, structure().outputs()));
    } else if (in_range && !fits(outputs[at], weight)) {
      problems.push_back(too_full("output", output, loads_.load(outputs[at]), weights_));
    }
  }
  if (!problems.empty()) throw InvalidRequest(fmt::format("{}", fmt::join(problems, "; ")));
}

}  // namespace flitcast::clos
