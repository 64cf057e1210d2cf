// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/ids.h"
#include "base/probe.h"
#include "network/pins/signal_names.h"

namespace flitcast {

class CircuitNetwork;
class Inspection;

/// The routers, nodes and cycles to be monitored.
struct MonitorPlan {
  Cycle from{};                     ///< The first monitored cycle.
  Cycle to{};                       ///< The first cycle after the monitored cycles.
  std::vector<RouterId> routers{};  ///< Empty: all routers, unless `nodes` names nodes of circuits.
  std::vector<NodeId> nodes{};  ///< Nodes of circuits; empty: all nodes, unless routers are named.
  bool signals = false;         ///< True if signals for waveforms are recorded, too.
};

/// The plan for the routers, nodes and cycles that a trace names.
MonitorPlan monitor_plan(const SignalTrace& trace, const Topology& topology);

/// The time that a flit spends in a buffer: in the ring of an input VC; in the slot of its packet,
/// if packets are stored as a whole; or, in circuits, in the registers after a crossbar.
struct FlitResidency {
  static constexpr Cycle kBefore = kNever;  ///< The flit arrived before the first monitored cycle.

  PacketId packet{};
  std::uint32_t flit = 0;  ///< Position of the flit in the packet; 0 is the head.
  std::uint32_t length = 0;
  NodeId source{};
  NodeId destination{};  ///< The destination group in circuits.
  RouterId router{};
  PortId port{};
  VcId vc{};                ///< 0 in circuits.
  Cycle arrived = kBefore;  ///< The cycle in which the flit entered the buffer.
  Cycle left = kNever;  ///< The cycle in which it, or the last of its copies, left; it may equal
                        ///< `arrived`. kNever: after the last monitored cycle.
};

/// A period in which a terminal of a circuit-switched network was in one state.
struct TerminalInterval {
  NodeId node{};
  const char* state = "";  ///< For example "setup".
  std::optional<PacketId>
      packet{};   ///< Absent if the connection carries no packet, or if the packet is not known.
  Cycle begin{};  ///< The first cycle of the state.
  Cycle end = kNever;  ///< The first cycle after the state; kNever: after the last monitored cycle.
};

/// The scope of a signal in a waveform: "router_5.in_2.vc_1", "router_5.out_0", "node_3".
struct SignalPlace {
  enum class Side : std::uint8_t { kInput, kOutput, kNode };

  std::uint32_t number = 0;  ///< Number of the router or of the node.
  Side side = Side::kInput;
  PortId port{};
  std::optional<VcId> vc{};

  /// The sort key: routers before nodes, inputs before outputs, signals of a port before those of
  /// its VCs.
  auto order() const { return std::make_tuple(side == Side::kNode, number, side, port, vc); }
  bool operator<(const SignalPlace& other) const { return order() < other.order(); }
  std::vector<std::string> path() const;
};

/// A recorded signal of a router or a node.
struct MonitoredSignal {
  using Value = std::optional<std::uint64_t>;  ///< Absent: "x".
  struct Change {
    Cycle cycle{};
    Value value{};
  };

  SignalPlace place{};
  const char* name = "";
  unsigned bits = 1;
  std::vector<Change> changes{};  ///< The first change is in the first monitored cycle.

  /// Records the value in a cycle, which replaces an earlier one of the same cycle.
  void record(Cycle cycle, const Value& value);
};

/// All residencies in the monitored buffers, in the order of arrival, router, port and VC.
struct MonitoredFlits {
  MonitorPlan plan;
  Cycle end{};           ///< The first cycle after the monitored ones.
  bool cut_off = false;  ///< True if monitoring stopped early, at kMostResidencies.
  std::vector<FlitResidency> residencies{};
  std::uint32_t routers = 0;                  ///< The number of routers of the network.
  std::vector<TerminalInterval> terminals{};  ///< By first cycle and node.
  std::vector<MonitoredSignal> signals{};     ///< Present if MonitorPlan::signals is set.
};

/// Records the flits in a network cycle by cycle, up to kMostResidencies.
class FlitMonitor : public Observer {
 public:
  static constexpr std::size_t kMostResidencies = 1'000'000;

