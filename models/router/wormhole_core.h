// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "router/unicast_core.h"

namespace flitcast {

/// Input-buffered virtual-channel router with credits, as a pure cycle state machine: its
/// inputs are the arrivals of a cycle, its outputs the departures.
///
///   accept(VCs), credit(VCs) --> tick() --> depart(...), return_credit(...)
///
/// Per cycle: heads at the front of their buffer compute a route; waiting heads ask for an output
/// VC; input VCs that hold an output VC and have a credit compete for the switch. Both allocators
/// are separable, input first, with round-robin arbiters whose pointers move only on a grant
/// (iSLIP; McKeown, IEEE/ACM ToN 1999; Dally and Towles, Principles and Practices of
/// Interconnection Networks, 2004, chapters 16 and 18):
///  - VC allocation: a waiting input VC picks one free output VC among those that its route allows,
///    then each output VC picks one of the input VCs that picked it.
///  - Switch allocation: an input port picks one of the outputs that its ready VCs request, then
///    one of the VCs that request it; then each output picks one input.
/// An output VC is free again as soon as the tail has won the switch; the next packet in the same
/// input VC starts route computation one cycle later. Only switch allocation checks credits: a flit
/// needs one; under virtual cut-through a head needs credits for its whole packet
/// (RouterParams::whole_packet_credit).
///
/// Latency of a head flit through an idle router: route + vc_allocation cycles from accept() to the
/// grant of the switch. depart() and return_credit() are called in that cycle; the caller adds
/// switch_allocation + traversal + link cycles until it calls accept() on the next router.
/// Throughput: one flit per cycle and port; with one VC and packets of L flits, L / (L + 2) flits.
///
/// A tick in which nothing can move changes nothing, so a router may be skipped after tick() has
/// returned false, until something arrives.
///
/// `Host` provides, all inline:
///   kPaced, a constant: whether a channel may take several cycles per flit
///   Route route(unsigned input_port, unsigned vc, const Flit& head);
///   void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit);
///   void return_credit(const InputVc& in);
template <int kWords>
class WormholeCore : public UnicastCore<WormholeCore<kWords>, RouterState, kWords> {
  using Base = UnicastCore<WormholeCore<kWords>, RouterState, kWords>;
  friend Base;
  friend typename Base::VcCore;

 public:
  using Base::inputs, Base::vc_index;

  using Base::Base;

 private:
  using Base::free_;

  // Picks one of the free output VCs at the port of the route. The round-robin pointer of an input
  // VC runs over all output VCs: at another port the choice starts from VC 0.
  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const {
    const InputVc& in = inputs[i];
    const unsigned first = vc_index(in.route_port, 0);
    const std::uint64_t choices = free_.from(first) & in.route_vcs;
    if (choices != 0) ask(first + round_robin(choices, Base::place_from(first, in.last_output)));
  }
};

}  // namespace flitcast
