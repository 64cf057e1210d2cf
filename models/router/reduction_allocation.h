// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two allocators of ReductionCore; only reduction_core.h, which declares them, includes this.
#include "router/reduction_core.h"

namespace flitcast {

// Whether the heads of all parts have come, and have their routes.
template <int kWords>
bool ReductionCore<kWords>::complete(unsigned leader) const {
  const Mask parts = packets_[leader].parts;
  if (parts.without(waiting_).any()) return false;
  const std::uint16_t reduction = front(leader).route_field;
  bool same = true;
  parts.for_each([&](unsigned i) { same = same && front(i).route_field == reduction; });
  return same;
}

// Calls ask(j) with the output VC that each branch without one picks, if there is any to pick.
template <int kWords>
template <class Ask>
void ReductionCore<kWords>::for_each_request(unsigned i, Ask&& ask) const {
  if (packets_[i].parts.lowest() != i || !complete(i)) return;
  packets_[i].outputs.for_each([&](unsigned output) {
    const BranchState& state = Base::branch(i, output);
    if (state.stage != BranchStage::kAsking) return;
    const std::uint64_t choices = free_.from(vc_index(output, 0)) & state.vcs;
    if (choices != 0) ask(vc_index(output, round_robin(choices, state.vc)));
  });
}

template <int kWords>
void ReductionCore<kWords>::grant_vc(unsigned i, unsigned j) {
  Base::hold(i, j);
  Packet& packet = packets_[i];
  BranchState& state = branches[i * output_ports + port_of(j)];
  state.vc = static_cast<std::uint8_t>(vc_of(j));
  state.stage = BranchStage::kHolding;
  packet.held.set(j);
  if (--packet.asking != 0) return;
  waiting_ = waiting_.without(packet.parts);
  packet.parts.for_each([&](unsigned part) { inputs[part].output = inputs[i].output; });
}

// Leaders whose flit could leave in the next cycle.
template <int kWords>
auto ReductionCore<kWords>::ready() const -> Mask {
  const Mask sending = active_ & credited_;
  Mask leaders{};
  sending.for_each([&](unsigned j) {
    const unsigned i = outputs[j].owner;
    const Packet& packet = packets_[i];
    const bool all = packet.asking == 0 && !packet.held.without(sending).any() &&
                     !packet.parts.without(occupied_).any();
    if (all) leaders.set(i);
  });
  return leaders;
}

template <int kWords>
template <class Host>
void ReductionCore<kWords>::allocate_switch(Host& host, std::uint64_t now) {
  Mask leaders = ready();
  if (combine_ != 0) hold_back_combined(leaders);
  if (!leaders.any()) return;
  PortMask outputs_taken = busy_outputs(now);
  PortMask inputs_taken{};
  const unsigned first = leaders.next_after(turn_);
  unsigned i = first;
  do {
    const Packet packet = packets_[i];
    const bool moves =
        !(packet.inputs & inputs_taken).any() && !(packet.outputs & outputs_taken).any();
    if (moves || i == first) {
      inputs_taken |= packet.inputs;
      outputs_taken |= packet.outputs;
    }
    if (moves && i == first) turn_ = i;
    if (moves) move(i, host, now);
    i = leaders.next_after(i);
  } while (i != first);
}

// Takes out the leaders whose head is being combined.
template <int kWords>
void ReductionCore<kWords>::hold_back_combined(Mask& leaders) {
  leaders.for_each([&](unsigned i) {
    if (packets_[i].wait == 0) return;
    --packets_[i].wait;
    leaders.clear(i);
  });
}

template <int kWords>
auto ReductionCore<kWords>::busy_outputs(std::uint64_t now) const -> PortMask {
  PortMask busy{};
  for (unsigned output = 0; paced_ && output < output_ports; ++output) {
    if (busy_until_[output] > now) busy.set(output);
  }
  return busy;
}

}  // namespace flitcast
