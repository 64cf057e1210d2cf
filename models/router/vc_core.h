// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "router/bit_mask.h"
#include "router/bump_allocator.h"
#include "router/invariant.h"
#include "router/router_params.h"
#include "router/router_state.h"

namespace flitcast {

/// The common part of all input-buffered routers with virtual channels and credits, whatever their
/// switch allocator: the rings of flits, the credits, the allocation of output VCs, the rate of
/// channels and the stages of the pipeline.
///
/// `Core`, which derives from this class, has a constructor from a CoreShape and a BumpAllocator
/// and provides
///   void note_arrivals(arrivals);         calls fill() and updates the state of the core
///   void compute_route(i, head, Host&);   routes the head at the front of input VC i
///   void for_each_request(i, ask) const;  calls ask(j) for each free output VC that input VC i
///                                         requests
///   void grant_vc(i, j);                  calls hold() and updates the state of the core
///   Mask ready() const;                   the senders that could send in the next cycle
///   void allocate_switch(Host&, now);
///   static unsigned sender(owner, j);     the sender by output VC j, which `owner` holds: the bit
///                                         that stands for it in active_, credited_ and granted_
/// `State` is RouterState or derives from it.
template <class Core, class State, int kWords>
class VcCore : public State {
 public:
  using Mask = BitMask<kWords>;
  /// The largest number of ports that fit in a PortMask. Routers with more ports are not built in
  /// practice.
  static constexpr unsigned kMaxPorts = kWords == 1 ? 64 : 128;
  using PortMask = BitMask<static_cast<int>(kMaxPorts / 64)>;
  static constexpr BufferUnit kUnit = BufferUnit::kFlit;

  using State::depth, State::inputs, State::outputs, State::pointers, State::packets;
  using State::front, State::port_of, State::vc_index, State::vc_of;

  /// The arena keeps the storage of the core. Every round-robin pointer starts at the last member,
  /// so that the lowest member is chosen first.
  VcCore(const CoreShape& shape, detail::BumpAllocator& arena)
      : whole_packet_credit_(shape.params.whole_packet_credit), pipeline_(shape.params.pipeline) {
    const std::size_t stride = State::place(shape, arena);
    const unsigned ports = std::max(shape.inputs, shape.outputs);
    const unsigned route_extra = detail::extra_stages(pipeline_.route);
    pointers = arena.take<SwitchPointers>(ports);
    paces_ = arena.take<Pace>(shape.outputs);
    route_stages_ = arena.take<Mask>(route_extra + detail::extra_stages(pipeline_.vc_allocation));
    packets = arena.take<Flit>(shape.inputs * stride * State::ring);
    deep_ = pipeline_.route > 1 || pipeline_.vc_allocation > 1;
    least_space_ = depth;
    plain_credits_ = whole_packet_credit_ ? 0 : depth - 1U;
    vc_mask_ = static_cast<std::uint8_t>(stride - 1);
    if (inputs == nullptr) return;  // The arena only measures.
    grant_stages_ = route_stages_ + route_extra;
    std::fill_n(paces_, shape.outputs, Pace{});
    for (unsigned i = 0; i < shape.inputs * stride; ++i) inputs[i].last_output = Mask::kBits - 1;
    for (unsigned j = 0; j < shape.outputs * stride; ++j) {
      outputs[j].last_input = Mask::kBits - 1;
      outputs[j].slot = static_cast<std::uint16_t>(State::ring - 1);
    }
    std::fill_n(pointers, ports,
                SwitchPointers{kMaxVirtualChannels - 1, kMaxPorts - 1, kMaxPorts - 1, 0});
  }

  /// Connects an output to a channel and fills its credits. Called before the first cycle.
  void connect_output(unsigned output_port, const OutputChannel& channel = {}) {
    const std::uint16_t space = State::fill_credits(output_port, channel);
    least_space_ = std::min(least_space_, space);
    plain_credits_ = std::min(plain_credits_, least_space_ - 1U);
    for (unsigned vc = 0; vc < State::virtual_channels; ++vc) free_.set(vc_index(output_port, vc));
    paces_[output_port] = {0, channel.cycles_per_flit, space};
  }

  /// Does nothing: inputs from nodes are treated like inputs from routers.
  void connect_node_input(unsigned) {}

  /// The first cycle in which the channel of an output takes another flit; that cycle may have
  /// passed. Only valid for channels whose flits take more than one cycle.
  std::uint64_t busy_until(unsigned output_port) const { return paces_[output_port].busy_until; }

  /// Writes a head into the ring slot in which accept() expects it, for a sender that does not
  /// track the slots of the ring; other flits are not written.
  void land(unsigned i, const Flit& flit) {
    if (flit.head) packets[i * State::ring + State::end_of(i)] = flit;
  }

