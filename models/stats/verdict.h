// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/class_probe.h"
#include "stats/latency_probe.h"
#include "stats/queue_growth.h"

namespace flitcast {

/// The outcome of a run.
enum class Status {
  kOk,
  kSaturated,   ///< The network accepts less than offered: latencies grow with the window.
  kNotSteady,   ///< The window began before the network was in steady state.
  kUnmeasured,  ///< No packet of the window has arrived, and none is outstanding.
  kImprecise,   ///< The mean latency is less precise than requested.
  kDeadlock,    ///< Some packets can never move again.
  kStopped,     ///< Stopped by a signal.
};

/// "ok", "saturated", "not_steady", "unmeasured", "imprecise", "deadlock", "stopped": the status in
/// results.
const char* to_text(Status status);

/// The evidence for the verdict on a traffic run. Times in cycles.
struct Evidence {
  std::uint64_t warmup = 0;
  std::uint64_t window = 0;
  std::uint64_t drain = 0;  ///< The longest wait, after the window, for the window's packets.
  /// The number of deliveries required by packets created in the window.
  std::uint64_t due = 0;
  std::uint64_t made = 0;  ///< Deliveries among these that have been made or given up.
  /// Why the offered load exceeds the capacity; empty if it does not, or if the capacity is
  /// unknown.
  std::string over_capacity{};
  double precision = 0;  ///< Requested precision, as a share of the mean latency; 0: none.
  /// Cycles from the first flit of the longest packet on a channel to the end of its last flit.
  std::uint64_t longest_packet = 0;
  std::optional<QueueGrowth::Growth> growth;
  const LatencyProbe& latency;
  const MeanInterval& interval;  ///< The interval of the mean of `latency`.
};

struct Verdict {
  Status status = Status::kOk;
  std::string reason{};              ///< Why the status is not ok: a sentence without a full stop.
  std::vector<std::string> notes{};  ///< Further remarks on the figures.
};

/// Explains saturated, not steady, unmeasured and imprecise for `run --help`; see also
/// the manual's how/verdicts.md.
extern const char* const kVerdictHelp;

/// Assesses a run that completed its warm-up, window and drain.
[[nodiscard]] Verdict assess(const Evidence& evidence);

/// Adds the verdict on a class of messages, whose growing queues long packets of other classes can
/// hide: behind an excess of a share of what a class gets through, its latencies rise by as large a
/// share of the time. Saturated if they rise by a tenth of the window or more, beyond chance, in a
/// window of at least 100 of the longest packets, and more flits wait at its end than chance
/// explains for packets that are created at random.
/// @param all  The evidence of all classes together, assessed before.
void assess_class(const std::string& name, const ClassProbe& probe, const Evidence& all,
                  Verdict& verdict);

}  // namespace flitcast
