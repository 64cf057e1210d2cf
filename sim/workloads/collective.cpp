// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "collective/catalog.h"
#include "collective/paths.h"
#include "network/circuit/packet_admission.h"
#include "network/router_entry.h"
#include "router/invariant.h"
#include "routing/catalog.h"
#include "routing/queue_priority.h"
#include "sim/experiment/central_control.h"
#include "sim/workloads/collective_instance.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/metrics.h"
#include "traffic/reduction_player.h"

namespace flitcast {

namespace {

// A start-up shorter than the way through the nodes' interfaces does not exist.
CostModel cost_model(const WorkloadContext& context, const Collective& collective) {
  const NetworkParams& params = context.params;
  const auto least =
      static_cast<std::uint64_t>(std::max<std::int64_t>(interface_cycles(params), 0));
  const std::uint64_t startup = context.configuration.section("node").count("startup");
  const auto length = static_cast<std::uint32_t>(context.section().integer("length"));
  return {std::max(startup, least), hop_cycles(params), params.cycles_per_flit,
          longest_message(collective.demand, collective.plan.schedule, length)};
}

/// The routing that takes a path, as a hint.
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
  verdict_.cost = cost_model(context, collective_);
  data_ = collective_data(section(), configuration().seed());
  verify();
  follow_messages();
  if (data_) require_data();
  verdict_.analytic_cycles = analytic_time();
  if (data_ && verdict_.analytic_cycles) *verdict_.analytic_cycles += combining_cycles();
}

void CollectiveWorkload::make() {
  const CollectiveInstance instance = collective_instance(context_);
  placement_ = instance.placement;
  verdict_.rank_nodes = instance.rank_nodes;
  const CollectiveContext& context = instance.context;
  const CollectiveEntry& entry = *collectives().find(verdict_.algorithm);
  collective_ = entry.make(section(), context);
  if (entry.copy != nullptr) {
    routing_ = copies_ = entry.copy(section(), context, params().router.virtual_channels);
  }
  if (entry.forward == nullptr || section().text("forwarding") != "routers") return;
  forwarding_ = entry.forward(section(), context, params().router.virtual_channels);
  routing_ = std::move(forwarding_->routing);
}

void CollectiveWorkload::require_data() const {
  if (forwarding_) {
    section().fail("data.operator", "routers combine checksums, not the elements of data",
                   "leave it out, or use forwarding: nodes");
  }
  if (VectorLedger::has_space_for(collective_.demand, data_->vectors)) return;
  section().fail("data.elements",
                 fmt::format("{} flits of {} elements at {} nodes are more than {} elements",
                             length(), data_->vectors.elements_per_flit, collective_.demand.nodes,
                             VectorLedger::kMostElements),
                 "use a smaller length, fewer elements or a smaller network");
}

void CollectiveWorkload::fail(const PreconditionError& error) const {
  switch (error.subject()) {
    case PreconditionError::Subject::kSource:
      section().fail("source", error.reason(), error.hint());
    case PreconditionError::Subject::kPorts:
      configuration().section("node").fail("ports", error.reason(), error.hint());
    case PreconditionError::Subject::kTopology:
      break;
  }
  section().fail("algorithm", error.reason(), error.hint());
}

void CollectiveWorkload::verify() {
  const Topology& topology = context_.topology;
  const auto& [demand, discipline, plan] = collective_;
  require_space(demand.chunks() <= kMostVerified / demand.nodes, "use a smaller network");
  verdict_.verification = flitcast::verify(topology, plan.schedule, demand, discipline, plan.claim);
  if (!verdict_.verification.legal()) {
    throw InvariantError(fmt::format("the schedule of {} on {} is wrong: {}", verdict_.algorithm,
                                     topology.name(),
                                     verdict_.verification.violations.front().text));
  }
  verdict_.has_paths = copies_ != nullptr || discipline.switching != Switching::kAnyNetwork;
  verdict_.bound = lower_bound(topology, demand, discipline);
  if (verdict_.verification.rounds < verdict_.bound.rounds) {
    throw InvariantError(fmt::format("{} on {} takes fewer rounds than its lower bound",
                                     verdict_.algorithm, topology.name()));
  }
  if (demand.operation == Operation::kMulticast && verdict_.has_paths) measure_ways();
}

// Copies take the channels of a tree, whose depth is the way of the message.
void CollectiveWorkload::measure_ways() {
  const Adjacency adjacency(context_.topology);
  std::size_t links = 0;
  for (std::size_t r = 0; r < schedule().rounds(); ++r) {
    for (std::size_t m = schedule().begin(r); m < schedule().end(r); ++m) {
      links += schedule().path(m).size();
      if (copies_ == nullptr) continue;
      const Receivers to = schedule().receivers(m);
      const MulticastPath path =
          measure(follow(context_.topology, adjacency, *copies_, schedule().message(m).from,
                         {to.begin(), to.end()}));
      links += path.links;
      std::size_t& longest = verdict_.verification.longest_path_per_round[r];
      longest = std::max(longest, path.longest);
    }
  }
  verdict_.links = links;
}

// Where a routing cannot be made its own problem is told when the network gets it.
void CollectiveWorkload::follow_messages() {
  verdict_.self_timed = self_timed();
  if (verdict_.has_paths || is_centrally_controlled(configuration())) return;
  constexpr std::size_t kMostFollowed = std::size_t{1} << 22;  // Some seconds.
  if (router_of(configuration()).cores == nullptr || schedule().size() > kMostFollowed) return;
  try {
    const auto routing = make_routing(configuration().section("routing"),
                                      {context_.topology, params().router.virtual_channels, true});
    verdict_.paths = paths_of(context_.topology, *routing, schedule(), placement_);
  } catch (const ConfigError&) {
    return;
  }
  if (verdict_.paths)
    verdict_.verification.longest_path_per_round = verdict_.paths->longest_per_round;
}

void CollectiveWorkload::require_space(bool has_space, const char* hint) const {
  if (has_space) return;
  section().fail("operation",
                 fmt::format("{} chunks at {} nodes are too many to keep account of",
                             collective_.demand.chunks(), collective_.demand.nodes),
                 hint);
}

Switching CollectiveWorkload::router_switching() const {
  return params().keeps_packets() ? Switching::kStoreAndForward : Switching::kWormhole;
}

// One formula for each switching, if all channels are alike.
std::optional<std::uint64_t> CollectiveWorkload::analytic_time() const {
  if (verdict_.paths) return analytic_time_of_paths();
  if (!verdict_.has_paths) return analytic_time_of_rounds();
  if (!channels_alike(context_.topology)) return std::nullopt;
  if (!forwarding_)
    return analytic_cycles(verdict_.cost, router_switching(), verdict_.verification);
  const bool gossip = collective_.demand.operation == Operation::kGossip;
  if (gossip && router_switching() == Switching::kWormhole) return std::nullopt;
  if (forwarding_->injections.empty()) return 0;
  if (combines() && section().count("at_once") > 1) return std::nullopt;
  return message_cycles(verdict_.cost, router_switching(), forwarding_->depth) +
         forwarding_->combinations * params().router.combine;
}

std::optional<std::uint64_t> CollectiveWorkload::analytic_time_of_paths() const {
  if (!channels_alike(context_.topology)) return std::nullopt;
  CostModel cost = verdict_.cost;
  cost.length = length();
  return analytic_cycles(cost, router_switching(), collective_.demand, schedule(), *verdict_.paths,
                         verdict_.verification);
}

std::uint64_t CollectiveWorkload::combining_cycles() const {
  return combining_time(schedule(), collective_.demand, data_->vectors, data_->combine_cycles);
}

// The formulas there are for messages of one length.
std::optional<std::uint64_t> CollectiveWorkload::analytic_time_of_rounds() const {
  if (!verdict_.rank_nodes.empty()) return std::nullopt;
  for (std::size_t m = 0; m < schedule().size(); ++m) {
    const auto flits = message_length(collective_.demand, schedule().items(m), length());
    if (flits != verdict_.cost.length) return std::nullopt;
  }
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
  if (combines()) network.params.combine = ChunkLedger::sum_for(collective_.demand);
}

void CollectiveWorkload::join(const NetworkPlan& network) {
  const Demand& demand = collective_.demand;
  require_space(ChunkLedger::has_space_for(demand),
                "use a smaller network; `schedule` verifies it without one");
  const std::uint64_t seed = configuration().seed();
  if (forwarding_) {
    require_circulation();
    require_buffers();
    require_order_without_distance();
    if (combines()) {
      player_ = std::make_unique<ReductionPlayer>(forwarding_->injections, demand, longest_packet(),
                                                  seed);
      return;
    }
    player_ =
        std::make_unique<ForwardingPlayer>(forwarding_->injections, demand, longest_packet(), seed);
    return;
  }
  require_branches();
  if (collective_.discipline.switching != Switching::kAnyNetwork) require_routable(network);
  const bool lacks_control =
      copies_ == nullptr && is_centrally_controlled(configuration()) && network.groups == nullptr;
  if (lacks_control) return;  // Its own problem is known.
  DestinationGroups* const groups = copies_ != nullptr ? &copies_->groups() : network.groups.get();
  if (data_) {
    player_ = std::make_unique<VectorPlayer>(context_.topology, schedule(), demand, data_->vectors,
                                             data_->combine_cycles, groups, placement_);
    return;
  }
  const auto timing =
      self_timed() ? SchedulePlayer::Timing::kSelfTimed : SchedulePlayer::Timing::kRounds;
  player_ = std::make_unique<SchedulePlayer>(context_.topology, schedule(), demand, timing,
                                             length(), seed, groups, placement_);
}

// Multicasts need somebody who lets them branch.
void CollectiveWorkload::require_branches() const {
  if (copies_ != nullptr) {
    require_buffers();
    return require_order_without_distance();
  }
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
      .fail(copies_ != nullptr ? "algorithm" : "forwarding",
            "routers without buffers have nothing to copy packets from",
            copies_ != nullptr ? "use another router.kind"
                               : "use forwarding: nodes, or another router.kind");
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
  throw InvariantError(fmt::format("{} {} are missing or wrong at their nodes", player_->wrong(),
                                   data_ ? "elements" : "chunks"));
}

std::vector<std::string> CollectiveWorkload::notes() const {
  if (!forwarding_ || !section().given("timing")) return {};
  return {"workload.timing means nothing here: routers know no rounds"};
}

void CollectiveWorkload::write_schedule(std::ostream& out) const {
  write_dump(out, context_.topology, schedule(), collective_.discipline.switching);
}

std::vector<Param> collective_workload_params() {
  std::vector<Param> params = collective_params();
  for (Param& param : collective_data_params()) params.push_back(std::move(param));
  return params;
}

WorkloadEntry collective_workload() {
  return {{"collective",
           "A collective operation, from its first send to its last arrival.",
           collective_workload_params,
           makes<CollectiveWorkload>(),
           {"operation: gossip, algorithm: unicast_rounds, length: 4",
            "operation: barrier, algorithm: unicast_rounds",
            "operation: reduce, algorithm: binomial, data: {operator: add, type: float32}"}},
          CollectiveWorkload::figure_meanings()};
}

}  // namespace flitcast
