// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "router/vc_core.h"

namespace flitcast {

/// The common part of virtual-channel routers whose packets, all or most of them, leave by one
/// output: the switch allocator and the switch traversal.
///
/// `Core`, which derives from this class, provides the functions that VcCore requires except
/// allocate_switch(), grant_vc(), ready() and sender(); compute_route() only if packets have
/// several routing options. The route_port of an input VC is the port of the output VC that it
/// holds.
template <class Core, class State, int kWords>
class UnicastCore : public VcCore<Core, State, kWords> {
  using Base = VcCore<Core, State, kWords>;
  friend Base;

 public:
  using Base::Base;
  using Base::kMaxPorts, Base::depth, Base::inputs, Base::outputs, Base::pointers;
  using Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

 protected:
  using Base::active_, Base::credited_, Base::free_, Base::occupied_, Base::routing_;

  [[gnu::always_inline]] inline void note_arrivals(const Mask& arrivals) {
    routing_ |= arrivals.without(active_ | occupied_);
    Base::fill(arrivals);
  }

  /// Stores the one route of a packet. A core whose packets have several options hides this
  /// function.
  template <class Host>
  void compute_route(unsigned i, const Flit& head, Host& host) {
    InputVc& in = inputs[i];
    const Route route = host.route(in.port, in.vc, head);
    in.route_port = static_cast<std::uint8_t>(index(route.output));
    in.route_vcs = route.vcs;
  }

  /// A core whose packets learn more from a grant hides this function.
  void grant_vc(unsigned i, unsigned j) {
    Base::hold(i, j);
    Base::waiting_.clear(i);
  }

  /// An input VC sends by one output VC only, so the owner represents the sender.
  static unsigned sender(unsigned owner, unsigned) { return owner; }
  Mask ready() const { return occupied_ & active_ & credited_; }

  template <class Host>
  [[gnu::always_inline]] inline void allocate_switch(Host& host, std::uint64_t now) {
    serve(ready(), host, now);
  }

  /// Sends a flit from each of the input VCs `senders` that wins both arbiters. All of them must be
  /// ready.
  template <class Host>
  [[gnu::always_inline]] inline void serve(Mask senders, Host& host, std::uint64_t now) {
    if (Host::kPaced && Base::any_busy(now)) senders = idle(senders, now);
    if (senders.single()) {  // True for the empty set, too.
      if (senders.any()) send(senders.lowest(), host, now);
      return;
    }
    senders = arbitrate(senders);
    senders.for_each([&](unsigned i) { send(i, host, now); });
  }

  /// Moves the front flit of input VC i through the switch. Counts and pointers are updated first,
  /// because the compiler must assume that the stores of the host alias them. The packet advances
  /// after the host has read its flit.
  template <class Host>
  [[gnu::always_inline]] inline void transfer(unsigned i, Host& host) {
    InputVc& in = inputs[i];
    const unsigned j = in.output;
    OutputVc& out = outputs[j];
    Flit& flit = Base::front(i);
    ++in.left;
    core().run_dry(--in.count == 0, i, j);
    if (--out.credits == 0) credited_.clear(Core::sender(i, j));

    const unsigned input_port = in.port;
    const unsigned output_port = in.route_port;
    const unsigned output_vc = j & Base::vc_mask_;
    pointers[input_port].last_vc = in.vc;
    pointers[input_port].last_output = static_cast<std::uint8_t>(output_port);
    pointers[output_port].last_input = static_cast<std::uint8_t>(input_port);
    host.depart(output_port, output_vc, out.slot, flit);
    host.return_credit(in);
    if (flit.tail()) {
      in.front = static_cast<std::uint16_t>(Base::behind(in.front));
      core().release(i, in.output);
    } else {
      step_behind(flit);
    }
  }

  /// Notes that the buffer of input VC i, which holds output VC j, is empty. A core may hide this
  /// function.
  void run_dry(bool dry, unsigned i, unsigned) { occupied_.clear_if(dry, i); }
  /// Releases output VC j after the tail of input VC i has left. A core may hide this function.
  void release(unsigned i, unsigned j) {
    inputs[i].output = InputVc::kNone;
    inputs[i].route_vcs = 0;
    outputs[j].owner = OutputVc::kNone;
    active_.clear(i);
    free_.set(j);
    routing_ |= Mask::of(i) & occupied_;
  }

  /// Removes the input VCs whose output channel is still busy with an earlier flit.
  [[gnu::noinline]] Mask idle(Mask senders, std::uint64_t now) const {
    senders.for_each([&](unsigned i) {
      if (Base::busy(inputs[i].route_port, now)) senders.clear(i);
    });
    return senders;
  }

  /// Occupies the output channel of input VC i, and moves its front flit.
  template <class Host>
  [[gnu::always_inline]] inline void send(unsigned i, Host& host, std::uint64_t now) {
    if (Host::kPaced) Base::occupy(inputs[i].route_port, now);
    transfer(i, host);
  }

 private:
  Core& core() { return static_cast<Core&>(*this); }
  // Returns the senders that win both arbiters. An arbiter with one request is skipped; its pointer
  // moves in transfer().
  [[gnu::noinline]] Mask arbitrate(Mask senders) const {
    const std::uint64_t vcs_of_port = (std::uint64_t{2} << Base::vc_mask_) - 1;
    Mask winners = senders;
    PortMask wanted{};
    std::array<std::uint16_t, kMaxPorts> winner;  // Per output; valid only for those in `wanted`.
    for (int w = 0; w < kWords; ++w) {
      for (std::uint64_t rest = senders.word(w); rest != 0;) {
        const unsigned lowest = lowest_bit(rest);
        const unsigned first = lowest & ~unsigned{Base::vc_mask_};
        const std::uint64_t vcs = rest & (vcs_of_port << first);
        rest ^= vcs;
        unsigned i = static_cast<unsigned>(w) * 64 + lowest;
        if (!single_bit(vcs)) {
          i = choose_vc(i - lowest + first, vcs >> first);
          winners.word(w) ^= vcs;
          winners.set(i);
        }
        const unsigned output = inputs[i].route_port;
        if (wanted.test(output)) {
          winners.clear(i);
          winners.clear(winner[output]);
          i = choose_input(i, winner[output]);
          winners.set(i);
        }
        wanted.set(output);
        winner[output] = static_cast<std::uint16_t>(i);
      }
    }
    return winners;
  }

  // Picks, round-robin, first an output among those requested by the VCs of this port, which start
  // at index `first`, then a VC among those that request it.
  [[gnu::noinline]] unsigned choose_vc(unsigned first, std::uint64_t vcs) const {
    const InputVc* const of_port = inputs + first;
    const SwitchPointers& last = pointers[of_port->port];
    unsigned least = ~0U;  // A distance and the VC, so that no branch depends on which is less.
    for (; vcs != 0; vcs &= vcs - 1) {
      const unsigned vc = lowest_bit(vcs);
      least = std::min(least, last.distance(of_port[vc].request()) << 8 | vc);
    }
    return first + (least & 0xff);
  }

  // Picks, round-robin, one of two input VCs of different ports that request the same output.
  [[gnu::noinline]] unsigned choose_input(unsigned a, unsigned b) const {
    const unsigned last = pointers[inputs[a].route_port].last_input;
    const auto distance = [&](unsigned i) { return (inputs[i].port - last - 1U) % kMaxPorts; };
    return distance(a) < distance(b) ? a : b;
  }
};

}  // namespace flitcast
