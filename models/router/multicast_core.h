// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "router/multicast_state.h"
#include "router/unicast_core.h"

namespace flitcast {

/// Virtual-channel router that copies packets: WormholeCore generalised to routes with several
/// outputs. A packet with one branch is treated exactly as there, cycle by cycle, and goes the way
/// through the switch that is written there, unless a packet with several could go in that cycle.
///
///   accept(VCs), credit(VCs) --> tick() --> depart(...) per copy, return_credit(...) per flit
///
/// A head computes its set of branches once, asks for an output VC at all of their outputs in
/// parallel and keeps what it is granted. A branch holds its output VC from head to tail. A flit
/// leaves its buffer, and frees the slot, with its last copy; the crossbar drives any number of
/// outputs from one input, but of one input VC per port and cycle.
///
///  - Asynchronous (the default): every branch with an output VC and a credit competes for the
///    switch on its own. The flit stays at the front until all copies have left, so no branch is
///    ever more than one flit ahead of another.
///  - Synchronous (RouterParams::synchronous_copies): a flit leaves by all branches in one cycle,
///    which takes an output VC, a credit and the switch at each. Input ports are served in turn, as
///    multicast_allocation.h says, so that sets of outputs that overlap cannot starve each other:
///    the flit that a port puts forward moves after at most one cycle (one period of the slowest
///    channel) per input port.
///
/// Holding one output VC while asking for another is the price of copying in wormhole routers: two
/// packets of two and more flits (synchronous: of any length) that branch to the same two outputs
/// can wait for each other for ever, even inside one router. Neither this core nor virtual
/// cut-through prevents that; the routing must, for instance by VCs of its own for each tree, or by
/// at most as many branching packets at an output as it has VCs.
///
/// Timing, pipeline, credits and sleeping are those of WormholeCore: route + vc_allocation cycles
/// from accept() to depart() in an idle router, for all copies at once.
///
/// `Host` provides, all inline:
///   void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& branches);
///     adds at least one branch, each with another output; `branches` is empty before.
///   void depart(unsigned output_port, unsigned vc, unsigned place, const Flit& flit);
///     once per copy; a head carries its branch's route field.
///   void return_credit(const InputVc& in);
///     once per flit, when its last copy leaves.
template <int kWords>
class MulticastCore : public UnicastCore<MulticastCore<kWords>, MulticastState, kWords> {
  using Base = UnicastCore<MulticastCore<kWords>, MulticastState, kWords>;
  template <class, class, int>
  friend class VcCore;
  template <class, class, int>
  friend class UnicastCore;

 public:
  using Base::kMaxPorts, Base::branches, Base::copies, Base::depth, Base::inputs, Base::outputs;
  using Base::output_of, Base::port_of, Base::vc_index, Base::vc_of;
  using Base::output_ports, Base::pointers;
  using typename Base::Mask, typename Base::PortMask;

  /// Bytes of storage, aligned to 16, that a core of this shape works in.
  static std::size_t storage_bytes(const RouterParams& params, unsigned inputs_wanted,
                                   unsigned outputs_wanted) {
    detail::BumpAllocator measure(nullptr);
    MulticastCore(params, inputs_wanted, outputs_wanted, measure);
    return measure.used();
  }

  /// The core neither owns nor frees `storage`.
  MulticastCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                std::byte* storage)
      : MulticastCore(params, inputs_wanted, outputs_wanted, detail::BumpAllocator(storage)) {}

  /// Flits have been written into the rings of these input VCs, at most one per port.
  [[gnu::always_inline]] inline void accept(const Mask& arrivals) {
    const Mask fronts = arrivals.without(occupied_);
    routing_ |= fronts.without(open_);
    Base::fill(arrivals);
    (fronts & open_).for_each([&](unsigned i) { due_ |= packets_[i].held; });
  }
  template <class Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host&) {
    accept(arrivals);
  }

 private:
  /// The packet at the front of an input VC.
  struct Packet {
    Mask held;                 ///< Output VCs that it holds.
    PortMask outputs;          ///< Of all its branches; kept until the next packet is routed.
    std::uint16_t asking = 0;  ///< Branches without an output VC.
  };
  /// The input VC that an input port puts forward, and the output for which it was chosen.
  struct Candidate {
    std::uint16_t input;
    std::uint16_t output;
  };
  using Candidates = std::array<Candidate, kMaxPorts>;

  using Base::active_, Base::busy_until_, Base::credited_, Base::free_;
  using Base::occupied_, Base::paced_, Base::period_, Base::routing_;
  using Base::waiting_;

  MulticastCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                detail::BumpAllocator&& arena)
      : MulticastCore(params, inputs_wanted, outputs_wanted, arena) {}
  MulticastCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                detail::BumpAllocator& arena);

  /// One input VC sends by several output VCs.
  static unsigned sender(unsigned, unsigned j) { return j; }
  Mask ready() const {
    Mask ready = due_ & active_ & credited_;
    if (synchronous_ && branching_.any()) keep_complete(ready);
    return ready;
  }
  BranchState& branch_at(unsigned i, unsigned output) {
    return branches[i * output_ports + output];
  }

  template <class Host>
  void compute_route(unsigned i, Flit& head, Host& host);
  void open(unsigned i);

  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const;
  void grant_vc(unsigned i, unsigned j);

  template <class Host>
  [[gnu::always_inline]] inline void allocate_switch(Host& host, std::uint64_t now);
  template <class Host>
  [[gnu::noinline]] void serve_copies(Mask ready, Mask senders, Host& host, std::uint64_t now);
  template <class Host>
  void serve_alone(unsigned i, const Mask& ready, Host& host, std::uint64_t now);
  [[gnu::noinline]] void keep_complete(Mask& ready) const;
  [[gnu::noinline]] void drop_paced(Mask& ready, std::uint64_t now) const;
  PortMask put_forward(const Mask& ready, Candidates& candidates);
  Candidate choose(unsigned port, std::uint64_t vcs, const Mask& ready);
  template <class Host>
  void serve_outputs(const PortMask& ports, const Candidates& candidates, const Mask& ready,
                     Host& host, std::uint64_t now);
  bool any_branching(const PortMask& ports, const Candidates& candidates) const;
  PortMask busy_outputs(std::uint64_t now) const;
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
  void release_branch(Packet& packet, unsigned j);
  void leave(unsigned i, bool tail);
  void close(unsigned i);

  Mask open_{};       // Input VCs whose packet has its branches and has not left by all of them.
  Mask branching_{};  // Those of them whose packet leaves by several outputs.
  Mask due_{};        // Held output VCs by which the front flit of their owner has yet to leave.
  Packet* packets_ = nullptr;
  Branches* wanted_ = nullptr;     // Of the head that is being routed.
  unsigned turn_ = kMaxPorts - 1;  // Synchronous: the input port that went first last.
  bool synchronous_ = false;
};

template <int kWords>
MulticastCore<kWords>::MulticastCore(const RouterParams& params, unsigned inputs_wanted,
                                     unsigned outputs_wanted, detail::BumpAllocator& arena)
    : Base(params, inputs_wanted, outputs_wanted, arena), synchronous_(params.synchronous_copies) {
  const unsigned input_vcs = vc_index(inputs_wanted, 0);
  packets_ = arena.take<Packet>(input_vcs);
  branches = arena.take<BranchState>(input_vcs * std::size_t{outputs_wanted});
  wanted_ = arena.take<Branches>(1);
}

}  // namespace flitcast

#include "router/multicast_allocation.h"
#include "router/multicast_packet.h"
