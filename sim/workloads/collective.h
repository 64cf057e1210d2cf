// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "collective/cost_model.h"
#include "collective/lower_bounds.h"
#include "collective/precondition.h"
#include "sim/workload.h"
#include "traffic/collective_source.h"

namespace flitcast {

/// What the abstract machine says of a collective operation, and the network of its time.
struct CollectiveVerdict {
  std::string algorithm;
  std::size_t rounds = 0;
  std::size_t transmissions = 0;
  std::optional<std::size_t> receipts{};  ///< Where a transmission may have several receivers.
  std::size_t duplicates = 0;
  LowerBound bound{};
  std::vector<std::size_t> new_per_round{};
  /// Of schedules that count on paths, in channels.
  std::optional<std::vector<std::size_t>> longest_path_per_round{};
  CostModel cost{};  ///< Of the network that the experiment describes.
  /// Absent where there is no formula.
  std::optional<std::uint64_t> analytic_cycles{};
  std::optional<std::uint64_t> cycles{};  ///< Measured, once it is finished.
};

/// A collective operation: its plan, judged on the abstract machine when it is made, is played on
/// the network from its first send to its last arrival.
class CollectiveWorkload : public Workload {
 public:
  // A start-up contains the way through the interfaces of both nodes.
  std::uint32_t startup(std::uint32_t given) const final;
  PacketSource& source() final { return *player_; }
  std::uint32_t longest_packet() const final {
    return static_cast<std::uint32_t>(verdict_.cost.length);
  }
  bool ends() const final { return true; }
  bool ended(const Totals&) const final { return finished(); }
  std::optional<std::uint64_t> cycles() const final;
  void audit() const final;

  std::string text() const final;
  const char* phase() const final { return "collective"; }
  void add_figures(nlohmann::ordered_json& result) const final;
  std::vector<SummaryLine> summary() const final;

  /// All that is known of it as JSON; the `cycles` only once it has been played.
  nlohmann::ordered_json figures() const;
  /// The plan for readers: its rounds, bounds and times, then its rounds one by one.
  std::string plan_text() const;
  /// Every transmission, a line each.
  virtual void dump(std::ostream& out) const = 0;

 protected:
  explicit CollectiveWorkload(const WorkloadContext& context);

  /// Throws the ConfigError that points at what of the instance is at fault.
  [[noreturn]] void fail(const PreconditionError& error) const;
  void play(std::unique_ptr<CollectiveSource> player) { player_ = std::move(player); }
  bool finished() const { return player_ != nullptr && player_->finished(); }
  const WorkloadContext& context() const { return context_; }
  const Section& section() const { return context_.section(); }

  CollectiveVerdict verdict_;  // Of the maker.

 private:
  std::string rounds_line() const;
  std::string time_line() const;

  // What the parts of a text differ in.

  /// "wormhole, all ports": how it is to be carried out.
  virtual std::string manner() const = 0;
  /// ", copied by routers", or nothing.
  virtual std::string executor() const { return ""; }
  virtual bool self_timed() const { return false; }
  /// "ts 0, td 5, tm 1, m 64": what the analytic time depends on.
  virtual std::string times_text() const = 0;
  virtual std::size_t planned_rounds() const = 0;
  /// Of a round from 0: "4 sends, 4 new, longest path 1: 0->2 1->3".
  virtual std::string round_text(std::size_t round) const = 0;

  const WorkloadContext context_;
  std::unique_ptr<CollectiveSource> player_;
};

/// Transmissions and receivers that a text names of a round.
inline constexpr std::size_t kShownSends = 12;

/// By a schedule that counts on the paths of a topology, and that nodes or routers carry out.
std::unique_ptr<Workload> make_schedule_workload(const WorkloadContext& context);
/// By rounds of messages that count on no topology.
std::unique_ptr<Workload> make_rounds_workload(const WorkloadContext& context);

}  // namespace flitcast
