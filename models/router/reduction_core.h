// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "router/multicast_state.h"
#include "router/vc_core.h"

namespace flitcast {

/// Virtual-channel router that combines packets: of the packets that are parts of one reduction,
/// one from each of its inputs, it makes a single one. The dual of the multicast crossbar.
///
///   accept(VCs), credit(VCs) --> tick() --> combine(...) per part, return_credit(...) per flit
///                                           depart(...) per branch
///
/// Which inputs take part at a router is fixed for each reduction (Routing::combination()): inputs
/// from other routers, that of the node, or both. The packets that take part stand in virtual
/// channels of the same number; each is known by the number in its head, so that the next turns of
/// a reduction, or other reductions, may wait behind it. Once the heads of all parts are at the
/// front, the first of their input VCs, the leader, asks for an output VC at each branch. From then
/// on all go in lock step: a flit leaves when every part shows its flit, every branch has a credit,
/// and the switch gives it all of these inputs and outputs in one cycle; every part frees a slot.
/// The parts are of equal length. What leaves is the leader's packet, whose head counts the hops of
/// the part from farthest away; the others end here, when their tails do.
///
/// A packet with one part and several branches is a multicast with synchronous copies: so a sum
/// that turns round at the root of its tree goes back to all (all-reduce), and one with one part
/// and one branch is any packet.
///
/// Switch allocation: leaders go in turn, from the one behind the leader that went first last; each
/// moves if all of its inputs and outputs are left. The first finds them free, unless a slow
/// channel is busy: then they are kept for it, and the turn stays. So a leader that could move
/// waits for at most one period of the slowest channel per leader that goes before it.
///
/// A blocked reduction holds the fronts of all inputs that have come and waits for those that have
/// not: two reductions that share virtual channels at two inputs, in different orders, wait for
/// each other for ever. Neither this core nor virtual cut-through prevents that; the routing must
/// (check_dependencies() of routing/deadlock.h).
///
/// Timing, pipeline and sleeping are those of WormholeCore, from the arrival of the last head on:
/// route + vc_allocation cycles from accept() to depart() in an idle router, RouterParams::combine
/// more for a head of several parts. Throughput: one flit per cycle and output.
///
/// Sources: Scott, "Synchronization and Communication in the T3E Multiprocessor", ASPLOS 1996 (a
/// barrier tree in the routers); Ma, Enright Jerger and Wang, "Supporting Efficient Collective
/// Communication in NoCs", HPCA 2012 (messages of one reduction combined in the routers on their
/// way to the root); Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP)", COM-HPC
/// 2016 (reduction trees in switches). That inputs go in lock step, flit by flit, is chosen here:
/// then a router stores nothing but its input buffers.
///
/// `Host` provides, all inline:
///   void combination(unsigned input_port, unsigned vc, const Flit& head, Combination& what);
///     `what` is empty before; equal for all parts of a reduction at this router.
///   void combine(PacketSlot into, PacketSlot part);  once per part but the leader's
///   void depart(unsigned output_port, unsigned vc, unsigned place, const Flit& flit);
///   void return_credit(const InputVc& in);
template <int kWords>
class ReductionCore : public VcCore<ReductionCore<kWords>, MulticastState, kWords> {
  using Base = VcCore<ReductionCore<kWords>, MulticastState, kWords>;
  friend Base;

 public:
  using Base::branches, Base::combined, Base::copies, Base::depth, Base::inputs, Base::outputs;
  using Base::front, Base::port_of, Base::vc_index, Base::vc_of;
  using Base::output_ports;
  using typename Base::Mask, typename Base::PortMask;

  /// Bytes of storage, aligned to 16, that a core of this shape works in.
  static std::size_t storage_bytes(const RouterParams& params, unsigned inputs_wanted,
                                   unsigned outputs_wanted) {
    detail::BumpAllocator measure(nullptr);
    ReductionCore(params, inputs_wanted, outputs_wanted, measure);
    return measure.used();
  }

  /// The core neither owns nor frees `storage`.
  ReductionCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                std::byte* storage)
      : ReductionCore(params, inputs_wanted, outputs_wanted, detail::BumpAllocator(storage)) {}

  /// Flits have been written into the rings of these input VCs, at most one per port.
  [[gnu::always_inline]] inline void accept(const Mask& arrivals) {
    routing_ |= arrivals.without(occupied_ | open_);
    Base::fill(arrivals);
  }
  template <class Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host&) {
    accept(arrivals);
  }

 private:
  /// The packet at the front of an input VC; of one that is not its reduction's leader only the
  /// parts are kept.
  struct Packet {
    Mask parts;            ///< Input VCs, its own among them; the first is the leader.
    Mask held;             ///< Output VCs that it holds.
    PortMask inputs;       ///< Of all its parts,
    PortMask outputs;      ///< and of all its branches.
    std::uint16_t asking;  ///< Branches without an output VC.
    std::uint16_t wait;    ///< Cycles that the head has yet to be combined for.
  };

  using Base::active_, Base::busy_until_, Base::credited_, Base::free_;
  using Base::occupied_, Base::paced_, Base::period_, Base::routing_;
  using Base::waiting_;

  ReductionCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                detail::BumpAllocator&& arena)
      : ReductionCore(params, inputs_wanted, outputs_wanted, arena) {}
  ReductionCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                detail::BumpAllocator& arena);

  /// A leader sends by several output VCs.
  static unsigned sender(unsigned, unsigned j) { return j; }
  Mask ready() const;
  bool complete(unsigned leader) const;

  template <class Host>
  void compute_route(unsigned i, const Flit& head, Host& host);
  void open(unsigned i);
  void open_branches(unsigned i);

  template <class Ask>
  void for_each_request(unsigned i, Ask&& ask) const;
  void grant_vc(unsigned i, unsigned j);

  template <class Host>
  void allocate_switch(Host& host, std::uint64_t now);
  void hold_back_combined(Mask& leaders);
  PortMask busy_outputs(std::uint64_t now) const;
  template <class Host>
  void move(unsigned leader, Host& host, std::uint64_t now);
  template <class Host>
  Flit join(unsigned leader, Host& host);
  void leave(unsigned i, bool tail);
  template <class Host>
  void send(unsigned j, Flit flit, Host& host, std::uint64_t now);

  Mask open_{};  // Input VCs whose packet has its route and has not left.
  Packet* packets_ = nullptr;
  Combination* wanted_ = nullptr;    // Of the head that is being routed.
  unsigned turn_ = Mask::kBits - 1;  // The leader that went first last.
  unsigned combine_ = 0;
};

template <int kWords>
ReductionCore<kWords>::ReductionCore(const RouterParams& params, unsigned inputs_wanted,
                                     unsigned outputs_wanted, detail::BumpAllocator& arena)
    : Base(params, inputs_wanted, outputs_wanted, arena), combine_(params.combine) {
  const unsigned input_vcs = vc_index(inputs_wanted, 0);
  packets_ = arena.take<Packet>(input_vcs);
  branches = arena.take<BranchState>(input_vcs * std::size_t{outputs_wanted});
  wanted_ = arena.take<Combination>(1);
}

}  // namespace flitcast

#include "router/reduction_allocation.h"
#include "router/reduction_packet.h"
