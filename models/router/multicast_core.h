// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "router/branching_core.h"
#include "router/unicast_core.h"

namespace flitcast {

/// Virtual-channel router that copies packets: WormholeCore generalised to routes with several
/// outputs. A packet with one branch behaves exactly as in WormholeCore, cycle by cycle, and uses
/// the same code unless a packet with several branches could move in that cycle.
///
///   accept(VCs), credit(VCs) --> tick() --> depart(...) per copy, return_credit(...) per flit
///
/// A head computes its set of branches once, asks for an output VC at all of their outputs in
/// parallel and keeps what it is granted. A branch holds its output VC from head to tail. A flit
/// leaves its buffer, and frees the slot, with its last copy. The crossbar drives any number of
/// outputs from one input port, which sends from one of its VCs per cycle.
///
///  - Asynchronous (the default): every branch with an output VC and a credit competes for the
///    switch independently. The flit stays at the front until all copies have left, so no branch is
///    ever more than one flit ahead of another.
///  - Synchronous (RouterParams::synchronous_copies): a flit leaves by all branches in one cycle,
///    which takes an output VC, a credit and the switch at each. Input ports are served in turn
///    (see multicast_allocation.h), so that overlapping sets of outputs cannot starve each other:
///    the candidate flit of a port moves after at most one cycle (one period of the slowest
///    channel) per input port.
///
/// Deadlock: a packet holds one output VC while it asks for another, so two packets of at least two
/// flits (synchronous: of any length) that branch to the same two outputs can wait for each other
/// for ever, even inside one router. Neither this core nor virtual cut-through prevents that; the
/// routing must, for instance with separate VCs for each tree, or with at most as many branching
/// packets at an output as it has VCs.
///
/// Timing, pipeline, credits and sleeping are those of WormholeCore: route + vc_allocation cycles
/// from accept() to depart() in an idle router, for all copies at once.
///
/// `Host` provides, all inline:
///   void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& branches);
///     adds at least one branch, each with a different output; `branches` is empty before.
///   void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit);
///     once per copy; a head carries its branch's route field.
///   void return_credit(const InputVc& in);
///     once per flit, when its last copy leaves.
template <int kWords>
class MulticastCore
    : public BranchingCore<UnicastCore<MulticastCore<kWords>, MulticastState, kWords>> {
  using Base = BranchingCore<UnicastCore<MulticastCore<kWords>, MulticastState, kWords>>;
  template <class, class, int>
  friend class VcCore;
  template <class, class, int>
  friend class UnicastCore;

 public:
  using Base::kMaxPorts, Base::copies, Base::inputs, Base::outputs, Base::pointers;
  using Base::output_of, Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// The arena keeps the storage of the core.
  MulticastCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                detail::BumpAllocator& arena)
      : Base(params, inputs_wanted, outputs_wanted, arena),
        wanted_(arena.take<Branches>(1)),
        synchronous_(params.synchronous_copies) {}

 private:
  using typename Base::Packet;
  /// The input VC that competes for an input port, and the output for which it was chosen.
  struct Candidate {
    std::uint16_t input;
    std::uint16_t output;
  };
  using Candidates = std::array<Candidate, kMaxPorts>;

  using Base::active_, Base::busy_until_, Base::credited_, Base::occupied_, Base::open_;
  using Base::packets_, Base::paced_, Base::period_, Base::routing_, Base::waiting_;

  [[gnu::always_inline]] inline void note_arrivals(const Mask& arrivals) {
    const Mask fronts = arrivals.without(occupied_);
    routing_ |= fronts.without(open_);
    Base::fill(arrivals);
    (fronts & open_).for_each([&](unsigned i) { due_ |= packets_[i].held; });
  }
  Mask ready() const {
    Mask ready = due_ & active_ & credited_;
    if (synchronous_ && branching_.any()) keep_complete(ready);
    return ready;
  }
  template <class Host>
  void compute_route(unsigned i, Flit& head, Host& host);
  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const {
    Base::request_branches(i, ask);
  }
  void grant_vc(unsigned i, unsigned j);

  template <class Host>
  [[gnu::always_inline]] inline void allocate_switch(Host& host, std::uint64_t now);
  template <class Host>
  [[gnu::noinline]] void serve_copies(Mask ready, Mask senders, Host& host, std::uint64_t now);
  template <class Host>
  void serve_alone(unsigned i, const Mask& ready, Host& host, std::uint64_t now);
  [[gnu::noinline]] void keep_complete(Mask& ready) const;
  [[gnu::noinline]] void drop_paced(Mask& ready, std::uint64_t now) const;
  PortMask choose_candidates(const Mask& ready, Candidates& candidates);
  Candidate choose(unsigned port, std::uint64_t vcs, const Mask& ready);
  template <class Host>
  void serve_outputs(const PortMask& ports, const Candidates& candidates, const Mask& ready,
                     Host& host, std::uint64_t now);
  bool any_branching(const PortMask& ports, const Candidates& candidates) const;
  template <class Host>
  void serve_in_turn(const PortMask& ports, const Candidates& candidates, Host& host,
                     std::uint64_t now);

  void run_dry(unsigned i, unsigned j) {
    Base::run_dry(i, j);
    due_.clear(j);
  }
  void release(unsigned i, unsigned j);
  template <class Host>
  [[gnu::always_inline]] inline void send(unsigned j, bool chosen, Host& host, std::uint64_t now);
  void leave(unsigned i, bool tail);

  Mask branching_{};  // Input VCs whose packet has its route and leaves by several outputs.
  Mask due_{};        // Held output VCs by which the front flit of their owner has yet to leave.
  Branches* wanted_;  // Branches of the head that is being routed.
  unsigned turn_ = kMaxPorts - 1;  // Synchronous: the input port that was first in the last turn.
  bool synchronous_;
};

}  // namespace flitcast

#include "router/multicast_allocation.h"
#include "router/multicast_packet.h"
