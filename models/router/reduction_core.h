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
/// inputs from other routers, that of the node, or both. All parts use virtual channels of the same
/// number. The head of each part carries the number of its reduction, so that later rounds of it,
/// or other reductions, may queue behind it. Once the heads of all parts are at the front, the
/// first of their input VCs, the leader, asks for an output VC at each branch. From then on the
/// parts move in lock step: a flit leaves when every part has its flit at the front, every branch
/// has a credit, and the switch grants all of these inputs and outputs in one cycle; every part
/// frees a slot. The parts are of equal length. The packet that leaves is the leader's; its head
/// counts the hops of the part from farthest away. The other packets end here, with their tails.
///
/// A packet with one part and several branches is a multicast with synchronous copies: that is how
/// the sum returns from the root of the tree to all nodes (all-reduce). A packet with one part and
/// one branch is an ordinary packet.
///
/// Switch allocation: leaders take turns, starting behind the one that was first in the last turn;
/// each moves if no earlier one has taken any of its inputs and outputs. The first finds all of
/// them free unless a slow channel is busy; then they stay reserved and the turn stays with it. So
/// a leader that could move waits for at most one period of the slowest channel per leader ahead of
/// it.
///
/// Deadlock: a blocked reduction holds the fronts of the inputs whose part has arrived and waits
/// for the others, so two reductions that share virtual channels at two inputs in different orders
/// wait for each other for ever. Neither this core nor virtual cut-through prevents that; the
/// routing must (see check_dependencies() in routing/analysis/deadlock.h).
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
  template <class, class, int>
  friend class VcCore;

 public:
  using Base::front, Base::inputs, Base::outputs, Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// The arena keeps the storage of the core.
  ReductionCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                detail::BumpAllocator& arena)
      : Base(params, inputs_wanted, outputs_wanted, arena),
        reductions_(arena.take<Reduction>(vc_index(inputs_wanted, 0))),
        wanted_(arena.take<Combination>(1)),
        combine_(params.combine) {}

 private:
  /// The reduction of the packet at the front of an input VC. Only its leader has branches.
  struct Reduction {
    Mask parts;              ///< Input VCs of all parts; the first is the leader.
    PortMask inputs;         ///< Input ports of all parts.
    std::uint16_t wait = 0;  ///< Remaining cycles for which the head is combined.
  };

  using Base::active_, Base::credited_, Base::occupied_, Base::open_, Base::packets_;
  using Base::paced_, Base::routing_, Base::waiting_;

  [[gnu::always_inline]] inline void note_arrivals(const Mask& arrivals) {
    routing_ |= arrivals.without(occupied_ | open_);
    Base::fill(arrivals);
  }
  Mask ready() const;
  bool complete(unsigned leader) const;

  template <class Host>
  void compute_route(unsigned i, const Flit& head, Host& host);
  void note_parts(unsigned i);
  template <class Ask>
  void for_each_request(unsigned i, Ask&& ask) const;
  void grant_vc(unsigned i, unsigned j);

  template <class Host>
  void allocate_switch(Host& host, std::uint64_t now);
  void delay_combined(Mask& leaders);
  template <class Host>
  void move(unsigned leader, Host& host, std::uint64_t now);
  template <class Host>
  Flit join(unsigned leader, Host& host);
  void leave(unsigned i, bool tail);
  template <class Host>
  void send(unsigned j, Flit flit, Host& host, std::uint64_t now);

  Reduction* reductions_;            // Per input VC.
  Combination* wanted_;              // Answer of the routing for the head that is being routed.
  unsigned turn_ = Mask::kBits - 1;  // The leader that was first in the last turn.
  unsigned combine_;
};

}  // namespace flitcast

#include "router/reduction_allocation.h"
#include "router/reduction_packet.h"
