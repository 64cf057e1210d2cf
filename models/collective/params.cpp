// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "base/flit.h"
#include "collective/catalog.h"
#include "topology/topology.h"

namespace flitcast {

namespace {

constexpr double kHighestNode = kMaxRouters - 1;

void append(std::vector<Param>& params, std::vector<Param> more) {
  for (Param& param : more) params.push_back(std::move(param));
}

/// The algorithms for an operation, with the keys that they read.
std::vector<Param> algorithm_params(Operation operation) {
  std::vector<Param> params{Param::choice("algorithm", "Schedule.")};
  for (const CollectiveEntry& entry : collectives()) {
    if (!entry.carries_out(operation)) continue;
    params.front().choices.push_back(entry.name);
    append(params, only_while("algorithm", entry.name, entry.params()));
  }
  return params;
}

/// The names of the operations or of the algorithms that fulfil a condition.
template <class Menu, class Condition>
std::vector<std::string> names_where(const Menu& menu, Condition&& condition) {
  std::vector<std::string> names;
  for (const auto& entry : menu) {
    if (condition(entry)) names.emplace_back(entry.name);
  }
  return names;
}

Param operation_param() {
  return Param::choice("operation", "What all nodes do together.",
                       names_where(operations(), [](const OperationName&) { return true; }));
}

Param source_param() {
  Param source =
      Param::integer("source", "node", "The one that has the data, or gets it.", 0, kHighestNode)
          .defaults_to(0);
  source.when = {"operation", names_where(operations(), [](const OperationName& entry) {
                   return entry.has_source;
                 })};
  return source;
}

Param receivers_param() {
  Param receivers =
      Param::integer(
          "receivers", "nodes",
          "Of a multicast: so many nodes from the one after the source on; 0: all others.", 0,
          kHighestNode)
          .defaults_to(0);
  receivers.when = {"operation", {"multicast"}};
  return receivers;
}

Param timing_param() {
  Param timing = Param::choice(
      "timing",
      "rounds: each waits for the one before; self_timed: sends wait for their data only.",
      {"rounds", "self_timed"});
  timing.when = {"algorithm", names_where(collectives(), [](const CollectiveEntry& entry) {
                   return entry.self_timed;
                 })};
  return timing;
}

}  // namespace

std::vector<Param> collective_params() {
  std::vector<Param> params{operation_param()};
  for (const OperationName& entry : operations()) {
    append(params, only_while("operation", entry.name, algorithm_params(entry.operation)));
  }
  append(params, {source_param(), receivers_param(),
                  Param::integer("length", "flits", "Of a chunk; the messages of a barrier have 1.",
                                 1, kMaxPacketLength)
                      .defaults_to(64),
                  timing_param()});
  return params;
}

}  // namespace flitcast
