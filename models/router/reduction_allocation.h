// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two allocators of ReductionCore; only reduction_core.h, which declares them, includes this.
#include "router/reduction_core.h"

namespace flitcast {

// Returns whether the heads of all parts are at the front and have their routes.
template <int kWords>
bool ReductionCore<kWords>::complete(unsigned leader) const {
  const Mask parts = reductions_[leader].parts;
  if (parts.without(waiting_).any()) return false;
  const std::uint16_t reduction = front(leader).route_field;
  bool same = true;
  parts.for_each([&](unsigned i) { same = same && front(i).route_field == reduction; });
  return same;
}

template <int kWords>
template <class Ask>
void ReductionCore<kWords>::for_each_request(unsigned i, Ask&& ask) const {
  if (reductions_[i].parts.lowest() == i && complete(i)) Base::request_branches(i, ask);
}

template <int kWords>
void ReductionCore<kWords>::grant_vc(unsigned i, unsigned j) {
  Base::hold_branch(i, j);
  if (packets_[i].asking != 0) return;
  const Mask& parts = reductions_[i].parts;
  waiting_ = waiting_.without(parts);
  parts.for_each([&](unsigned part) { inputs[part].output = inputs[i].output; });
}

// Returns the leaders whose flit could leave in the next cycle.
template <int kWords>
auto ReductionCore<kWords>::ready() const -> Mask {
  const Mask sending = active_ & credited_;
  Mask leaders{};
  sending.for_each([&](unsigned j) {
    const unsigned i = outputs[j].owner;
    const bool all = packets_[i].asking == 0 && !packets_[i].held.without(sending).any() &&
                     !reductions_[i].parts.without(occupied_).any();
    if (all) leaders.set(i);
  });
  return leaders;
}

template <int kWords>
template <class Host>
void ReductionCore<kWords>::allocate_switch(Host& host, std::uint64_t now) {
  Mask leaders = ready();
  if (combine_ != 0) delay_combined(leaders);
  if (!leaders.any()) return;
  PortMask outputs_taken = Base::busy_outputs(now);
  PortMask inputs_taken{};
  const unsigned first = leaders.next_after(turn_);
  unsigned i = first;
  do {
    const PortMask ins = reductions_[i].inputs;
    const PortMask outs = packets_[i].outputs;
    const bool moves = !(ins & inputs_taken).any() && !(outs & outputs_taken).any();
    if (moves || i == first) {
      inputs_taken |= ins;
      outputs_taken |= outs;
    }
    if (moves && i == first) turn_ = i;
    if (moves) move(i, host, now);
    i = leaders.next_after(i);
  } while (i != first);
}

// Removes the leaders whose head is still being combined.
template <int kWords>
void ReductionCore<kWords>::delay_combined(Mask& leaders) {
  leaders.for_each([&](unsigned i) {
    if (reductions_[i].wait == 0) return;
    --reductions_[i].wait;
    leaders.clear(i);
  });
}

}  // namespace flitcast
