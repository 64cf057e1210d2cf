// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "router/bit_mask.h"
#include "router/bump_allocator.h"
#include "router/invariant.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// The progress of one branch of the packet at the front of an input VC.
enum class BranchStage : std::uint8_t {
  kNone,      ///< The packet does not leave by this output, or has no route yet.
  kAsking,    ///< The branch asks for one of the VCs of BranchState::vcs.
  kHolding,   ///< The branch holds VC `vc`; the front flit, if any, has yet to leave by it.
  kCopied,    ///< The branch holds that VC; the front flit has left by it, but not by all branches.
  kFinished,  ///< The tail has left by this branch (its VC is free), but not by all branches.
};

/// One branch of the packet at the front of an input VC.
struct BranchState {
  static constexpr std::uint8_t kNoVc = kMaxVirtualChannels - 1;  // Its successor is VC 0.

  VcSet vcs = 0;                  ///< Output VCs that the packet may ask for.
  std::uint16_t route_field = 0;  ///< Flit::route_field of the copy of the head.
  std::uint8_t vc = kNoVc;        ///< The output VC granted last; held in kHolding and kCopied.
  BranchStage stage = BranchStage::kNone;
};

static_assert(sizeof(BranchState) == 8, "eight branches to a cache line");

/// The additional state of a router whose packets leave by several outputs.
///
/// An input VC waits for every branch of its packet: for one of `vcs` if the branch is in kAsking,
/// for a credit of `vc` in kHolding, and for nothing in the other stages. Until the packet has left
/// by all of its branches, InputVc::route_port and route_vcs are those of the first branch
/// (route_vcs == 0: no route yet), InputVc::output is the VC granted last (kNone: none yet).
struct MulticastState : RouterState {
  BranchState* branches = nullptr;  ///< Per input VC: one entry for each output port.

  const BranchState& branch(unsigned input, unsigned output_port) const {
    return branches[input * output_ports + output_port];
  }

  /// Index of the output VC that a branch holds.
  unsigned output_of(unsigned input, unsigned output_port) const {
    return vc_index(output_port, branch(input, output_port).vc);
  }
};

/// The common part of the cores that copy and that combine packets: VC allocation for branches.
/// `Parent` is a VcCore or UnicastCore with a MulticastState.
template <class Parent>
class BranchingCore : public Parent {
 public:
  using Parent::branches, Parent::inputs, Parent::output_ports, Parent::outputs;
  using Parent::port_of, Parent::vc_index, Parent::vc_of;
  using typename Parent::Mask, typename Parent::PortMask;

 protected:
  /// The packet at the front of an input VC.
  struct Packet {
    Mask held;                 ///< Output VCs that the packet holds.
    PortMask outputs;          ///< Outputs of its branches; kept until the next packet is routed.
    std::uint16_t asking = 0;  ///< Branches without an output VC.
  };

  using Parent::active_, Parent::free_, Parent::occupied_, Parent::routing_;

  BranchingCore(const CoreShape& shape, detail::BumpAllocator& arena) : Parent(shape, arena) {
    const unsigned input_vcs = vc_index(shape.inputs, 0);
    packets_ = arena.take<Packet>(input_vcs);
    branches = arena.take<BranchState>(input_vcs * std::size_t{shape.outputs});
  }

  /// An input VC sends by several output VCs, so each of them is a sender.
  static unsigned sender(unsigned, unsigned j) { return j; }
  BranchState& branch_at(unsigned i, unsigned output) {
    return branches[i * output_ports + output];
  }

  /// Marks input VC i as routed; observers see the first branch of the packet.
  void open(unsigned i, const Branches& wanted) {
    inputs[i].route_port = static_cast<std::uint8_t>(index(wanted.begin()->output));
    inputs[i].route_vcs = wanted.begin()->vcs;
    open_.set(i);
  }

  // At an output by which the previous packet of the input VC also left, the round-robin pointer
  // over output VCs (BranchState::vc) is kept; at the other outputs it is reset.
  void open_branches(unsigned i, const Branches& wanted) {
    Packet& packet = packets_[i];
    PortMask ports{};
    for (const Branch& branch : wanted) {
      const unsigned output = index(branch.output);
      if (output >= output_ports || ports.test(output) || branch.vcs == 0) {
        broken_invariant("branch to no port, to no VC, or twice to one port", port_of(i), vc_of(i));
      }
      ports.set(output);
      BranchState& state = branch_at(i, output);
      state.vcs = branch.vcs;
      state.route_field = branch.route_field;
      state.stage = BranchStage::kAsking;
    }
    if (!ports.any()) broken_invariant("packet without a branch", port_of(i), vc_of(i));
    packet.outputs.without(ports).for_each(
        [&](unsigned output) { branch_at(i, output).vc = BranchState::kNoVc; });
    packet.outputs = ports;
    packet.asking = static_cast<std::uint16_t>(wanted.size());
  }

  /// Calls ask(j) for each branch without an output VC, where j is the free output VC that the
  /// branch picks; skips branches for which no VC is free.
  template <class Ask>
  [[gnu::always_inline]] inline void request_branches(unsigned i, Ask&& ask) const {
    packets_[i].outputs.for_each([&](unsigned output) {
      const BranchState& state = Parent::branch(i, output);
      if (state.stage != BranchStage::kAsking) return;
      const std::uint64_t choices = free_.from(vc_index(output, 0)) & state.vcs;
      if (choices != 0) ask(vc_index(output, round_robin(choices, state.vc)));
    });
  }

  /// Lets a branch of input VC i hold output VC j.
  void hold_branch(unsigned i, unsigned j) {
    Parent::hold(i, j);
    BranchState& state = branch_at(i, port_of(j));
    state.vc = static_cast<std::uint8_t>(vc_of(j));
    state.stage = BranchStage::kHolding;
    packets_[i].held.set(j);
    --packets_[i].asking;
  }

  void release_branch(Packet& packet, unsigned j) {
    outputs[j].owner = OutputVc::kNone;
    packet.held.clear(j);
    active_.clear(j);
    free_.set(j);
  }

  /// Ends the packet at the front of input VC i, whose tail has left.
  void close(unsigned i) {
    inputs[i].output = InputVc::kNone;
    inputs[i].route_vcs = 0;
    open_.clear(i);
    if (occupied_.test(i)) routing_.set(i);
  }

  /// Calls serve(member, first) for the members of a set, starting behind member `turn`; `first` is
  /// true for the first member, and serve() returns whether the member has moved. If the first
  /// member has moved, `turn` becomes that member.
  template <class Set, class Serve>
  static void take_turns(const Set& members, unsigned& turn, Serve&& serve) {
    const unsigned first = members.next_after(turn);
    unsigned member = first;
    do {
      const bool moved = serve(member, member == first);
      if (moved && member == first) turn = member;
      member = members.next_after(member);
    } while (member != first);
  }

  /// Outputs whose channel is still busy with an earlier flit.
  PortMask busy_outputs(std::uint64_t now) const {
    PortMask busy{};
    for (unsigned output = 0; output < output_ports; ++output) {
      if (Parent::busy(output, now)) busy.set(output);
    }
    return busy;
  }

  Mask open_{};  // Input VCs whose packet has its route and has not left by all branches.
  Packet* packets_ = nullptr;
};

}  // namespace flitcast