  Cycle next() const override { return next_; }
  void look(const Network& network) override;

  /// Returns the records; must be called once, after the run.
  MonitoredFlits take();

 protected:
  FlitMonitor(const MonitorPlan& plan, const Topology& topology);

  /// Called between two cycles; `last` is the cycle that has just been run.
  virtual void observe(Cycle last) = 0;
  /// Called after the last cycle.
  virtual void finish() {}
  /// True in the first observation, in which all flits have arrived before it.
  bool first() const { return first_; }

  /// The residency of a flit that arrived before the first monitored cycle and has not left.
  static FlitResidency residency_of(const Packet& packet, std::uint32_t flit, RouterId router,
                                    unsigned port, unsigned vc) {
    return {packet.id,          flit,   packet.length,       packet.source,
            packet.destination, router, to_id<PortId>(port), to_id<VcId>(vc)};
  }
  /// Makes a signal, if MonitorPlan::signals is set. Its value at the end of a cycle is what
  /// `value` returns after observe().
  void add_signal(const SignalPlace& place, const char* name, unsigned bits,
                  std::function<MonitoredSignal::Value()> value);

  MonitoredFlits seen_;

 private:
  Cycle next_;
  bool first_ = true;
  std::vector<std::function<MonitoredSignal::Value()>> values_;  // By signal.
};

/// Makes the monitor for the kind of a network, which must outlive it.
std::unique_ptr<FlitMonitor> make_flit_monitor(const MonitorPlan& plan, const Network& network);

/// The routers of the plan; all routers of the topology if the plan names none.
std::vector<RouterId> monitored_routers(const MonitorPlan& plan, const Topology& topology);

// The functions below make the monitors for each kind of network.

/// Monitors routers whose input VCs are rings of flits.
std::unique_ptr<FlitMonitor> monitor_buffers(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection);

/// Monitors routers that store packets as a whole. Signals: for every input VC `packets`, the slots
/// in use; for every output `queue`, the packets that wait for it, and `source`, `packet` and
/// `flits_left` of the packet that is leaving, x if there is none (a packet of one flit leaves in
/// one cycle); for every output VC `credits`, in packets.
std::unique_ptr<FlitMonitor> monitor_packets(const MonitorPlan& plan,
                                             std::unique_ptr<const Inspection> inspection);

/// Monitors circuits. A flit arrives at a crossbar and stays in the registers after it until it
/// arrives at the next crossbar. Signals: for every output of a switch `input`, the input that
/// drives it, x if none does; for every node `state`, as in TerminalState, and `packet`, the number
/// of the packet that has or requests a connection.
std::unique_ptr<FlitMonitor> monitor_circuits(const MonitorPlan& plan,
                                              const CircuitNetwork& network);

/// Returns comma-separated values, one line per residency: packet ("7.0"), flit, router, port, vc,
/// arrived_cycle, left_cycle. A cycle outside the window is empty. The flit was in the buffer at
/// the end of every cycle from arrived_cycle to left_cycle - 1.
std::string flit_log(const MonitoredFlits& flits);

/// Returns trace events for Perfetto and chrome://tracing: a process for every router, a thread for
/// every input VC, a slice for every packet from the arrival of its first flit until its last flit
/// leaves, with arrows along its path; in circuits a process for every node, with a slice for every
/// state of its terminal. One cycle is shown as 1 us. At most 200 000 slices of packets. Source:
/// Trace Event Format, Google, 2016.
std::string timeline(const MonitoredFlits& flits);

/// Returns a value change dump. Every input VC that was used has a scope router_N.in_P.vc_V with
/// `flits`, the number of flits that it holds, and `source`, `packet` (number at its source) and
/// `flit` of the front flit, x if there is none; MonitoredFlits::signals are added. One cycle is 1
/// ns; values are those at the end of the cycle. Source: IEEE 1364-2005, section 18.
std::string value_changes(const MonitoredFlits& flits);

}  // namespace flitcast
