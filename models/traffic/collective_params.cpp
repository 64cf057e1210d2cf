// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective_params.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/flit.h"
#include "collective/catalog.h"
#include "collective/rounds/catalog.h"

namespace flitcast {

namespace {

using Type = Param::Type;

void append(std::vector<Param>& params, std::vector<Param> more) {
  for (Param& param : more) params.push_back(std::move(param));
}

/// Every name once: operations with schedules first, then those that have rounds only.
std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const OperationEntry& entry : operations()) names.emplace_back(entry.name);
  for (const RoundOperationEntry& entry : round_operations()) {
    if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
      names.emplace_back(entry.name);
    }
  }
  return names;
}

/// The algorithms that count on the paths of a topology, with the keys that they read.
std::vector<Param> schedule_params(const Param& algorithm, const std::string& operation) {
  for (const OperationEntry& entry : operations()) {
    if (operation == entry.name) return menu_params(algorithm, entry.algorithms());
  }
  return {algorithm};
}

std::vector<Param> algorithm_params() {
  std::vector<Param> params;
  for (const std::string& operation : operation_names()) {
    std::vector<Param> of_operation =
        schedule_params({"algorithm", Type::kChoice, nullptr, "", "Schedule."}, operation);
    for (const auto& method : round_methods()) {
      of_operation.front().choices.push_back(method.name);
    }
    append(params, only_while("operation", operation, std::move(of_operation)));
  }
  return params;
}

Param source_param() {
  Param source{"source", Type::kInteger, 0, "node", "The one that has the data, or gets it.",
               0,        16777215};
  std::vector<std::string> operations;
  for (const RoundOperationEntry& entry : round_operations()) {
    if (has_source(entry.operation)) operations.emplace_back(entry.name);
  }
  source.when = {"operation", operations};
  return source;
}

Param receivers_param() {
  Param receivers{"receivers",
                  Type::kInteger,
                  0,
                  "nodes",
                  "Of a multicast: so many nodes from the one after the source on; 0: all others.",
                  0,
                  16777215};
  receivers.when = {"operation", {"multicast"}};
  return receivers;
}

// Rounds wait for each other.
Param timing_param() {
  Param timing{
      "timing", Type::kChoice, "rounds", "",
      "rounds: each waits for the one before; self_timed: sends wait for their data only."};
  timing.choices = {"rounds", "self_timed"};
  std::set<std::string> algorithms;
  for (const OperationEntry& operation : operations()) {
    for (const auto& algorithm : operation.algorithms()) algorithms.insert(algorithm.name);
  }
  timing.when = {"algorithm", {algorithms.begin(), algorithms.end()}};
  return timing;
}

}  // namespace

std::vector<Param> collective_params() {
  Param operation{"operation", Type::kChoice, "broadcast", "", "What all nodes do together."};
  operation.choices = operation_names();
  std::vector<Param> params{operation};
  append(params, algorithm_params());
  append(params, {source_param(),
                  receivers_param(),
                  {"length", Type::kInteger, 64, "flits",
                   "Of a chunk; the messages of a barrier have 1.", 1, kMaxPacketLength},
                  timing_param()});
  return params;
}

}  // namespace flitcast