  /// Takes the flits that were written into the rings of these input VCs, at most one per port.
  /// The host is unused; cores that store whole packets read the flits from the host.
  template <class... Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host&...) {
    core().note_arrivals(arrivals);
  }

  /// Returns one credit to each of these output VCs, of which there is at most one per port.
  [[gnu::always_inline]] inline void credit(const Mask& credits) {
    OutputVc* const its_outputs = outputs;
    credits.for_each([&](unsigned j) {
      const unsigned before = its_outputs[j].credits++;
      if (before - 1 >= plain_credits_) look_at_credit(j, before);
    });
  }

  /// One clock cycle, after the arrivals of this cycle. Returns whether the next cycle has work
  /// even if nothing arrives.
  template <class Host>
  [[gnu::always_inline]] inline bool tick(Host& host, std::uint64_t now) {
    const Mask routed = routing_;
    if ((routing_ | waiting_ | late_).any()) {
      advance_heads(host);
    } else if (!core().ready().any()) {
      return false;
    }
    core().allocate_switch(host, now);
    complete_grants();
    if ((core().ready() | routing_ | routed).any()) return true;
    return (waiting_ | late_).any() && heads_can_move();
  }

 protected:
  /// The channel at an output.
  struct Pace {
    std::uint64_t busy_until = 0;  ///< The first cycle in which the channel is idle.
    std::uint32_t cycles_per_flit = 1;
    std::uint16_t space = 0;  ///< Slots of each VC behind it.
  };

  /// Counts the flits that were written into rings.
  [[gnu::always_inline]] inline void fill(const Mask& arrivals) {
    occupied_ |= arrivals;
    arrivals.for_each([&](unsigned i) {
      if (inputs[i].count++ == depth) {
        broken_invariant("flit for a full buffer", port_of(i), vc_of(i));
      }
    });
  }

  /// The round-robin pointer `last`, an output VC, as VC of the port whose first output VC is
  /// `first`; for another port a number that no VC exceeds, from which a choice starts at VC 0.
  static unsigned place_from(unsigned first, unsigned last) {
    return std::min((last - first) % Mask::kBits, 63U);
  }

  /// Lets input VC i hold output VC j until the tail of the packet has left.
  void hold(unsigned i, unsigned j) {
    OutputVc& out = outputs[j];
    inputs[i].output = inputs[i].last_output = static_cast<std::uint16_t>(j);
    out.owner = out.last_input = static_cast<std::uint16_t>(i);
    out.slot = static_cast<std::uint16_t>(State::behind(out.slot));
    free_.clear(j);
    const unsigned sender = Core::sender(i, j);
    credited_.set(sender);
    if (!may_send(out)) credited_.clear(sender);
    granted_.set(sender);
  }

  /// Allocates output VCs: separable, input first, one iteration; requests of one packet do not
  /// contend with each other. A core may hide this function.
  [[gnu::always_inline]] inline void allocate_vcs() {
    if (!waiting_.single()) return allocate_contended_vcs();
    const unsigned i = waiting_.lowest();
    core().for_each_request(i, [&](unsigned j) { core().grant_vc(i, j); });
  }

  /// True while the channel of an output takes an earlier flit. Only hosts with kPaced call this
  /// function.
  bool busy(unsigned output, std::uint64_t now) const { return paces_[output].busy_until > now; }
  /// True while the channel of any output takes an earlier flit.
  bool any_busy(std::uint64_t now) const { return all_idle_ > now; }
  /// Marks the channel of an output as busy with a flit from now on.
  void occupy(unsigned output, std::uint64_t now) {
    Pace& pace = paces_[output];
    if (pace.cycles_per_flit == 1) return;
    pace.busy_until = now + pace.cycles_per_flit;
    if (all_idle_ < pace.busy_until) all_idle_ = pace.busy_until;
  }

  Mask occupied_{};  // Input VCs with a flit at the front.
  Mask active_{};    // Senders whose grant of an output VC has passed all stages.
  Mask credited_{};  // Senders with the credits for their next flit.
  Mask waiting_{};   // Input VCs whose head has a route and waits for an output VC.
  /// Input VCs whose head is in its first cycle of route computation. The switch allocator adds
  /// those whose tail departs with another head behind it; that head is in this stage in the next
  /// cycle.
  Mask routing_{};
  Mask free_{};  // Output VCs that no packet holds.
  /// Senders that were granted an output VC in this cycle or are in a later stage of VC allocation.
  Mask granted_{};
  std::uint64_t all_idle_ = 0;  // The first cycle with all channels idle; may have passed.
  Pace* paces_ = nullptr;       // Per output.
  bool whole_packet_credit_ = false;
  std::uint8_t vc_mask_ = 0;  // The bits of a VC index that hold the VC.

 private:
  Core& core() { return static_cast<Core&>(*this); }
  const Core& core() const { return static_cast<const Core&>(*this); }

