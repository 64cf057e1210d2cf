// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "collective/catalog.h"
#include "collective/paths.h"
#include "network/packet_admission.h"
#include "network/router_entry.h"
#include "router/invariant.h"
#include "routing/queue_priority.h"
#include "sim/central_control.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

// A start-up shorter than the way through the nodes' interfaces does not exist.
CostModel cost_model(const WorkloadContext& context, Operation operation) {
  const NetworkParams& params = context.params;
  const auto least =
      static_cast<std::uint64_t>(std::max<std::int64_t>(interface_cycles(params), 0));
  const std::uint64_t startup = context.configuration.section("node").count("startup");
  const auto length = static_cast<std::uint32_t>(context.section().integer("length"));
  return {std::max(startup, least), hop_cycles(params), params.cycles_per_flit,
          message_length(operation, length)};
}

/// The routing that takes a path, as a remedy.
std::string routing_for(const Topology& topology, const Path& path) {
  if (dynamic_cast<const Hypercube*>(&topology) != nullptr) return "use {kind: e_cube, order: msb}";
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) return "use a graph with a single link from node to node";
  const bool descends = (header_bits(*grid, path) >> grid->dimensions() & 1) != 0;
  return descends ? "use {kind: o1turn}"
                  : "use {kind: dimension_order, order: ascending, tie: coin}";
}

}  // namespace

CollectiveWorkload::CollectiveWorkload(const WorkloadContext& context) : context_(context) {
  verdict_.algorithm = section().text("algorithm");
  try {
    make();
  } catch (const PreconditionError& error) {
    fail(error);
  }
  verdict_.cost = cost_model(context, collective_.demand.operation);
  judge();
  verdict_.analytic_cycles = analytic_time();
}

CollectiveContext CollectiveWorkload::instance() const {
  const Topology& topology = context_.topology;
  const std::size_t ports = topology.node_ports();
  const Section& node = configuration().section("node");
  const bool all = node.is_integer("ports") ? ports > 1 && ports >= most_router_ports(topology)
                                            : node.text("ports") == "all";
  CollectiveContext instance{topology};
  instance.ports = all ? kAllPorts : static_cast<unsigned>(ports);
  instance.operation = operation_named(section().text("operation"));
  if (has_source(instance.operation)) {
    instance.source = NodeId{static_cast<std::uint32_t>(section().integer("source"))};
  }
  if (instance.operation == Operation::kMulticast) instance.receivers = receivers();
  return instance;
}

// 0 stands for all other nodes.
std::size_t CollectiveWorkload::receivers() const {
  const std::size_t others = context_.topology.node_count() - 1;
  const std::size_t given = section().count("receivers");
  if (given <= others) return given == 0 ? others : given;
  section().fail(
      "receivers",
      fmt::format("{} nodes beside the source are more than the {} that there are", given, others),
      "use 0 for all of them");
}

void CollectiveWorkload::make() {
  const CollectiveContext context = instance();
  const CollectiveEntry& entry = *collectives().find(verdict_.algorithm);
  collective_ = entry.make(section(), context);
  if (entry.forward == nullptr || section().text("forwarding") != "routers") return;
  forwarding_ = entry.forward(section(), context, params().router.virtual_channels);
  routing_ = std::move(forwarding_->routing);
}

void CollectiveWorkload::fail(const PreconditionError& error) const {
  switch (error.subject()) {
    case PreconditionError::Subject::kSource:
      section().fail("source", error.reason(), error.remedy());
    case PreconditionError::Subject::kPorts:
      configuration().section("node").fail("ports", error.reason(), error.remedy());
    case PreconditionError::Subject::kTopology:
      break;
  }
  section().fail("algorithm", error.reason(), error.remedy());
}

