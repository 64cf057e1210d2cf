// SPDX-License-Identifier: Apache-2.0
// Collective operations in which routers copy, forward or combine packets.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "collective/forwarding/reduction.h"
#include "sim/workloads/collective_executor.h"
#include "topology/adjacency.h"
#include "traffic/router_player.h"

namespace flitcast {

namespace {

/// Nodes send the messages of the plan, and routers copy each of them along a tree.
class CopyExecutor : public NodeExecutor {
 public:
  CopyExecutor(const CollectiveTask& task, std::shared_ptr<MulticastRouting> routing)
      : NodeExecutor(task), routing_(std::move(routing)) {}

  std::shared_ptr<Routing> routing() const override { return routing_; }

  // The path of a message is as long as its tree is deep.
  void measure_paths(CollectiveVerdict& verdict) const override {
    const Topology& topology = task().context.topology;
    const Schedule& schedule = task().schedule();
    const Adjacency adjacency(topology);
    verdict.has_paths = true;
    verdict.links = 0;
    for (std::size_t r = 0; r < schedule.rounds(); ++r) {
      for (std::size_t m = schedule.begin(r); m < schedule.end(r); ++m) {
        const Receivers to = schedule.receivers(m);
        const MulticastPath path = measure(follow(
            topology, adjacency, *routing_, schedule.message(m).from, {to.begin(), to.end()}));
        *verdict.links += path.links;
        std::size_t& longest = verdict.verification.longest_path_per_round[r];
        longest = std::max(longest, path.longest);
      }
    }
  }

  void check_fit() const override {
    require(task().section(), "algorithm", task().with_buffers("use another router.kind"));
    require(task().section(), "length", task().with_single_packets());
    require(task().configuration().section("router"), "priority",
            task().with_order_without_distance());
  }

  std::unique_ptr<CollectivePlayer> join(const NetworkPlan&) override {
    return make_player(&routing_->groups());
  }

 private:
  const std::shared_ptr<MulticastRouting> routing_;
};

/// Nodes inject once, and routers forward, copy or combine the packets by their own rules.
///
/// Packets that are combined carry checksums, which show that every receiver gets every
/// contribution once; data are combined as the routers do it, in the order of their inputs.
class ForwardingExecutor : public CollectiveExecutor {
 public:
  ForwardingExecutor(const CollectiveTask& task, RouterForwarding forwarding)
      : CollectiveExecutor(task),
        forwarding_(std::move(forwarding)),
        routing_(std::move(forwarding_.routing)) {
    if (has_collective_data(task.section())) vectors_ = vectors_of(task);
  }

  std::shared_ptr<Routing> routing() const override { return routing_; }

  void check() const override {
    const Section& workload = task().section();
    if (!vectors_) return;
    if (workload.number("data.combine_cycles") != 0) {
      workload.fail("data.combine_cycles", "routers combine flits while they pass",
                    "leave it out; router.combine is the time of a router");
    }
    if (routing_->reductions() == 1) return;
    workload.fail("at_once", "only one reduction at a time has data", "use 1, or leave data out");
  }

  // There is one formula for each switching method, valid if all channels are alike.
  std::optional<std::uint64_t> analytic_cycles(std::uint64_t length, bool) const override {
    const bool gossip = task().collective.demand.operation == Operation::kGossip;
    if (!channels_alike(task().context.topology)) return std::nullopt;
    if (gossip && task().router_switching() == Switching::kWormhole) return std::nullopt;
    if (routing_->reductions() > 1) return std::nullopt;
    if (forwarding_.injections.empty()) return 0;
    const CostModel cost = task().cost_at(length);
    return largest_of<std::uint64_t>(forwarding_.paths, [&](const RouterForwarding::Path& path) {
      return message_cycles(cost, task().router_switching(), path.channels) +
             path.combinations * task().params().router.combine;
    });
  }

