// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/ids.h"
#include "base/probe.h"
#include "network/pins/signal_trace.h"

namespace flitcast {

/// Who is monitored, and when.
struct MonitorPlan {
  Cycle from{};                     ///< The first cycle that is monitored,
  Cycle to{};                       ///< and the first that is not.
  std::vector<RouterId> routers{};  ///< None: all, but where nodes of circuits are named.
  std::vector<NodeId> nodes{};      ///< Of circuits; none: all, but where routers are named.
  bool signals = false;             ///< With what waveforms show besides flits.
};

/// The routers and nodes that a trace names, in its cycles.
MonitorPlan monitor_plan(const SignalTrace& trace, const Topology& topology);

/// A flit in a buffer: of a router with virtual channels in a ring, of one that keeps packets whole
/// in the place of its packet, of a circuit in the registers behind a crossbar.
struct FlitResidency {
  static constexpr Cycle kBefore = kNever;  ///< It had arrived before the first cycle monitored.

  PacketId packet{};
  std::uint32_t flit = 0;  ///< Its place in the packet, from 0, the head.
  std::uint32_t length = 0;
  NodeId source{};
  NodeId destination{};  ///< Of a circuit the group.
  RouterId router{};
  PortId port{};
  VcId vc{};                ///< 0 in circuits.
  Cycle arrived = kBefore;  ///< The cycle in which it came into the buffer, and
  Cycle left = kNever;      ///< that in which it, or the last of its copies, left, which may be the
                            ///< same; kNever: later than the last one monitored.
};

/// What a terminal of a circuit-switched network was doing for a while.
struct TerminalInterval {
  NodeId node{};
  const char* state = "";            ///< "setup".
  std::optional<PacketId> packet{};  ///< Absent: a connection without one, or not known.
  Cycle begin{};                     ///< The first cycle,
  Cycle end = kNever;  ///< and the first of another state; kNever: see FlitResidency::left.
};

/// Where a signal is in a waveform: "router_5.in_2.vc_1", "router_5.out_0", "node_3".
struct SignalPlace {
  enum class Side : std::uint8_t { kInput, kOutput, kNode };

  std::uint32_t number = 0;  ///< Of the router, or of the node.
  Side side = Side::kInput;
  PortId port{};
  std::optional<VcId> vc{};

  /// Routers before nodes, outputs behind inputs, what a port has before what its VCs have.
  auto order() const { return std::make_tuple(side == Side::kNode, number, side, port, vc); }
  bool operator<(const SignalPlace& other) const { return order() < other.order(); }
  std::vector<std::string> path() const;
};

/// A number of a router or a node.
struct MonitoredSignal {
  struct Change {
    Cycle cycle{};
    std::optional<std::uint64_t> value{};  ///< Absent: there is none, "x".
  };

  SignalPlace place{};
  const char* name = "";
  unsigned bits = 1;
  std::vector<Change> changes{};  ///< The first is in the first cycle monitored.
};

/// Everything that was in the buffers that were monitored, by arrival, router, port and VC.
struct MonitoredFlits {
  MonitorPlan plan;
  Cycle end{};           ///< The first cycle that was not monitored.
  bool cut_off = false;  ///< Whether it ended because there were too many.
  std::vector<FlitResidency> residencies{};
  std::uint32_t routers = 0;                  ///< Of the network.
  std::vector<TerminalInterval> terminals{};  ///< By their first cycle and by node.
  std::vector<MonitoredSignal> signals{};     ///< With MonitorPlan::signals.
};

/// Monitors a network cycle by cycle, until there are kMostResidencies.
class FlitMonitor : public Observer {
 public:
  static constexpr std::size_t kMostResidencies = 1'000'000;

  Cycle next() const override { return next_; }
  void look(const Network& network) override;

  /// What it has seen; once, after the run.
  MonitoredFlits take();

 protected:
  FlitMonitor(const MonitorPlan& plan, const Topology& topology);

  /// Between two cycles, of which `last` is the one that is over.
  virtual void observe(Cycle last) = 0;
  /// When the last cycle is over.
  virtual void finish() {}
  /// Whether it looks for the first time: what it sees has come before.
  bool first() const { return first_; }

  std::size_t add_signal(const SignalPlace& place, const char* name, unsigned bits);
  /// That from the end of `cycle` on a signal has this value; nothing without MonitorPlan::signals.
  void tell(std::size_t signal, std::optional<std::uint64_t> value, Cycle cycle) {
    if (told_[signal] != value) tell_new(signal, value, cycle);
  }

  MonitoredFlits seen_;

 private:
  void tell_new(std::size_t signal, std::optional<std::uint64_t> value, Cycle cycle);

  Cycle next_;
  bool first_ = true;
  std::vector<std::optional<std::uint64_t>> told_;  // By signal; before the first, what none has.
};

/// For a network of any kind, which it must not outlive.
std::unique_ptr<FlitMonitor> make_flit_monitor(const MonitorPlan& plan, const Network& network);

/// Comma-separated, a line for each residency: packet ("7.0"), flit, router, port, vc,
/// arrived_cycle, left_cycle; the cycles are empty where they are outside the window. A flit was in
/// the buffer at the end of every cycle from its arrival until before it left.
std::string flit_log(const MonitoredFlits& flits);

/// Trace events for Perfetto and chrome://tracing: a process for every router, a thread for every
/// input VC, a slice for every packet from the arrival of its first flit until its last flit
/// leaves, with arrows along its way; of circuits a process for every node, a slice for every state
/// of its terminal. One cycle is shown as 1 us. At most 200 000 slices of packets.
/// Source: Trace Event Format, Google, 2016.
std::string timeline(const MonitoredFlits& flits);

/// A value change dump: for every input VC that was used, router_N.in_P.vc_V with `flits`, how many
/// it holds, and of the flit in front, the one that came first, `source`, `packet` (its number
/// there) and `flit`, x where there is none; and MonitoredFlits::signals. One cycle is 1 ns: what
/// stands at a time is there at the end of the cycle.
/// Source: IEEE 1364-2005, section 18.
std::string value_changes(const MonitoredFlits& flits);

}  // namespace flitcast
