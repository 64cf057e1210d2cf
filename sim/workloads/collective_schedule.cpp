// SPDX-License-Identifier: Apache-2.0
// A collective operation by a schedule that counts on the paths of one topology.
#include <fmt/format.h>

#include <algorithm>

#include "collective/catalog.h"
#include "collective/dump.h"
#include "collective/routability.h"
#include "router/invariant.h"
#include "sim/workloads/collective.h"
#include "topology/grid.h"
#include "topology/hypercube.h"
#include "topology/metrics.h"
#include "traffic/forwarding_source.h"
#include "traffic/schedule_player.h"

namespace flitcast {
namespace {

class ScheduleWorkload : public CollectiveWorkload {
 public:
  explicit ScheduleWorkload(const WorkloadContext& context);

  std::shared_ptr<Routing> routing() const override { return routing_; }
  void join(const NetworkPlan& network) override;
  std::vector<std::string> notes() const override;
  void dump(std::ostream& out) const override {
    write_dump(out, context().topology, schedule(), collective_.discipline.switching);
  }

 private:
  const OperationEntry& operation() const;
  CollectiveContext collective_context() const;
  void make();
  void judge();
  std::optional<std::uint64_t> analytic_time(const Judgement& judgement) const;

  void require_room() const;
  void require_routable(const NetworkPlan& network) const;
  void require_circulation() const;
  void require_order_without_distance() const;

  const Schedule& schedule() const { return collective_.plan.schedule; }
  const NetworkParams& params() const { return context().params; }

  std::string manner() const override;
  std::string executor() const override { return forwarding_ ? ", copied by routers" : ""; }
  bool self_timed() const override { return section().text("timing") == "self_timed"; }
  std::string times_text() const override;
  std::size_t planned_rounds() const override { return schedule().rounds(); }
  std::string round_text(std::size_t round) const override;

