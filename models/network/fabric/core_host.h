// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "base/ids.h"
#include "base/random.h"
#include "router/arbitration.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"

namespace flitcast {

/// The services that a router core gets from its host, which is a partition or a module with pins:
/// routing, the ports of nodes and the order of queues.
///
/// `Derived` has the members routing, priority (may be null) and node_ports, and the functions id()
/// of the router, packet_id(head) and further_ports(). For each router output that is the first to
/// a node, further_ports() has the second output to that node, after which the others follow; for
/// other outputs 0. It is null if nodes have one port.
template <class Derived>
class CoreHost {
 public:
  /// False if no channel takes more than one cycle per flit, so that no channel is ever busy.
  static constexpr bool kPaced = true;

  Route route(unsigned input_port, unsigned vc, const Flit& head) const {
    Route route = self().routing.route(request(input_port, vc, head));
    if (self().further_ports() != nullptr) route.output = node_port(route.output, input_port);
    return route;
  }
  void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& outputs) const {
    self().routing.branches(request(input_port, vc, head), outputs);
    if (self().further_ports() == nullptr) return;
    for (Branch& branch : outputs) branch.output = node_port(branch.output, input_port);
  }
  void combination(unsigned input_port, unsigned vc, const Flit& head, Combination& what) const {
    self().routing.combination(request(input_port, vc, head), what);
    if (self().further_ports() == nullptr) return;
    for (Branch& branch : what.branches) branch.output = node_port(branch.output, input_port);
  }
  void alternatives(unsigned input_port, unsigned vc, const Flit& head,
                    Alternatives& options) const {
    self().routing.alternatives(request(input_port, vc, head), options);
    if (self().further_ports() == nullptr) return;
    for (Alternative& option : options) option.output = node_port(option.output, input_port);
  }
  /// The standing of a packet in an arbitration; the default in hosts without records of packets.
  Standing standing(const Flit& /*head*/) const { return {}; }
  /// Random bits for a router's choices; the same for a packet in every implementation.
  std::uint64_t coins(const Flit& head) const {
    const std::uint64_t stream = std::uint64_t{head.hops} << 32 | index(self().id());
    return Random::stream(head.ties, stream).next();
  }
  std::uint32_t rank(unsigned output, const Flit& head, std::uint64_t joins) const {
    if (self().priority == nullptr) return 0;
    return self().priority->rank({self().id(), PortId{static_cast<std::uint16_t>(output)},
                                  head.destination, PacketId{self().packet_id(head)},
                                  Cycle{joins}});
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  RouteRequest request(unsigned input_port, unsigned vc, const Flit& head) const {
    return {self().id(),
            PortId{static_cast<std::uint16_t>(input_port)},
            VcId{static_cast<std::uint8_t>(vc)},
            head.destination,
            head.ties,
            head.route_field};
  }
  // Routings only know the first output to a node. Input i uses port i modulo node_ports, so that
  // different inputs use different ports of a node as far as possible.
  PortId node_port(PortId output, unsigned input_port) const {
    const std::size_t port = input_port % self().node_ports;
    const std::uint16_t further = self().further_ports()[index(output)];
    return further == 0 || port == 0 ? output
                                     : PortId{static_cast<std::uint16_t>(further + port - 1)};
  }
};

}  // namespace flitcast