  // Runs the stages ahead of switch allocation, for heads without an output VC.
  template <class Host>
  [[gnu::always_inline]] inline void advance_heads(Host& host) {
    if (routing_.any()) compute(host);
    if (waiting_.any()) {
      core().allocate_vcs();
      if (pipeline_.vc_allocation == 0) activate_granted();
    }
    if (deep_) {
      advance_stages(route_stages_, detail::extra_stages(pipeline_.route), routing_, waiting_);
    } else {
      waiting_ |= routing_;
    }
    routing_ = Mask{};
  }

  // Completes the VC grants of this cycle; runs after switch allocation.
  [[gnu::always_inline]] inline void complete_grants() {
    if (!deep_) return activate_granted();
    if (granted_.any()) advance_grants();
  }

  // Computes the routes of heads. With look-ahead (route == 0) a head may request a VC in the same
  // cycle.
  template <class Host>
  [[gnu::always_inline]] inline void compute(Host& host) {
    routing_.for_each([&](unsigned i) {
      ++front(i).hops;
      core().compute_route(i, front(i), host);
    });
    if (pipeline_.route == 0) {
      waiting_ |= routing_;
      routing_ = Mask{};
    }
  }

  [[gnu::noinline]] void allocate_contended_vcs() {
    Mask picked{};
    std::array<std::uint16_t, Mask::kBits> winner;  // Read only for members of `picked`.
    waiting_.for_each([&](unsigned i) {
      core().for_each_request(i, [&](unsigned j) {
        const unsigned last = outputs[j].last_input;
        if (picked.test(j) && (winner[j] > last || i <= last)) return;
        picked.set(j);
        winner[j] = static_cast<std::uint16_t>(i);
      });
    });
    picked.for_each([&](unsigned j) { core().grant_vc(winner[j], j); });
  }

  // Handles a credit that may change the set of VCs that send (the first credit of a VC or, under
  // virtual cut-through, any credit), and detects a credit too many.
  [[gnu::noinline]] void look_at_credit(unsigned j, unsigned before) {
    if (before >= least_space_ && before == paces_[port_of(j)].space) {
      --outputs[j].credits;
      broken_invariant("credit for no flit", port_of(j), vc_of(j));
    }
    const OutputVc& out = outputs[j];
    if (out.owner != OutputVc::kNone && may_send(out)) credited_.set(Core::sender(out.owner, j));
  }

  bool may_send(const OutputVc& out) const {
    return whole_packet_credit_ ? may_send_packet(out) : out.credits != 0;
  }

  // Under virtual cut-through a head needs credits for its whole packet. Where a copy of the head
  // has left already, the bit in credited_ is set and stays set.
  [[gnu::noinline]] bool may_send_packet(const OutputVc& out) const {
    const bool head = inputs[out.owner].count != 0 && front(out.owner).head;
    return out.credits > (head ? front(out.owner).remaining : 0);
  }

  void activate_granted() {
    active_ |= granted_;
    granted_ = Mask{};
  }

  [[gnu::noinline]] void advance_grants() {
    const unsigned count = detail::extra_stages(pipeline_.vc_allocation);
    const Mask fresh = granted_.without(union_of(grant_stages_, count));
    advance_stages(grant_stages_, count, fresh, active_);
    granted_ = union_of(grant_stages_, count);
  }

  // Moves the members of each stage to the next one.
  [[gnu::noinline]] void advance_stages(Mask* stages, unsigned count, const Mask& in, Mask& out) {
    out |= count == 0 ? in : stages[0];
    if (count != 0) {
      std::copy(stages + 1, stages + count, stages);
      stages[count - 1] = in;
    }
    late_ = union_of(route_stages_, detail::extra_stages(pipeline_.route) +
                                        detail::extra_stages(pipeline_.vc_allocation));
  }

  static Mask union_of(const Mask* stages, unsigned count) {
    Mask all{};
    for (unsigned stage = 0; stage < count; ++stage) all |= stages[stage];
    return all;
  }

  // Returns whether a head with a route and without an output VC can move in the next cycle.
  [[gnu::noinline]] bool heads_can_move() const {
    bool can = late_.any();
    waiting_.for_each(
        [&](unsigned i) { core().for_each_request(i, [&](unsigned) { can = true; }); });
    return can;
  }

  Mask* route_stages_ = nullptr;  // Input VCs in the second and later cycles of route computation.
  Mask* grant_stages_ = nullptr;  // Senders in the second and later cycles of VC allocation.
  Mask late_{};                   // The union of route_stages_ and grant_stages_.
  Pipeline pipeline_;
  /// Credit counts in 1..plain_credits_ do not change the set of VCs that may send, so they need no
  /// check.
  unsigned plain_credits_ = 0;
  bool deep_ = false;  // True if route computation or VC allocation takes more than one cycle.
  std::uint16_t least_space_ = 0;  // The least of the slots behind an output.
};

}  // namespace flitcast
