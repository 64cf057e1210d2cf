// SPDX-License-Identifier: Apache-2.0
#include "sim/make_player.h"

#include <fmt/format.h>

#include "collective/routability.h"
#include "sim/central_control.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "traffic/forwarding_source.h"
#include "traffic/round_player.h"
#include "traffic/schedule_player.h"

namespace flitcast {

namespace {

/// The routing that takes a path, as a remedy.
std::string routing_for(const Model& model, const Path& path) {
  if (dynamic_cast<const Hypercube*>(model.topology.get()) != nullptr) {
    return "use {kind: e_cube, order: msb}";
  }
  const auto* grid = dynamic_cast<const Grid*>(model.topology.get());
  if (grid == nullptr) return "use a graph with a single link from node to node";
  const bool descends = (header_bits(*grid, path) >> grid->dimensions() & 1) != 0;
  return descends ? "use {kind: o1turn}"
                  : "use {kind: dimension_order, order: ascending, tie: coin}";
}

// The routing must take the very paths that the schedule counts on.
void require_routable(const Model& model, const Configuration& configuration) {
  if (model.routing == nullptr) return;  // Its own problem is known.
  const Schedule& schedule = model.collective->collective.plan.schedule;
  const auto send = first_unroutable(*model.topology, *model.routing, schedule);
  if (!send) return;
  configuration.section("routing").fail(
      "kind",
      fmt::format("{} does not take the path that {} counts on from node {} to node {}",
                  configuration.section("routing").text("kind"), model.collective->algorithm,
                  index(schedule.send(*send).from), index(schedule.send(*send).to)),
      routing_for(model, schedule.path(*send)));
}

void require_room(const Demand& demand, const Section& workload) {
  if (demand.chunks() <= ChunkLedger::kMostEntries / demand.nodes) return;
  workload.fail("operation",
                fmt::format("{} chunks at {} nodes are too many to keep account of",
                            demand.chunks(), demand.nodes),
                "use a smaller network; `schedule` judges it without one");
}

// Copies of all nodes that fill every buffer round a cycle would wait for each other for ever.
void require_circulation(const Model& model, const Configuration& configuration) {
  if (model.collective->collective.demand.operation != Operation::kGossip) return;
  const bool stored = model.params.router.store_and_forward;
  const auto length = static_cast<unsigned>(model.collective->cost.length);
  const unsigned least = stored ? 2 : 2 * length;
  if (model.params.router.buffer_depth >= least) return;
  configuration.section("router").fail(
      "buffer_depth",
      fmt::format("{} {} are too few for packets of {} flits that routers pass round a cycle",
                  model.params.router.buffer_depth, stored ? "packets" : "flits", length),
      fmt::format("make it at least {}", least));
}

// The header of a multicast packet tells where it comes from, not how far it has to go.
void require_order_without_distance(const Model& model, const Configuration& configuration) {
  if (!model.params.router.store_and_forward) return;
  const Section& router = configuration.section("router");
  const std::string& priority = router.text("priority");
  if (priority != "farthest" && priority != "farthest_first") return;
  router.fail("priority", priority + " has no meaning for packets that routers multicast",
              "use fifo or random");
}

// The rules of the tree take the place of the routing.
void let_routers_forward(Model& model, const Configuration& configuration) {
  require_circulation(model, configuration);
  require_order_without_distance(model, configuration);
  RouterForwarding& forwarding = *model.collective->forwarding;
  auto source = std::make_unique<ForwardingSource>(
      std::move(forwarding.injections), model.collective->collective.demand,
      static_cast<std::uint32_t>(configuration.section("workload").integer("length")),
      configuration.seed());
  model.routing = std::move(forwarding.routing);
  model.player = source.get();
  model.source = std::move(source);
}

// A start-up contains the way through the interfaces of both nodes.
void set_startup(Model& model, const CostModel& cost) {
  model.params.startup = static_cast<std::uint32_t>(static_cast<std::int64_t>(cost.startup) -
                                                    interface_cycles(model.params));
}

// Multicasts need somebody who lets them branch.
void require_branches(const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (workload.text("algorithm") != "multicast_rounds") return;
  if (is_centrally_controlled(configuration)) return;
  configuration.section("routing").fail(
      "kind",
      fmt::format("{} does not carry the multicasts of multicast_rounds",
                  configuration.section("routing").text("kind")),
      "use central_control on a clos topology, or algorithm: unicast_rounds");
}

void make_round_player(Model& model, const Configuration& configuration) {
  require_branches(configuration);
  model.rounds = std::make_unique<RoundWorkload>(
      make_round_workload(configuration, *model.topology, model.params));
  const RoundWorkload& rounds = *model.rounds;
  if (is_centrally_controlled(configuration) && model.groups == nullptr) return;  // Known already.
  if (!model.params.circuit) set_startup(model, rounds.cost);
  auto player = std::make_unique<RoundPlayer>(rounds.plan, rounds.demand, model.groups.get(),
                                              static_cast<std::uint32_t>(rounds.cost.length),
                                              configuration.seed());
  model.player = player.get();
  model.source = std::move(player);
}

}  // namespace

void make_player(Model& model, const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (runs_in_rounds(configuration)) return make_round_player(model, configuration);
  model.collective = std::make_unique<CollectiveWorkload>(
      make_collective(configuration, *model.topology, model.params));
  const Collective& collective = model.collective->collective;
  require_room(collective.demand, workload);
  set_startup(model, model.collective->cost);
  if (model.collective->forwarding) return let_routers_forward(model, configuration);
  require_routable(model, configuration);
  const auto timing = workload.text("timing") == "rounds" ? SchedulePlayer::Timing::kRounds
                                                          : SchedulePlayer::Timing::kSelfTimed;
  auto player = std::make_unique<SchedulePlayer>(
      *model.topology, collective.plan.schedule, collective.demand, timing,
      static_cast<std::uint32_t>(workload.integer("length")), configuration.seed());
  model.player = player.get();
  model.source = std::move(player);
}

}  // namespace flitcast
