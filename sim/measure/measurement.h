// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/figures.h"
#include "base/probe.h"
#include "config/configuration.h"
#include "network/network.h"
#include "sim/experiment/model.h"
#include "sim/measure/buffer_survey.h"
#include "sim/measure/flit_counts.h"
#include "sim/measure/series.h"
#include "sim/monitor/flit_monitor.h"
#include "stats/checksum_probe.h"
#include "stats/class_probe.h"
#include "stats/distance_probe.h"
#include "stats/latency_probe.h"
#include "stats/packet_log.h"
#include "stats/queue_growth.h"
#include "stats/verdict.h"

namespace flitcast {

/// What to measure. An endless workload: warm-up, then the window, then a drain with the traffic
/// still on until the packets created in the window have arrived. A workload that ends is run from
/// its first packet to its last, and all of it is measured.
struct MeasurementPlan {
  std::uint64_t warmup = 2000;  ///< Cycles, as all of these.
  std::uint64_t window = 10000;
  std::uint64_t drain_limit = 100000;  ///< After that the run counts as saturated.
  std::uint64_t watchdog = 2000;       ///< Between two searches for a deadlock; 0: never.
  /// The window ends as soon as half of the 95 % confidence interval of the mean latency is this
  /// share of it, of which it is asked after 1/16, 1/8, 1/4 and 1/2 of the window; 0: not asked.
  double precision = 0;
  bool packet_log = false;
  std::uint64_t series = 0;   ///< Cycles of a span of a series; 0: none is recorded.
  std::uint64_t buffers = 0;  ///< Cycles between samples of the buffers; 0: none is taken.
  bool fairness = false;      ///< Tell how evenly nodes are served.
  bool distances = false;     ///< Tell latencies by distance.
  std::optional<MonitorPlan> monitor{};  ///< Buffers to be monitored, besides those of a waveform.
};

/// All that an experiment wants to know of the packets that arrive in one partition.
class PartitionProbe : public Probe {
 public:
  /// @param begin, end  The measured window: packets created in it count for the latencies.
  /// @param plan        A row for every packet, latencies by distance, sums for a series.
  /// @param classes     Message classes to tell apart; 0: none.
  PartitionProbe(Cycle begin, Cycle end, const MeasurementPlan& plan, std::size_t classes)
      : latency_(begin, end),
        classes_(classes, ClassProbe(begin, end)),
        asked_more_(plan.packet_log || plan.distances || plan.series > 0) {
    if (plan.packet_log) log_.emplace();
    if (plan.distances) distances_.emplace(begin, end);
  }

  void delivered(const Delivery& delivery) override {
    if (!classes_.empty()) classes_[delivery.packet.message_class].delivered(delivery);
    latency_.delivered(delivery);
    checksum_.delivered(delivery);
    last_arrival_ = std::max(last_arrival_, delivery.arrival);
    if (asked_more_) tell_more(delivery);
  }
  void dropped(const Packet& packet) override { latency_.dropped(packet); }

  /// Makes the window twice as long. Before any packet is created behind its end.
  void widen() {
    latency_.widen();
    for (ClassProbe& packets : classes_) packets.widen();
    if (distances_) distances_->widen();
  }

  void merge(const PartitionProbe& other) {
    latency_.merge(other.latency_);
    checksum_.merge(other.checksum_);
    last_arrival_ = std::max(last_arrival_, other.last_arrival_);
    for (std::size_t c = 0; c < classes_.size(); ++c) classes_[c].merge(other.classes_[c]);
    if (log_) log_->merge(*other.log_);
    if (distances_) distances_->merge(*other.distances_);
  }

  const LatencyProbe& latency() const { return latency_; }
  const ChecksumProbe& checksum() const { return checksum_; }
  Cycle last_arrival() const { return last_arrival_; }
  const std::vector<ClassProbe>& classes() const { return classes_; }
  /// Of all packets that have arrived so far, in the window or not, if the plan has a series.
  DeliverySum arrived() const { return arrived_; }
  /// Null if not asked for, as the next one.
  const PacketLog* log() const { return log_ ? &*log_ : nullptr; }
  const DistanceProbe* distances() const { return distances_ ? &*distances_ : nullptr; }

 private:
  void tell_more(const Delivery& delivery) {
    ++arrived_.deliveries;
    arrived_.cycles += delivery.arrival - delivery.packet.created;
    if (log_) log_->delivered(delivery);
    if (distances_) distances_->delivered(delivery);
  }

  LatencyProbe latency_;
  ChecksumProbe checksum_;
  Cycle last_arrival_{};
  std::vector<ClassProbe> classes_;
  bool asked_more_;
  std::optional<PacketLog> log_;
  std::optional<DistanceProbe> distances_;
  DeliverySum arrived_;
};

/// A message class of the workload.
struct ClassCount {
  std::string name;
  ClassProbe packets;      ///< Those that have not arrived included.
  double node_cycles = 0;  ///< Of the window: nodes times cycles.
};

/// What came out.
struct Measurement {
  Verdict verdict;
  std::uint64_t cycles = 0;         ///< Simulated in all.
  std::uint64_t window_cycles = 0;  ///< Of the window; fewer than planned if stopped early.
  Totals totals;                    ///< Of the whole run.
  Totals window;                    ///< Counted in the window.
  std::uint64_t flit_hops = 0;      ///< In the whole run: a flit for every router that it crossed.
  std::optional<Loads> loads{};     ///< Absent if the run has not come to its window.
  std::optional<QueueGrowth::Growth> growth{};  ///< Of an endless run that went through its window.
  std::vector<LinkLoad> links;                  ///< Carried::links.
  std::vector<ClassCount> classes;
  std::unique_ptr<PartitionProbe> packets;
  std::unique_ptr<Network> network;       ///< As the run left it.
  std::vector<BlockedVc> deadlock_cycle;  ///< Of a deadlock.
  std::optional<EnergyAccount> energy{};  ///< Of the window, if it is asked for.
  nlohmann::ordered_json figures;         ///< What the network tells of itself.
  std::optional<Series> series{};         ///< The next three if asked for.
  std::optional<BufferSamples> buffers{};
  std::optional<MonitoredFlits> monitored{};

  /// Whether the run went to its end.
  bool complete() const {
    return verdict.status != Status::kDeadlock && verdict.status != Status::kStopped;
  }
};

/// Told now and then how far the run is: the phase and the cycles done and planned in it (0: open).
using ProgressReport =
    std::function<void(const std::string& phase, std::uint64_t done, std::uint64_t planned)>;

/// Runs the model on the cycle-accurate network, audits it at the end (InvariantError), and returns
/// what it measured. One per process: SystemC elaborates once. Stops early on StopSignal.
Measurement measure(const Model& model, const MeasurementPlan& plan, const ProgressReport& report);

/// The plan of a configuration's `measure` section.
MeasurementPlan measurement_plan(const Configuration& configuration);

/// The result of a run as JSON, the same bytes for equal configuration, seed and version, apart
/// from `wall_seconds` and `host`. Rates are flits per node and cycle, latencies cycles. Keys that
/// do not apply are absent. Every figure is explained by figure_reference().
nlohmann::ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                               const Model& model, double wall_seconds);

/// A run for reading on a terminal: the configuration in one line, then latencies and loads (or
/// what the workload tells instead), hops, the most loaded links, what the network counted of its
/// own, and the speed of the simulation.
std::string summary(const Measurement& measurement, const Configuration& configuration,
                    const Model& model, double wall_seconds);

/// All figures that results may have, those of searches too, each once, in their order.
std::vector<FigureMeaning> figure_reference();

}  // namespace flitcast
