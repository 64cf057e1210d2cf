// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "router/allocator.h"
#include "router/arbitration.h"
#include "router/unicast_core.h"

namespace flitcast {

/// The virtual-channel router of WormholeCore with the options of RouterParams::options. Without
/// options it behaves as WormholeCore, cycle by cycle, but simulates more slowly.
///
///  - Allocator and iterations: apply to both VC and switch allocation. A waiting input VC requests
///    all free output VCs that its route allows. An input of the switch requests every output that
///    one of its VCs requests; round robin picks among the VCs that request the granted output.
///  - Speculation: a head requests the switch in the cycle in which it requests an output VC, if
///    any output VC that it may take is free and has space for a flit. Such requests go to a
///    separate allocator. A speculative grant loses to any non-speculative grant at the same input
///    or output, and is void unless the head has been granted an output VC with a credit in this
///    cycle. An unobstructed head thus wins the switch one cycle earlier. Needs
///    Pipeline::vc_allocation == 1.
///  - Input speed-up s: the switch has s inputs per input port; VC v uses input v modulo s.
///  - Reuse of VCs by tail credit: an output VC is free again when all credits are back, so that
///    the buffer behind it holds one packet at a time. With a credit loop of c cycles and packets
///    of L flits that fit in the buffer, one VC carries L / (L + c) instead of L / (L + 2) flits
///    per cycle.
///  - Arbitration, in OrderingCore only: VC and switch allocation pick among the packets that come
///    first in the order of the arbitration.
///
/// Sources: see Allocator and Arbitration; Peh and Dally, "A Delay Model and Speculative
/// Architecture for Pipelined Routers", HPCA 2001; Dally and Towles, 2004, section 16.4 (reuse)
/// and 19.1 (speed-up).
///
/// `Host` is that of WormholeCore and provides
///   Standing standing(const Flit& head);   only called by OrderingCore
template <int kWords, bool kOrders>
class CoreWithOptions : public UnicastCore<CoreWithOptions<kWords, kOrders>, RouterState, kWords> {
  using Base = UnicastCore<CoreWithOptions, RouterState, kWords>;
  friend Base;
  friend typename Base::VcCore;

 public:
  using Base::depth, Base::inputs, Base::outputs, Base::vc_index;
  using typename Base::Mask;

  /// The arena keeps the storage of the core.
  CoreWithOptions(const CoreShape& shape, detail::BumpAllocator& arena)
      : Base(shape, arena),
        options_(shape.params.options),
        lines_(Arbitration::lines(shape.params)),
        arbitration_(shape, vc_index(shape.inputs, 0), arena),
        vc_allocator_(options_, vc_index(shape.inputs, 0), vc_index(shape.outputs, 0), arena,
                      lines_),
        switch_allocator_(options_, shape.inputs * options_.input_speedup, shape.outputs, arena,
                          lines_),
        speculative_allocator_(options_, shape.inputs * options_.input_speedup, shape.outputs,
                               arena) {
    const std::size_t vc_pointers = std::size_t{shape.inputs} * options_.input_speedup * lines_;
    last_vc_ = arena.take<std::uint8_t>(vc_pointers);
    if (last_vc_ == nullptr) return;
    std::fill_n(last_vc_, vc_pointers, std::uint8_t{kMaxVirtualChannels - 1});
  }

  /// The same as VcCore::credit(); in addition, output VCs with all credits back become free.
  void credit(const Mask& credits) {
    Base::credit(credits);
    (credits & draining_).for_each([&](unsigned j) {
      if (outputs[j].credits != Base::paces_[Base::port_of(j)].space) return;
      draining_.clear(j);
      free_.set(j);
    });
  }

  /// The same as VcCore::tick(), after the start of a cycle of the arbitration.
  template <class Host>
  bool tick(Host& host, std::uint64_t now) {
    if constexpr (kOrders) arbitration_.begin(now);
    return Base::tick(host, now);
  }

 private:
  using Base::credited_, Base::free_, Base::granted_, Base::waiting_;

  template <class Host>
  void compute_route(unsigned i, const Flit& head, Host& host) {
    Base::compute_route(i, head, host);
    if constexpr (kOrders) arbitration_.admit(i, host.standing(head), head.hops);
  }

  template <class Ask>
  void for_each_request(unsigned i, Ask&& ask) const {
    const unsigned first = vc_index(inputs[i].route_port, 0);
    std::uint64_t choices = free_.from(first) & inputs[i].route_vcs;
    for (; choices != 0; choices &= choices - 1) ask(first + lowest_bit(choices));
  }

