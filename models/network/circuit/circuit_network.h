// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "base/destination_groups.h"
#include "base/figures.h"
#include "base/packet_source.h"
#include "base/probe.h"
#include "network/circuit/circuit_params.h"
#include "network/circuit/circuit_terminals.h"
#include "network/circuit/crossbar_stages.h"
#include "network/circuit/timed_admission.h"
#include "network/circuit/waiting_requests.h"
#include "network/fabric/calendar_queue.h"
#include "network/fabric/deliveries.h"
#include "network/fabric/kernel_driver.h"
#include "network/fabric/packet_store.h"
#include "network/network.h"
#include "network/network_params.h"

namespace flitcast {

class CircuitModules;
class CircuitTerminal;

/// Counters of a circuit-switched network since the start, in addition to the Totals of all
/// networks.
///
/// The latency of every packet, from its creation to the arrival of its tail, is the sum of
///   source + t_req + (outputs + controller + path) + T_ctl + t_cfg + (2k + 1) t_s + L - 1
/// cycles, where `source` is its part of source_wait, `outputs`, `controller` and `path` are its
/// parts of `waits`, and T_ctl is the number of clocks of the service that granted its request.
struct CircuitTotals {
  std::uint64_t requests = 0;  ///< Requests that have reached the controller.
  std::uint64_t granted = 0;   ///< Services that found a path.
  std::uint64_t blocked = 0;   ///< Services that found no path; a retried request counts each time.
  std::uint64_t dropped = 0;   ///< Dropped requests.
  std::uint64_t flits_dropped = 0;  ///< Flits of the packets of dropped requests.
  std::uint64_t grant_cycles = 0;   ///< Controller clocks of the services that found a path.
  std::uint64_t block_cycles = 0;   ///< Controller clocks of the other services.
  /// Cycles that packets waited for their terminal, behind earlier packets or a held connection.
  std::uint64_t source_wait = 0;
  RequestWaits waits{};
};

/// A circuit-switched multicast Clos network in SystemC time: a terminal asks the central
/// controller for a path to all its destinations, streams the packet over it and tears it down.
///
///   CircuitNetwork
///     input_switch_0 ...      crossbars, views
///     middle_switch_0 ...     or middle_0 ..., networks that contain switches
///     output_switch_0 ...
///     link_a_I_J, link_b_J_K  views: input switch I to middle J, middle J to output switch K
///     controller              view
///     terminal_0 ...          where packets enter and leave: node q is input q and output q
///
/// The only process ticks active elements once per cycle; modules with names are views that cost
/// nothing per cycle.
///
/// A packet's destination is a group: every member receives a copy of every flit, for
/// any PacketRequest::receivers. The cycles of a packet of L flits that is created in cycle c at
/// an idle terminal of an otherwise empty network:
///
///   c                             WAIT: the request leaves the terminal
///   c + t_req                     it is at the controller, which is idle: SETUP
///   h = c + t_req + T_ctl + t_cfg CONNECTED: the path is written; flit q is on the wire in h + q
///   a = h + (2k + 1) t_s + L - 1  flit L - 1 is at all destinations, flit q was in
///                                 h + (2k + 1) t_s + q: the packet has arrived; TEARDOWN
///   a + t_td                      ports and links are idle, also for a service that starts in
///                                 this cycle; the terminal sends its next request
///
/// So the latency of the last flit is t_req + T_ctl + t_cfg + (2k + 1) t_s + L - 1, and links stay
/// occupied for t_td cycles more. T_ctl is the controller's time; see TimedAdmission. A service
/// decides on the state of the cycle in which it starts; the next service starts after the clocks
/// of this one. Simultaneous requests are served in the order of their inputs, so the service of
/// the q-th request starts after the clocks of the earlier services; see WaitingRequests for
/// requests that arrive meanwhile.
///
/// A request for an output that is in use is not valid yet: it waits without occupying the
/// controller. Outputs are not reserved for waiting requests, so wide multicasts can starve under
/// load. A request that is found blocked is retried after the next release, or dropped.
/// Source: CS838 lecture notes (1999), "A wide-sense nonblocking multicast network"; the times of
/// the parts of a set-up are this model's.
class CircuitNetwork : public sc_core::sc_module, public Network {
 public:
  /// Everything passed by reference must outlive the network. Groups of packets in flight must not
  /// change. Throws std::invalid_argument for parameters that TimedAdmission rejects, for more than
  /// kMostNodes nodes, and for a stage of 0 cycles or more than kMostStageCycles.
  CircuitNetwork(const sc_core::sc_module_name& name, const Clos& topology, PacketSource& source,
                 const DestinationGroups& groups, const CircuitParams& params,
                 Probe* probe = nullptr);
  ~CircuitNetwork() override;

  static constexpr std::uint32_t kMostStageCycles = 4095;
  static constexpr std::size_t kMostNodes = 1U << 16;
  /// Names the limit that the topology exceeds; empty if it exceeds none.
  static std::string reason_too_large(const Topology& topology);

