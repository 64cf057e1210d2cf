// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <type_traits>
#include <vector>

#include "network/fabric/core_host.h"
#include "network/fabric/router_cores.h"
#include "network/pins/router.h"
#include "router/adaptive_core.h"
#include "router/bump_allocator.h"
#include "router/invariant.h"
#include "router/multicast_core.h"
#include "router/packet_order.h"
#include "router/store_forward_core.h"
#include "router/wormhole_core.h"
#include "routing/routing.h"

namespace flitcast::pins {

/// A core of the fabric behind pins: the same state machine, so the same cycle for every flit. Up
/// to 64 virtual channels over all ports of a side (VCs rounded up to a power of two) fit in a core
/// of one mask word.
///
///   pins --> sample_inputs() --> Core::tick() --> traversal_ --> pins
template <class Core>
class CoreRouter : public ModelRouter {
 public:
  /// `routing` must outlive the router. What is wrong with the place is reported as an SC_ERROR.
  CoreRouter(const sc_core::sc_module_name& name, const Site& place, const Routing& routing);

  const RouterState& state() const override { return *core_; }
  Cycle busy_until(unsigned output) const override { return Cycle{core_->busy_until(output)}; }
  std::uint64_t flits_from(unsigned output) const override { return flits_[output]; }
  unsigned flits_leaving(unsigned output, unsigned vc) const override {
    return leaving(output, vc, false);
  }
  unsigned heads_leaving(unsigned output, unsigned vc) const override {
    return leaving(output, vc, true);
  }

 private:
  struct Host;
  /// What a port shows on its wires in a cycle.
  struct Token {
    bool valid = false;
    unsigned vc = 0;
    Flit flit{};
  };
  using Mask = typename Core::Mask;

  void on_clock();
  void tick();
  void reset();
  void connect(unsigned output);
  void sample_inputs(Host& host);
  void require_vc(unsigned port, unsigned vc) const;
  Mask sampled_credits() const;
  Mask sampled_flits();
  void drive_outputs();
  unsigned leaving(unsigned output, unsigned vc, bool heads_only) const;

  const Site place_;
  const Routing& routing_;
  std::vector<std::byte> storage_;
  std::unique_ptr<Core> core_;
  std::uint64_t cycle_ = 0;
  /// The stages behind the grant: the front is on out_*_o, the back is being granted.
  std::deque<std::vector<Token>> traversal_;
  std::vector<Token> credits_;        ///< Given back in this cycle, per input port.
  std::vector<PacketOrder> orders_;   ///< Of what comes, per input port.
  std::vector<std::uint64_t> flits_;  ///< Granted so far, per output port.
};

/// What the core sees of the module.
template <class Core>
struct CoreRouter<Core>::Host : CoreHost<Host> {
  explicit Host(CoreRouter& its_router)
      : routing(its_router.routing_),
        priority(its_router.place_.priority.get()),
        node_ports(its_router.place_.node_ports),
        router(its_router) {}

  RouterId id() const { return router.place_.router; }
  const std::uint16_t* further_ports() const {
    return router.place_.further_ports.empty() ? nullptr : router.place_.further_ports.data();
  }
  std::uint64_t packet_id(const Flit& head) const {
    return router.place_.packet_id ? index(router.place_.packet_id(head)) : index(head.packet);
  }
  Route route(unsigned input_port, unsigned vc, const Flit& head) const {
    require_destination(router.place_, routing, input_port, vc, head);
    const Route route = CoreHost<Host>::route(input_port, vc, head);
    require_output(router.place_, route.output, route.vcs, input_port, vc);
    return route;
  }
  void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& outputs) const {
    require_destination(router.place_, routing, input_port, vc, head);
    CoreHost<Host>::branches(input_port, vc, head, outputs);
    for (const Branch& branch : outputs) {
      require_output(router.place_, branch.output, branch.vcs, input_port, vc);
    }
  }
  void alternatives(unsigned input_port, unsigned vc, const Flit& head,
                    Alternatives& options) const {
    require_destination(router.place_, routing, input_port, vc, head);
    CoreHost<Host>::alternatives(input_port, vc, head, options);
    for (const Alternative& option : options) {
      require_output(router.place_, option.output, option.vcs, input_port, vc);
    }
  }
  const Flit& landed(unsigned input_port) const { return router.in_flit_i[input_port].read(); }
  // The receiver counts its own ring positions.
  void depart(unsigned output_port, unsigned vc, unsigned /*place*/, const Flit& flit) const {
    depart(output_port, vc, flit);
  }
  void depart(unsigned output_port, unsigned vc, const Flit& flit) const {
    router.traversal_.back()[output_port] = {true, vc, flit};
    ++router.flits_[output_port];
  }
  void return_credit(const InputVc& in) const { router.credits_[in.port] = {true, in.vc, {}}; }

  const Routing& routing;
  const QueuePriority* const priority;
  const std::size_t node_ports;
  CoreRouter& router;
};

template <class Core>
CoreRouter<Core>::CoreRouter(const sc_core::sc_module_name& name, const Site& place,
                             const Routing& routing)
    : ModelRouter(name, place.inputs, place.outputs), place_(place), routing_(routing) {
  require_sound(place, Mask::kBits);
  if (routing.adaptive() && !std::is_base_of_v<AdaptiveState, Core>) {
    SC_REPORT_ERROR(this->name(), kNoChoice);
  }
  reset();
  SC_HAS_PROCESS(CoreRouter);
  SC_METHOD(on_clock);
  sensitive << clk_i.pos();
  dont_initialize();
}

