// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of packets in ReductionCore from their routes to the last flit of the sum; only
// reduction_core.h, which declares them, includes this.
#include "router/reduction_core.h"

namespace flitcast {

template <int kWords>
template <class Host>
void ReductionCore<kWords>::compute_route(unsigned i, const Flit& head, Host& host) {
  wanted_->clear();
  host.combination(inputs[i].port, inputs[i].vc, head, *wanted_);
  note_parts(i);
  Base::open(i, wanted_->branches);
  if (reductions_[i].parts.lowest() != i) return;
  Base::open_branches(i, wanted_->branches);
  packets_[i].outputs.for_each(
      [&](unsigned output) { Base::branch_at(i, output).vc = BranchState::kNoVc; });
}

template <int kWords>
void ReductionCore<kWords>::note_parts(unsigned i) {
  Reduction& reduction = reductions_[i];
  reduction.parts = Mask{};
  reduction.inputs = PortMask{};
  for (const PortId input : wanted_->inputs) {
    if (index(input) >= Base::input_ports) {
      broken_invariant("a part at no port", port_of(i), vc_of(i));
    }
    reduction.parts.set(vc_index(index(input), vc_of(i)));
    reduction.inputs.set(index(input));
  }
  if (!reduction.parts.test(i)) {
    broken_invariant("packet at an input that takes no part in its reduction", port_of(i),
                     vc_of(i));
  }
  reduction.wait = static_cast<std::uint16_t>(reduction.parts.single() ? 0 : combine_);
}

// Sends one flit of the sum.
template <int kWords>
template <class Host>
void ReductionCore<kWords>::move(unsigned leader, Host& host, std::uint64_t now) {
  const Mask parts = reductions_[leader].parts;
  const Mask held = packets_[leader].held;
  const Flit flit = join(leader, host);
  held.for_each([&](unsigned j) {
    Flit copy = flit;
    if (copy.head) copy.route_field = Base::branch(leader, port_of(j)).route_field;
    send(j, copy, host, now);
    ++Base::copies;
  });
  --Base::copies;
  parts.for_each([&](unsigned i) {
    leave(i, flit.tail());
    host.return_credit(inputs[i]);
  });
}

// Combines the front flits of all parts.
template <int kWords>
template <class Host>
Flit ReductionCore<kWords>::join(unsigned leader, Host& host) {
  Flit flit = front(leader);
  reductions_[leader].parts.for_each([&](unsigned i) {
    const Flit& part = front(i);
    if (part.remaining != flit.remaining) {
      broken_invariant("parts of unequal length", port_of(i), vc_of(i));
    }
    if (part.head) flit.hops = std::max(flit.hops, part.hops);
    if (i == leader) return;
    ++Base::combined;
    if (part.tail()) host.combine(flit.packet, part.packet);
  });
  return flit;
}

template <int kWords>
template <class Host>
void ReductionCore<kWords>::send(unsigned j, Flit flit, Host& host, std::uint64_t now) {
  OutputVc& out = outputs[j];
  if (--out.credits == 0) credited_.clear(j);
  if (paced_) Base::busy_until_[port_of(j)] = now + Base::period_[port_of(j)];
  if (flit.tail()) {
    Base::branch_at(out.owner, port_of(j)).stage = BranchStage::kNone;
    Base::release_branch(packets_[out.owner], j);
  }
  host.depart(port_of(j), vc_of(j), out.slot, flit);
}

// Removes the front flit, which has left as a part of the sum.
template <int kWords>
void ReductionCore<kWords>::leave(unsigned i, bool tail) {
  Base::step(i);
  if (inputs[i].count == 0) occupied_.clear(i);
  if (tail) Base::close(i);
}

}  // namespace flitcast
