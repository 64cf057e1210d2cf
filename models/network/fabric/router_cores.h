// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/probe.h"
#include "network/network.h"
#include "router/router_params.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

namespace pins {
class ModelRouter;
struct Site;
/// Makes a router with pins for its place; the routing must outlive it.
using ModelRouterMaker = std::unique_ptr<ModelRouter> (*)(const std::string& name,
                                                          const Site& place,
                                                          const Routing& routing);
}  // namespace pins
template <class Part>
class FigureTable;
class Inspection;
class Partition;
struct PartitionContext;
struct RouterShape;

/// Makes a partition whose routers are cores of one type.
using PartitionMaker = std::unique_ptr<Partition> (*)(const std::string& name, unsigned number,
                                                      PartitionContext& context,
                                                      RouterId first_router,
                                                      const std::vector<RouterShape>& shapes,
                                                      std::vector<NodeId> nodes, Probe* probe);

/// By how many outputs packets leave a router, and how many leave as one, for which kinds of
/// routers have cores of their own.
enum class OutputMode {
  kOne,           ///< Routing::route() decides,
  kAlternatives,  ///< Routing::alternatives(),
  kBranches,      ///< Routing::branches(),
  kCombinations,  ///< or Routing::combination(), for several packets together.
};
OutputMode output_mode_of(const Routing& routing);

/// What a fabric knows of the cores that its routers are. make_partitions.h makes the first three
/// from the core's template.
struct RouterCores {
  BufferUnit unit = BufferUnit::kFlit;
  /// Cores whose masks have so many words, one of kCoreWidths; null: for no such width or mode.
  PartitionMaker (*partitions)(unsigned words, OutputMode mode) = nullptr;
  /// The same cores behind pins; null: none of such a width. Masks of more than
  /// kWidestWithPins words have none.
  pins::ModelRouterMaker (*with_pins)(unsigned words, OutputMode mode) = nullptr;
  /// Of a core for such ways and so many ports.
  std::size_t (*storage_bytes)(OutputMode mode, const RouterParams& params, unsigned inputs,
                               unsigned outputs) = nullptr;
  /// Packets that wait for each other in a cycle; see deadlock_search.h.
  std::vector<BlockedVc> (*find_deadlock)(const Inspection& network) = nullptr;
  /// Figures that only networks of such routers have; empty if there are none.
  const FigureTable<Inspection>* figures = nullptr;

  /// Whether packets can choose among several outputs.
  bool adaptive() const { return take(OutputMode::kAlternatives); }
  bool take(OutputMode mode) const { return partitions(1, mode) != nullptr; }
};

/// Of an adaptive routing and cores that are not.
inline constexpr const char* kNoChoice =
    "routers of this kind cannot choose among the outputs that the routing offers";

/// Of a routing with copies and cores that make none.
inline constexpr const char* kNoCopies =
    "routers with these options cannot send copies by several outputs";

/// Of a routing with reductions and cores that combine nothing.
inline constexpr const char* kNoCombinations =
    "routers of this kind, or with these options, do not combine packets";

/// Words of the widest cores that are compiled with pins.
inline constexpr unsigned kWidestWithPins = 2;

/// Sizes in which router cores are compiled: words of 64 bits, a bit for each VC of a side.
inline constexpr unsigned kCoreWidths[] = {1, 2, 4, 8, 16, 64};

/// Words of the narrowest cores that fit at every router of the topology; 0 when none is wide
/// enough.
unsigned core_words(const Topology& topology, const RouterParams& params);

/// Cores that send a packet on flit by flit: WormholeCore, AdaptiveCore, MulticastCore,
/// ReductionCore; with options OptionCore, for packets with one way.
const RouterCores& flit_cores(const RouterOptions& options = {});
/// Cores that keep packets whole: StoreForwardCore.
const RouterCores& packet_cores();

}  // namespace flitcast
