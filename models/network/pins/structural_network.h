// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "network/check/inspection.h"
#include "network/fabric/packet_maker.h"
#include "network/pins/link.h"
#include "network/pins/node.h"
#include "network/pins/packet_ledger.h"
#include "network/pins/router.h"
#include "network/pins/signal_names.h"
#include "network/pins/trace_window.h"
#include "network/router_entry.h"

namespace flitcast::pins {

/// A network built only of modules with pins and signals:
///
///   network
///     clk                       one period of 1 ns for each cycle
///     ledger                    the records of packets in flight
///     node_0 ...                injectors
///     sink_0_0 ...              ejectors, one for each port of a node
///     router_0 ...              router cores of the fabric behind pins
///     link_0 ...                one per channel of the topology: sent, link, received, monitor
///     injection_0_0 ...         from a port of a node to its router, with the same parts
///     ejection_0_0 ...          from a router to a port of a node, with the same parts
///
/// Every flit arrives in the same cycle as in a Fabric, so checksums and all counters are equal; a
/// monitor at every link checks the protocol of the channel. A StructuralNetwork is far slower,
/// because every process runs in every cycle. It has one partition.
///
/// At the end of simulation (sc_stop) the network is audited, and a failure is reported as an
/// SC_ERROR.
class StructuralNetwork : public sc_core::sc_module, public BufferedNetwork {
 public:
  /// The reasons why such a network cannot be built; empty if there are none.
  static std::vector<std::string> problems(const Topology& topology, const NetworkParams& params);

  /// Everything that `parts` refers to must outlive the network. Throws std::invalid_argument if
  /// problems() is not empty, for more than one probe, and for a trace of unknown signals or
  /// without a file.
  StructuralNetwork(const sc_core::sc_module_name& name, const NetworkParts& parts);

  void run(std::uint64_t cycles) override;
  Cycle now() const override { return ledger_->now(); }
  void wake(NodeId node, Cycle cycle) override { ledger_->wake(node, cycle); }
  Totals totals() const override;
  std::uint64_t flits_from(Endpoint output) const override {
    return router(output.router).flits_from(index(output.port));
  }
  Cycle busy_until(Endpoint output) const override {
    return router(output.router).busy_until(index(output.port));
  }
  PortFlits port_flits(NodeId node, std::size_t port) const override {
    return {injector(node).flits_created(port), injector(node).flits_injected(port),
            ejector(node, port).flits_ejected()};
  }
  void for_each_packet(const std::function<void(const Packet&)>& visit) const override {
    ledger_->packets().for_each(
        [&](PacketSlot, const Packet& packet, std::size_t) { visit(packet); });
  }
  std::unique_ptr<const Inspection> inspection() const override;

  ModelRouter& router(RouterId router) const { return *routers_[index(router)]; }
  /// The connection of a channel of the topology, by the channel's number.
  Connection& link(std::size_t channel) const { return *links_[channel]; }
  Connection& injection(NodeId node, std::size_t port = 0) const {
    return *injections_[port_index(node, port)];
  }
  Connection& ejection(NodeId node, std::size_t port = 0) const {
    return *ejections_[port_index(node, port)];
  }
  const Injector& injector(NodeId node) const { return *injectors_[index(node)]; }
  const Ejector& ejector(NodeId node, std::size_t port) const {
    return *ejectors_[port_index(node, port)];
  }
  PacketLedger& ledger() const { return *ledger_; }

 private:
  class View;
  using Connections = std::vector<std::unique_ptr<Connection>>;

  void end_of_simulation() override;
  std::size_t port_index(NodeId node, std::size_t port) const {
    return index(node) * topology_.node_ports() + port;
  }
  void build_routers();
  void build_links();
  void build_node(NodeId node);
  void connect_node(NodeId node, unsigned port);
  std::unique_ptr<Connection> connect(const std::string& name, const OutputChannel& channel);
  void from_router(Endpoint output, Connection& connection);
  void to_router(Endpoint input, Connection& connection);
  void add_trace(const SignalTrace& trace);
  void trace_group(sc_core::sc_trace_file* file, const SignalGroup& group) const;
  void trace_router(sc_core::sc_trace_file* file, std::size_t router) const;
  void trace_node(sc_core::sc_trace_file* file, NodeId node) const;
  template <class Module>
  void clock(Module& module) {
    module.clk_i(clock_);
    module.rst_ni(reset_);
  }

  const PacketMaker maker_;
  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> reset_;
  std::unique_ptr<PacketLedger> ledger_;
  std::vector<std::unique_ptr<Injector>> injectors_;  ///< By node.
  std::vector<std::unique_ptr<Ejector>> ejectors_;    ///< By node and port, like the connections.
  std::vector<std::unique_ptr<ModelRouter>> routers_;
  Connections links_;
  Connections injections_;
  Connections ejections_;
  std::vector<std::vector<Connection*>> inputs_;   ///< Per router and port; null: unconnected.
  std::vector<std::vector<Connection*>> outputs_;  ///< Per router and port; null: unconnected.
  TieOff open_;                                    ///< Wires at unconnected ports.
  std::unique_ptr<TraceWindow>
      trace_;  // The last member, because it reads the signals until it is destroyed.
};

}  // namespace flitcast::pins
