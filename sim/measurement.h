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
#include "sim/model.h"
#include "stats/backlog.h"
#include "stats/checksum_probe.h"
#include "stats/latency_probe.h"
#include "stats/packet_log.h"
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
  bool packet_log = false;
};

/// All that an experiment wants to know of the packets that arrive in one region.
class RegionProbe : public Probe {
 public:
  /// @param begin, end  The measured window: packets created in it count for the latencies.
  /// @param log         Keep a row for every packet.
  RegionProbe(Cycle begin, Cycle end, bool log) : latency_(begin, end) {
    if (log) log_.emplace();
  }

  void delivered(const Delivery& delivery) override {
    latency_.delivered(delivery);
    checksum_.delivered(delivery);
    last_arrival_ = std::max(last_arrival_, delivery.arrival);
    if (log_) log_->delivered(delivery);
  }
  void dropped(const Packet& packet) override { latency_.dropped(packet); }

  void merge(const RegionProbe& other) {
    latency_.merge(other.latency_);
    checksum_.merge(other.checksum_);
    last_arrival_ = std::max(last_arrival_, other.last_arrival_);
    if (log_) log_->merge(*other.log_);
  }

  const LatencyProbe& latency() const { return latency_; }
  const ChecksumProbe& checksum() const { return checksum_; }
  Cycle last_arrival() const { return last_arrival_; }
  /// Null if not asked for.
  const PacketLog* log() const { return log_ ? &*log_ : nullptr; }

 private:
  LatencyProbe latency_;
  ChecksumProbe checksum_;
  Cycle last_arrival_{};
  std::optional<PacketLog> log_;
};

/// One channel during the window.
struct LinkLoad {
  std::size_t channel = 0;  ///< By ChannelNumbering.
  std::uint64_t flits = 0;  ///< Sent in the window.
  /// Share of the window in which flits occupied it; one on the edge counts by its cycles inside.
  double load = 0;
};

/// Rates in the window, in flits per node and cycle.
struct Loads {
  double offered = 0;
  double accepted = 0;
  double worst_node = 0;  ///< Accepted by the node that got fewest flits.
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
  std::optional<BacklogGrowth::Growth>
      growth{};                 ///< Of an endless run that went through its window.
  std::vector<LinkLoad> links;  ///< By falling load, then by channel.
  std::unique_ptr<RegionProbe> packets;
  std::unique_ptr<Network> network;  ///< As the run left it.
  std::vector<BlockedVc> circle;     ///< Of a deadlock.
  nlohmann::ordered_json figures;    ///< What the network tells of itself.

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

/// All figures that results may have, each once, in their order.
std::vector<FigureMeaning> figure_reference();

}  // namespace flitcast
