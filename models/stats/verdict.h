// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/latency_probe.h"
#include "stats/queue_growth.h"

namespace flitcast {

/// How a run ended.
enum class Status {
  kOk,
  kSaturated,   ///< The network takes less than it is offered: latencies grow with the window.
  kNotSteady,   ///< The window began before the network had settled: its means are not those of it.
  kUnmeasured,  ///< No packet of the window has arrived, and none is missing.
  kImprecise,   ///< The mean latency is not known as well as was asked for.
  kDeadlock,    ///< Some packets can never move again.
  kStopped,     ///< By a signal.
};

/// "ok", "saturated", "not_steady", "unmeasured", "imprecise", "deadlock", "stopped", as results
/// say it.
const char* to_text(Status status);

/// All that is known of an endless run at its end. Times in cycles.
struct Evidence {
  std::uint64_t warmup = 0;
  std::uint64_t window = 0;
  std::uint64_t drain = 0;  ///< The longest wait for packets of the window after it.
  /// Deliveries that packets created in the window ask for, and those of them that were made or
  /// given up.
  std::uint64_t due = 0;
  std::uint64_t made = 0;
  /// Why more is offered than any channel load allows; empty if it is not, or nobody knows.
  std::string over_capacity{};
  double precision = 0;              ///< Asked for, as a share of the mean latency; 0: none.
  std::uint64_t longest_packet = 0;  ///< From its first flit on a channel to the end of its last.
  std::optional<QueueGrowth::Growth> growth;
  const LatencyProbe& latency;
};

struct Verdict {
  Status status = Status::kOk;
  std::string reason;              ///< Why it is not ok: a sentence without a full stop.
  std::vector<std::string> notes;  ///< What a reader of the figures should know besides.
};

/// What saturated, not steady, unmeasured and imprecise mean, for `run --help`; sim/README.md says
/// it, too.
extern const char* const kVerdictHelp;

/// Verifies a run that went through its warm-up, window and drain.
Verdict assess(const Evidence& evidence);

}  // namespace flitcast
