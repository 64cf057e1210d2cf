// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "router/unicast_core.h"

namespace flitcast {

/// Input-buffered virtual-channel router with credits, as a pure cycle state machine: it is told
/// what arrives in a cycle and says what leaves.
///
///   accept(VCs), credit(VCs) --> tick() --> depart(...), return_credit(...)
///
/// Per cycle: heads that reach the front of their buffer compute a route; waiting heads ask for an
/// output VC; VCs that hold one and have a credit compete for the switch. Both allocators are
/// separable, input first, with round-robin arbiters whose pointers move only on a grant (iSLIP;
/// McKeown, IEEE/ACM ToN 1999; Dally and Towles, Principles and Practices of Interconnection
/// Networks, 2004, chapters 16 and 18):
///  - VC allocation: a waiting input VC picks one free output VC among those that its route allows,
///    then each output VC picks one of the input VCs that picked it.
///  - Switch allocation: an input port picks one of the outputs its ready VCs want, among the VCs
///    that want it one by round robin; then each output picks one input.
/// An output VC is free again as soon as the tail has won the switch; the next packet in the same
/// input VC starts route computation one cycle after that. Credits are checked by switch
/// allocation only: one for a flit, or under virtual cut-through as many for a head as its packet
/// has flits (RouterParams::whole_packet_credit).
///
/// Latency of a head flit through an idle router: route + vc_allocation cycles from accept() to the
/// grant of the switch, in which cycle depart() and return_credit() are called; the caller adds
/// switch_allocation + traversal + link cycles until it calls accept() on the next router.
/// Throughput: one flit per cycle and port, L / (L + 2) of it for one VC with L-flit packets.
///
/// A tick in which nothing can move changes nothing, so a router may be skipped while tick() has
/// returned false and nothing has arrived since.
///
/// `Host` provides, all inline:
///   Route route(unsigned input_port, unsigned vc, const Flit& head);
///   void depart(unsigned output_port, unsigned vc, unsigned place, const Flit& flit);
///   void return_credit(const InputVc& in);
template <int kWords>
class WormholeCore : public UnicastCore<WormholeCore<kWords>, RouterState, kWords> {
  using Base = UnicastCore<WormholeCore<kWords>, RouterState, kWords>;
  template <class, class, int>
  friend class VcCore;
  template <class, class, int>
  friend class UnicastCore;

 public:
  using Base::inputs, Base::port_of, Base::vc_index, Base::vc_of;

  /// Bytes of storage, aligned to 16, that a core of this shape works in.
  static std::size_t storage_bytes(const RouterParams& params, unsigned inputs_wanted,
                                   unsigned outputs_wanted) {
    detail::BumpAllocator measure(nullptr);
    WormholeCore(params, inputs_wanted, outputs_wanted, measure);
    return measure.used();
  }

  /// The core neither owns nor frees `storage`.
  WormholeCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
               std::byte* storage)
      : WormholeCore(params, inputs_wanted, outputs_wanted, detail::BumpAllocator(storage)) {}

 private:
  WormholeCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
               detail::BumpAllocator&& arena)
      : Base(params, inputs_wanted, outputs_wanted, arena) {}
  WormholeCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
               detail::BumpAllocator& arena)
      : Base(params, inputs_wanted, outputs_wanted, arena) {}

  using Base::free_, Base::waiting_;

  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const;
  void grant_vc(unsigned i, unsigned j) {
    Base::hold(i, j);
    waiting_.clear(i);
  }
};

// One of the free output VCs that the packet may ask for, as bits of its route's port. The pointer
// of an input VC runs over all output VCs: at another port it starts from VC 0.
template <int kWords>
template <class Ask>
void WormholeCore<kWords>::for_each_request(unsigned i, Ask&& ask) const {
  const InputVc& in = inputs[i];
  const std::uint64_t choices = free_.from(vc_index(in.route_port, 0)) & in.route_vcs;
  if (choices == 0) return;
  const bool same_port = port_of(in.last_output) == in.route_port;
  ask(vc_index(in.route_port,
               same_port ? round_robin(choices, vc_of(in.last_output)) : lowest_bit(choices)));
}

}  // namespace flitcast
