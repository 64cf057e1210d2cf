// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "base/flit.h"
#include "base/ids.h"
#include "network/network_params.h"
#include "network/pins/signals.h"
#include "router/router_params.h"
#include "router/router_state.h"
#include "routing/queue_priority.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast::pins {

/// The position of a router with pins in a network, and its parameters. sites_of() fills it in for
/// all routers of a network; for a standalone router the first four members are enough.
struct Site {
  RouterId router{};  ///< Passed to the routing.
  unsigned inputs = 0;
  unsigned outputs = 0;
  RouterParams core{};
  BufferUnit unit = BufferUnit::kFlit;  ///< The unit of credits.

  /// Per output; empty: all outputs lead to routers, with a latency of one cycle, one cycle per
  /// flit and buffers as deep as those of this router. A router has memory at its inputs for
  /// RouterParams::deepest_buffer, if that is set.
  std::vector<OutputChannel> channels{};
  std::vector<bool> connected{};  ///< Per output: true if it is connected; empty: all are.
  std::vector<bool> from_node{};  ///< Per input: true if a node injects there; empty: none does.
  /// Ports of every node, and the table of CoreHost::further_ports(); with an empty table nodes
  /// have one port.
  std::size_t node_ports = 1;
  std::vector<std::uint16_t> further_ports{};

  /// For routers that store packets as a whole: the same as NetworkParams::priority.
  std::shared_ptr<const QueuePriority> priority{};
  /// For routers that store packets as a whole: returns the packet number of a head. It orders
  /// packets of equal rank that join a queue in one cycle, and the priority may read it. The wires
  /// do not carry the packet number. Empty: Flit::packet is used, which is unique among the packets
  /// in flight but has no order.
  std::function<PacketId(const Flit&)> packet_id{};

  /// The topology of the routing, which must outlive the router. With it, a router or a destination
  /// that the topology does not have is reported before the routing is called; null: no such
  /// checks.
  const Topology* topology = nullptr;
};

/// The ports of a virtual-channel router: clock, reset, and for every port a flit channel with
/// credit wires in the opposite direction.
///
///   in_valid_i, in_vc_i, in_flit_i      -->            --> out_valid_o, out_vc_o, out_flit_o
///   in_credit_valid_o, in_credit_vc_o   <--            <-- out_credit_valid_i, out_credit_vc_i
///
/// A flit crosses a channel at a rising clk_i edge where valid is high, a credit where credit_valid
/// is high. There is no ready: a sender sends only with a credit. All outputs are registers. The
/// sampled flit is buffered, routed and allocated in the cycle that begins at the edge. If an input
/// VC with a credit wins the switch in that cycle, the credit of its slot is on in_credit_*_o in
/// the same cycle and the flit on out_*_o switch_allocation + traversal - 1 cycles later.
class Router : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< Synchronous, active low: empties every buffer.

  Inputs<bool> in_valid_i;
  Inputs<unsigned> in_vc_i;
  Inputs<Flit> in_flit_i;
  Outputs<bool> in_credit_valid_o;
  Outputs<unsigned> in_credit_vc_o;

  Outputs<bool> out_valid_o;
  Outputs<unsigned> out_vc_o;
  Outputs<Flit> out_flit_o;
  Inputs<bool> out_credit_valid_i;
  Inputs<unsigned> out_credit_vc_i;

 protected:
  Router(const sc_core::sc_module_name& name, std::size_t inputs, std::size_t outputs)
      : sc_module(name),
        in_valid_i("in_valid_i", inputs),
        in_vc_i("in_vc_i", inputs),
        in_flit_i("in_flit_i", inputs),
        in_credit_valid_o("in_credit_valid_o", inputs),
        in_credit_vc_o("in_credit_vc_o", inputs),
        out_valid_o("out_valid_o", outputs),
        out_vc_o("out_vc_o", outputs),
        out_flit_o("out_flit_o", outputs),
        out_credit_valid_i("out_credit_valid_i", outputs),
        out_credit_vc_i("out_credit_vc_i", outputs) {}
};

/// A router with pins whose state is visible between two cycles, for audits and deadlock searches.
///
/// Misuse is reported as an SC_ERROR with the module's name, the reason, port, VC and cycle: an
/// unknown VC, a flit without a head, a head inside a packet, a flit out of its packet's order, a
/// flit or packet without a free slot, a credit that no flit has taken, a head for a node that the
/// topology does not have, and a routing that returns outputs or VCs that the router does not have.
/// If the report does not throw, the router is idle until its next reset, so misuse is reported
/// once. An invalid Site is reported, with all its problems, when the router is built.
class ModelRouter : public Router {
 public:
  virtual const RouterState& state() const = 0;
  /// The same as Network::busy_until().
  virtual Cycle busy_until(unsigned output) const = 0;
  /// The number of flits granted to an output so far.
  virtual std::uint64_t flits_from(unsigned output) const = 0;
  /// The number of flits, or of heads, of a VC between the grant and the wires of an output.
  virtual unsigned flits_leaving(unsigned output, unsigned vc, bool heads_only) const = 0;

 protected:
  using Router::Router;
  /// @param most_vcs  The limit on the VCs of all input (or all output) ports together.
  void require_sound(const Site& site, std::size_t most_vcs) const;
};

/// The sites of all routers of a network, by RouterId, for modules with pins; without
/// Site::packet_id. `topology` must outlive the sites. Time: one visit to every channel and node.
std::vector<Site> sites_of(const Topology& topology, const NetworkParams& params);

/// Throws InvariantError for a head whose destination is not in the site's topology.
void require_destination(const Site& site, const Routing& routing, unsigned input, unsigned vc,
                         const Flit& head);
/// Throws InvariantError for an output or VCs from the routing that the site does not have.
void require_output(const Site& site, PortId output, VcSet vcs, unsigned input, unsigned vc);

}  // namespace flitcast::pins
