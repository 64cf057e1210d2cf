// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/sequences.h"
#include "network/fabric/core_host.h"
#include "network/fabric/router_cores.h"
#include "network/pins/process.h"
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

/// A router core of the fabric behind pins. The core is the same state machine, so each flit leaves
/// in the same cycle as in the fabric. A core of one mask word has up to 64 input VCs and 64 output
/// VCs, with the VCs of a port rounded up to a power of two.
///
///   pins --> sampled_flits() --> Core::tick() --> traversal_ --> pins
template <class Core>
class CoreRouter : public ModelRouter {
 public:
  /// `routing` must outlive the router. Problems of the site are reported as an SC_ERROR.
  CoreRouter(const sc_core::sc_module_name& name, const Site& site, const Routing& routing)
      : ModelRouter(name, site.inputs, site.outputs), site_(site), routing_(routing) {
    require_sound(site, Mask::kBits);
    if (routing.adaptive() && !std::is_base_of_v<AdaptiveState, Core>) {
      report_error("pins/site", this->name(), kNoChoice);
    }
    reset();
    SC_HAS_PROCESS(CoreRouter);
    SC_METHOD(on_clock);
    sensitive << clk_i.pos();
    dont_initialize();
  }

  const RouterState& state() const override { return *core_; }
  Cycle busy_until(unsigned output) const override { return Cycle{core_->busy_until(output)}; }
  std::uint64_t flits_from(unsigned output) const override { return flits_[output]; }

  unsigned flits_leaving(unsigned output, unsigned vc, bool heads_only) const override {
    return static_cast<unsigned>(count_if(traversal_, [&](const std::vector<Token>& stage) {
      return stage[output].carries(vc, heads_only);
    }));
  }

 private:
  using Mask = typename Core::Mask;

  /// The host of the core: connects it to the ports of the module.
  struct Host : CoreHost<Host> {
    explicit Host(CoreRouter& its_router)
        : routing(its_router.routing_),
          priority(its_router.site_.priority.get()),
          node_ports(its_router.site_.node_ports),
          router(its_router) {}