void CollectiveWorkload::judge() {
  const Topology& topology = context_.topology;
  const auto& [demand, discipline, plan] = collective_;
  require_room(demand.chunks() <= kMostJudged / demand.nodes, "use a smaller network");
  verdict_.judgement = flitcast::judge(topology, plan.schedule, demand, discipline, plan.claim);
  if (!verdict_.judgement.legal()) {
    throw InvariantError(fmt::format("the schedule of {} on {} is wrong: {}", verdict_.algorithm,
                                     topology.name(), verdict_.judgement.violations.front().text));
  }
  verdict_.has_paths = discipline.switching != Switching::kAnyNetwork;
  verdict_.bound = lower_bound(topology, demand, discipline);
  if (verdict_.judgement.rounds < verdict_.bound.rounds) {
    throw InvariantError(fmt::format("{} on {} takes fewer rounds than its lower bound",
                                     verdict_.algorithm, topology.name()));
  }
}

void CollectiveWorkload::require_room(bool has_room, const char* remedy) const {
  if (has_room) return;
  section().fail("operation",
                 fmt::format("{} chunks at {} nodes are too many to keep account of",
                             collective_.demand.chunks(), collective_.demand.nodes),
                 remedy);
}

Switching CollectiveWorkload::router_switching() const {
  return params().keeps_packets() ? Switching::kStoreAndForward : Switching::kWormhole;
}

// One formula for each switching, if all channels are alike.
std::optional<std::uint64_t> CollectiveWorkload::analytic_time() const {
  if (!verdict_.has_paths) return analytic_time_of_rounds();
  const auto& channels = context_.topology.channels();
  const bool alike = std::all_of(channels.begin(), channels.end(), [](const Channel& channel) {
    return channel.latency == 0 && channel.cycles_per_flit == 0;
  });
  if (!alike) return std::nullopt;
  if (!forwarding_) return analytic_cycles(verdict_.cost, router_switching(), verdict_.judgement);
  const bool gossip = collective_.demand.operation == Operation::kGossip;
  if (gossip && router_switching() == Switching::kWormhole) return std::nullopt;
  if (forwarding_->injections.empty()) return 0;
  return message_cycles(verdict_.cost, router_switching(), forwarding_->depth);
}

std::optional<std::uint64_t> CollectiveWorkload::analytic_time_of_rounds() const {
  const auto* clos = dynamic_cast<const Clos*>(&context_.topology);
  if (clos == nullptr || !is_centrally_controlled(configuration())) return std::nullopt;
  const clos::MultistageStructure structure = clos::structure_of(*clos);
  const CircuitParams control = control_of(configuration(), *clos);
  if (router_of(configuration()).cores != nullptr) {
    return packet_rounds_cycles(schedule(), structure, control, verdict_.cost, router_switching());
  }
  CircuitParams circuit = params().circuits;
  circuit.strategy = control.strategy;
  circuit.control = control.control;
  return circuit_rounds_cycles(schedule(), structure, circuit, verdict_.cost.length);
}

// A start-up contains the way through the interfaces of both nodes.
void CollectiveWorkload::adapt(NetworkPlan& network) {
  network.params.startup = static_cast<std::uint32_t>(
      static_cast<std::int64_t>(verdict_.cost.startup) - interface_cycles(params()));
}

void CollectiveWorkload::join(const NetworkPlan& network) {
  const Demand& demand = collective_.demand;
  require_room(ChunkLedger::has_room_for(demand),
               "use a smaller network; `schedule` judges it without one");
  const std::uint64_t seed = configuration().seed();
  if (forwarding_) {
    require_circulation();
    require_buffers();
    require_order_without_distance();
    player_ =
        std::make_unique<ForwardingPlayer>(forwarding_->injections, demand, longest_packet(), seed);
    return;
  }
  require_branches();
  if (verdict_.has_paths) require_routable(network);
  const bool lacks_control = is_centrally_controlled(configuration()) && network.groups == nullptr;
  if (lacks_control) return;  // Its own problem is known.
  const auto timing =
      self_timed() ? SchedulePlayer::Timing::kSelfTimed : SchedulePlayer::Timing::kRounds;
  player_ = std::make_unique<SchedulePlayer>(context_.topology, schedule(), demand, timing,
                                             longest_packet(), seed, network.groups.get());
}

