// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "network/inspection.h"
#include "network/signal_trace.h"
#include "sim/onlooker.h"

namespace flitcast {

/// Whose buffers are watched, and when.
struct WatchPlan {
  Cycle from{};                     ///< The first cycle that is watched,
  Cycle to{};                       ///< and the first that is not.
  std::vector<RouterId> routers{};  ///< None: all.
};

/// The routers that a trace names, or all if it names none, in its cycles.
WatchPlan watch_plan(const SignalTrace& trace, const Topology& topology);

/// A flit in a buffer.
struct FlitStay {
  static constexpr Cycle kBefore = kNever;  ///< It had arrived before the first cycle watched.

  PacketId packet{};
  std::uint32_t flit = 0;  ///< Its place in the packet, from 0, the head.
  std::uint32_t length = 0;
  NodeId source{};
  NodeId destination{};
  RouterId router{};
  PortId port{};
  VcId vc{};
  Cycle arrived = kBefore;  ///< The cycle in which it came into the buffer, and
  Cycle left = kNever;      ///< that in which it left, which may be the same; kNever: later than
                            ///< the last one watched.
};

/// Everything that was in the buffers that were watched, by arrival, router, port and VC.
struct WatchedFlits {
  WatchPlan plan;
  Cycle end{};           ///< The first cycle that was not watched.
  bool cut_off = false;  ///< Whether it ended because there were too many.
  std::vector<FlitStay> stays;
};

/// Watches buffers cycle by cycle, until there are kMostStays.
class FlitWatch final : public Onlooker {
 public:
  static constexpr std::size_t kMostStays = 1'000'000;

  /// @param inspection  Of a network whose buffers hold flits.
  FlitWatch(const WatchPlan& plan, std::unique_ptr<const Inspection> inspection);

  Cycle next() const override { return next_; }
  void look(const Network& network) override;

  /// What it has seen; once, after the run.
  WatchedFlits take();

 private:
  struct Buffer {
    RouterId router{};
    const RouterState* state = nullptr;  // Stays where it is.
    unsigned input = 0;
    std::deque<std::size_t> stays{};  // Open ones, by their places in the list, the first in front.
    std::uint16_t head = 0;           // Where the first was in the ring.
  };

  void compare(Buffer& buffer, Cycle last, bool first);
  void add(Buffer& buffer, const Flit& flit, Cycle arrived);

  std::unique_ptr<const Inspection> inspection_;
  WatchedFlits seen_;
  std::vector<Buffer> buffers_;
  Cycle next_;
};

/// Comma-separated, a line for each stay: packet ("7.0"), flit, router, port, vc, arrived_cycle,
/// left_cycle; the cycles are empty where they are outside the window. A flit was in the buffer at
/// the end of every cycle from its arrival until before it left.
std::string flit_log(const WatchedFlits& flits);

/// Trace events for Perfetto and chrome://tracing: a process for every router, a thread for every
/// input VC, a slice for every packet from the arrival of its first flit until its last flit
/// leaves, with arrows along its way. One cycle is shown as 1 us. At most 200 000 slices.
/// Source: Trace Event Format, Google, 2016.
std::string timeline(const WatchedFlits& flits);

/// A value change dump: for every input VC that was used, router_N.in_P.vc_V with `flits`, how many
/// it holds, and of the flit in front `source`, `packet` (its number there) and `flit`, x where
/// there is none. One cycle is 1 ns: what stands at a time is there at the end of the cycle.
/// Source: IEEE 1364-2005, section 18.
std::string value_changes(const WatchedFlits& flits);

}  // namespace flitcast
