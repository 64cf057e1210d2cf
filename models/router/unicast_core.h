// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "router/vc_core.h"

namespace flitcast {

/// What virtual-channel routers share whose packets leave by one output: the switch allocator, and
/// the way of a flit through the switch.
///
/// `Core`, which derives from it, provides what VcCore asks for besides allocate_switch(), ready()
/// and sender(), and compute_route() if packets have several ways; the route_port of an input VC is
/// that of the output VC that it holds.
template <class Core, class State, int kWords>
class UnicastCore : public VcCore<Core, State, kWords> {
  using Base = VcCore<Core, State, kWords>;
  friend Base;

 public:
  using Base::kMaxPorts, Base::depth, Base::inputs, Base::outputs, Base::pointers, Base::slots;
  using Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// Flits have been written into the rings of these input VCs, at most one per port.
  [[gnu::always_inline]] inline void accept(const Mask& arrivals) {
    routing_ |= arrivals.without(active_ | occupied_);
    Base::fill(arrivals);
  }
  template <class Surroundings>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Surroundings&) {
    accept(arrivals);
  }

 protected:
  using Base::Base, Base::credited_, Base::free_, Base::paced_;

  /// The one way of a packet; a core whose packets have several hides it.
  template <class Surroundings>
  void compute_route(unsigned i, const Flit& head, Surroundings& around);
  /// One that holds an output VC sends by no other.
  static unsigned sender(unsigned owner, unsigned) { return owner; }
  Mask ready() const { return occupied_ & active_ & credited_; }

  template <class Surroundings>
  [[gnu::always_inline]] inline void allocate_switch(Surroundings& around, std::uint64_t now);

  /// The front flit of input VC i takes the switch.
  template <class Surroundings>
  [[gnu::always_inline]] inline void transfer(unsigned i, Surroundings& around, std::uint64_t now);
  /// The tail has taken the switch: input VC i no longer holds output VC j. A core may hide it.
  void release(unsigned i, unsigned j);
  [[gnu::noinline]] void drop_paced(Mask& requests, std::uint64_t now) const;

 private:
  using Base::active_, Base::busy_until_, Base::exposed_;
  using Base::next_slot, Base::occupied_, Base::period_, Base::routing_;

  [[gnu::noinline]] unsigned choose_vc(unsigned port, std::uint64_t vcs);
};

template <class Core, class State, int kWords>
template <class Surroundings>
void UnicastCore<Core, State, kWords>::compute_route(unsigned i, const Flit& head,
                                                     Surroundings& around) {
  InputVc& in = inputs[i];
  const Route route = around.route(in.port, in.vc, head);
  in.route_port = static_cast<std::uint16_t>(index(route.output));
  in.route_vcs = route.vcs;
}

template <class Core, class State, int kWords>
template <class Surroundings>
void UnicastCore<Core, State, kWords>::allocate_switch(Surroundings& around, std::uint64_t now) {
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
template <class Core, class State, int kWords>
unsigned UnicastCore<Core, State, kWords>::choose_vc(unsigned port, std::uint64_t vcs) {
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
template <class Core, class State, int kWords>
template <class Surroundings>
void UnicastCore<Core, State, kWords>::transfer(unsigned i, Surroundings& around,
                                                std::uint64_t now) {
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
  if (flit.tail()) static_cast<Core&>(*this).release(i, j);
  around.depart(output_port, output_vc, slot, flit);
  around.return_credit(input_port, input_vc);
}

template <class Core, class State, int kWords>
void UnicastCore<Core, State, kWords>::release(unsigned i, unsigned j) {
  inputs[i].output = InputVc::kNone;
  inputs[i].route_vcs = 0;
  outputs[j].owner = OutputVc::kNone;
  active_.clear(i);
  free_.set(j);
  if (occupied_.test(i)) exposed_.set(i);
}

// Takes out the VCs whose output channel is still busy with an earlier flit.
template <class Core, class State, int kWords>
void UnicastCore<Core, State, kWords>::drop_paced(Mask& requests, std::uint64_t now) const {
  requests.for_each([&](unsigned i) {
    if (busy_until_[inputs[i].route_port] > now) requests.clear(i);
  });
}

}  // namespace flitcast
