// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of a packet in MulticastCore from its route to its last copy; only multicast_core.h,
// which declares them, includes this.
#include "router/multicast_core.h"

namespace flitcast {

template <int kWords>
template <class Host>
void MulticastCore<kWords>::compute_route(unsigned i, Flit& head, Host& host) {
  wanted_->clear();
  host.branches(inputs[i].port, inputs[i].vc, head, *wanted_);
  Base::open_branches(i, *wanted_);
  Base::open(i, *wanted_);
  if (!packets_[i].outputs.single()) branching_.set(i);
  head.route_field = wanted_->begin()->route_field;  // send() replaces it in the other copies.
}

// Called with the tail of a packet with one branch.
template <int kWords>
void MulticastCore<kWords>::release(unsigned i, unsigned j) {
  due_.clear(j);
  Base::branch_at(i, inputs[i].route_port).stage = BranchStage::kNone;
  Base::release_branch(packets_[i], j);
  Base::close(i);
}

// Sends one copy of several. The state of the core is updated first, because the compiler must
// assume that the stores of the host alias it.
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
  BranchState& branch = Base::branch_at(i, output_port);

  Flit flit = Base::front(i);
  if (flit.head) flit.route_field = branch.route_field;
  if (--out.credits == 0) credited_.clear(j);
  due_.clear(j);
  branch.stage = flit.tail() ? BranchStage::kFinished : BranchStage::kCopied;
  if (flit.tail()) Base::release_branch(packet, j);

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

// Removes the front flit, which has left by all branches.
template <int kWords>
void MulticastCore<kWords>::leave(unsigned i, bool tail) {
  Base::step(i);
  if (inputs[i].count == 0) occupied_.clear(i);
  --copies;
  const Packet& packet = packets_[i];
  const BranchStage next = tail ? BranchStage::kNone : BranchStage::kHolding;
  packet.outputs.for_each([&](unsigned output) { Base::branch_at(i, output).stage = next; });
  if (tail) {
    branching_.clear(i);
    return Base::close(i);
  }
  if (inputs[i].count != 0) due_ |= packet.held;
}

}  // namespace flitcast
