// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two allocators of MulticastCore; only multicast_core.h, which declares them, includes this.
//
// VC allocation: every branch without an output VC picks one of the free VCs that it may ask for,
// starting behind the VC that the previous packet in the same input VC got at that output; then
// each output VC picks one of the input VCs that picked it.
//
// Switch allocation: in cycles in which no branching packet could send, the code of UnicastCore is
// used, which is this algorithm without copies. An input port picks one of the outputs that its
// ready branches request, and one of the VCs that request it; that VC asks for all outputs of its
// ready branches. Then each output picks one input. The pointers of the input port move only when
// the output that it picked takes the flit, not for the other outputs of the packet, so every
// output is picked in turn whatever sets it is in.
//
// Synchronous copies: in a cycle with a branching candidate, outputs do not choose. The candidates
// take turns, starting behind the input port that was first in the last turn; each moves if no
// earlier one has taken any of its outputs. The first finds all of its outputs free unless a slow
// channel is busy; then its outputs stay reserved and the turn stays with it. Unicast flits take
// part in the turns, so that none starves.
#include "router/multicast_core.h"

namespace flitcast {

template <int kWords>
void MulticastCore<kWords>::grant_vc(unsigned i, unsigned j) {
  Base::hold_branch(i, j);
  if (packets_[i].asking == 0) waiting_.clear(i);
  due_.set(j);
}

template <int kWords>
template <class Host>
void MulticastCore<kWords>::allocate_switch(Host& host, std::uint64_t now) {
  const Mask ready = this->ready();
  Mask senders{};
  ready.for_each([&](unsigned j) { senders.set(outputs[j].owner); });
  if ((senders & branching_).any()) return serve_copies(ready, senders, host, now);
  Base::serve(senders, host, now);
}

template <int kWords>
template <class Host>
void MulticastCore<kWords>::serve_copies(Mask ready, Mask senders, Host& host, std::uint64_t now) {
  if (paced_) drop_paced(ready, now);
  if (!ready.any()) return;
  if (ready.single()) return send(ready.lowest(), true, host, now);
  if (senders.single() && !synchronous_) return serve_alone(senders.lowest(), ready, host, now);
  Candidates candidates;  // Valid only for the ports in `ports`.
  const PortMask ports = choose_candidates(ready, candidates);
  if (synchronous_ && any_branching(ports, candidates)) {
    serve_in_turn(ports, candidates, host, now);
  } else {
    serve_outputs(ports, candidates, ready, host, now);
  }
}

// Serves input VC i, the only one that is ready, so that no output has to choose.
template <int kWords>
template <class Host>
void MulticastCore<kWords>::serve_alone(unsigned i, const Mask& ready, Host& host,
                                        std::uint64_t now) {
  const unsigned port = inputs[i].port;
  const unsigned chosen = choose(port, std::uint64_t{1} << inputs[i].vc, ready).output;
  ready.for_each([&](unsigned j) { send(j, port_of(j) == chosen, host, now); });
}

// Removes the branches whose packet cannot leave by all of its branches.
template <int kWords>
void MulticastCore<kWords>::keep_complete(Mask& ready) const {
  Mask complete{};
  ready.for_each([&](unsigned j) {
    const Packet& packet = packets_[outputs[j].owner];
    if (packet.asking == 0 && !packet.held.without(ready).any()) complete.set(j);
  });
  ready = complete;
}

// Removes the branches whose output channel is still busy with an earlier flit, except those that
// need several channels to be idle at once.
template <int kWords>
void MulticastCore<kWords>::drop_paced(Mask& ready, std::uint64_t now) const {
  ready.for_each([&](unsigned j) {
    if (synchronous_ && !packets_[outputs[j].owner].held.single()) return;
    if (busy_until_[port_of(j)] > now) ready.clear(j);
  });
}

// Chooses the candidates of all input ports with ready branches; returns these ports.
template <int kWords>
auto MulticastCore<kWords>::choose_candidates(const Mask& ready, Candidates& candidates)
    -> PortMask {
  PortMask ports{};
  std::array<VcSet, kMaxPorts> vcs;  // Valid only for the ports in `ports`.
  ready.for_each([&](unsigned j) {
    const InputVc& in = inputs[outputs[j].owner];
    if (!ports.test(in.port)) vcs[in.port] = 0;
    ports.set(in.port);
    vcs[in.port] |= VcSet{1} << in.vc;
  });
  ports.for_each([&](unsigned port) { candidates[port] = choose(port, vcs[port], ready); });
  return ports;
}

// Picks, round-robin, first an output, then a VC among those that request it.
template <int kWords>
auto MulticastCore<kWords>::choose(unsigned port, std::uint64_t vcs, const Mask& ready)
    -> Candidate {
  const unsigned first = vc_index(port, 0);
  const SwitchPointers& last = pointers[port];
  unsigned nearest = kMaxPorts;
  std::uint64_t wanting = 0;  // VCs that request the nearest output so far.
  for (std::uint64_t rest = vcs; rest != 0; rest &= rest - 1) {
    const unsigned vc = lowest_bit(rest);
    const Mask outputs_ready = ready & packets_[first + vc].held;
    outputs_ready.for_each([&](unsigned j) {
      const unsigned distance = (port_of(j) - last.last_output - 1U) % kMaxPorts;
      if (distance < nearest) wanting = 0;
      nearest = std::min(nearest, distance);
      if (distance == nearest) wanting |= std::uint64_t{1} << vc;
    });
  }
  return {static_cast<std::uint16_t>(first + round_robin(wanting, last.last_vc)),
          static_cast<std::uint16_t>((last.last_output + 1U + nearest) % kMaxPorts)};
}

// Lets every requested output take one flit.
template <int kWords>
template <class Host>
void MulticastCore<kWords>::serve_outputs(const PortMask& ports, const Candidates& candidates,
                                          const Mask& ready, Host& host, std::uint64_t now) {
  PortMask wanted{};
  std::array<PortMask, kMaxPorts> requests;  // Valid only for the ports in `wanted`.
  ports.for_each([&](unsigned port) {
    const Mask outputs_ready = ready & packets_[candidates[port].input].held;
    outputs_ready.for_each([&](unsigned j) {
      const unsigned output = port_of(j);
      if (!wanted.test(output)) requests[output] = PortMask{};
      wanted.set(output);
      requests[output].set(port);
    });
  });
  wanted.for_each([&](unsigned output) {
    const unsigned port = requests[output].next_after(pointers[output].last_input);
    const Candidate& candidate = candidates[port];
    send(output_of(candidate.input, output), candidate.output == output, host, now);
  });
}

template <int kWords>
bool MulticastCore<kWords>::any_branching(const PortMask& ports,
                                          const Candidates& candidates) const {
  bool any = false;
  ports.for_each(
      [&](unsigned port) { any = any || !packets_[candidates[port].input].outputs.single(); });
  return any;
}

template <int kWords>
template <class Host>
void MulticastCore<kWords>::serve_in_turn(const PortMask& ports, const Candidates& candidates,
                                          Host& host, std::uint64_t now) {
  PortMask taken = Base::busy_outputs(now);
  const unsigned first = ports.next_after(turn_);
  unsigned port = first;
  do {
    const Packet& packet = packets_[candidates[port].input];
    const bool moves = !(packet.outputs & taken).any();
    if (moves || port == first) taken |= packet.outputs;
    if (moves && port == first) turn_ = port;
    if (moves) {
      const Mask held = packet.held;
      held.for_each([&](unsigned j) { send(j, port_of(j) == candidates[port].output, host, now); });
    }
    port = ports.next_after(port);
  } while (port != first);
}

}  // namespace flitcast
