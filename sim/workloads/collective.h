// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sim/workloads/collective_executor.h"
#include "sim/workloads/planned_workload.h"

namespace flitcast {

/// The keys of a collective operation.
std::vector<Param> collective_workload_params();

/// A collective operation. Its plan is verified on the abstract machine when it is made; an
/// executor then carries it out on the network, from its first send to its last arrival.
class CollectiveWorkload : public PlannedWorkload<CollectivePlayer> {
 public:
  /// Throws ConfigError if the algorithm is not defined for the network, for a source or receivers
  /// that do not exist, and for an operation that needs too much memory; InvariantError for a plan
  /// that the abstract machine rejects.
  explicit CollectiveWorkload(const WorkloadContext& context);

  std::shared_ptr<Routing> routing() const override { return executor_->routing(); }
  void adapt(NetworkPlan& network) override;
  void check_fit(const NetworkPlan& network) const override;
  void join(const NetworkPlan& network) override;
  std::uint32_t longest_packet() const override { return task_.longest_packet(); }
  void audit(const Network& network) const override;

  std::string text() const override;
  const char* phase() const override { return "collective"; }
  std::vector<std::string> notes() const override { return executor_->notes(); }
  void add_figures(nlohmann::ordered_json& result) const override {
    PlannedWorkload::add_figures(result);
    if (cycles()) add_bandwidths(*cycles(), result);
  }
  std::vector<SummaryLine> summary() const override;
  std::vector<SummaryLine> findings() const override;

  const CollectiveVerdict& verdict() const { return task_.verdict; }
  using PlannedWorkload::player;

  /// Returns all figures as JSON; `cycles` only after the operation has been run.
  bool has_schedule() const override { return true; }
  nlohmann::ordered_json schedule_figures() const override;
  std::optional<std::uint64_t> cycles_by_formula(std::uint32_t length) const override;
  static std::vector<FigureMeaning> figure_meanings();
  /// The data of the operation, and its bandwidths as benchmarks compute them.
  struct DataMoved {
    double bytes = 0;      ///< The buffer of a rank.
    double algorithm = 0;  ///< Bytes per nanosecond: the buffer by the time of the operation.
    double bus = 0;        ///< The same of what must cross the slowest link of any algorithm.
  };
  static FigureTable<DataMoved> bandwidth_figures();
  /// Adds these figures, if the experiment has a clock and a flit width and the operation has
  /// bandwidths.
  /// @param cycles  The time that the operation took.
  void add_bandwidths(std::uint64_t cycles, nlohmann::ordered_json& result) const;
  /// Returns the plan for readers: rounds, bounds and times, then the messages of each round.
  std::string schedule_text() const override;
  nlohmann::ordered_json schedule_outline() const override;
  std::vector<Transmission> transmissions() const override;
  /// Writes every message, one per line.
  void write_schedule(std::ostream& out) const override;

 private:
  void verify();
  /// Throws InvariantError if the plan takes fewer rounds than the bound.
  void find_bound();
  /// Throws a ConfigError that points at the violated part of the instance.
  [[noreturn]] void fail(const PreconditionError& error) const;

  const Schedule& schedule() const { return task_.schedule(); }

  CollectiveTask task_;
  std::unique_ptr<CollectiveExecutor> executor_;
};

}  // namespace flitcast
