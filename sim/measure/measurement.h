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
#include "config/member_keys.h"
#include "network/network.h"
#include "sim/experiment/model.h"
#include "sim/measure/buffer_survey.h"
#include "sim/measure/flit_counts.h"
#include "sim/measure/series.h"
#include "sim/monitor/flit_monitor.h"
#include "stats/class_probe.h"
#include "stats/delivery_probes.h"
#include "stats/latency_probe.h"
#include "stats/queue_growth.h"
#include "stats/verdict.h"

namespace flitcast {

/// The requested measurement. A workload without an end has a warm-up, a window, and a drain with
/// continued traffic until the packets created in the window have arrived. A workload that ends is
/// run from its first packet to its last, and all of it is measured.
struct MeasurementPlan {
  // These members are keys of the section `measure`, explained in measure_keys(); times are in
  // cycles.
  std::uint64_t warmup = 2000;
  std::uint64_t window = 10000;
  std::uint64_t drain_limit = 100000;
  std::uint64_t watchdog = 2000;
  double precision = 0;  ///< Target precision; checked after parts of the window that double.
  std::uint64_t series = 0;
  std::uint64_t buffers = 0;
  bool fairness = false;
  bool distances = false;
  // The members below are options of the command line.
  bool packet_log = false;
  std::optional<MonitorPlan>
      monitor{};  ///< Buffers to be monitored, in addition to those of a waveform.
};

/// Collects the statistics of the packets that arrive in one partition.
class PartitionProbe : public Probe {
 public:
  /// @param window   Latencies are those of packets created in it.
  /// @param plan     Selects a log of packets, latencies by distance, and sums for a series.
  /// @param classes  The number of message classes to distinguish; 0: none.
  PartitionProbe(const Window& window, const IdleLatency& idle, const MeasurementPlan& plan,
                 std::size_t classes)
      : measured_{LatencyProbe(window, idle),
                  std::vector<ClassProbe>(classes, ClassProbe(window, idle)), std::nullopt},
        counts_more_(plan.packet_log || plan.series > 0) {
    if (plan.packet_log) log_.emplace();
    if (plan.distances) measured_.distances.emplace(window);
  }

  void delivered(const Delivery& delivery) override {
    measured_.delivered(delivery);
    if (longer_) longer_->delivered(delivery);
    checksum_.delivered(delivery);
    last_arrival_ = std::max(last_arrival_, delivery.arrival);
    if (!counts_more_) return;
    ++arrived_.deliveries;
    arrived_.cycles += delivery.arrival - delivery.packet.created;
    if (log_) log_->delivered(delivery);
  }
  void dropped(const Packet& packet) override {
    measured_.latency.dropped(packet);
    if (longer_) longer_->latency.dropped(packet);
    if (log_) log_->dropped(packet);
  }

  /// Starts to measure a window twice as long in addition; called at the end of the window.
  void look_ahead() {
    longer_ = measured_;
    longer_->widen();
  }
  /// Replaces the window by the longer one.
  void widen() {
    measured_ = std::move(*longer_);
    longer_.reset();
  }

  void merge(const PartitionProbe& other) {
    measured_.merge(other.measured_);
    checksum_.merge(other.checksum_);
    last_arrival_ = std::max(last_arrival_, other.last_arrival_);
    if (log_) log_->merge(*other.log_);
  }

  const LatencyProbe& latency() const { return measured_.latency; }
  const ChecksumProbe& checksum() const { return checksum_; }
  Cycle last_arrival() const { return last_arrival_; }
  const std::vector<ClassProbe>& classes() const { return measured_.classes; }
  /// The sum over all packets that have arrived so far, in the window or not, if the plan requests
  /// a log or a series.
  DeliverySum arrived() const { return arrived_; }
  /// Null unless the plan requests a log; distances() likewise for latencies by distance.
  PacketLog* log() { return log_ ? &*log_ : nullptr; }
  const DistanceProbe* distances() const {
    return measured_.distances ? &*measured_.distances : nullptr;
  }

 private:
  /// The statistics of one window.
  struct Measured {
    LatencyProbe latency;
    std::vector<ClassProbe> classes;
    std::optional<DistanceProbe> distances;

