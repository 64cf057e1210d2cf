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
/// Makes a router with pins for its site; the routing must outlive the router.
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
using PartitionMaker = std::unique_ptr<Partition> (*)(unsigned number, PartitionContext& context,
                                                      RouterId first_router,
                                                      const std::vector<RouterShape>& shapes,
                                                      std::vector<NodeId> nodes, Probe* probe);

/// How packets leave a router. A kind of router may have a different core for each mode.
enum class OutputMode {
  kOne,           ///< A packet leaves by one output: Routing::route().
  kAlternatives,  ///< A packet leaves by one of several outputs: Routing::alternatives().
  kBranches,      ///< A packet leaves by several outputs: Routing::branches().
  kCombinations,  ///< Several packets leave as one: Routing::combination().
};
OutputMode output_mode_of(const Routing& routing);

/// The router cores of a fabric. make_partitions.h makes all members but the last two from the
/// template of the core.
struct RouterCores {
  BufferUnit unit = BufferUnit::kFlit;
  /// Returns the maker of partitions for cores whose masks have `words` words, one of kCoreWidths;
  /// null if there is no such width or mode.
  PartitionMaker (*partitions)(unsigned words, OutputMode mode) = nullptr;
  /// Returns the maker of the same cores behind pins; null if there is no such width or mode. None
  /// has masks of more than kWidestWithPins words.
  pins::ModelRouterMaker (*with_pins)(unsigned words, OutputMode mode) = nullptr;
  /// Returns the bytes of a core of that mode with that number of ports.
  std::size_t (*storage_bytes)(OutputMode mode, const RouterParams& params, unsigned inputs,
                               unsigned outputs) = nullptr;
  /// Finds packets that wait for each other in a cycle; see deadlock_search.h.
  std::vector<BlockedVc> (*find_deadlock)(const Inspection& network) = nullptr;
  /// The figures of networks with such routers only; null if there are none.
  const FigureTable<Inspection>* figures = nullptr;

  /// True if packets can choose among several outputs.
  bool adaptive() const { return take(OutputMode::kAlternatives); }
  /// True if there are cores of this mode.
  bool take(OutputMode mode) const { return partitions(1, mode) != nullptr; }
};

/// The problem text for an adaptive routing with cores that are not adaptive.
inline constexpr const char* kNoChoice =
    "routers of this kind cannot choose among the outputs that the routing offers";

/// The problem text for a multicast routing with cores that make no copies.
inline constexpr const char* kNoCopies =
    "routers with these options cannot send copies by several outputs";

/// The problem text for a routing with reductions with cores that do not combine packets.
inline constexpr const char* kNoCombinations =
    "routers of this kind, or with these options, do not combine packets";

/// The number of mask words of the widest cores that are compiled with pins.
inline constexpr unsigned kWidestWithPins = 2;

/// Cores that forward a packet flit by flit: WormholeCore, AdaptiveCore, MulticastCore,
/// ReductionCore; with options OptionCore and OrderingCore, for packets that leave by one
/// output.
const RouterCores& flit_cores(const RouterOptions& options = {});
/// Cores that store packets as a whole: StoreForwardCore.
const RouterCores& packet_cores();

}  // namespace flitcast
