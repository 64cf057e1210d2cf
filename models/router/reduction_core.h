// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "router/branching_core.h"
#include "router/vc_core.h"

namespace flitcast {

/// Virtual-channel router that combines packets: it merges the packets that are parts of one
/// reduction, one from each input that takes part, into a single packet. It is the dual of the
/// multicast crossbar.
///
///   accept(VCs), credit(VCs) --> tick() --> combine(...) per part, return_credit(...) per flit
///                                           depart(...) per branch
///
/// The inputs that take part at a router are fixed for each reduction (Routing::combination()):
/// inputs from other routers, the input from the node, or both. All parts use virtual channels of
/// the same number. The head of each part carries the number of its reduction, so that parts of its
/// later rounds, or of other reductions, may queue behind it. Once the heads of all parts are at
/// the front, the first of their input VCs, the leader, asks for an output VC at each branch. From
/// then on the parts move in lock step: a flit leaves when every part has its flit at the front,
/// every branch has a credit, and the switch grants all of these inputs and outputs in one cycle;
/// every part frees a slot. The parts are of equal length. The packet that leaves is the leader's;
/// its head counts the hops of the part from farthest away. The other packets end at this router,
/// with their tails.
///
/// A packet with one part and several branches is a multicast with synchronous copies: that is how
/// the sum returns from the root of the tree to all nodes (all-reduce). A packet with one part and
/// one branch is an ordinary packet.
///
/// Switch allocation: leaders take turns, starting behind the leader that was first in the last
/// turn; each moves if no earlier leader has taken any of its inputs and outputs. The first leader
/// finds all of its inputs and outputs free unless a slow channel is busy; then these stay reserved
/// and the leader stays first. So a leader that could move waits for at most one period of the
/// slowest channel per leader ahead of it.
///
/// Deadlock: a blocked reduction holds the fronts of the inputs whose part has arrived and waits
/// for the other parts, so two reductions that share virtual channels at two inputs in different
/// orders wait for each other for ever. Neither this core nor virtual cut-through prevents that;
/// the routing must (see check_dependencies() in routing/analysis/deadlock.h).
///
/// Timing, pipeline and sleeping are those of WormholeCore, counted from the arrival of the last
/// head: route + vc_allocation cycles from accept() to depart() in an idle router, plus
/// RouterParams::combine for a head of several parts. Throughput: one flit per cycle and output.
///
/// Sources: Scott, "Synchronization and Communication in the T3E Multiprocessor", ASPLOS 1996 (a
/// barrier tree in the routers); Ma, Enright Jerger and Wang, "Supporting Efficient Collective
/// Communication in NoCs", HPCA 2012 (messages of one reduction combined in the routers on their
/// way to the root); Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)", COM-HPC
/// 2016 (reduction trees in switches). The lock step of the inputs, flit by flit, is a choice made
/// here: a router then needs no storage besides its input buffers.
///
/// `Host` provides, all inline:
///   void combination(unsigned input_port, unsigned vc, const Flit& head, Combination& what);
///     fills in `what`, which is empty before; equal for all parts of a reduction at this router
///   void combine(PacketSlot into, PacketSlot part);  once per part except the leader's
///   void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit);
///   void return_credit(const InputVc& in);
template <int kWords>
class ReductionCore : public BranchingCore<VcCore<ReductionCore<kWords>, MulticastState, kWords>> {
  using Base = BranchingCore<VcCore<ReductionCore<kWords>, MulticastState, kWords>>;
  friend typename Base::VcCore;

 public:
  using Base::front, Base::inputs, Base::outputs, Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// The arena keeps the storage of the core.
  ReductionCore(const CoreShape& shape, detail::BumpAllocator& arena)
      : Base(shape, arena),
        reductions_(arena.take<Reduction>(vc_index(shape.inputs, 0))),
        wanted_(arena.take<Combination>(1)),
        combine_(shape.params.combine) {}

 private:
  /// The reduction of the packet at the front of an input VC. Only the leader of the reduction has
  /// branches.
  struct Reduction {
    Mask parts;              ///< Input VCs of all parts; the first is the leader.
    PortMask inputs;         ///< Input ports of all parts.
    std::uint16_t wait = 0;  ///< Remaining cycles for which the head is combined.
  };

