// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "network/fabric/router_cores.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// The numbers of mask words for which router cores are compiled. A word has 64 bits, one for each
/// input (or output) VC.
inline constexpr unsigned kCoreWidths[] = {1, 2, 4, 8, 16, 64};

/// The number of mask words of the narrowest cores that fit every router of the topology; 0 if no
/// core is wide enough.
unsigned core_words(const Topology& topology, const RouterParams& params);

/// The largest number of input ports, or of output ports, of any router.
std::size_t most_ports(const Topology& topology);

/// Facts about a fabric that are known from its topology and parameters before it is built: whether
/// it can be built, how it is divided into partitions, and how much memory it takes.
struct FabricPlan {
  /// The number of partitions of a fabric: one per thread, none of them empty.
  static unsigned partition_count(const Topology& topology, const NetworkParams& params);
  /// The reasons why such a fabric cannot be built, one sentence each: parameters outside the
  /// ranges of experiments, routers wider than any core, virtual channels that the routing does not
  /// know, and message classes that cannot be separated.
  static std::vector<std::string> problems_of(const Topology& topology, const Routing& routing,
                                              const NetworkParams& params);
  /// True if the ports and virtual channels fit in the widest router core.
  static bool fits(const Topology& topology, const RouterParams& params) {
    return core_words(topology, params) != 0;
  }
  static bool has_modules(const NetworkParams& params) { return params.modules || params.lockstep; }

  /// The partition of every router, in rising order. Partitions have about equal work if all
  /// channels carry the same load.
  static std::vector<std::uint32_t> partitions_of(const Topology& topology,
                                                  const NetworkParams& params);
  /// The number of cycles of a router that a partition runs at a visit: 2 if no module looks at the
  /// network after each cycle and everything sent in the first cycle is due after the second.
  static std::uint32_t cycles_at_once(const NetworkParams& params);
  /// The number of cycles that partitions run between two meetings of their threads: the least
  /// flight of a flit or credit from one partition to another, at most kLongestWindow. 1 in
  /// lockstep and where routers combine packets, which changes records of other partitions; with
  /// one partition, cycles_at_once().
  static std::uint32_t window(const Topology& topology, const NetworkParams& params);
  /// The number of rows of the event wheel: a power of two above every latency, counted from the
  /// first of `cycles` cycles that are run without a meeting.
  static std::uint32_t wheel_rows(const Topology& topology, const NetworkParams& params,
                                  std::uint32_t cycles);
  /// The work of 32 cycles exceeds what a meeting takes, and the event wheel remains small.
  static constexpr std::uint32_t kLongestWindow = 32;

  /// The approximate memory of a fabric in bytes, modules included, for warnings before it is
  /// built.
  static std::uint64_t memory_estimate(const Topology& topology, const NetworkParams& params,
                                       OutputMode mode);
  /// A lower bound on the memory in bytes, before there is a topology.
  static std::uint64_t least_memory(const TopologySize& size, const NetworkParams& params);
};

}  // namespace flitcast
