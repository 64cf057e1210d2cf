// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "network/network.h"
#include "sim/model.h"
#include "sim/region_probe.h"

namespace flitcast {

/// How a run ended.
enum class Status {
  kOk,
  kSaturated,  ///< The network takes less than it is offered: latencies grow with the window.
  kDeadlock,   ///< Some packets can never move again.
  kStopped,    ///< By a signal.
};

/// "ok", "saturated", "deadlock", "stopped", as results say it.
const char* to_text(Status status);

/// What to measure. Random traffic: warm-up, then the window, then a drain with the traffic still
/// on until the packets created in the window have arrived. A trace is run from its first packet to
/// its last, and a collective operation from its first send to its last arrival; all of it is
/// measured.
struct MeasurementPlan {
  std::uint64_t warmup = 2000;  ///< Cycles, as all of these.
  std::uint64_t window = 10000;
  std::uint64_t drain_limit = 100000;  ///< After that the run counts as saturated.
  std::uint64_t watchdog = 2000;       ///< Between two searches for a deadlock; 0: never.
  bool packet_log = false;
};

/// The load of one channel during the window.
struct LinkLoad {
  std::size_t channel = 0;  ///< Index into Topology::channels().
  std::uint64_t flits = 0;
};

/// What came out.
struct Measurement {
  Status status = Status::kOk;
  std::uint64_t cycles = 0;  ///< Simulated in all.
  std::uint64_t window_cycles =
      0;          ///< Of which in the window; fewer than planned if stopped early.
  Totals totals;  ///< Of the whole run.
  Totals window;  ///< Counted in the window.
  std::uint64_t flit_hops =
      0;  ///< Flits that crossed a router in the whole run, ejection included.
  std::uint64_t worst_node_flits = 0;  ///< Ejected in the window at the node that got fewest.
  std::vector<LinkLoad> links;         ///< By falling load, then by channel.
  std::unique_ptr<RegionProbe> packets;
  std::vector<BlockedVc> circle;   ///< Of a deadlock.
  nlohmann::ordered_json figures;  ///< What the network tells of itself.
};

/// Told now and then how far the run is: the phase and the cycles done and planned in it (0: open).
using ProgressReport =
    std::function<void(const std::string& phase, std::uint64_t done, std::uint64_t planned)>;

/// Runs the model on the cycle-accurate network, audits it at the end (InvariantError), and returns
/// what it measured. One per process: SystemC elaborates once. Stops early on StopSignal.
Measurement measure(Model& model, const MeasurementPlan& plan, const ProgressReport& report);

/// The plan of a configuration's `measure` section.
MeasurementPlan measurement_plan(const Configuration& configuration);

}  // namespace flitcast