template <class Core>
void CoreRouter<Core>::reset() {
  storage_.assign(Core::storage_bytes(place_.core, place_.inputs, place_.outputs), std::byte{});
  detail::BumpAllocator arena(storage_.data());
  core_ = std::make_unique<Core>(place_.core, place_.inputs, place_.outputs, arena);
  for (unsigned output = 0; output < place_.outputs; ++output) connect(output);
  for (unsigned input = 0; input < place_.from_node.size(); ++input) {
    if (place_.from_node[input]) core_->connect_node_input(input);
  }
  traversal_.assign(place_.core.pipeline.departure() - 1, std::vector<Token>(place_.outputs));
  orders_.assign(place_.inputs, PacketOrder(place_.core.virtual_channels));
  flits_.assign(place_.outputs, 0);
}

template <class Core>
void CoreRouter<Core>::connect(unsigned output) {
  if (!place_.connected.empty() && !place_.connected[output]) return;
  core_->connect_output(output,
                        place_.channels.empty() ? OutputChannel{} : place_.channels[output]);
}

template <class Core>
void CoreRouter<Core>::on_clock() {
  if (!rst_ni.read()) reset();
  traversal_.emplace_back(place_.outputs);
  credits_.assign(place_.inputs, {});
  if (rst_ni.read()) tick();
  drive_outputs();
  traversal_.pop_front();
  ++cycle_;
}

// The kernel would lose the message of another exception.
template <class Core>
void CoreRouter<Core>::tick() {
  try {
    Host host(*this);
    sample_inputs(host);
    core_->tick(host, cycle_);
  } catch (const InvariantError& error) {
    SC_REPORT_ERROR(name(), fmt::format("{}, cycle {}", error.what(), cycle_).c_str());
  }
}

template <class Core>
void CoreRouter<Core>::sample_inputs(Host& host) {
  core_->credit(sampled_credits());
  core_->accept(sampled_flits(), host);
}

// Behind the last VC of a port are the next port's in the core's memory.
template <class Core>
void CoreRouter<Core>::require_vc(unsigned port, unsigned vc) const {
  if (vc >= place_.core.virtual_channels) broken_invariant("no such virtual channel", port, vc);
}

template <class Core>
auto CoreRouter<Core>::sampled_credits() const -> Mask {
  Mask credits{};
  for (unsigned port = 0; port < place_.outputs; ++port) {
    if (!out_credit_valid_i[port].read()) continue;
    const unsigned vc = out_credit_vc_i[port].read();
    require_vc(port, vc);
    credits.set(core_->vc_index(port, vc));
  }
  return credits;
}

template <class Core>
auto CoreRouter<Core>::sampled_flits() -> Mask {
  Mask arrivals{};
  for (unsigned port = 0; port < place_.inputs; ++port) {
    if (!in_valid_i[port].read()) continue;
    const unsigned vc = in_vc_i[port].read();
    const Flit& flit = in_flit_i[port].read();
    require_vc(port, vc);
    if (const char* const wrong = orders_[port].take(vc, flit)) broken_invariant(wrong, port, vc);
    const unsigned i = core_->vc_index(port, vc);
    core_->land(i, flit);
    arrivals.set(i);
  }
  return arrivals;
}

template <class Core>
void CoreRouter<Core>::drive_outputs() {
  for (unsigned port = 0; port < place_.outputs; ++port) {
    const Token& departure = traversal_.front()[port];
    out_valid_o[port].write(departure.valid);
    out_vc_o[port].write(departure.vc);
    out_flit_o[port].write(departure.flit);
  }
  for (unsigned port = 0; port < place_.inputs; ++port) {
    in_credit_valid_o[port].write(credits_[port].valid);
    in_credit_vc_o[port].write(credits_[port].vc);
  }
}

template <class Core>
unsigned CoreRouter<Core>::leaving(unsigned output, unsigned vc, bool heads_only) const {
  return static_cast<unsigned>(
      std::count_if(traversal_.begin(), traversal_.end(), [&](const std::vector<Token>& stage) {
        const Token& token = stage[output];
        return token.valid && token.vc == vc && (token.flit.head || !heads_only);
      }));
}

extern template class CoreRouter<WormholeCore<1>>;
extern template class CoreRouter<WormholeCore<2>>;
extern template class CoreRouter<AdaptiveCore<1>>;
extern template class CoreRouter<AdaptiveCore<2>>;
extern template class CoreRouter<MulticastCore<1>>;
extern template class CoreRouter<MulticastCore<2>>;
extern template class CoreRouter<StoreForwardCore<1>>;
extern template class CoreRouter<StoreForwardCore<2>>;

/// The wormhole core, which also does virtual cut-through, behind pins. A credit stands for a flit.
using WormholeRouter = CoreRouter<WormholeCore<1>>;

/// The core whose packets choose among several outputs, behind pins; Routing::alternatives() offers
/// them. A credit stands for a flit.
using AdaptiveRouter = CoreRouter<AdaptiveCore<1>>;

/// The core that copies packets to several outputs, behind pins; Routing::branches() decides. A
/// credit stands for a flit, and goes back when the last copy of the flit is granted.
using MulticastRouter = CoreRouter<MulticastCore<1>>;

/// The core that keeps packets whole, behind pins; Routing::branches() decides.
///
/// Credits count packets: out_credit_* gives back a place for a packet of any length, and
/// in_credit_* goes out with the tail's last copy, or later where packets of several VCs of a port
/// finish in one cycle, for the wires carry one credit. The packet that has a credit comes as one
/// flit per cycle at most, without another packet of its VC in between.
///
/// A queue is ordered by (rank, cycle of joining, packet number), as in the fabric.
/// Place::packet_id tells the packet's number there; without it the number on the wires decides
/// between packets of equal rank that join in the same cycle, and only between those: the queues
/// then differ from the fabric's at most by exchanging such packets.
using StoreForwardRouter = CoreRouter<StoreForwardCore<1>>;

}  // namespace flitcast::pins
