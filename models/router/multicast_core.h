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
/// A head computes its set of branches once, asks for an output VC at the outputs of all branches
/// in parallel and keeps each VC that it is granted. A branch holds its output VC from head to
/// tail. A flit leaves its buffer, and frees the slot, with its last copy. The crossbar drives any
/// number of outputs from one input port, which sends from one of its VCs per cycle.
///
///  - Asynchronous (the default): every branch with an output VC and a credit competes for the
///    switch independently. The flit stays at the front until all copies have left, so no branch is
///    ever more than one flit ahead of another.
///  - Synchronous (RouterParams::synchronous_copies): a flit leaves by all branches in one cycle,
///    which requires an output VC, a credit and the switch at each branch. Input ports are served
///    in turn (see below), so that overlapping sets of outputs cannot starve each other: the
///    candidate flit of a port moves after at most one cycle (one period of the slowest channel)
///    per input port.
///
/// VC allocation: every branch without an output VC picks one of the free VCs that it may ask for,
/// starting behind the VC that the previous packet in the same input VC got at that output; then
/// each output VC picks one of the input VCs that picked it.
///
/// Switch allocation: in cycles in which no branching packet could send, the code of UnicastCore is
/// used, which is this algorithm without copies. An input port picks one of the outputs that its
/// ready branches request, and one of the VCs that request it; that VC asks for all outputs of its
/// ready branches. Then each output picks one input. The pointers of the input port move only when
/// the output that it picked takes the flit, not for the other outputs of the packet, so every
/// output is picked in turn whatever sets it is in.
///
/// Synchronous copies: in a cycle with a branching candidate, outputs do not choose. The candidates
/// take turns, starting behind the input port that was first in the last turn; each moves if no
/// earlier candidate has taken any of its outputs. The first candidate finds all of its outputs
/// free unless a slow channel is busy; then its outputs stay reserved and its port stays first.
/// Unicast flits take part in the turns, so that no flit starves.
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
  friend typename Base::UnicastCore;
  friend typename Base::VcCore;

 public:
  using Base::kMaxPorts, Base::copies, Base::inputs, Base::outputs, Base::pointers;
  using Base::output_of, Base::port_of, Base::vc_index, Base::vc_of;
  using typename Base::Mask, typename Base::PortMask;

  /// The arena keeps the storage of the core.
  MulticastCore(const CoreShape& shape, detail::BumpAllocator& arena)
      : Base(shape, arena),
        wanted_(arena.take<Branches>(1)),
        synchronous_(shape.params.synchronous_copies) {}

 private:
  using typename Base::Packet;
  /// The input VC that competes for an input port, and the output for which it was chosen.
  struct Candidate {
    std::uint16_t input;
    std::uint16_t output;
  };
  using Candidates = std::array<Candidate, kMaxPorts>;

  using Base::active_, Base::credited_, Base::occupied_, Base::open_;
  using Base::packets_, Base::routing_, Base::waiting_;

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
  void compute_route(unsigned i, Flit& head, Host& host) {
    wanted_->clear();
    host.branches(inputs[i].port, inputs[i].vc, head, *wanted_);
    Base::open_branches(i, *wanted_);
    Base::open(i, *wanted_);
    if (!packets_[i].outputs.single()) branching_.set(i);
    head.route_field = wanted_->begin()->route_field;  // send() replaces it in the other copies.
  }

  template <class Ask>
  [[gnu::always_inline]] inline void for_each_request(unsigned i, Ask&& ask) const {
    Base::request_branches(i, ask);
  }

  void grant_vc(unsigned i, unsigned j) {
    Base::hold_branch(i, j);
    if (packets_[i].asking == 0) waiting_.clear(i);
    due_.set(j);
  }

  template <class Host>
  [[gnu::always_inline]] inline void allocate_switch(Host& host, std::uint64_t now) {
    const Mask ready = this->ready();
    Mask senders{};
    ready.for_each([&](unsigned j) { senders.set(outputs[j].owner); });
    if ((senders & branching_).any()) return serve_copies(ready, senders, host, now);
    Base::serve(senders, host, now);
  }

  template <class Host>
  [[gnu::noinline]] void serve_copies(Mask ready, Mask senders, Host& host, std::uint64_t now) {
    if (Host::kPaced) drop_paced(ready, now);
    if (!ready.any()) return;
    if (ready.single()) return send(ready.lowest(), true, host, now);
    if (senders.single() && !synchronous_) return serve_alone(senders.lowest(), ready, host, now);
    Candidates candidates;  // Valid only for the ports in `ports`.
    const PortMask ports = choose_candidates(ready, candidates);
    if (synchronous_ && any_branching(ports, candidates)) {
      serve_in_turn(ports, candidates, host, now);
    } else {
      serve_outputs(ports, candidates, ready, host, now);
    }
  }

  // Serves input VC i, the only one that is ready, so that no output has to choose.
  template <class Host>
  void serve_alone(unsigned i, const Mask& ready, Host& host, std::uint64_t now) {
    const unsigned port = inputs[i].port;
    const unsigned chosen = choose(port, std::uint64_t{1} << inputs[i].vc, ready).output;
    ready.for_each([&](unsigned j) { send(j, port_of(j) == chosen, host, now); });
  }

  // Removes the branches of packets that cannot leave by all of their branches in this cycle.
  [[gnu::noinline]] void keep_complete(Mask& ready) const {
    Mask complete{};
    ready.for_each([&](unsigned j) {
      const Packet& packet = packets_[outputs[j].owner];
      if (packet.asking == 0 && !packet.held.without(ready).any()) complete.set(j);
    });
    ready = complete;
  }

  // Removes the branches whose output channel is still busy with an earlier flit, except those that
  // need several channels to be idle at once.
  [[gnu::noinline]] void drop_paced(Mask& ready, std::uint64_t now) const {
    ready.for_each([&](unsigned j) {
      if (synchronous_ && !packets_[outputs[j].owner].held.single()) return;
      if (Base::busy(port_of(j), now)) ready.clear(j);
    });
  }

  // Chooses the candidates of all input ports with ready branches; returns these ports.
  PortMask choose_candidates(const Mask& ready, Candidates& candidates) {
    PortMask ports{};
    std::array<VcSet, kMaxPorts> vcs;  // Valid only for the ports in `ports`.
    ready.for_each([&](unsigned j) {
      const InputVc& in = inputs[outputs[j].owner];
      if (!ports.test(in.port)) vcs[in.port] = 0;
      ports.set(in.port);
      vcs[in.port] |= VcSet{1} << in.vc;
    });
    ports.for_each([&](unsigned port) { candidates[port] = choose(port, vcs[port], ready); });
    return ports;
  }

  // Picks, round-robin, first an output, then an input VC of the port among those that request it.
  Candidate choose(unsigned port, std::uint64_t vcs, const Mask& ready) {
    const unsigned first = vc_index(port, 0);
    const SwitchPointers& last = pointers[port];
    unsigned nearest = kMaxPorts;
    std::uint64_t wanting = 0;  // VCs that request the nearest output so far.
    for (std::uint64_t rest = vcs; rest != 0; rest &= rest - 1) {
      const unsigned vc = lowest_bit(rest);
      const Mask outputs_ready = ready & packets_[first + vc].held;
      outputs_ready.for_each([&](unsigned j) {
        const unsigned distance = (port_of(j) - last.last_output - 1U) % kMaxPorts;
        if (distance < nearest) wanting = 0;
        nearest = std::min(nearest, distance);
        if (distance == nearest) wanting |= std::uint64_t{1} << vc;
      });
    }
    return {static_cast<std::uint16_t>(first + round_robin(wanting, last.last_vc)),
            static_cast<std::uint16_t>((last.last_output + 1U + nearest) % kMaxPorts)};
  }

  // Lets every requested output take one flit.
  template <class Host>
  void serve_outputs(const PortMask& ports, const Candidates& candidates, const Mask& ready,
                     Host& host, std::uint64_t now) {
    PortMask wanted{};
    std::array<PortMask, kMaxPorts> requests;  // Valid only for the ports in `wanted`.
    ports.for_each([&](unsigned port) {
      const Mask outputs_ready = ready & packets_[candidates[port].input].held;
      outputs_ready.for_each([&](unsigned j) {
        const unsigned output = port_of(j);
        if (!wanted.test(output)) requests[output] = PortMask{};
        wanted.set(output);
        requests[output].set(port);
      });
    });
    wanted.for_each([&](unsigned output) {
      const unsigned port = requests[output].next_after(pointers[output].last_input);
      const Candidate& candidate = candidates[port];
      send(output_of(candidate.input, output), candidate.output == output, host, now);
    });
  }

  bool any_branching(const PortMask& ports, const Candidates& candidates) const {
    bool any = false;
    ports.for_each(
        [&](unsigned port) { any = any || !packets_[candidates[port].input].outputs.single(); });
    return any;
  }

  template <class Host>
  void serve_in_turn(const PortMask& ports, const Candidates& candidates, Host& host,
                     std::uint64_t now) {
    PortMask taken = Host::kPaced ? Base::busy_outputs(now) : PortMask{};
    Base::take_turns(ports, turn_, [&](unsigned port, bool first) {
      const Packet& packet = packets_[candidates[port].input];
      const bool moves = !(packet.outputs & taken).any();
      if (moves || first) taken |= packet.outputs;
      const Mask sending = moves ? packet.held : Mask{};
      sending.for_each(
          [&](unsigned j) { send(j, port_of(j) == candidates[port].output, host, now); });
      return moves;
    });
  }

  void run_dry(bool dry, unsigned i, unsigned j) {
    Base::run_dry(dry, i, j);
    due_.clear_if(dry, j);
  }

  // Releases the output VC of a packet with one branch, whose tail has left.
  void release(unsigned i, unsigned j) {
    due_.clear(j);
    Base::branch_at(i, inputs[i].route_port).stage = BranchStage::kNone;
    Base::release_branch(packets_[i], j);
    Base::close(i);
  }

  // Sends one of several copies of the front flit, by output VC j. The state of the core is updated
  // first, because the compiler must assume that the stores of the host alias it.
  template <class Host>
  [[gnu::always_inline]] inline void send(unsigned j, bool chosen, Host& host, std::uint64_t now) {
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
    if (Host::kPaced) Base::occupy(output_port, now);

    ++copies;
    const bool last = packet.asking == 0 && !(due_ & packet.held).any();
    if (last) leave(i, flit.tail());
    host.depart(output_port, vc_of(j), out.slot, flit);
    if (last) host.return_credit(inputs[i]);
  }

  // Removes the front flit, which has left by all branches.
  void leave(unsigned i, bool tail) {
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

  Mask branching_{};  // Input VCs whose packet has its route and leaves by several outputs.
  Mask due_{};        // Held output VCs by which the front flit of their owner has yet to leave.
  Branches* wanted_;  // Branches of the head that is being routed.
  unsigned turn_ = kMaxPorts - 1;  // Synchronous: the input port that was first in the last turn.
  bool synchronous_;
};

}  // namespace flitcast
