// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way of packets through ReductionCore, from their routes to the last flit of their sum; only
// reduction_core.h, which declares it, includes this.
#include "router/reduction_core.h"

namespace flitcast {

template <int kWords>
template <class Host>
void ReductionCore<kWords>::compute_route(unsigned i, const Flit& head, Host& host) {
  wanted_->clear();
  host.combination(inputs[i].port, inputs[i].vc, head, *wanted_);
  open(i);
  if (packets_[i].parts.lowest() == i) open_branches(i);
}

template <int kWords>
void ReductionCore<kWords>::open(unsigned i) {
  Packet& packet = packets_[i];
  packet.parts = Mask{};
  packet.inputs = PortMask{};
  for (const PortId input : wanted_->inputs) {
    if (index(input) >= Base::input_ports) {
      broken_invariant("a part at no port", port_of(i), vc_of(i));
    }
    packet.parts.set(vc_index(index(input), vc_of(i)));
    packet.inputs.set(index(input));
  }
  if (!packet.parts.test(i)) {
    broken_invariant("packet at an input that takes no part in its reduction", port_of(i),
                     vc_of(i));
  }
  packet.wait = static_cast<std::uint16_t>(packet.parts.single() ? 0 : combine_);
  inputs[i].route_port = static_cast<std::uint8_t>(index(wanted_->branches.begin()->output));
  inputs[i].route_vcs = wanted_->branches.begin()->vcs;
  open_.set(i);
}

template <int kWords>
void ReductionCore<kWords>::open_branches(unsigned i) {
  Packet& packet = packets_[i];
  packet.outputs = PortMask{};
  packet.held = Mask{};
  for (const Branch& branch : wanted_->branches) {
    const unsigned output = index(branch.output);
    if (output >= output_ports || packet.outputs.test(output) || branch.vcs == 0) {
      broken_invariant("branch to no port, to no VC, or twice to one port", port_of(i), vc_of(i));
    }
    packet.outputs.set(output);
    branches[i * output_ports + output] = {branch.vcs, branch.route_field, BranchState::kNoVc,
                                           BranchStage::kAsking};
  }
  if (!packet.outputs.any()) broken_invariant("packet without a branch", port_of(i), vc_of(i));
  packet.asking = static_cast<std::uint16_t>(wanted_->branches.size());
}

// One flit of the sum.
template <int kWords>
template <class Host>
void ReductionCore<kWords>::move(unsigned leader, Host& host, std::uint64_t now) {
  const Mask parts = packets_[leader].parts;
  const Mask held = packets_[leader].held;
  const Flit flit = join(leader, host);
  held.for_each([&](unsigned j) {
    Flit copy = flit;
    if (copy.head) copy.route_field = Base::branch(leader, port_of(j)).route_field;
    send(j, copy, host, now);
    ++copies;
  });
  --copies;
  parts.for_each([&](unsigned i) {
    leave(i, flit.tail());
    host.return_credit(inputs[i]);
  });
}

template <int kWords>
template <class Host>
Flit ReductionCore<kWords>::join(unsigned leader, Host& host) {
  Flit flit = front(leader);
  packets_[leader].parts.for_each([&](unsigned i) {
    const Flit& part = front(i);
    if (part.remaining != flit.remaining) {
      broken_invariant("parts of unequal length", port_of(i), vc_of(i));
    }
    if (part.head) flit.hops = std::max(flit.hops, part.hops);
    if (i == leader) return;
    ++combined;
    if (part.tail()) host.combine(flit.packet, part.packet);
  });
  return flit;
}

template <int kWords>
template <class Host>
void ReductionCore<kWords>::send(unsigned j, Flit flit, Host& host, std::uint64_t now) {
  OutputVc& out = outputs[j];
  if (--out.credits == 0) credited_.clear(j);
  if (paced_) busy_until_[port_of(j)] = now + period_[port_of(j)];
  if (flit.tail()) {
    branches[out.owner * output_ports + port_of(j)].stage = BranchStage::kNone;
    out.owner = OutputVc::kNone;
    active_.clear(j);
    free_.set(j);
  }
  host.depart(port_of(j), vc_of(j), out.slot, flit);
}

// The flit at the front has left as a part of the sum.
template <int kWords>
void ReductionCore<kWords>::leave(unsigned i, bool tail) {
  Base::step(i);
  InputVc& in = inputs[i];
  if (in.count == 0) occupied_.clear(i);
  if (!tail) return;
  in.output = InputVc::kNone;
  in.route_vcs = 0;
  open_.clear(i);
  if (occupied_.test(i)) routing_.set(i);
}

}  // namespace flitcast
