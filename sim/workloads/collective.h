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
#include "collective/judge.h"
#include "collective/precondition.h"
#include "sim/workload.h"
#include "traffic/collective_player.h"

namespace flitcast {

/// What the abstract machine says of a collective operation, and the network of its time.
struct CollectiveVerdict {
  std::string algorithm;
  Judgement judgement{};
  bool has_paths = true;  ///< Of its messages.
  LowerBound bound{};
  CostModel cost{};  ///< Of the network that the experiment describes; its length: of a message.
  /// Absent where there is no formula: channels with latencies of their own, gossip by routers that
  /// do not store packets, rounds on networks without central control, where the messages of a
  /// round get into each other's way, and where central_control.h has none.
  std::optional<std::uint64_t> analytic_cycles{};
  std::optional<std::uint64_t> cycles{};  ///< Measured, once it is finished.
};

/// A collective operation: its plan, judged on the abstract machine when it is made, is played on
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

  bool has_schedule() const override { return true; }
  /// All that is known of it as JSON; the `cycles` only once it has been played.
  nlohmann::ordered_json schedule_figures() const override;
  static std::vector<FigureMeaning> figure_meanings();
  /// The plan for readers: its rounds, bounds and times, then its rounds one by one.
  std::string schedule_text() const override;
  /// Every transmission, a line each.
  void write_schedule(std::ostream& out) const override;

 private:
  // Making.
  CollectiveContext instance() const;
  std::size_t receivers() const;
  void make();
  void judge();
  std::optional<std::uint64_t> analytic_time() const;
  std::optional<std::uint64_t> analytic_time_of_rounds() const;
  /// Throws the ConfigError that points at what of the instance is at fault.
  [[noreturn]] void fail(const PreconditionError& error) const;

  // Joining.
  void require_room(bool has_room, const char* remedy) const;
  void require_routable(const NetworkPlan& network) const;
  void require_circulation() const;
  void require_buffers() const;
  void require_order_without_distance() const;
  void require_branches() const;

  // Telling.
  std::string rounds_line() const;
  std::string time_line() const;
  std::string message_text(std::size_t number) const;
  std::string round_text(std::size_t round) const;

  const Configuration& configuration() const { return context_.configuration; }
  const Section& section() const { return context_.section(); }
  const NetworkParams& params() const { return context_.params; }
  const Schedule& schedule() const { return collective_.plan.schedule; }
  Switching router_switching() const;
  bool self_timed() const {
    return section().has("timing") && section().text("timing") == "self_timed";
  }
  bool finished() const { return player_ != nullptr && player_->finished(); }

  const WorkloadContext context_;
  Collective collective_{};
  CollectiveVerdict verdict_;
  std::optional<RouterForwarding> forwarding_;  // If routers carry it out instead of nodes,
  std::shared_ptr<Routing> routing_;            // and the rules by which they do.
  std::unique_ptr<CollectivePlayer> player_;
};

}  // namespace flitcast