    void delivered(const Delivery& delivery) {
      if (!classes.empty()) classes[delivery.packet.message_class].delivered(delivery);
      latency.delivered(delivery);
      if (distances) distances->delivered(delivery);
    }
    void merge(const Measured& other) {
      latency.merge(other.latency);
      for (std::size_t c = 0; c < classes.size(); ++c) classes[c].merge(other.classes[c]);
      if (distances) distances->merge(*other.distances);
    }
    void widen() {
      latency.widen();
      for (ClassProbe& packets : classes) packets.widen();
      if (distances) distances->widen();
    }
  };

  Measured measured_;
  std::optional<Measured> longer_;  ///< Measures a window twice as long, for `measure.precision`.
  ChecksumProbe checksum_;
  Cycle last_arrival_{};
  bool counts_more_;
  std::optional<PacketLog> log_;
  DeliverySum arrived_;
};

/// The statistics of a message class of the workload.
struct ClassCount {
  std::string name;
  ClassProbe packets;                      ///< Includes packets that have not arrived.
  double node_cycles = 0;                  ///< Number of nodes times cycles of the window.
  std::optional<MeanInterval> interval{};  ///< As in Measurement.
};

/// The outcome of a run.
struct Measurement {
  Verdict verdict;
  std::uint64_t cycles = 0;  ///< Simulated cycles.
  std::uint64_t window_cycles =
      0;          ///< Length of the window; shorter than planned if the window was ended early.
  Totals totals;  ///< Counts of the whole run.
  Totals window;  ///< Counts of the window.
  std::uint64_t flit_hops = 0;   ///< Routers crossed by flits, summed over the whole run.
  std::optional<Loads> loads{};  ///< Absent if the run ended before its window.
  std::optional<QueueGrowth::Growth>
      growth{};  ///< Present for a run without an end that completed its window.
  /// The interval of the mean latency; present if the run completed its window and its drain.
  std::optional<MeanInterval> interval{};
  std::vector<LinkLoad> links;  ///< From Carried::links.
  std::vector<ClassCount> classes;
  std::unique_ptr<PartitionProbe> packets;
  std::unique_ptr<Network> network;       ///< The network in its state at the end of the run.
  std::vector<BlockedVc> deadlock_cycle;  ///< Empty if there is no deadlock.
  std::optional<EnergyAccount> energy{};  ///< Energy of the window, if requested.
  nlohmann::ordered_json figures;         ///< The figures of the network itself.
  std::optional<Series> series{};         ///< Present if requested, as are the next two members.
  std::optional<BufferSamples> buffers{};
  std::optional<MonitoredFlits> monitored{};
  /// The completion cycle of the same workload at the flow level, if it was run there too.
  std::optional<std::uint64_t> flow_cycles{};

  /// True if the run was neither stopped nor deadlocked.
  bool complete() const {
    return verdict.status != Status::kDeadlock && verdict.status != Status::kStopped;
  }
};

/// Receives the progress of a run: the phase, and its cycles done and planned (0: unknown).
using ProgressReport =
    std::function<void(const std::string& phase, std::uint64_t done, std::uint64_t planned)>;

/// Runs the model on its network, audits it at the end (InvariantError), and returns the
/// measurement. Must be called once per process for networks in SystemC, because SystemC elaborates
/// once; networks of flows are not in SystemC. Stops early on StopSignal.
Measurement measure(const Model& model, const MeasurementPlan& plan, const ProgressReport& report);

/// A run of a workload that ends, which is advanced by its caller.
class SteppedRun {
 public:
  virtual ~SteppedRun() = default;
  virtual Network& network() = 0;
  /// Runs to cycle `end`, which has not passed; false if the network is in a deadlock.
  virtual bool run_to(Cycle end) = 0;
  /// Audits the network, and measures all cycles so far as measure() does those of a whole run.
  virtual Measurement so_far() = 0;
};

/// Starts such a run on a network without observers; it does not measure energies. The model and
/// the plan must outlive it.
std::unique_ptr<SteppedRun> stepped_run(const Model& model, const MeasurementPlan& plan);

/// The keys of the section `measure`.
const MemberKeys<MeasurementPlan>& measure_keys();

/// The plan of a configuration's `measure` section.
MeasurementPlan measurement_plan(const Configuration& configuration);

}  // namespace flitcast
