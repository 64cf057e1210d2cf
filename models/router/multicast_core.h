// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/flit.h"
#include "router/bit_mask.h"
#include "router/carver.h"
#include "router/invariant.h"
#include "router/multicast_state.h"
#include "router/output_channel.h"
#include "router/router_params.h"
#include "routing/routing.h"

namespace flitcast {

/// Virtual-channel router that copies packets: WormholeCore generalised to routes with several
/// outputs. A packet with one branch is treated exactly as there, cycle by cycle.
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
/// `Surroundings` provides, all inline:
///   void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& branches);
///     adds at least one branch, each with another output; `branches` is empty before.
///   void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit);
///     once per copy; a head carries its branch's reach.
///   void return_credit(unsigned input_port, unsigned vc);
///     once per flit, when its last copy leaves.
template <int kWords>
class MulticastCore : public MulticastState {
 public:
  using Mask = BitMask<kWords>;
  /// Ports that fit in the masks of ports; more make no router that anyone builds.
  static constexpr unsigned kMaxPorts = kWords == 1 ? 64 : 128;
  using PortMask = BitMask<static_cast<int>(kMaxPorts / 64)>;

  static constexpr BufferUnit kUnit = BufferUnit::kFlit;

  /// Bytes of storage, aligned to 16, that a core of this shape works in.
  static std::size_t storage_bytes(const RouterParams& params, unsigned input_ports,
                                   unsigned output_ports);

  /// The core neither owns nor frees `storage`.
  MulticastCore(const RouterParams& params, unsigned input_ports, unsigned output_ports,
                std::byte* storage);

  /// An output whose channel takes one flit in `cycles` cycles, from 1 up.
  void set_channel_period(unsigned output_port, unsigned cycles) {
    period_[output_port] = cycles;
    paced_ = paced_ || cycles > 1;
  }

  /// An output that leads somewhere: fills its credits.
  void connect_output(unsigned output_port) {
    for (unsigned vc = 0; vc < virtual_channels; ++vc) {
      outputs[vc_index(output_port, vc)].credits = depth;
      free_.set(vc_index(output_port, vc));
    }
  }

  void connect_output(unsigned output_port, const OutputChannel& channel) {
    connect_output(output_port);
    set_channel_period(output_port, channel.cycles_per_flit);
  }
  /// An input by which a node injects; it is as good as any other.
  void connect_node_input(unsigned) {}

  /// Where the next flit for an input VC goes when nobody upstream keeps its ring position.
  unsigned tail_slot(unsigned i) const { return (inputs[i].head + inputs[i].count) % depth; }
  /// Puts it there, ahead of accept().
  void land(unsigned i, const Flit& flit) { slots[i * depth + tail_slot(i)] = flit; }

  /// Flits have been written into the rings of these input VCs, at most one per port.
  [[gnu::always_inline]] inline void accept(const Mask& arrivals) {
    const Mask fronts = arrivals.without(occupied_);
    routing_ |= fronts.without(open_);
    occupied_ |= arrivals;
    arrivals.for_each([&](unsigned i) {
      if (inputs[i].count++ == depth)
        broken_invariant("flit for a full buffer", port_of(i), vc_of(i));
    });
    (fronts & open_).for_each([&](unsigned i) { due_ |= packets_[i].held; });
  }

  template <class Surroundings>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Surroundings&) {
    accept(arrivals);
  }

  /// Slots downstream of these output VCs are free again, at most one per port.
  [[gnu::always_inline]] inline void credit(const Mask& credits) {
    credits.for_each([&](unsigned j) {
      OutputVc& out = outputs[j];
      if (out.credits == depth) broken_invariant("credit for no flit", port_of(j), vc_of(j));
      if (out.credits++ != 0 && !whole_packet_credit_) return;
      if (out.owner != OutputVc::kNone && may_send(out)) credited_.set(j);
    });
  }

  /// One clock cycle, after the arrivals of this cycle. Returns whether the next cycle has work
  /// even if nothing arrives.
  template <class Surroundings>
  [[gnu::always_inline]] inline bool tick(Surroundings& around, std::uint64_t now);

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

  /// Where everything lies in a core's storage.
  struct Layout;

  void start();
  BranchState& branch_at(unsigned i, unsigned output) {
    return branches[i * output_ports + output];
  }

  template <class Surroundings>
  [[gnu::noinline]] void compute_branches(Surroundings& around);
  void open(unsigned i);

