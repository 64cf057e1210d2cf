// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "network/fabric/router_cores.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Facts about a fabric before it is built, from its topology and parameters: whether it can be
/// built, how it is divided and how much memory it takes.
struct FabricPlan {
  /// Partitions that a fabric is split into: one per thread, never an empty one.
  static unsigned partition_count(const Topology& topology, const NetworkParams& params);
  /// Why such a fabric cannot be built, a sentence each: parameters outside the ranges that
  /// experiments have, too, routers wider than any core, virtual channels that the routing does not
  /// know, message classes that cannot be kept apart.
  static std::vector<std::string> problems_of(const Topology& topology, const Routing& routing,
                                              const NetworkParams& params);
  /// Whether the ports and virtual channels fit in the widest router core.
  static bool fits(const Topology& topology, const RouterParams& params) {
    return core_words(topology, params) != 0;
  }
  static bool has_modules(const NetworkParams& params) { return params.modules || params.lockstep; }

  /// Cycles that a partition runs at once: two where no module looks at the network after each
  /// cycle and what is sent in the first cycle is due after the second.
  static std::uint32_t cycles_at_once(const NetworkParams& params);
  /// Rows of the event wheel: a power of two above every latency, counted from the first of
  /// `stride` cycles that are run at once.
  static std::uint32_t wheel_rows(const Topology& topology, const NetworkParams& params,
                                  std::uint32_t stride);

  /// Approximate bytes of a fabric, modules included, to warn before it is built.
  static std::uint64_t memory_estimate(const Topology& topology, const NetworkParams& params,
                                       OutputMode mode);
  /// A lower bound of them, before there is a topology.
  static std::uint64_t least_memory(const TopologySize& size, const NetworkParams& params);
};

}  // namespace flitcast