  Collective collective_;
  std::optional<RouterForwarding> forwarding_;  // If routers carry it out instead of nodes,
  std::shared_ptr<Routing> routing_;            // and the rules by which they do.
};

ScheduleWorkload::ScheduleWorkload(const WorkloadContext& context) : CollectiveWorkload(context) {
  try {
    make();
  } catch (const PreconditionError& error) {
    fail(error);
  }
  judge();
}

const OperationEntry& ScheduleWorkload::operation() const {
  const std::string& name = section().text("operation");
  return *std::find_if(operations().begin(), operations().end(),
                       [&](const OperationEntry& entry) { return name == entry.name; });
}

CollectiveContext ScheduleWorkload::collective_context() const {
  const Topology& topology = context().topology;
  const std::size_t ports = topology.node_ports();
  const Section& node = context().configuration.section("node");
  const bool all = node.is_integer("ports") ? ports > 1 && ports >= most_router_ports(topology)
                                            : node.text("ports") == "all";
  CollectiveContext collective{topology};
  collective.ports = all ? kAllPorts : static_cast<unsigned>(ports);
  if (section().has("source")) {
    collective.source = NodeId{static_cast<std::uint32_t>(section().integer("source"))};
  }
  return collective;
}

void ScheduleWorkload::make() {
  const CollectiveContext instance = collective_context();
  collective_ = find(operation().algorithms(), verdict_.algorithm)->make(section(), instance);
  const auto* forwarding = find(router_forwardings(), verdict_.algorithm);
  if (forwarding == nullptr || section().text("forwarding") != "routers") return;
  forwarding_ = forwarding->make(section(), instance, params().router.virtual_channels);
  routing_ = std::move(forwarding_->routing);
}

void ScheduleWorkload::judge() {
  const Topology& topology = context().topology;
  const Judgement judgement = flitcast::judge(topology, schedule(), collective_.demand,
                                              collective_.discipline, collective_.plan.claim);
  if (!judgement.legal()) {
    throw InvariantError(fmt::format("the schedule of {} on {} is wrong: {}", verdict_.algorithm,
                                     topology.name(), judgement.violations.front().text));
  }
  verdict_.bound = lower_bound(topology, collective_.demand, collective_.discipline);
  if (judgement.rounds < verdict_.bound.rounds) {
    throw InvariantError(fmt::format("{} on {} takes fewer rounds than its lower bound",
                                     verdict_.algorithm, topology.name()));
  }
  verdict_.rounds = judgement.rounds;
  verdict_.transmissions = judgement.transmissions;
  verdict_.duplicates = judgement.duplicates;
  verdict_.new_per_round = judgement.new_per_round;
  verdict_.longest_path_per_round = judgement.longest_path_per_round;
  verdict_.analytic_cycles = analytic_time(judgement);
}

// One formula for each switching, if all channels are alike.
std::optional<std::uint64_t> ScheduleWorkload::analytic_time(const Judgement& judgement) const {
  const auto& channels = context().topology.channels();
  const bool alike = std::all_of(channels.begin(), channels.end(),
                                 [](const Channel& channel) { return channel.latency == 0; });
  if (!alike) return std::nullopt;
  const Switching switching =
      params().router.store_and_forward ? Switching::kStoreAndForward : Switching::kWormhole;
  if (!forwarding_) return analytic_cycles(verdict_.cost, switching, judgement);
  const bool gossip = collective_.demand.operation == Operation::kGossip;
  if (gossip && switching == Switching::kWormhole) return std::nullopt;
  if (forwarding_->injections.empty()) return 0;
  return message_cycles(verdict_.cost, switching, forwarding_->depth);
}

void ScheduleWorkload::join(const NetworkPlan& network) {
  require_room();
  const std::uint64_t seed = context().configuration.seed();
  if (forwarding_) {
    require_circulation();
    require_order_without_distance();
    play(std::make_unique<ForwardingSource>(forwarding_->injections, collective_.demand,
                                            longest_packet(), seed));
    return;
  }
  require_routable(network);
  const auto timing =
      self_timed() ? SchedulePlayer::Timing::kSelfTimed : SchedulePlayer::Timing::kRounds;
  play(std::make_unique<SchedulePlayer>(context().topology, schedule(), collective_.demand, timing,
                                        longest_packet(), seed));
}

void ScheduleWorkload::require_room() const {
  const Demand& demand = collective_.demand;
  if (demand.chunks() <= ChunkLedger::kMostEntries / demand.nodes) return;
  section().fail("operation",
                 fmt::format("{} chunks at {} nodes are too many to keep account of",
                             demand.chunks(), demand.nodes),
                 "use a smaller network; `schedule` judges it without one");
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

// The routing must take the very paths that the schedule counts on.
void ScheduleWorkload::require_routable(const NetworkPlan& network) const {
  if (network.routing == nullptr) return;  // Its own problem is known.
  const auto send = first_unroutable(context().topology, *network.routing, schedule());
  if (!send) return;
  const Section& routing = context().configuration.section("routing");
  routing.fail("kind",
               fmt::format("{} does not take the path that {} counts on from node {} to node {}",
                           routing.text("kind"), verdict_.algorithm,
                           index(schedule().send(*send).from), index(schedule().send(*send).to)),
               routing_for(context().topology, schedule().path(*send)));
}

// Copies of all nodes that fill every buffer round a cycle would wait for each other for ever.
void ScheduleWorkload::require_circulation() const {
  if (collective_.demand.operation != Operation::kGossip) return;
  const bool stored = params().router.store_and_forward;
  const unsigned least = stored ? 2 : 2 * longest_packet();
  if (params().router.buffer_depth >= least) return;
  context().configuration.section("router").fail(
      "buffer_depth",
      fmt::format("{} {} are too few for packets of {} flits that routers pass round a cycle",
                  params().router.buffer_depth, stored ? "packets" : "flits", longest_packet()),
      fmt::format("make it at least {}", least));
}

// The header of a multicast packet tells where it comes from, not how far it has to go.
void ScheduleWorkload::require_order_without_distance() const {
  if (!params().router.store_and_forward) return;
  const Section& router = context().configuration.section("router");
  const std::string& priority = router.text("priority");
  if (priority != "farthest" && priority != "farthest_first") return;
  router.fail("priority", priority + " has no meaning for packets that routers multicast",
              "use fifo or random");
}

std::vector<std::string> ScheduleWorkload::notes() const {
  if (!forwarding_ || !section().given("timing")) return {};
  return {"workload.timing means nothing here: routers know no rounds"};
}

std::string ScheduleWorkload::manner() const {
  const Discipline& discipline = collective_.discipline;
  const char* const switching =
      discipline.switching == Switching::kWormhole ? "wormhole" : "store-and-forward";
  if (discipline.ports == kAllPorts) return fmt::format("{}, all ports", switching);
  if (discipline.ports == 1) return fmt::format("{}, one port", switching);
  return fmt::format("{}, {} ports", switching, discipline.ports);
}

std::string ScheduleWorkload::times_text() const {
  const CostModel& cost = verdict_.cost;
  return fmt::format("ts {}, td {}, tm {}, m {}", cost.startup, cost.hop, cost.flit, cost.length);
}

std::string ScheduleWorkload::round_text(std::size_t round) const {
  const std::size_t begin = schedule().begin(round);
  const std::size_t sends = schedule().end(round) - begin;
  std::string text =
      fmt::format("{}, {} new, longest path {}:", counted(static_cast<std::int64_t>(sends), "send"),
                  verdict_.new_per_round[round], (*verdict_.longest_path_per_round)[round]);
  for (std::size_t s = begin; s < begin + std::min(sends, kShownSends); ++s) {
    const Send& send = schedule().send(s);
    text += fmt::format(" {}->{}", index(send.from), index(send.to));
    if (collective_.demand.chunks() > 1) text += fmt::format(":{}", index(send.chunk));
  }
  return text + (sends > kShownSends ? " ..." : "");
}

}  // namespace

std::unique_ptr<Workload> make_schedule_workload(const WorkloadContext& context) {
  return std::make_unique<ScheduleWorkload>(context);
}

}  // namespace flitcast