  void allocate_vcs();
  [[gnu::noinline]] void allocate_contended_vcs();
  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const;
  void grant_vc(unsigned i, unsigned j);
  bool may_send(const OutputVc& out) const;
  [[gnu::noinline]] bool may_send_packet(const OutputVc& out) const;

  template <class Surroundings>
  [[gnu::always_inline]] inline void allocate_switch(Surroundings& around, std::uint64_t now);
  [[gnu::noinline]] void keep_complete(Mask& ready) const;
  [[gnu::noinline]] void drop_paced(Mask& ready, std::uint64_t now) const;
  PortMask put_forward(const Mask& ready, Candidates& candidates);
  Candidate choose(unsigned port, std::uint64_t vcs, const Mask& ready);
  [[gnu::noinline]] Candidate choose_among(unsigned port, std::uint64_t vcs, const Mask& ready);
  template <class Surroundings>
  [[gnu::always_inline]] inline void serve_outputs(const PortMask& ports,
                                                   const Candidates& candidates, const Mask& ready,
                                                   Surroundings& around, std::uint64_t now);
  bool any_branching(const PortMask& ports, const Candidates& candidates) const;
  PortMask busy_outputs(std::uint64_t now) const;
  template <class Surroundings>
  [[gnu::noinline]] void serve_in_turn(const PortMask& ports, const Candidates& candidates,
                                       Surroundings& around, std::uint64_t now);

  template <class Surroundings>
  [[gnu::always_inline]] inline void send(unsigned j, bool chosen, Surroundings& around,
                                          std::uint64_t now);
  void release(Packet& packet, unsigned j);
  void leave(unsigned i, bool tail);
  void close(unsigned i);

  void activate_granted() {
    active_ |= granted_;
    granted_ = Mask{};
  }
  [[gnu::noinline]] void advance_deep_stages();
  bool deep_work() const;
  [[gnu::always_inline]] inline bool has_work() const;

  unsigned next_slot(unsigned slot) const { return slot + 1 == depth ? 0 : slot + 1; }

  Mask occupied_{};  // Input VCs with a flit at the front,
  Mask open_{};      // whose packet has its branches and has not left by all of them,
  Mask waiting_{};   // of whose branches some want an output VC,
  Mask routing_{};   // whose head is in its first cycle of route computation.
  Mask exposed_{};   // Heads that a departing tail brings to the front: routing_ of the next cycle.
  Mask due_{};       // Held output VCs by which the front flit of their owner has yet to leave,
  Mask active_{};    // whose grant has passed all stages of VC allocation,
  Mask credited_{};  // that have a credit.
  Mask granted_{};   // Output VCs granted in this cycle.
  Mask free_{};      // Output VCs that no packet holds.
  Packet* packets_ = nullptr;
  Branches* wanted_ = nullptr;    // Of the head that is being routed.
  Mask* route_stages_ = nullptr;  // Second and later cycles of route computation (input VCs),
  Mask* grant_stages_ = nullptr;  // and of VC allocation (output VCs).
  std::uint64_t* busy_until_ = nullptr;
  std::uint32_t* period_ = nullptr;
  Pipeline pipeline_;
  unsigned turn_ = kMaxPorts - 1;  // Synchronous: the input port that went first last.
  bool whole_packet_credit_ = false;
  bool synchronous_ = false;
  bool deep_ = false;  // Some stage takes more than one cycle.
  bool paced_ = false;
};

template <int kWords>
template <class Surroundings>
bool MulticastCore<kWords>::tick(Surroundings& around, std::uint64_t now) {
  if (routing_.any()) compute_branches(around);
  if (waiting_.any()) allocate_vcs();
  if (pipeline_.vc_allocation == 0) activate_granted();
  allocate_switch(around, now);
  if (deep_) {
    advance_deep_stages();
  } else {
    waiting_ |= routing_;
    activate_granted();
  }
  routing_ = exposed_;
  exposed_ = Mask{};
  return has_work();
}

// Whether anything can move in the next cycle.
template <int kWords>
bool MulticastCore<kWords>::has_work() const {
  Mask ready = due_ & active_ & credited_;
  if (synchronous_ && ready.any()) keep_complete(ready);
  if (ready.any() || routing_.any()) return true;
  if (deep_ && deep_work()) return true;
  bool can_ask = false;
  waiting_.for_each([&](unsigned i) { for_each_request(i, [&](unsigned) { can_ask = true; }); });
  return can_ask;
}

}  // namespace flitcast

#include "router/multicast_allocation.h"
#include "router/multicast_packet.h"
#include "router/multicast_setup.h"
