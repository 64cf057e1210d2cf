// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "router/vc_core.h"

namespace flitcast {

/// What virtual-channel routers share whose packets leave by one output, all or most of them: the
/// switch allocator, and the way of a flit through the switch.
///
/// `Core`, which derives from it, provides what VcCore asks for besides allocate_switch(), ready()
/// and sender(), and compute_route() if packets have several ways; the route_port of an input VC is
/// that of the output VC that it holds.
template <class Core, class State, int kWords>
class UnicastCore : public VcCore<Core, State, kWords> {
  using Base = VcCore<Core, State, kWords>;
  friend Base;

 public:
  using Base::kMaxPorts, Base::depth, Base::inputs, Base::outputs, Base::pointers;
  using Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// Flits have been written into the rings of these input VCs, at most one per port.
  [[gnu::always_inline]] inline void accept(const Mask& arrivals) {
    routing_ |= arrivals.without(active_ | occupied_);
    Base::fill(arrivals);
  }
  template <class Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host&) {
    accept(arrivals);
  }

 protected:
  using Base::active_, Base::busy_until_, Base::credited_, Base::free_;
  using Base::Base, Base::occupied_, Base::paced_, Base::period_, Base::routing_;

  /// The one way of a packet; a core whose packets have several hides it.
  template <class Host>
  void compute_route(unsigned i, const Flit& head, Host& host);
  /// One that holds an output VC sends by no other.
  static unsigned sender(unsigned owner, unsigned) { return owner; }
  Mask ready() const { return occupied_ & active_ & credited_; }

  template <class Host>
  [[gnu::always_inline]] inline void allocate_switch(Host& host, std::uint64_t now) {
    serve(ready(), host, now);
  }
  /// Of these input VCs, which could send, those send that win both arbiters.
  template <class Host>
  [[gnu::always_inline]] inline void serve(Mask senders, Host& host, std::uint64_t now);

  /// The front flit of input VC i takes the switch.
  template <class Host>
  [[gnu::always_inline]] inline void transfer(unsigned i, Host& host);
  /// Its buffer is empty, with or without its tail. A core may hide it.
  void run_dry(unsigned i, unsigned) { occupied_.clear(i); }
  /// The tail has taken the switch: input VC i no longer holds output VC j. A core may hide it.
  void release(unsigned i, unsigned j);
  [[gnu::noinline]] Mask unpaced(Mask requests, std::uint64_t now) const;
  /// The channels of these senders take their flits from now on.
  [[gnu::noinline]] void occupy_channels(Mask senders, std::uint64_t now);

 private:
  Core& core() { return static_cast<Core&>(*this); }
  [[gnu::noinline]] Mask arbitrate(Mask senders) const;
  [[gnu::noinline]] unsigned choose_vc(unsigned first, std::uint64_t vcs) const;
  [[gnu::noinline]] unsigned choose_input(unsigned a, unsigned b) const;
};

template <class Core, class State, int kWords>
template <class Host>
void UnicastCore<Core, State, kWords>::compute_route(unsigned i, const Flit& head, Host& host) {
  InputVc& in = inputs[i];
  const Route route = host.route(in.port, in.vc, head);
  in.route_port = static_cast<std::uint8_t>(index(route.output));
  in.route_vcs = route.vcs;
}

template <class Core, class State, int kWords>
template <class Host>
void UnicastCore<Core, State, kWords>::serve(Mask senders, Host& host, std::uint64_t now) {
  if (paced_) senders = unpaced(senders, now);
  if (senders.single()) {  // Or there is none.
    if (paced_) occupy_channels(senders, now);
    if (senders.any()) transfer(senders.lowest(), host);
    return;
  }
  senders = arbitrate(senders);
  if (paced_) occupy_channels(senders, now);
  senders.for_each([&](unsigned i) { transfer(i, host); });
}

// Those of the senders that win both arbiters. Where an arbiter has one request it has no say; its
// pointer moves in transfer().
template <class Core, class State, int kWords>
auto UnicastCore<Core, State, kWords>::arbitrate(Mask senders) const -> Mask {
  const std::uint64_t vcs_of_port = (std::uint64_t{2} << Base::vc_mask_) - 1;
  Mask winners = senders;
  PortMask wanted{};
  std::array<std::uint16_t, kMaxPorts> winner;  // Of each output, where `wanted` says so.
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

// Of the VCs of a port that start at `first`: the output is the nearest behind the port's pointer
// over outputs, then the VC among those that want it the nearest behind that over VCs, which are
// looked at in this order.
template <class Core, class State, int kWords>
unsigned UnicastCore<Core, State, kWords>::choose_vc(unsigned first, std::uint64_t vcs) const {
  const InputVc* const of_port = inputs + first;
  const SwitchPointers& last = pointers[of_port->port];
  const unsigned next_output = last.last_output + 1U;
  const std::uint64_t wrapped = (std::uint64_t{2} << last.last_vc) - 1;
  unsigned best = 0;
  unsigned least = kMaxPorts;
  const auto look_at = [&](std::uint64_t rest) {
    for (; rest != 0; rest &= rest - 1) {
      const unsigned vc = lowest_bit(rest);
      const unsigned distance = (of_port[vc].route_port - next_output) % kMaxPorts;
      if (distance < least) best = vc;
      least = std::min(least, distance);
    }
  };
  look_at(vcs & ~wrapped);
  look_at(vcs & wrapped);
  return first + best;
}

// Of two input VCs of different ports that want the same output.
template <class Core, class State, int kWords>
unsigned UnicastCore<Core, State, kWords>::choose_input(unsigned a, unsigned b) const {
  const unsigned last = pointers[inputs[a].route_port].last_input;
  const auto distance = [&](unsigned i) { return (inputs[i].port - last - 1U) % kMaxPorts; };
  return distance(a) < distance(b) ? a : b;
}

// Counts and pointers first: what the host write may alias anything. The packet steps on
// once its flit has been read.
template <class Core, class State, int kWords>
template <class Host>
void UnicastCore<Core, State, kWords>::transfer(unsigned i, Host& host) {
  InputVc& in = inputs[i];
  const unsigned j = in.output;
  OutputVc& out = outputs[j];
  Flit& flit = Base::front(i);
  ++in.left;
  if (--in.count == 0) core().run_dry(i, j);
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

template <class Core, class State, int kWords>
void UnicastCore<Core, State, kWords>::release(unsigned i, unsigned j) {
  inputs[i].output = InputVc::kNone;
  inputs[i].route_vcs = 0;
  outputs[j].owner = OutputVc::kNone;
  active_.clear(i);
  free_.set(j);
  if (occupied_.test(i)) routing_.set(i);
}

// Without the VCs whose output channel is still busy with an earlier flit.
template <class Core, class State, int kWords>
auto UnicastCore<Core, State, kWords>::unpaced(Mask requests, std::uint64_t now) const -> Mask {
  requests.for_each([&](unsigned i) {
    if (busy_until_[inputs[i].route_port] > now) requests.clear(i);
  });
  return requests;
}

template <class Core, class State, int kWords>
void UnicastCore<Core, State, kWords>::occupy_channels(Mask senders, std::uint64_t now) {
  senders.for_each([&](unsigned i) {
    const unsigned output = inputs[i].route_port;
    busy_until_[output] = now + period_[output];
  });
}

}  // namespace flitcast
