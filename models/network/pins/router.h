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

/// What a router with pins may have to know of its place in a network. A fabric fills it in for the
/// routers that it hosts; alone on a bench the first four say all.
struct Site {
  RouterId router{};  ///< By which the routing decides.
  unsigned inputs = 0;
  unsigned outputs = 0;
  RouterParams core{};
  BufferUnit unit = BufferUnit::kFlit;  ///< What credits stand for there.

  /// Per output; empty: all lead to routers, with one cycle per flit and one of latency.
  std::vector<OutputChannel> channels{};
  std::vector<bool> connected{};  ///< Outputs that lead somewhere; empty: all.
  std::vector<bool> from_node{};  ///< Inputs that a node injects by; empty: none.
  /// Ports of every node, and per output CoreHost::further_ports(); empty: one port.
  std::size_t node_ports = 1;
  std::vector<std::uint16_t> further_ports{};

  /// Where packets are kept whole: as NetworkParams::priority.
  std::shared_ptr<const QueuePriority> priority{};
  /// Where packets are kept whole: the number of the packet that a head belongs to, which decides
  /// between packets of equal rank that join a queue in one cycle, and which the priority may read.
  /// The wires do not carry it; empty: the number that they carry, Flit::packet, which is unique
  /// among the packets in flight but in no particular order.
  std::function<PacketId(const Flit&)> packet_id{};

  /// What the routing decides on, which must outlive the router: then a place that it does not have
  /// and a head for a node that it does not have are found before the routing is asked. Null: the
  /// routing has to bear them.
  const Topology* topology = nullptr;
};

/// A virtual-channel router as its neighbours see it: clock, reset, and for every port a flit
/// channel with credit wires running the other way.
///
///   in_valid_i, in_vc_i, in_flit_i      -->            --> out_valid_o, out_vc_o, out_flit_o
///   in_credit_valid_o, in_credit_vc_o   <--            <-- out_credit_valid_i, out_credit_vc_i
///
/// A flit moves over a channel at a rising clk_i edge where valid is high; there is no ready: the
/// sender has a credit for the flit or does not send. A credit moves likewise. All outputs are
/// registers. The sampled flit is buffered, routed and allocated in the cycle that the edge begins
/// and, where an input VC with credit wins the switch in that cycle, its credit is on
/// in_credit_*_o in the same cycle and the flit on out_*_o switch_allocation + traversal - 1 cycles
/// later.
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

/// A router with pins whose inside can be seen between two cycles, for audits and searches.
///
/// Misuse is reported as an SC_ERROR with the module's name, what is wrong, port, VC and cycle: a
/// VC that there is not, a flit without a head, a head inside a packet, a flit out of its packet's
/// order, a flit or a packet for which there is no room, a credit for nothing, a head for no node
/// of the topology, and a routing that answers with outputs or VCs that the router does not have.
/// So is a place that no router can stand in, when it is built, with all that is wrong with it.
class ModelRouter : public Router {
 public:
  virtual const RouterState& state() const = 0;
  /// The first cycle in which the channel behind an output takes another flit; may have passed.
  virtual Cycle busy_until(unsigned output) const = 0;
  /// Flits that have been granted an output so far.
  virtual std::uint64_t flits_from(unsigned output) const = 0;
  /// Flits of a VC between the grant and the wires of an output, and the heads among them.
  virtual unsigned flits_leaving(unsigned output, unsigned vc) const = 0;
  virtual unsigned heads_leaving(unsigned output, unsigned vc) const = 0;

 protected:
  using Router::Router;
  /// @param most_vcs  Over all ports of a side.
  void require_sound(const Site& place, std::size_t most_vcs) const;
};

/// The places of all routers of a network, by RouterId, for modules with pins that stand there;
/// without Place::packet_id. `topology` must outlive them. Time: one visit to every channel and
/// node.
std::vector<Site> sites_of(const Topology& topology, const NetworkParams& params);

/// Throws InvariantError for a head that no routing of the place's topology knows a way for.
void require_destination(const Site& place, const Routing& routing, unsigned input, unsigned vc,
                         const Flit& head);
/// Throws InvariantError for an answer of a routing that the place has no output or no VC for.
void require_output(const Site& place, PortId output, VcSet vcs, unsigned input, unsigned vc);

}  // namespace flitcast::pins
