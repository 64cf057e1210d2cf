// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "router/vc_core.h"

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
/// `Surroundings` provides, all inline:
///   Route route(unsigned input_port, unsigned vc, const Flit& head);
///   void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit);
///   void return_credit(unsigned input_port, unsigned vc);
template <int kWords>
class WormholeCore : public VcCore<WormholeCore<kWords>, RouterState, kWords> {
  using Base = VcCore<WormholeCore<kWords>, RouterState, kWords>;
  friend Base;

 public:
  using Base::kMaxPorts, Base::depth, Base::inputs, Base::outputs, Base::pointers, Base::slots;
  using Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// Bytes of storage, aligned to 16, that a core of this shape works in.
  static std::size_t storage_bytes(const RouterParams& params, unsigned inputs_wanted,
                                   unsigned outputs_wanted) {
    detail::Carver measure(nullptr);
    WormholeCore(params, inputs_wanted, outputs_wanted, measure);
    return measure.used();
  }

  /// The core neither owns nor frees `storage`.
  WormholeCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
               std::byte* storage)
      : WormholeCore(params, inputs_wanted, outputs_wanted, detail::Carver(storage)) {}

  /// Flits have been written into the rings of these input VCs, at most one per port.
  [[gnu::always_inline]] inline void accept(const Mask& arrivals) {
    routing_ |= arrivals.without(active_ | occupied_);
    Base::fill(arrivals);
  }
  template <class Surroundings>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Surroundings&) {
    accept(arrivals);
  }

 private:
  WormholeCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
               detail::Carver&& carver)
      : Base(params, inputs_wanted, outputs_wanted, carver) {}
  WormholeCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
               detail::Carver& carver)
      : Base(params, inputs_wanted, outputs_wanted, carver) {}

  using Base::active_, Base::busy_until_, Base::credited_, Base::exposed_, Base::free_;
  using Base::next_slot, Base::occupied_, Base::paced_, Base::period_, Base::routing_;
  using Base::waiting_;

  /// One that holds an output VC sends by no other.
  static unsigned sender(unsigned owner, unsigned) { return owner; }
  Mask ready() const { return occupied_ & active_ & credited_; }

  template <class Surroundings>
  void compute_route(unsigned i, const Flit& head, Surroundings& around);
  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const;
  void grant_vc(unsigned i, unsigned j) {
    Base::hold(i, j);
    waiting_.clear(i);
  }
  template <class Surroundings>
  [[gnu::always_inline]] inline void allocate_switch(Surroundings& around, std::uint64_t now);
  [[gnu::noinline]] unsigned choose_vc(unsigned port, std::uint64_t vcs);
  template <class Surroundings>
  [[gnu::always_inline]] inline void transfer(unsigned i, Surroundings& around, std::uint64_t now);
  void release(unsigned i, unsigned j);
  [[gnu::noinline]] void drop_paced(Mask& requests, std::uint64_t now) const;
};

template <int kWords>
template <class Surroundings>
void WormholeCore<kWords>::compute_route(unsigned i, const Flit& head, Surroundings& around) {
  InputVc& in = inputs[i];
  const Route route = around.route(in.port, in.vc, head);
  in.route_port = static_cast<std::uint16_t>(index(route.output));
  in.route_vcs = route.vcs;
}

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

template <int kWords>
template <class Surroundings>
void WormholeCore<kWords>::allocate_switch(Surroundings& around, std::uint64_t now) {
  Mask senders = ready();
  if (paced_) drop_paced(senders, now);
  if (!senders.any()) return;
  if (senders.single()) {
    transfer(senders.lowest(), around, now);
    return;
  }
  const unsigned stride = 1U << Base::stride_log2;
  PortMask wanted{};
  std::array<PortMask, kMaxPorts> requests;  // Read only where `wanted` says so.
  std::array<std::uint16_t, kMaxPorts>
      candidate;  // The input VC that each input port puts forward.
  do {
    const unsigned port = port_of(senders.lowest());
    const unsigned first = vc_index(port, 0);
    const std::uint64_t vcs = senders.field(first, stride);
    senders.clear_field(first, stride);
    const unsigned i = first + (single_bit(vcs) ? lowest_bit(vcs) : choose_vc(port, vcs));
    const unsigned output = inputs[i].route_port;
    candidate[port] = static_cast<std::uint16_t>(i);
    if (!wanted.test(output)) requests[output] = PortMask{};
    wanted.set(output);
    requests[output].set(port);
  } while (senders.any());
  wanted.for_each([&](unsigned output) {
    const unsigned port = requests[output].next_after(pointers[output].last_input);
    transfer(candidate[port], around, now);
  });
}

// First the output, by the port's pointer over outputs, then the VC among those that want it.
template <int kWords>
unsigned WormholeCore<kWords>::choose_vc(unsigned port, std::uint64_t vcs) {
  const unsigned first = vc_index(port, 0);
  PortMask wanted{};
  for (std::uint64_t rest = vcs; rest != 0; rest &= rest - 1) {
    wanted.set(inputs[first + lowest_bit(rest)].route_port);
  }
  const unsigned output = wanted.next_after(pointers[port].last_output);
  for (std::uint64_t rest = vcs; rest != 0; rest &= rest - 1) {
    const unsigned vc = lowest_bit(rest);
    if (inputs[first + vc].route_port != output) vcs &= ~(std::uint64_t{1} << vc);
  }
  return round_robin(vcs, pointers[port].last_vc);
}

// All of the core's own state first: what the surroundings write may alias anything.
template <int kWords>
template <class Surroundings>
void WormholeCore<kWords>::transfer(unsigned i, Surroundings& around, std::uint64_t now) {
  InputVc& in = inputs[i];
  const unsigned j = in.output;
  OutputVc& out = outputs[j];
  const Flit& flit = slots[i * depth + in.head];  // Stays in place until its credit is used.
  const unsigned slot = out.slot;
  in.head = static_cast<std::uint16_t>(next_slot(in.head));
  if (--in.count == 0) occupied_.clear(i);
  out.slot = static_cast<std::uint16_t>(next_slot(slot));
  if (--out.credits == 0) credited_.clear(i);

  const unsigned input_port = in.port;
  const unsigned input_vc = in.vc;
  const unsigned output_port = in.route_port;
  const unsigned output_vc = vc_of(j);
  pointers[input_port].last_vc = static_cast<std::uint8_t>(input_vc);
  pointers[input_port].last_output = static_cast<std::uint8_t>(output_port);
  pointers[output_port].last_input = static_cast<std::uint8_t>(input_port);
  if (paced_) busy_until_[output_port] = now + period_[output_port];
  if (flit.tail()) release(i, j);
  around.depart(output_port, output_vc, slot, flit);
  around.return_credit(input_port, input_vc);
}

template <int kWords>
void WormholeCore<kWords>::release(unsigned i, unsigned j) {
  inputs[i].output = InputVc::kNone;
  inputs[i].route_vcs = 0;
  outputs[j].owner = OutputVc::kNone;
  active_.clear(i);
  free_.set(j);
  if (occupied_.test(i)) exposed_.set(i);
}

// Takes out the VCs whose output channel is still busy with an earlier flit.
template <int kWords>
void WormholeCore<kWords>::drop_paced(Mask& requests, std::uint64_t now) const {
  requests.for_each([&](unsigned i) {
    if (busy_until_[inputs[i].route_port] > now) requests.clear(i);
  });
}

}  // namespace flitcast