// Multicasts need somebody who lets them branch.
void CollectiveWorkload::require_branches() const {
  if (!collective_.discipline.multicast || is_centrally_controlled(configuration())) return;
  const Section& routing = configuration().section("routing");
  routing.fail("kind",
               fmt::format("{} does not carry the multicasts of {}", routing.text("kind"),
                           verdict_.algorithm),
               "use central_control on a clos topology, or algorithm: unicast_rounds");
}

// The routing must take the very paths that the schedule counts on.
void CollectiveWorkload::require_routable(const NetworkPlan& network) const {
  if (network.routing == nullptr) return;  // Its own problem is known.
  const auto unroutable = first_unroutable(context_.topology, *network.routing, schedule());
  if (!unroutable) return;
  const Message& message = schedule().message(*unroutable);
  const Section& routing = configuration().section("routing");
  routing.fail(
      "kind",
      fmt::format("{} does not take the path that {} counts on from node {} to node {}",
                  routing.text("kind"), verdict_.algorithm, index(message.from), index(message.to)),
      routing_for(context_.topology, schedule().path(*unroutable)));
}

// Copies of all nodes that fill every buffer round a cycle would wait for each other for ever.
void CollectiveWorkload::require_circulation() const {
  if (collective_.demand.operation != Operation::kGossip) return;
  const bool stored = params().keeps_packets();
  const unsigned least = stored ? 2 : 2 * longest_packet();
  if (params().router.buffer_depth >= least) return;
  configuration().section("router").fail(
      "buffer_depth",
      fmt::format("{} {} are too few for packets of {} flits that routers pass round a cycle",
                  params().router.buffer_depth, stored ? "packets" : "flits", longest_packet()),
      fmt::format("make it at least {}", least));
}

// Routers copy packets from their buffers.
void CollectiveWorkload::require_buffers() const {
  if (router_of(configuration()).cores != nullptr) return;
  configuration()
      .section("workload")
      .fail("forwarding", "routers without buffers have nothing to copy packets from",
            "use forwarding: nodes, or another router.kind");
}

// The header of a multicast packet tells where it comes from, not how far it has to go.
void CollectiveWorkload::require_order_without_distance() const {
  if (params().priority == nullptr) return;
  const Section& router = configuration().section("router");
  const std::string& priority = router.text("priority");
  if (!find(queue_priorities(), priority)->by_destination) return;
  router.fail("priority", priority + " has no meaning for packets that routers multicast",
              "use fifo or random");
}

std::optional<std::uint64_t> CollectiveWorkload::cycles() const {
  if (!finished()) return std::nullopt;
  return player_->cycles();
}

// Wrong bytes at the end would be our own mistake, in the plan or in the network.
void CollectiveWorkload::audit(const Network&) const {
  if (!finished() || player_->wrong() == 0) return;
  throw InvariantError(
      fmt::format("{} chunks are missing or wrong at their nodes", player_->wrong()));
}

std::vector<std::string> CollectiveWorkload::notes() const {
  if (!forwarding_ || !section().given("timing")) return {};
  return {"workload.timing means nothing here: routers know no rounds"};
}

void CollectiveWorkload::write_schedule(std::ostream& out) const {
  write_dump(out, context_.topology, schedule(), collective_.discipline.switching);
}

WorkloadEntry collective_workload() {
  return {{"collective",
           "A collective operation, from its first send to its last arrival.",
           collective_params,
           makes<CollectiveWorkload>(),
           {"operation: gossip, algorithm: unicast_rounds, length: 4",
            "operation: barrier, algorithm: unicast_rounds"}},
          CollectiveWorkload::figure_meanings()};
}

}  // namespace flitcast
