// SPDX-License-Identifier: Apache-2.0
#include "support/collective_network.h"

#include <algorithm>
#include <vector>

#include "collective/paths.h"
#include "network/check/inspection.h"
#include "network/fabric/fabric.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/o1turn.h"
#include "routing/shortest_path.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {
namespace {

constexpr unsigned kVirtualChannels = 4;
// The shortest router; the channel accounts for the rest of a hop's time.
constexpr Pipeline kPipeline{0, 0, 1, 0};

NetworkParams network_params(const ScheduleToPlay& what) {
  NetworkParams params;
  params.router.virtual_channels = kVirtualChannels;
  params.router.pipeline = kPipeline;
  if (what.switching == Switching::kStoreAndForward) params.cores = &packet_cores();
  params.link_latency = static_cast<std::uint32_t>(what.cost.hop - kPipeline.departure());
  params.cycles_per_flit = static_cast<std::uint32_t>(what.cost.flit);
  // The depth allows a full stream until the first credit returns. A buffer of packets would need
  // only one slot.
  params.router.buffer_depth = params.cores == &packet_cores() ? 2 : 2 * params.link_latency + 8;
  params.startup = static_cast<std::uint32_t>(static_cast<std::int64_t>(what.cost.startup) -
                                              interface_cycles(params));
  params.full_hierarchy = false;
  params.threads = what.threads;
  return params;
}

// Dimension order suits all schedules on grids except those that send some messages by XY and
// others by YX.
std::unique_ptr<Routing> routing_for(const Topology& topology, const Schedule& schedule) {
  if (const auto* grid = dynamic_cast<const Grid*>(&topology)) {
    DimensionOrder::Params params;
    params.virtual_channels = kVirtualChannels;
    auto ascending = std::make_unique<DimensionOrder>(*grid, params);
    if (!first_unroutable(topology, *ascending, schedule)) return ascending;
    return std::make_unique<O1Turn>(*grid, VcClasses::kDallySeitzFixed, kVirtualChannels);
  }
  if (const auto* cube = dynamic_cast<const Hypercube*>(&topology)) {
    return std::make_unique<ECube>(*cube, ECube::Order::kMostSignificantFirst, kVirtualChannels);
  }
  return std::make_unique<ShortestPath>(topology, kVirtualChannels);
}

/// Runs until the player has finished, or until nothing has moved for far longer than any message
/// takes.
void run_to_end(Fabric& fabric, const SchedulePlayer& player, const CostModel& cost) {
  constexpr std::size_t kLongWay = 1000;
  const std::uint64_t patience = message_cycles(cost, Switching::kStoreAndForward, kLongWay);
  std::uint64_t moved = 0;
  Cycle last_move{};
  while (!player.finished() && fabric.now() - last_move < patience) {
    fabric.run(64);
    const std::uint64_t moved_now = fabric.totals().packets_created + fabric.flit_hops();
    if (moved_now != moved) last_move = fabric.now();
    moved = moved_now;
  }
}

}  // namespace

bool has_network(const CostModel& cost) {
  NetworkParams params;
  params.router.pipeline = kPipeline;
  params.cycles_per_flit = static_cast<std::uint32_t>(cost.flit);
  return cost.hop > kPipeline.departure() && cost.flit > 0 && cost.length > 0 &&
         static_cast<std::int64_t>(cost.startup) >= interface_cycles(params);
}

std::unique_ptr<Routing> routing_of_play(const Topology& topology, const Schedule& schedule) {
  return routing_for(topology, schedule);
}

NetworkOutcome play(const ScheduleToPlay& what) {
  const std::unique_ptr<Routing> routing = routing_for(what.topology, what.schedule);
  SchedulePlayer player(what.topology, what.schedule, what.demand, what.timing,
                        static_cast<std::uint32_t>(what.cost.length), 1, nullptr, what.placement);
  Fabric fabric("fabric", what.topology, *routing, player, network_params(what));
  run_to_end(fabric, player, what.cost);
  fabric.audit();
  return {player.cycles(), player.wrong(), player.finished()};
}

}  // namespace flitcast