  void run(std::uint64_t cycles) override { driver_.run(cycles); }
  Cycle now() const override { return now_; }
  std::uint64_t idle_cycles() const override;
  void skip(std::uint64_t cycles) override;
  void wake(NodeId node, Cycle cycle) final { calendar_.bring_forward(index(node), cycle); }
  Totals totals() const override { return totals_; }
  CircuitTotals circuit_totals() const;
  std::uint64_t flit_hops() const override { return sum_of_flits(topology_); }
  /// Switches have the numbers of their routers.
  std::uint64_t flits_from(Endpoint output) const override { return stages_.link(output).flits; }
  /// Always a cycle that has passed, because a flit occupies a link for one cycle.
  Cycle busy_until(Endpoint) const override { return {}; }
  void for_each_packet(const std::function<void(const Packet&)>& visit) const override {
    packets_.for_each([&](PacketSlot, const Packet& packet, std::size_t) { visit(packet); });
  }
  void write_figures(nlohmann::ordered_json& result) const override;
  /// Always empty: a waiting circuit request holds no resources.
  std::vector<BlockedVc> find_deadlock() const override { return {}; }
  /// No limit: a request may wait for any number of cycles.
  std::uint64_t longest_standstill() const override { return kNoLimit; }

  // The functions below may be called between cycles; they send packets and control held
  // connections.

  /// Appends a packet to the node's source queue. Throws std::invalid_argument for an unknown node
  /// or group and for a length outside 1 .. kMaxPacketLength.
  void send(NodeId node, const PacketRequest& request);
  /// Sends the controller, in this cycle, a request for a connection that stays until close(). The
  /// verdict appears in the node's state: it leaves kWait and kSetup for kConnected; or for
  /// kBlocked, or for kIdle where blocked requests are dropped. Packets of the node wait. Throws
  /// std::invalid_argument unless the node is idle and the outputs are distinct nodes, at least
  /// one.
  void open(NodeId node, const std::vector<NodeId>& outputs);
  /// Starts to tear down a held connection; throws std::invalid_argument if there is none.
  void close(NodeId node);

  TerminalState state(NodeId node) const;
  /// The packet for which the node requests or has a connection, until the packet has arrived at
  /// all its receivers; null if there is none.
  const Packet* sending(NodeId node) const;
  /// The record of a packet that has not arrived at all its receivers.
  const Packet& packet(PacketSlot slot) const { return packets_.packet(slot); }
  /// True if the controller continues in the next cycle to serve a request that it has begun.
  bool controller_busy() const { return now_ < controller_free_; }

  std::uint64_t flits_created(NodeId node) const override {
    return sources_[index(node)].flits_created;
  }
  std::uint64_t flits_injected(NodeId node) const override {
    return sources_[index(node)].flits_injected;
  }
  std::uint64_t flits_injected(NodeId node, std::size_t) const override {
    return flits_injected(node);
  }
  std::uint64_t flits_ejected(NodeId node) const override {
    return sinks_[index(node)].flits_ejected;
  }

  /// Checks every account and throws InvariantError at the first that does not balance; called at
  /// the end of every experiment, in release builds too. Must be called between two cycles. It
  /// checks packets and copies created, delivered, dropped and in flight; every flit on every link
  /// against the connections; crossbars against connections; connections against the state of the
  /// control and its own invariants; requests against the waiting requests. Time: O(all ports).
  void audit() const override;

  const CircuitParams& params() const { return params_; }
  const Clos& topology() const { return topology_; }
  CrossbarStages& stages() { return stages_; }
  const CrossbarStages& stages() const { return stages_; }
  const TimedAdmission& control() const { return control_; }
  CircuitTerminal& terminal(NodeId node);

 private:
  using Phase = CircuitSource::Phase;

  void tick();

  // The parts of a tick, in the order in which they run.
  void receive(std::uint32_t node, const Flit& flit);
  void complete(std::uint32_t node, PacketSlot slot);
  void create_packets();
  void serve();
  void inject();

  // The steps of a request.
  void after(std::uint32_t node, Phase phase, std::uint64_t cycles);
  void advance(std::uint32_t node);
  void request_next(std::uint32_t node);
  void reach_controller(std::uint32_t node);
  void begin_stream(std::uint32_t node);
  void end_block(std::uint32_t node);
  void release(std::uint32_t node);

  void enqueue(std::uint32_t node, const PacketRequest& request);
  void drop_packet(std::uint32_t node);
  void configure(std::uint32_t node);
  const char* problem_of(const PacketRequest& request) const;

  void audit_packets() const;
  void audit_connections() const;
  std::uint64_t audit_path(std::uint32_t node) const;
  void audit_links() const;
  void audit_requests() const;

  const Clos& topology_;
  const CircuitParams params_;
  PacketSource& source_;
  const DestinationGroups& groups_;
  Probe* const probe_;

  TimedAdmission control_;
  CrossbarStages stages_;
  WaitingRequests waiting_;
  const std::uint32_t crossing_;  // Cycles through all stages: (2k + 1) t_s.
  std::vector<CircuitSource> sources_;
  std::vector<CircuitSink> sinks_;
  std::vector<std::vector<CircuitSetting>> paths_;  // Settings of each node's connection.
  BitSet streaming_;                                // Nodes that inject.
  PacketStore packets_;
  CalendarQueue calendar_;  // Cycles in which to poll the sources.
  CalendarQueue timers_;    // Cycles in which phases end.
  Cycle controller_free_{};

  KernelDriver driver_;
  Cycle now_{};
  Totals totals_;
  CircuitTotals circuit_totals_;
  std::vector<PacketRequest> requests_;
  Deliveries deliveries_;

  std::unique_ptr<CircuitModules> modules_;
};

/// The figures of circuit-switched networks.
const FigureTable<CircuitNetwork>& circuit_figures();

}  // namespace flitcast