    RouterId id() const { return router.site_.router; }
    const std::uint16_t* further_ports() const {
      return router.site_.further_ports.empty() ? nullptr : router.site_.further_ports.data();
    }
    std::uint64_t packet_id(const Flit& head) const {
      return router.site_.packet_id ? index(router.site_.packet_id(head)) : index(head.packet);
    }
    Route route(unsigned input_port, unsigned vc, const Flit& head) const {
      require_destination(router.site_, routing, input_port, vc, head);
      const Route route = CoreHost<Host>::route(input_port, vc, head);
      require_output(router.site_, route.output, route.vcs, input_port, vc);
      return route;
    }
    void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& outputs) const {
      require_destination(router.site_, routing, input_port, vc, head);
      CoreHost<Host>::branches(input_port, vc, head, outputs);
      require_outputs(outputs, input_port, vc);
    }
    void alternatives(unsigned input_port, unsigned vc, const Flit& head,
                      Alternatives& options) const {
      require_destination(router.site_, routing, input_port, vc, head);
      CoreHost<Host>::alternatives(input_port, vc, head, options);
      require_outputs(options, input_port, vc);
    }
    template <class Options>
    void require_outputs(const Options& options, unsigned input_port, unsigned vc) const {
      for (const auto& option : options) {
        require_output(router.site_, option.output, option.vcs, input_port, vc);
      }
    }
    const Flit& landed(unsigned input_port) const { return router.in_flit_i[input_port].read(); }
    // The slot is unused: the receiver counts the positions in its ring.
    void depart(unsigned output_port, unsigned vc, unsigned /*slot*/, const Flit& flit) const {
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

  void on_clock() {
    if (!rst_ni.read()) reset();
    traversal_.emplace_back(site_.outputs);
    credits_.assign(site_.inputs, {});
    if (rst_ni.read() && !misused_) tick();
    drive_outputs();
    traversal_.pop_front();
    ++cycle_;
  }

  void tick() {
    misused_ = !do_reporting("pins/invariant", *this, cycle_, [this] {
      Host host(*this);
      core_->credit(sampled_credits());
      core_->accept(sampled_flits(), host);
      core_->tick(host, cycle_);
    });
  }

  void reset() {
    const CoreShape shape{site_.core, site_.inputs, site_.outputs};
    storage_.assign(storage_bytes<Core>(shape), std::byte{});
    detail::BumpAllocator arena(storage_.data());
    core_ = std::make_unique<Core>(shape, arena);
    for (unsigned output = 0; output < site_.outputs; ++output) {
      if (!site_.connected.empty() && !site_.connected[output]) continue;
      core_->connect_output(output,
                            site_.channels.empty() ? OutputChannel{} : site_.channels[output]);
    }
    for (unsigned input = 0; input < site_.from_node.size(); ++input) {
      if (site_.from_node[input]) core_->connect_node_input(input);
    }
    traversal_.assign(site_.core.pipeline.departure() - 1, std::vector<Token>(site_.outputs));
    orders_.assign(site_.inputs, PacketOrder(site_.core.virtual_channels));
    flits_.assign(site_.outputs, 0);
    misused_ = false;
  }

  // Throws for an unknown VC, which would be a VC of the next port in the core's memory.
  void require_vc(unsigned port, unsigned vc) const {
    if (vc >= site_.core.virtual_channels) broken_invariant("no such virtual channel", port, vc);
  }

  Mask sampled_credits() const {
    Mask credits{};
    for (unsigned port = 0; port < site_.outputs; ++port) {
      if (!out_credit_valid_i[port].read()) continue;
      const unsigned vc = out_credit_vc_i[port].read();
      require_vc(port, vc);
      credits.set(core_->vc_index(port, vc));
    }
    return credits;
  }

  Mask sampled_flits() {
    Mask arrivals{};
    for (unsigned port = 0; port < site_.inputs; ++port) {
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

  void drive_outputs() {
    for (unsigned port = 0; port < site_.outputs; ++port) {
      const Token& departure = traversal_.front()[port];
      out_valid_o[port].write(departure.valid);
      out_vc_o[port].write(departure.vc);
      out_flit_o[port].write(departure.flit);
    }
    for (unsigned port = 0; port < site_.inputs; ++port) {
      in_credit_valid_o[port].write(credits_[port].valid);
      in_credit_vc_o[port].write(credits_[port].vc);
    }
  }

  const Site site_;
  const Routing& routing_;
  std::vector<std::byte> storage_;
  std::unique_ptr<Core> core_;
  std::uint64_t cycle_ = 0;
  bool misused_ = false;  ///< True if misuse has been reported since the last reset.
  /// Pipeline stages after the grant: the front is on out_*_o, the back is being granted.
  std::deque<std::vector<Token>> traversal_;
  std::vector<Token> credits_;        ///< Credits returned in this cycle, per input port.
  std::vector<PacketOrder> orders_;   ///< The order of arriving flits, per input port.
  std::vector<std::uint64_t> flits_;  ///< Flits granted so far, per output port.
};

/// The core for wormhole and virtual cut-through switching, behind pins. A credit stands for a
/// flit.
using WormholeRouter = CoreRouter<WormholeCore<1>>;

/// The core for adaptive routing, behind pins: Routing::alternatives(). A credit stands for a flit.
using AdaptiveRouter = CoreRouter<AdaptiveCore<1>>;

/// The core that copies packets to several outputs, behind pins: Routing::branches(). A credit
/// stands for a flit and is returned when the last copy of the flit is granted.
using MulticastRouter = CoreRouter<MulticastCore<1>>;

/// The store-and-forward core, behind pins: Routing::branches().
///
/// Credits count packets: out_credit_* returns a slot for a packet of any length. in_credit_* is
/// sent with the last copy of the tail, or later where packets of several VCs of a port finish in
/// one cycle, because the wires carry one credit. The flits of a packet arrive at most one per
/// cycle, without flits of another packet of its VC in between.
///
/// A queue is ordered by (rank, cycle of joining, packet number), as in the fabric. Site::packet_id
/// returns the packet number. Without it the number on the wires orders packets of equal rank that
/// join in the same cycle, so such packets may leave in another order than in the fabric.
using StoreForwardRouter = CoreRouter<StoreForwardCore<1>>;

}  // namespace flitcast::pins
