// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/fabric/node_interface.h"
#include "network/network.h"
#include "network/network_params.h"
#include "router/router_state.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

template <class Part>
class FigureTable;

/// A network of routers with buffers, which can be inspected: the common part of Fabric and
/// pins::StructuralNetwork.
class BufferedNetwork : public Network {
 public:
  /// Flits of a port of a node since the start.
  struct PortFlits {
    std::uint64_t created = 0;
    std::uint64_t injected = 0;
    std::uint64_t ejected = 0;
  };

  const Topology& topology() const { return topology_; }
  const NetworkParams& params() const { return params_; }
  const Routing& routing() const { return routing_; }

  std::uint64_t flit_hops() const override { return sum_of_flits(topology_); }
  virtual PortFlits port_flits(NodeId node, std::size_t port) const = 0;
  std::uint64_t flits_created(NodeId node) const override { return flits_of(node).created; }
  std::uint64_t flits_injected(NodeId node) const override { return flits_of(node).injected; }
  std::uint64_t flits_injected(NodeId node, std::size_t port) const override {
    return port_flits(node, port).injected;
  }
  std::uint64_t flits_ejected(NodeId node) const override { return flits_of(node).ejected; }
  /// The totals at the end of the last reset.
  const Totals& totals_at_reset() const { return totals_at_reset_; }

  void write_figures(nlohmann::ordered_json& result) const override;
  void audit() const override;
  std::vector<BlockedVc> find_deadlock() const override;
  /// A number of cycles that exceeds every start-up, flight and credit return.
  std::uint64_t longest_standstill() const override;

 protected:
  /// `topology` and `routing` must outlive the network; the routers' parameters are completed by
  /// router_params().
  BufferedNetwork(const Topology& topology, const NetworkParams& params, const Routing& routing);

  const Topology& topology_;
  const Routing& routing_;
  NetworkParams params_;
  Totals totals_at_reset_;

 private:
  PortFlits flits_of(NodeId node) const;
};

/// A read-only view of a network of routers with buffers: its channels, the state of its routers
/// and what is in flight. For code that reads a network between two cycles, never on the path of a
/// flit. Each implementation of a network has a view of its own.
class Inspection {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  virtual ~Inspection() = default;

  const Topology& topology() const { return network_.topology(); }
  const NetworkParams& params() const { return network_.params(); }
  const Routing& routing() const { return network_.routing(); }
  Totals totals() const { return network_.totals(); }
  /// The totals at the last reset.
  const Totals& totals_at_reset() const { return network_.totals_at_reset(); }

  /// Calls visit(node, port) for every port of every node.
  template <class Visit>
  void for_each_node_port(Visit&& visit) const {
    for (const NodeId node : topology().nodes()) {
      for (std::size_t port = 0; port < topology().node_ports(); ++port) visit(node, port);
    }
  }

  /// The number of the topology's channel that leaves by this output; kNone if the output leads to
  /// a node or is unconnected.
  std::uint32_t channel_from(RouterId router, unsigned output) const {
    return from_[index(router)][output];
  }
  /// The number of the topology's channel that enters by this input; kNone if a node injects there
  /// or the input is unconnected.
  std::uint32_t channel_to(RouterId router, unsigned input) const {
    return to_[index(router)][input];
  }

  virtual const RouterState& state(RouterId router) const = 0;
  /// The sum of a counter over all routers.
  std::uint64_t sum(std::uint64_t RouterState::*counter) const;
  /// True for external routers, whose state is not visible.
  virtual bool external(RouterId router) const = 0;

  /// Flits in flight to an input VC (by its index in the router); with `heads_only` only heads,
  /// which requires BufferUnit::kPacket.
  virtual unsigned in_flight(RouterId router, unsigned input_vc, bool heads_only) const = 0;
  unsigned flits_in_flight(RouterId router, unsigned input_vc) const {
    return in_flight(router, input_vc, false);
  }
  /// Credits in flight to an output VC.
  virtual unsigned credits_in_flight(RouterId router, unsigned output_vc) const = 0;
  /// Flits, or heads, on a node's ejection channel, including those that wait at its end for a slot
  /// of a bounded receiver.
  virtual unsigned in_flight(NodeId node, std::size_t port, unsigned vc, bool heads_only) const = 0;
  unsigned flits_in_flight(NodeId node, std::size_t port, unsigned vc) const {
    return in_flight(node, port, vc, false);
  }
  /// Credits in flight on a node's injection channel.
  virtual unsigned credits_in_flight(NodeId node, std::size_t port, unsigned vc) const = 0;

  /// The credits that a node has for its injection channel.
  virtual unsigned injection_credits(NodeId node, std::size_t port, unsigned vc) const = 0;
  /// True if the head of a packet has arrived on the ejection channel and its tail has not.
  virtual bool receives(NodeId node, std::size_t port, unsigned vc) const = 0;
  /// Flits in the source queues of a node's port.
  virtual std::uint64_t waiting_flits(NodeId node, std::size_t port) const = 0;

  // The functions below are for networks with reply queues.

  virtual const NodeInterface* interface(NodeId, std::size_t /*port*/) const { return nullptr; }
  /// Packets of a message class in the source queues of a node, those that are leaving included.
  virtual std::size_t waiting_packets(NodeId, std::size_t /*message_class*/) const { return 0; }
  /// The VC in which the front packet of a source queue is leaving, or all VCs that it may take.
  virtual VcSet injection_vcs(NodeId, std::size_t /*port*/, std::size_t /*message_class*/) const {
    return 0;
  }

  /// Outstanding deliveries, according to the packets' records.
  virtual std::uint64_t deliveries_due() const = 0;
  /// The record of a packet that has not arrived yet.
  virtual const Packet& packet(PacketSlot slot) const = 0;

 protected:
  /// `network` must outlive the inspection.
  explicit Inspection(const BufferedNetwork& network);

 private:
  /// The number of a channel, by router and port.
  using Connections = std::vector<std::vector<std::uint32_t>>;

  const BufferedNetwork& network_;
  Connections from_;
  Connections to_;
};

/// Checks the conservation of packets, flits and credits in a network between two cycles. Throws
/// InvariantError at the first sum that does not balance:
///  - packets: created = delivered + lost by resets + combined with others + in queues and in
///    flight, once for each receiver; when no flit is left, no packet is in flight, which detects
///    multicast packets with too few copies;
///  - flits since the last reset: created = injected + waiting at their sources, and injected +
///    copied = ejected + combined with others + buffered in routers and at bounded receivers + on
///    links;
///  - every virtual channel of every channel: credits upstream + flits on the link + occupancy
///    downstream + credits in flight = buffer depth.
/// The registers of external routers are not visible: their channels, and the flits inside them,
/// are checked at their pins, by Fabric::audit(). Runs at the end of every experiment, in release
/// builds too. Time: one visit to every VC.
void audit(const Inspection& network);

/// Crosspoints of the crossbars of all routers, without unconnected ports.
std::uint64_t crosspoints(const Topology& topology);

/// The figures of every network of routers with buffers; RouterCores::figures has the figures of
/// single kinds.
const FigureTable<Inspection>& cost_figures();

}  // namespace flitcast
