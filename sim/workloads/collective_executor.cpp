// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective_executor.h"

#include <fmt/format.h>

#include "base/sequences.h"
#include "network/circuit/central_control.h"
#include "routing/catalog.h"
#include "routing/queue_priority.h"
#include "topology/adjacency.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

std::optional<std::uint64_t> CollectiveVerdict::contention_cycles() const {
  if (!paths || self_timed || !cycles || !analytic_cycles || *cycles < *analytic_cycles) {
    return std::nullopt;
  }
  return *cycles - *analytic_cycles;
}

Precondition CollectiveTask::with_single_packets() const {
  if (longest_message() <= kMaxPacketLength) return {};
  return violated(
      fmt::format("messages of {} flits are longer than a packet", longest_message()),
      fmt::format("use an algorithm whose messages nodes send, at most {} flits or a larger "
                  "flit_width",
                  kMaxPacketLength));
}

Precondition CollectiveTask::with_buffers(const std::string& hint) const {
  if (context.can.has_buffers) return {};
  return violated("routers without buffers have nothing to copy packets from", hint);
}

Precondition CollectiveTask::with_order_without_distance() const {
  if (params().priority == nullptr) return {};
  const std::string& priority = configuration().section("router").text("priority");
  if (!find(queue_priorities(), priority)->by_destination) return {};
  return violated(priority + " has no meaning for packets that routers multicast",
                  "use fifo or random");
}

namespace {

/// The name of a routing that takes the path, for a hint.
std::string routing_for(const Topology& topology, const Path& path) {
  if (topology_as<Hypercube>(topology) != nullptr) return "use {kind: e_cube, order: msb}";
  const auto* grid = topology_as<Grid>(topology);
  if (grid == nullptr) return "use a graph with a single link from node to node";
  const bool descends = (header_bits(*grid, path) >> grid->dimensions() & 1) != 0;
  return descends ? "use {kind: o1turn}"
                  : "use {kind: dimension_order, order: ascending, tie: coin}";
}

/// The configured routing; null if paths are not fixed. Problems of the routing are reported when
/// the network is made with it.
std::shared_ptr<Routing> configured_routing(const CollectiveTask& task) {
  const Capabilities& can = task.context.can;
  if (!can.has_fixed_paths || !can.has_buffers) return nullptr;
  try {
    return make_routing(task.configuration().section("routing"),
                        {task.context.topology, task.params().router.virtual_channels, true});
  } catch (const ConfigError&) {
    return nullptr;
  }
}

/// Finds the paths of messages whose plan has none.
std::optional<MessagePaths> followed_messages(const CollectiveTask& task) {
  constexpr std::size_t kMostFollowed = std::size_t{1} << 22;  // Takes some seconds.
  if (task.schedule().size() > kMostFollowed) return std::nullopt;
  const std::shared_ptr<Routing> routing = configured_routing(task);
  if (routing == nullptr) return std::nullopt;
  return paths_of(task.context.topology, *routing, task.schedule(), task.instance.placement);
}

// Multicast messages need routers or a controller that can replicate packets.
Precondition with_multicast(const CollectiveTask& task) {
  if (!task.collective.discipline.multicast || task.context.can.has_multicasts) {
    return {};
  }
  return violated(
      fmt::format("{} does not carry the multicasts of {}",
                  task.configuration().section("routing").text("kind"), task.verdict.algorithm),
      "use central_control on a clos topology, or algorithm: unicast_rounds");
}

// Requires a routing that takes exactly the paths of the schedule.
Precondition with_paths_of_plan(const CollectiveTask& task, const Routing& routing) {
  const Topology& topology = task.context.topology;
  const auto unroutable = first_unroutable(topology, routing, task.schedule());
  if (!unroutable) return {};
  const Message& message = task.schedule().message(*unroutable);
  return violated(fmt::format("{} does not take the path that {} counts on from node {} to node {}",
                              task.configuration().section("routing").text("kind"),
                              task.verdict.algorithm, index(message.from), index(message.to)),
                  routing_for(topology, task.schedule().path(*unroutable)));
}

// The formulas hold for messages of one length.
std::optional<std::uint64_t> cycles_of_controlled_rounds(const CollectiveTask& task,
                                                         std::uint64_t length) {
  const Schedule& schedule = task.schedule();
  const CostModel cost = task.cost_at(length);
  if (!task.instance.placement.nodes().empty()) return std::nullopt;
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    const auto flits = message_length(task.collective.demand, schedule.items(m), length);
    if (flits != cost.length) return std::nullopt;
  }
  if (task.context.can.has_fixed_paths) return std::nullopt;
  return round_cycles(task.configuration(), task.context.topology, task.params(), schedule, cost);
}

}  // namespace

void NodeExecutor::check() const {
  const Section& configured = task().configuration().section("routing");
  if (routing() == nullptr) require(configured, "kind", with_multicast(task()));
  const bool has_paths = task().collective.discipline.switching != Switching::kAnyNetwork;
  const auto taken = has_paths && routing() == nullptr ? configured_routing(task()) : nullptr;
  if (taken == nullptr) return;
  require(configured, "kind", with_paths_of_plan(task(), *taken));
}

void NodeExecutor::measure_paths(CollectiveVerdict& verdict) const {
  if (!verdict.has_paths) {
    verdict.paths = followed_messages(task());
    if (verdict.paths) {
      verdict.verification.longest_path_per_round = verdict.paths->longest_per_round;
    }
  } else if (task().collective.demand.operation == Operation::kMulticast) {
    verdict.links = task().schedule().hops();
  }
}

// There is one formula for each switching method, valid if all channels are alike.
std::optional<std::uint64_t> NodeExecutor::analytic_cycles(std::uint64_t length,
                                                           bool in_turn) const {
  const CollectiveVerdict& verdict = task().verdict;
  if (!verdict.knows_paths()) return cycles_of_controlled_rounds(task(), length);
  if (!channels_alike(task().context.topology)) return std::nullopt;
  if (!verdict.paths) {
    return flitcast::analytic_cycles(task().cost_at(length), task().router_switching(),
                                     verdict.verification);
  }
  CostModel cost = verdict.cost;
  cost.length = length;
  return flitcast::analytic_cycles(cost, task().router_switching(), task().collective.demand,
                                   task().schedule(), *verdict.paths, verdict.verification,
                                   in_turn);
}

void NodeExecutor::check_fit() const {
  constexpr std::uint64_t kMostFlits = std::uint64_t{1} << 32;  // 2^32 flits are 65536 packets.
  if (task().longest_message() <= kMostFlits) return;
  task().section().fail(
      "length",
      fmt::format("messages of {} flits are too long to be sent", task().longest_message()),
      fmt::format("make them at most {}, or use a larger flit_width; `schedule` has the time by "
                  "formula",
                  kMostFlits));
}

std::unique_ptr<CollectivePlayer> NodeExecutor::join(const NetworkPlan& network) {
  if (task().context.can.has_multicasts && network.groups == nullptr) return nullptr;
  return make_player(network.groups.get());
}

std::unique_ptr<CollectivePlayer> NodeExecutor::make_player(DestinationGroups* groups) {
  const auto timing =
      task().self_timed() ? SchedulePlayer::Timing::kSelfTimed : SchedulePlayer::Timing::kRounds;
  return std::make_unique<SchedulePlayer>(
      task().context.topology, task().schedule(), task().collective.demand, timing, task().length(),
      task().configuration().seed(), groups, task().instance.placement);
}

}  // namespace flitcast
