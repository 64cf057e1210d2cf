// SPDX-License-Identifier: Apache-2.0
// Collective operations in which routers copy, forward or combine packets.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

/// Nodes inject once, and routers forward the packets by their own rules.
class ForwardingExecutor : public CollectiveExecutor {
 public:
  ForwardingExecutor(const CollectiveTask& task, RouterForwarding forwarding)
      : CollectiveExecutor(task),
        forwarding_(std::move(forwarding)),
        routing_(std::move(forwarding_.routing)) {}

  std::shared_ptr<Routing> routing() const override { return routing_; }

  void check() const override {
    if (!has_collective_data(task().section())) return;
    task().section().fail("data.operator", "routers combine checksums, not the elements of data",
                          "leave it out, or use forwarding: nodes");
  }

  // There is one formula for each switching method, valid if all channels are alike.
  std::optional<std::uint64_t> analytic_cycles(std::uint64_t length, bool) const override {
    const bool gossip = task().collective.demand.operation == Operation::kGossip;
    if (!channels_alike(task().context.topology)) return std::nullopt;
    if (gossip && task().router_switching() == Switching::kWormhole) return std::nullopt;
    if (forwarding_.injections.empty()) return 0;
    return message_cycles(task().cost_at(length), task().router_switching(), forwarding_.depth);
  }

  void check_fit() const override {
    const Section& router = task().configuration().section("router");
    require(task().section(), "length", task().with_single_packets());
    require(router, "buffer_depth", with_room_to_circulate());
    require(task().configuration().section("workload"), "forwarding",
            task().with_buffers("use forwarding: nodes, or another router.kind"));
    require(router, "priority", task().with_order_without_distance());
  }

  std::unique_ptr<CollectivePlayer> join(const NetworkPlan&) override { return make_player(); }

  const char* manner() const override { return ", copied by routers"; }

  std::vector<std::string> notes() const override {
    if (!task().section().given("timing")) return {};
    return {"workload.timing means nothing here: routers know no rounds"};
  }

 protected:
  const RouterForwarding& forwarding() const { return forwarding_; }
  virtual std::unique_ptr<CollectivePlayer> make_player() const {
    return std::make_unique<ForwardingPlayer>(forwarding_.injections, task().collective.demand,
                                              task().longest_packet(),
                                              task().configuration().seed());
  }

 private:
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

  RouterForwarding forwarding_;
  const std::shared_ptr<Routing> routing_;
};

/// Nodes inject their contributions, and routers combine packets.
class CombiningExecutor : public ForwardingExecutor {
 public:
  using ForwardingExecutor::ForwardingExecutor;

  std::optional<std::uint64_t> analytic_cycles(std::uint64_t length, bool in_turn) const override {
    const auto forwarded = ForwardingExecutor::analytic_cycles(length, in_turn);
    if (!forwarded || forwarding().injections.empty()) return forwarded;
    if (task().section().count("at_once") > 1) return std::nullopt;
    return *forwarded + forwarding().combinations * task().params().router.combine;
  }

  void adapt(NetworkPlan& network) const override {
    network.params.combine = ChunkLedger::sum_for(task().collective.demand);
  }

  const char* manner() const override { return ", combined by routers"; }

 protected:
  std::unique_ptr<CollectivePlayer> make_player() const override {
    return std::make_unique<ReductionPlayer>(forwarding().injections, task().collective.demand,
                                             task().longest_packet(),
                                             task().configuration().seed());
  }
};

}  // namespace

std::unique_ptr<CollectiveExecutor> make_executor(const CollectiveTask& task) {
  const CollectiveEntry& entry = *collectives().find(task.verdict.algorithm);
  const Section& section = task.section();
  const CollectiveContext& context = task.instance.context;
  const std::size_t virtual_channels = task.params().router.virtual_channels;
  if (entry.copy != nullptr) {
    return std::make_unique<CopyExecutor>(task, entry.copy(section, context, virtual_channels));
  }
  if (entry.forward != nullptr && section.text("forwarding") == "routers") {
    RouterForwarding forwarding = entry.forward(section, context, virtual_channels);
    if (!task.collective.demand.adds_up()) {
      return std::make_unique<ForwardingExecutor>(task, std::move(forwarding));
    }
    return std::make_unique<CombiningExecutor>(task, std::move(forwarding));
  }
  if (has_collective_data(section)) return data_executor(task);
  return std::make_unique<NodeExecutor>(task);
}

}  // namespace flitcast
