// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two allocators of WormholeCore; only wormhole_core.h, which declares them, includes this.
#include "router/wormhole_core.h"

namespace flitcast {

// The free output VCs that the packet may ask for, as bits of its route's port.
template <int kWords>
std::uint64_t WormholeCore<kWords>::free_choices(const InputVc& in) const {
  return free_.from(vc_index(in.route_port, 0)) & in.route_vcs;
}

// The pointer of an input VC runs over all output VCs: at another port it starts from VC 0.
template <int kWords>
unsigned WormholeCore<kWords>::pick_vc(const InputVc& in, std::uint64_t choices) const {
  const bool same_port = port_of(in.last_output) == in.route_port;
  return vc_index(in.route_port,
                  same_port ? round_robin(choices, vc_of(in.last_output)) : lowest_bit(choices));
}

template <int kWords>
void WormholeCore<kWords>::allocate_vcs() {
  if (!waiting_.single()) return allocate_contended_vcs();
  const unsigned i = waiting_.lowest();
  const std::uint64_t choices = free_choices(inputs[i]);
  if (choices != 0) grant_vc(i, pick_vc(inputs[i], choices));
}

template <int kWords>
void WormholeCore<kWords>::allocate_contended_vcs() {
  Mask picked{};
  std::array<Mask, Mask::kBits> requests;  // Read only where `picked` says it was written.
  waiting_.for_each([&](unsigned i) {
    const std::uint64_t choices = free_choices(inputs[i]);
    if (choices == 0) return;
    const unsigned j = pick_vc(inputs[i], choices);
    if (!picked.test(j)) requests[j] = Mask{};
    picked.set(j);
    requests[j].set(i);
  });
  picked.for_each([&](unsigned j) { grant_vc(requests[j].next_after(outputs[j].last_input), j); });
}

template <int kWords>
void WormholeCore<kWords>::grant_vc(unsigned i, unsigned j) {
  InputVc& in = inputs[i];
  OutputVc& out = outputs[j];
  in.output = in.last_output = static_cast<std::uint16_t>(j);
  out.owner = out.last_input = static_cast<std::uint16_t>(i);
  free_.clear(j);
  waiting_.clear(i);
  if (may_send(out)) {
    credited_.set(i);
  } else {
    credited_.clear(i);
  }
  granted_.set(i);
}

// Whether the owner of an output VC has the credits for its next flit.
template <int kWords>
bool WormholeCore<kWords>::may_send(const OutputVc& out) const {
  return whole_packet_credit_ ? may_send_packet(out) : out.credits != 0;
}

// Under virtual cut-through a head needs room for all that follows it.
template <int kWords>
bool WormholeCore<kWords>::may_send_packet(const OutputVc& out) const {
  const bool head = inputs[out.owner].count != 0 && front(out.owner).head;
  return out.credits > (head ? front(out.owner).remaining : 0);
}

template <int kWords>
template <class Surroundings>
void WormholeCore<kWords>::allocate_switch(Surroundings& around, std::uint64_t now) {
  Mask ready = occupied_ & active_ & credited_;
  if (paced_) drop_paced(ready, now);
  if (!ready.any()) return;
  if (ready.single()) {
    transfer(ready.lowest(), around, now);
    return;
  }
  const unsigned stride = 1U << stride_log2;
  PortMask wanted{};
  std::array<PortMask, kMaxPorts> requests;  // Read only where `wanted` says so.
  std::array<std::uint16_t, kMaxPorts>
      candidate;  // The input VC that each input port puts forward.
  do {
    const unsigned port = port_of(ready.lowest());
    const unsigned first = vc_index(port, 0);
    const std::uint64_t vcs = ready.field(first, stride);
    ready.clear_field(first, stride);
    const unsigned i = first + (single_bit(vcs) ? lowest_bit(vcs) : choose_vc(port, vcs));
    const unsigned output = inputs[i].route_port;
    candidate[port] = static_cast<std::uint16_t>(i);
    if (!wanted.test(output)) requests[output] = PortMask{};
    wanted.set(output);
    requests[output].set(port);
  } while (ready.any());
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

}  // namespace flitcast
