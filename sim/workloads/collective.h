// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/message_paths.h"
#include "collective/placement.h"
#include "collective/precondition.h"
#include "collective/verification.h"
#include "sim/experiment/workload.h"
#include "sim/workloads/collective_data.h"
#include "traffic/collective_player.h"

namespace flitcast {

/// What the abstract machine says of a collective operation, and the network of its time.
struct CollectiveVerdict {
  std::string algorithm;
  Verification verification{};
  bool has_paths = true;  ///< Of its messages, by the plan or by the routers that copy them.
  /// Channels that all messages of a multicast take together; absent for others.
  std::optional<std::size_t> links{};
  LowerBound bound{};
  CostModel cost{};  ///< Of the network that the experiment describes; its length: of a message.
  /// Absent where there is no formula: channels with latencies of their own, gossip by routers that
  /// do not store packets, messages without paths whose ways are not certain, and where
  /// central_control.h has none. A least time where messages of a round share a channel.
  std::optional<std::uint64_t> analytic_cycles{};
  std::optional<std::uint64_t> cycles{};  ///< Measured, once it is finished.
  /// The node of every rank; empty where rank and node are the same.
  std::vector<NodeId> rank_nodes{};
  /// Of messages without paths of their own, where their routing leaves no doubt.
  std::optional<MessagePaths> paths{};
  /// What the measured cycles are above the analytic ones because messages without paths of their
  /// own wait for each other; absent without both, and for sends that know no rounds.
  std::optional<std::uint64_t> contention_cycles() const;
  bool self_timed = false;
};

/// The keys of a collective operation.
std::vector<Param> collective_workload_params();

/// A collective operation: its plan, verified on the abstract machine when it is made, is played on
/// the network from its first send to its last arrival, by nodes or by routers.
class CollectiveWorkload : public Workload {
 public:
  /// Throws ConfigError where the algorithm is not defined, for a source or receivers that there
  /// are not and for more than can be kept account of; InvariantError for a plan that the abstract
  /// machine refuses.
  explicit CollectiveWorkload(const WorkloadContext& context);

  std::shared_ptr<Routing> routing() const override { return routing_; }
  void adapt(NetworkPlan& network) override;
  void join(const NetworkPlan& network) override;
  PacketSource& source() override { return *player_; }
  std::uint32_t longest_packet() const override {
    return static_cast<std::uint32_t>(verdict_.cost.length);
  }
  bool ends() const override { return true; }
  bool ended(const Totals&) const override { return finished(); }
  std::optional<std::uint64_t> cycles() const override;
  void audit(const Network& network) const override;

  std::string text() const override;
  const char* phase() const override { return "collective"; }
  std::vector<std::string> notes() const override;
  void add_figures(nlohmann::ordered_json& result) const override;
  std::vector<SummaryLine> summary() const override;
  std::vector<SummaryLine> findings() const override;

  bool has_schedule() const override { return true; }
  const CollectiveVerdict& verdict() const { return verdict_; }
  /// Null before it has joined a network, and where that cannot be.
  CollectivePlayer* player() const { return player_.get(); }

  /// All that is known of it as JSON; the `cycles` only once it has been played.
  nlohmann::ordered_json schedule_figures() const override;
  static std::vector<FigureMeaning> figure_meanings();
  /// The plan for readers: its rounds, bounds and times, then its rounds one by one.
  std::string schedule_text() const override;
  /// Every transmission, a line each.
  void write_schedule(std::ostream& out) const override;

 private:
  // Making.
  void make();
  void require_data() const;
  void verify();
  void measure_ways();
  void follow_messages();
  std::optional<std::uint64_t> analytic_time() const;
  std::optional<std::uint64_t> analytic_time_of_rounds() const;
  std::optional<std::uint64_t> analytic_time_of_paths() const;
  /// What the nodes' combining of data takes, analytically.
  std::uint64_t combining_cycles() const;
  /// Throws the ConfigError that points at what of the instance is at fault.
  [[noreturn]] void fail(const PreconditionError& error) const;

  // Joining.
  void require_space(bool has_space, const char* hint) const;
  void require_routable(const NetworkPlan& network) const;
  void require_circulation() const;
  void require_buffers() const;
  void require_order_without_distance() const;
  void require_branches() const;

  // Telling.
  std::string rounds_line() const;
  std::string paths_line() const;
  std::string time_line() const;
  std::string data_line() const;
  std::string message_text(std::size_t number) const;
  std::string round_text(std::size_t round) const;

  const Configuration& configuration() const { return context_.configuration; }
  const Section& section() const { return context_.section(); }
  const NetworkParams& params() const { return context_.params; }
  const Schedule& schedule() const { return collective_.plan.schedule; }
  std::uint32_t length() const { return static_cast<std::uint32_t>(section().integer("length")); }
  Switching router_switching() const;
  bool self_timed() const {
    return section().has("timing") && section().text("timing") == "self_timed";
  }
  /// Null unless there are data.
  const VectorPlayer* vectors() const { return dynamic_cast<const VectorPlayer*>(player_.get()); }
  /// Whether routers make one packet out of several.
  bool combines() const { return forwarding_ && collective_.demand.adds_up(); }
  bool finished() const { return player_ != nullptr && player_->finished(); }

  const WorkloadContext context_;
  Collective collective_{};
  Placement placement_{};               // Of the ranks of an algorithm between ranks.
  std::optional<CollectiveData> data_;  // Of what nodes combine, if it is more than checksums.
  CollectiveVerdict verdict_;
  std::optional<RouterForwarding> forwarding_;  // If routers carry it out instead of nodes,
  std::shared_ptr<Routing> routing_;            // and the rules by which they do.
  std::shared_ptr<MulticastRouting> copies_;    // The same, if routers copy messages of a plan.
  std::unique_ptr<CollectivePlayer> player_;
};

}  // namespace flitcast
