// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "base/sequences.h"
#include "collective/catalog.h"
#include "topology/topology.h"

namespace flitcast {

namespace {

constexpr double kHighestNode = kMaxRouters - 1;
constexpr double kLongestChunk = 0x1p40;  // A TiB, if a flit is a byte.

std::vector<std::string> names_of(const OperationName& entry) {
  if (*entry.also == '\0') return {entry.name};
  return {entry.name, entry.also};
}

/// The key `algorithm` for an operation.
Param algorithm_param(const OperationName& operation) {
  Param algorithm = Param::choice("algorithm", "Schedule.");
  for (const CollectiveEntry& entry : collectives()) {
    if (entry.carries_out(operation.operation)) algorithm.choices.push_back(entry.name);
  }
  algorithm.when = {"operation", names_of(operation)};
  return algorithm;
}

/// The keys that the algorithms for an operation read. A key may have a condition on operations
/// itself.
std::vector<Param> keys_of_algorithms(const OperationName& operation) {
  std::vector<Param> params;
  for (const CollectiveEntry& entry : collectives()) {
    if (!entry.carries_out(operation.operation)) continue;
    append(params, only_while("algorithm", entry.name, entry.params()));
  }
  const Param::Condition applies{"operation", names_of(operation)};
  const auto excludes = [&](const Param::Condition& condition) {
    return condition.key == applies.key && condition.values != applies.values;
  };
  params = filtered(params, [&](const Param& param) { return none_of(param.when.all, excludes); });
  for (Param& param : params) {
    std::vector<Param::Condition>& all = param.when.all;
    all = filtered(all, [&](const auto& one) { return one.key != applies.key; });
    all.insert(all.begin(), applies);
  }
  return params;
}

Param operation_param() {
  std::vector<std::string> names;
  for (const OperationName& entry : operations()) append(names, names_of(entry));
  return Param::choice("operation", "The operation of all nodes together.", names);
}

Param source_param() {
  Param source =
      Param::integer("source", "node", "The one that has the data, or gets it.", 0, kHighestNode)
          .defaults_to(0);
  source.when = {"operation", names_where(operations(), &OperationName::has_source)};
  return source;
}

Param receivers_param() {
  Param receivers = Param::integer("receivers", "nodes",
                                   "Number of receivers of a multicast, unless its destinations "
                                   "are listed; 0: all other nodes.",
                                   0, kHighestNode)
                        .defaults_to(0);
  receivers.when = {"operation", {"multicast"}};
  return receivers;
}

// The key is not dumped by default, so that results of experiments without it stay the same.
Param destinations_param() {
  Param destinations =
      Param::variant("destinations",
                     "Destinations of a multicast. next: the `receivers` nodes that follow the "
                     "source; {random: SEED}: the first `receivers` nodes in the permutation of "
                     "that seed; or a list, in which the source and repeated nodes do not count.",
                     {"next"}, {"random"}, {"listed"}, 0, kLargestSeed)
          .defaults_to("next")
          .dumped_if_changed();
  destinations.when = {"operation", {"multicast"}};
  return destinations;
}

/// The key of algorithms that pass chunks on, or of those between ranks that also add up, for which
/// it is not dumped by default, so that results of experiments without it stay the same.
Param timing_param(bool adds_up) {
  Param timing = Param::choice(
      "timing",
      "rounds: each waits for the one before; self_timed: sends wait for their data only, those of "
      "a sum for all that the node gets in earlier rounds.",
      {"rounds", "self_timed"});
  timing.when = {"algorithm", names_where(collectives(), [&](const CollectiveEntry& entry) {
                   const bool on_ranks = entry.forward == nullptr && !entry.on_ranks.empty();
                   return entry.self_timed != adds_up && (!adds_up || on_ranks);
                 })};
  timing.default_dumped = !adds_up;
  return timing;
}

/// The operations and algorithms whose ranks can be placed on any node: all those between ranks,
/// except multicasts, whose ranks are the source and the destinations.
Param::Conditions while_on_ranks() {
  std::vector<std::string> named;
  for (const OperationName& one : operations()) {
    const auto on_ranks = names_where(collectives(), [&](const CollectiveEntry& entry) {
      return one.operation != Operation::kMulticast && entry.is_on_ranks(one.operation);
    });
    if (!on_ranks.empty()) append(named, names_of(one));
  }
  Param::Conditions conditions("operation", std::move(named));
  conditions.all.push_back(
      {"algorithm", names_where(collectives(), [](const CollectiveEntry& entry) {
         return any_of(entry.on_ranks, [](Operation one) { return one != Operation::kMulticast; });
       })});
  return conditions;
}

std::vector<Param> placement_params() {
  std::vector<Param> params{
      Param::variant(
          "nodes",
          "The nodes that take part: all nodes, or a list of some, in the order of their ranks. "
          "Source and root are nodes among them.",
          {"all"}, {}, {"listed"}, 0, kHighestNode)
          .defaults_to("all"),
      Param::variant("mapping",
                     "At which node a rank sits. identity: rank r at the r-th of `nodes`; snake: "
                     "along a walk through a grid that turns back after every row; gray: at the "
                     "r XOR (r >> 1)-th of 2^k nodes; {random: SEED}: by the permutation of that "
                     "seed; or a list of the nodes in the order of their ranks.",
                     {"identity", "snake", "gray"}, {"random"}, {"listed"}, 0, kLargestSeed)
          .defaults_to("identity")};
  for (Param& param : params) {
    param.when = while_on_ranks();
    param.default_dumped = false;
  }
  return params;
}

}  // namespace

std::vector<Param> collective_params() {
  std::vector<Param> params{operation_param()};
  // A key that algorithms for several operations read must follow all keys that it depends on.
  for (const OperationName& entry : operations()) params.push_back(algorithm_param(entry));
  for (const OperationName& entry : operations()) append(params, keys_of_algorithms(entry));
  append(
      params,
      {source_param(), receivers_param(), destinations_param(),
       Param::integer(
           "length", "flits",
           "Length of a chunk, or of the contribution of a node; the messages of a barrier have 1. "
           "A message of nodes of more than 65536 flits is sent in several packets.",
           1, kLongestChunk)
           .defaults_to(64),
       timing_param(false), timing_param(true)});
  append(params, placement_params());
  return params;
}

}  // namespace flitcast