  void allocate_vcs() {
    waiting_.for_each([&](unsigned i) {
      for_each_request(i, [&](unsigned j) {
        vc_allocator_.request(i, j);
        if (options_.speculation && outputs[j].credits != 0) speculative_.set(i);
      });
    });
    const auto grant = [&](unsigned i, unsigned j) { Base::grant_vc(i, j); };
    if constexpr (kOrders) {
      vc_allocator_.allocate(
          grant, [&](unsigned i, unsigned j) { return arbitration_.rank(i, Base::port_of(j)); });
    } else {
      vc_allocator_.allocate(grant);
    }
  }

  template <class Host>
  void allocate_switch(Host& host, std::uint64_t now) {
    const Mask senders = Host::kPaced ? Base::idle(Base::ready(), now) : Base::ready();
    Mask busy_inputs{};
    Mask busy_outputs{};
    request_switch(switch_allocator_, senders);
    const auto grant = [&](unsigned input, unsigned output) {
      busy_inputs.set(input);
      busy_outputs.set(output);
      send(choose_vc(input, output, senders), host, now);
    };
    if constexpr (kOrders) {
      switch_allocator_.allocate(grant, [&](unsigned input, unsigned output) {
        return arbitration_.rank(choose_vc(input, output, senders), output);
      });
    } else {
      switch_allocator_.allocate(grant);
    }
    if (speculative_.any()) speculate(busy_inputs, busy_outputs, host, now);
  }

  template <class Host>
  void speculate(const Mask& busy_inputs, const Mask& busy_outputs, Host& host, std::uint64_t now) {
    if (Host::kPaced) speculative_ = Base::idle(speculative_, now);
    request_switch(speculative_allocator_, speculative_);
    speculative_allocator_.allocate([&](unsigned input, unsigned output) {
      if (busy_inputs.test(input) || busy_outputs.test(output)) return;
      const unsigned i = choose_vc(input, output, speculative_);
      if (granted_.test(i) && credited_.test(i)) send(i, host, now);
    });
    speculative_ = Mask{};
  }

  unsigned switch_input(unsigned i) const {
    return inputs[i].port * options_.input_speedup + inputs[i].vc % options_.input_speedup;
  }

  void request_switch(Allocator<kWords>& allocator, const Mask& senders) const {
    senders.for_each([&](unsigned i) { allocator.request(switch_input(i), inputs[i].route_port); });
  }

  unsigned vc_pointer(unsigned input, unsigned line) const {
    return kOrders ? input * lines_ + line : input;
  }

  // Picks, round-robin, one of the VCs of an input of the switch that request the output and come
  // first in the arbitration.
  unsigned choose_vc(unsigned input, unsigned output, const Mask& senders) const {
    const unsigned first = vc_index(input / options_.input_speedup, 0);
    BitMask<1> vcs{};
    for (unsigned vc = input % options_.input_speedup; vc < Base::virtual_channels;
         vc += options_.input_speedup) {
      const bool wants = senders.test(first + vc) && inputs[first + vc].route_port == output;
      if (wants) vcs.set(vc);
    }
    unsigned line = 0;
    if constexpr (kOrders) {
      line = Arbitration::line_of(
          keep_foremost(vcs, [&](unsigned vc) { return arbitration_.rank(first + vc, output); }));
    }
    return first + vcs.next_after(last_vc_[vc_pointer(input, line)]);
  }

  template <class Host>
  void send(unsigned i, Host& host, std::uint64_t now) {
    unsigned line = 0;
    if constexpr (kOrders) {
      line = Arbitration::line_of(arbitration_.rank(i, inputs[i].route_port));
      const unsigned output = inputs[i].route_port;
      arbitration_.served(i, output, Base::paces_[output].cycles_per_flit);
    }
    last_vc_[vc_pointer(switch_input(i), line)] = inputs[i].vc;
    Base::send(i, host, now);
  }

  // Clears granted_, too: a packet of one flit may leave in the cycle in which it was granted its
  // output VC.
  void release(unsigned i, unsigned j) {
    Base::release(i, j);
    granted_.clear(i);
    if (options_.vc_reuse == VcReuse::kTail) return;
    free_.clear(j);
    draining_.set(j);
  }

  RouterOptions options_;
  unsigned lines_;  // Number of lines of requests, each with separate pointers.
  std::conditional_t<kOrders, Arbitration, NoArbitration> arbitration_;
  Allocator<kWords> vc_allocator_;
  Allocator<kWords> switch_allocator_;
  Allocator<kWords> speculative_allocator_;
  std::uint8_t* last_vc_ = nullptr;  // Per input of the switch and line: the VC served last.
  Mask speculative_{};  // Input VCs whose waiting head requests the switch in this cycle.
  Mask draining_{};     // Output VCs whose tail has left with some credits outstanding.
};

/// The core for every option but an arbitration.
template <int kWords>
using OptionCore = CoreWithOptions<kWords, false>;
/// The core for an arbitration, with or without other options.
template <int kWords>
using OrderingCore = CoreWithOptions<kWords, true>;

}  // namespace flitcast
