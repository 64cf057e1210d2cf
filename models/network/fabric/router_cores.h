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
/// Makes a router with pins for its site; the routing must outlive it.
using ModelRouterMaker = std::unique_ptr<ModelRouter> (*)(const std::string& name, const Site& site,
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

/// How packets leave a router. A kind of router may have a different core for each mode.
enum class OutputMode {
  kOne,           ///< By one output: Routing::route().
  kAlternatives,  ///< By one of several outputs: Routing::alternatives().
  kBranches,      ///< By several outputs: Routing::branches().
  kCombinations,  ///< Several packets leave as one: Routing::combination().
};
OutputMode output_mode_of(const Routing& routing);

/// The router cores of a fabric, as it knows them. make_partitions.h makes all but the last two
/// from the core's template.
struct RouterCores {
  BufferUnit unit = BufferUnit::kFlit;
  /// For cores whose masks have `words` words, one of kCoreWidths; null: no such width or mode.
  PartitionMaker (*partitions)(unsigned words, OutputMode mode) = nullptr;
  /// For the same cores behind pins; null: no such width or mode. There are none with masks of
  /// more than kWidestWithPins words.
  pins::ModelRouterMaker (*with_pins)(unsigned words, OutputMode mode) = nullptr;
  /// Bytes of a core of that mode with that number of ports.
  std::size_t (*storage_bytes)(OutputMode mode, const RouterParams& params, unsigned inputs,
                               unsigned outputs) = nullptr;
  /// Finds packets that wait for each other in a cycle; see deadlock_search.h.
  std::vector<BlockedVc> (*find_deadlock)(const Inspection& network) = nullptr;
  /// Figures that only networks of such routers have; null: none.
  const FigureTable<Inspection>* figures = nullptr;

  /// Whether packets can choose among several outputs.
  bool adaptive() const { return take(OutputMode::kAlternatives); }
  /// Whether there are cores of this mode.
  bool take(OutputMode mode) const { return partitions(1, mode) != nullptr; }
};

/// The problem of an adaptive routing with cores that are not adaptive.
inline constexpr const char* kNoChoice =
    "routers of this kind cannot choose among the outputs that the routing offers";

/// The problem of a multicast routing with cores that make no copies.
inline constexpr const char* kNoCopies =
    "routers with these options cannot send copies by several outputs";

/// The problem of a routing with reductions and cores that do not combine packets.
inline constexpr const char* kNoCombinations =
    "routers of this kind, or with these options, do not combine packets";

/// Mask words of the widest cores that are compiled with pins.
inline constexpr unsigned kWidestWithPins = 2;

/// Mask words with which router cores are compiled: 64 bits each, one bit for each input (or
/// output) VC.
inline constexpr unsigned kCoreWidths[] = {1, 2, 4, 8, 16, 64};

/// Mask words of the narrowest cores that fit every router of the topology; 0 if no core is wide
/// enough.
unsigned core_words(const Topology& topology, const RouterParams& params);

/// Cores that send a packet on flit by flit: WormholeCore, AdaptiveCore, MulticastCore,
/// ReductionCore; with options OptionCore, for packets that leave by one output.
const RouterCores& flit_cores(const RouterOptions& options = {});
/// Cores that store packets as a whole: StoreForwardCore.
const RouterCores& packet_cores();

}  // namespace flitcast