  void adapt(NetworkPlan& network) const override {
    if (routing_->reductions() == 0) return;
    network.params.combine = ChunkLedger::sum_for(task().collective.demand);
  }

  void check_fit() const override {
    const Section& router = task().configuration().section("router");
    require(task().section(), "length", task().with_single_packets());
    require(router, "buffer_depth", with_room_to_circulate());
    const char* const chosen = task().section().has("forwarding") ? "forwarding" : "algorithm";
    require(task().section(), chosen,
            task().with_buffers(
                "let nodes send (workload.forwarding, algorithm), or use another router.kind"));
    require(router, "priority", task().with_order_without_distance());
  }

  std::unique_ptr<CollectivePlayer> join(const NetworkPlan&) override {
    return combines() ? player<ReductionPlayer>() : player<ForwardingPlayer>();
  }

  const char* manner() const override {
    return combines() ? ", combined by routers" : ", copied by routers";
  }
  std::string data_text() const override {
    return vectors_ ? ", " + vectors_->arithmetic.name() : "";
  }
  void add_figures(ordered_json& collective) const override {
    if (vectors_) write_data_figures(sums(), combined(), collective);
  }
  std::vector<SummaryLine> summary() const override {
    return vectors_ ? data_summary(sums(), combined()) : std::vector<SummaryLine>{};
  }

  std::vector<std::string> notes() const override {
    if (!task().section().given("timing")) return {};
    return {"workload.timing means nothing here: routers know no rounds"};
  }

 private:
  bool combines() const { return task().collective.demand.adds_up(); }

  template <class Player>
  std::unique_ptr<CollectivePlayer> player() const {
    return std::make_unique<Player>(forwarding_.injections, task().collective.demand,
                                    task().longest_packet(), task().configuration().seed(),
                                    task().instance.placement);
  }

  // Packets of all nodes that fill every buffer in a cycle of channels would wait for each other
  // forever.
  Precondition with_room_to_circulate() const {
    if (task().collective.demand.operation != Operation::kGossip) return {};
    const bool stored = task().context.can.unit == BufferUnit::kPacket;
    const unsigned least = stored ? 2 : 2 * task().longest_packet();
    const unsigned depth = buffer_depths(task().context.topology, task().params().router).first;
    if (depth >= least) return {};
    return violated(
        fmt::format("{} {} are too few for packets of {} flits that routers pass round a cycle",
                    depth, stored ? "packets" : "flits", task().longest_message()),
        fmt::format("make it at least {}", least));
  }

  VectorLedger sums() const {
    const Topology& topology = task().context.topology;
    const Demand& demand = task().collective.demand;
    VectorLedger sums(demand, *vectors_, topology.router_count());
    sums.carry_out(
        steps_of(topology, *routing_, forwarding_.injections, demand, task().instance.placement));
    return sums;
  }
  std::uint64_t combined() const {
    return (task().collective.demand.nodes - 1) * vectors_->elements();
  }

  RouterForwarding forwarding_;
  const std::shared_ptr<Routing> routing_;
  std::optional<VectorData> vectors_;
};

}  // namespace

std::unique_ptr<CollectiveExecutor> make_executor(const CollectiveTask& task) {
  const CollectiveEntry& entry = *collectives().find(task.verdict.algorithm);
  const Section& section = task.section();
  const CollectiveContext& context = task.instance;
  const std::size_t virtual_channels = task.params().router.virtual_channels;
  if (entry.copy != nullptr) {
    return std::make_unique<CopyExecutor>(task, entry.copy(section, context, virtual_channels));
  }
  const bool by_nodes = section.has("forwarding") && section.text("forwarding") != "routers";
  if (entry.forward != nullptr && !by_nodes) {
    return std::make_unique<ForwardingExecutor>(task,
                                                entry.forward(section, context, virtual_channels));
  }
  if (has_collective_data(section)) return data_executor(task);
  return std::make_unique<NodeExecutor>(task);
}

}  // namespace flitcast
