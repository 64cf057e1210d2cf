// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way of a packet through MulticastCore, from its route to its last copy; only
// multicast_core.h, which declares it, includes this.
#include "router/multicast_core.h"

namespace flitcast {

template <int kWords>
template <class Host>
void MulticastCore<kWords>::compute_route(unsigned i, Flit& head, Host& host) {
  wanted_->clear();
  host.branches(inputs[i].port, inputs[i].vc, head, *wanted_);
  open(i);
  head.route_field = wanted_->begin()->route_field;  // Each copy but this gets another.
}

// A branch that the packet before had too keeps its pointer over output VCs.
template <int kWords>
void MulticastCore<kWords>::open(unsigned i) {
  Packet& packet = packets_[i];
  PortMask wanted{};
  for (const Branch& branch : *wanted_) {
    const unsigned output = index(branch.output);
    if (output >= output_ports || wanted.test(output) || branch.vcs == 0) {
      broken_invariant("branch to no port, to no VC, or twice to one port", port_of(i), vc_of(i));
    }
    wanted.set(output);
    BranchState& state = branch_at(i, output);
    state.vcs = branch.vcs;
    state.route_field = branch.route_field;
    state.stage = BranchStage::kAsking;
  }
  if (!wanted.any()) broken_invariant("packet without a branch", port_of(i), vc_of(i));
  packet.outputs.without(wanted).for_each(
      [&](unsigned output) { branch_at(i, output).vc = BranchState::kNoVc; });
  packet.outputs = wanted;
  packet.asking = static_cast<std::uint16_t>(wanted_->size());
  inputs[i].route_port = static_cast<std::uint8_t>(index(wanted_->begin()->output));
  inputs[i].route_vcs = wanted_->begin()->vcs;
  open_.set(i);
  if (!wanted.single()) branching_.set(i);
}

// With the tail of a packet with one branch.
template <int kWords>
void MulticastCore<kWords>::release(unsigned i, unsigned j) {
  due_.clear(j);
  branch_at(i, inputs[i].route_port).stage = BranchStage::kNone;
  release_branch(packets_[i], j);
  close(i);
}

// One copy of several. All of the core's own state first: what the host write may alias
// anything.
template <int kWords>
template <class Host>
void MulticastCore<kWords>::send(unsigned j, bool chosen, Host& host, std::uint64_t now) {
  OutputVc& out = outputs[j];
  const unsigned i = out.owner;
  const InputVc& in = inputs[i];
  Packet& packet = packets_[i];
  const unsigned input_port = in.port;
  const unsigned input_vc = in.vc;
  const unsigned output_port = port_of(j);
  BranchState& branch = branch_at(i, output_port);

  Flit flit = Base::front(i);
  if (flit.head) flit.route_field = branch.route_field;
  if (--out.credits == 0) credited_.clear(j);
  due_.clear(j);
  branch.stage = flit.tail() ? BranchStage::kFinished : BranchStage::kCopied;
  if (flit.tail()) release_branch(packet, j);

  if (chosen) {
    pointers[input_port].last_vc = static_cast<std::uint8_t>(input_vc);
    pointers[input_port].last_output = static_cast<std::uint8_t>(output_port);
  }
  pointers[output_port].last_input = static_cast<std::uint8_t>(input_port);
  if (paced_) busy_until_[output_port] = now + period_[output_port];

  ++copies;
  const bool last = packet.asking == 0 && !(due_ & packet.held).any();
  if (last) leave(i, flit.tail());
  host.depart(output_port, vc_of(j), out.slot, flit);
  if (last) host.return_credit(inputs[i]);
}

template <int kWords>
void MulticastCore<kWords>::release_branch(Packet& packet, unsigned j) {
  outputs[j].owner = OutputVc::kNone;
  packet.held.clear(j);
  active_.clear(j);
  free_.set(j);
}

// The flit at the front has left by all branches.
template <int kWords>
void MulticastCore<kWords>::leave(unsigned i, bool tail) {
  Base::step(i);
  if (inputs[i].count == 0) occupied_.clear(i);
  --copies;
  const Packet& packet = packets_[i];
  const BranchStage next = tail ? BranchStage::kNone : BranchStage::kHolding;
  packet.outputs.for_each([&](unsigned output) { branch_at(i, output).stage = next; });
  if (tail) {
    branching_.clear(i);
    return close(i);
  }
  if (inputs[i].count != 0) due_ |= packet.held;
}

// The packet has left by all branches.
template <int kWords>
void MulticastCore<kWords>::close(unsigned i) {
  inputs[i].output = InputVc::kNone;
  inputs[i].route_vcs = 0;
  open_.clear(i);
  if (occupied_.test(i)) routing_.set(i);
}

}  // namespace flitcast