  using Base::active_, Base::credited_, Base::occupied_, Base::open_, Base::packets_;
  using Base::routing_, Base::waiting_;

  [[gnu::always_inline]] inline void note_arrivals(const Mask& arrivals) {
    routing_ |= arrivals.without(occupied_ | open_);
    Base::fill(arrivals);
  }

  // Returns the leaders whose flit could leave in the next cycle.
  Mask ready() const {
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

  // Returns whether the heads of all parts are at the front and have their routes.
  bool complete(unsigned leader) const {
    const Mask parts = reductions_[leader].parts;
    if (parts.without(waiting_).any()) return false;
    const std::uint16_t reduction = front(leader).route_field;
    bool same = true;
    parts.for_each([&](unsigned i) { same = same && front(i).route_field == reduction; });
    return same;
  }

  template <class Host>
  void compute_route(unsigned i, const Flit& head, Host& host) {
    wanted_->clear();
    host.combination(inputs[i].port, inputs[i].vc, head, *wanted_);
    note_parts(i);
    Base::open(i, wanted_->branches);
    if (reductions_[i].parts.lowest() != i) return;
    Base::open_branches(i, wanted_->branches);
    packets_[i].outputs.for_each(
        [&](unsigned output) { Base::branch_at(i, output).vc = BranchState::kNoVc; });
  }

  void note_parts(unsigned i) {
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

  template <class Ask>
  void for_each_request(unsigned i, Ask&& ask) const {
    if (reductions_[i].parts.lowest() == i && complete(i)) Base::request_branches(i, ask);
  }

  void grant_vc(unsigned i, unsigned j) {
    Base::hold_branch(i, j);
    if (packets_[i].asking != 0) return;
    const Mask& parts = reductions_[i].parts;
    waiting_ = waiting_.without(parts);
    parts.for_each([&](unsigned part) { inputs[part].output = inputs[i].output; });
  }

  template <class Host>
  void allocate_switch(Host& host, std::uint64_t now) {
    Mask leaders = ready();
    if (combine_ != 0) delay_combined(leaders);
    if (!leaders.any()) return;
    PortMask outputs_taken = Host::kPaced ? Base::busy_outputs(now) : PortMask{};
    PortMask inputs_taken{};
    Base::take_turns(leaders, turn_, [&](unsigned i, bool first) {
      const PortMask ins = reductions_[i].inputs;
      const PortMask outs = packets_[i].outputs;
      const bool moves = !(ins & inputs_taken).any() && !(outs & outputs_taken).any();
      if (moves || first) {
        inputs_taken |= ins;
        outputs_taken |= outs;
      }
      if (moves) move(i, host, now);
      return moves;
    });
  }

  // Removes the leaders whose head is still being combined.
  void delay_combined(Mask& leaders) {
    leaders.for_each([&](unsigned i) {
      if (reductions_[i].wait == 0) return;
      --reductions_[i].wait;
      leaders.clear(i);
    });
  }

  // Sends one flit of the sum.
  template <class Host>
  void move(unsigned leader, Host& host, std::uint64_t now) {
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
  template <class Host>
  Flit join(unsigned leader, Host& host) {
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

  // Removes the front flit, which has left as a part of the sum.
  void leave(unsigned i, bool tail) {
    Base::step(i);
    if (inputs[i].count == 0) occupied_.clear(i);
    if (tail) Base::close(i);
  }

  template <class Host>
  void send(unsigned j, Flit flit, Host& host, std::uint64_t now) {
    OutputVc& out = outputs[j];
    if (--out.credits == 0) credited_.clear(j);
    if (Host::kPaced) Base::occupy(port_of(j), now);
    if (flit.tail()) {
      Base::branch_at(out.owner, port_of(j)).stage = BranchStage::kNone;
      Base::release_branch(packets_[out.owner], j);
    }
    host.depart(port_of(j), vc_of(j), out.slot, flit);
  }

  Reduction* reductions_;            // Per input VC.
  Combination* wanted_;              // Answer of the routing for the head that is being routed.
  unsigned turn_ = Mask::kBits - 1;  // The leader that was first in the last turn.
  unsigned combine_;
};

}  // namespace flitcast
