// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "permutation/experiment.h"
#include "sim/workloads/planned_workload.h"
#include "traffic/permutation_player.h"

namespace flitcast {

/// The results of a permutation on the step machine, and its time on the network.
struct PermutationVerdict {
  StepFigures paper;
  std::string algorithm;
  std::string discipline;
  std::size_t packets = 0;
  std::vector<PermutationClaim> claims{};
  std::uint64_t startup_cycles = 0;  ///< ts of the network, before the first step of a phase.
  std::uint64_t step_cycles = 1;     ///< td + m tm.
  /// T in cycles, with a start-up for each phase; absent if channels are not alike.
  std::optional<std::uint64_t> analytic_cycles{};
  std::optional<std::uint64_t> cycles{};  ///< Measured cycles, once the permutation is finished.
  std::optional<std::size_t> network_steps{};  ///< Time in steps, for routers that store packets.
};

/// A permutation, run on the step machine when it is made, then on the network, phase by phase. On
/// store-and-forward routers with space for its queues the network must agree with the machine in
/// steps, longest queue and packets held.
class PermutationWorkload : public PlannedWorkload<PermutationPlayer> {
 public:
  explicit PermutationWorkload(const WorkloadContext& context);

  void adapt(NetworkPlan& network) override;
  void join(const NetworkPlan& network) override;
  std::uint32_t longest_packet() const override {
    return static_cast<std::uint32_t>(section().integer("length"));
  }
  void audit(const Network& network) const override;

  std::string text() const override;
  const char* phase() const override { return "permutation"; }
  std::vector<std::string> notes() const override { return notes_; }
  std::vector<SummaryLine> summary() const override;

  bool has_schedule() const override { return true; }
  nlohmann::ordered_json schedule_figures() const override;
  static std::vector<FigureMeaning> figure_meanings();
  std::string schedule_text() const override;
  nlohmann::ordered_json schedule_outline() const override;
  std::vector<Transmission> transmissions() const override;
  /// Writes one move per line: phase, from, to, packet.
  void write_schedule(std::ostream& out) const override;

  /// Steps on the network by phase, at least those reserved; empty before the permutation has
  /// ended, and on routers that do not store packets.
  std::vector<std::size_t> network_phase_steps() const;
  /// Runs `runs` repetitions on the step machine.
  RepeatedFigures repeat(std::size_t runs) const { return repeat_on_steps(on_paper(), runs); }
  /// The results of the step machine.
  const PermutationVerdict& verdict() const { return verdict_; }

 private:
  PermutationContext on_paper() const;
  void widen_nodes(NetworkPlan& network);
  void compare_buffers(const NetworkPlan& network);
  void set_times();
  /// Cycles that the flits of a packet take to cross a channel.
  std::uint64_t flit_cycles() const {
    return std::uint64_t{longest_packet()} * context().params.cycles_per_flit;
  }
  PermutationVerdict played() const;

  PermutationRoute route_;
  PermutationVerdict verdict_;
  std::unique_ptr<MovePaths> paths_;
  Schedule moving_;  // The phases without packets that are already at their destinations.
  bool stores_packets_ = false;
  bool exact_ = true;  // True if the network matches the step machine and has space for all queues.
  std::vector<std::string> notes_;
};

}  // namespace flitcast
