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
#include "router/output_channel.h"
#include "router/router_params.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// Input-buffered virtual-channel router with credits, as a pure cycle state machine: it is told
/// what arrives in a cycle and says what leaves.
///
///   accept(VCs), credit(VCs) --> tick() --> depart(...), return_credit(...)
///
/// Per cycle: heads that reach the front of their buffer compute a route; waiting heads ask for an
/// output VC; VCs that hold one and have a credit compete for the switch. Both allocators are
/// separable, input first, with round-robin arbiters whose pointers move only on a grant (iSLIP;
/// McKeown, IEEE/ACM ToN 1999; Dally and Towles, Principles and Practices of Interconnection
/// Networks, 2004, chapters 16 and 18):
///  - VC allocation: a waiting input VC picks one free output VC among those that its route allows,
///    then each output VC picks one of the input VCs that picked it.
///  - Switch allocation: an input port picks one of the outputs its ready VCs want, among the VCs
///    that want it one by round robin; then each output picks one input.
/// An output VC is free again as soon as the tail has won the switch; the next packet in the same
/// input VC starts route computation one cycle after that. Credits are checked by switch
/// allocation only: one for a flit, or under virtual cut-through as many for a head as its packet
/// has flits (RouterParams::whole_packet_credit).
///
/// Latency of a head flit through an idle router: route + vc_allocation cycles from accept() to the
/// grant of the switch, in which cycle depart() and return_credit() are called; the caller adds
/// switch_allocation + traversal + link cycles until it calls accept() on the next router.
/// Throughput: one flit per cycle and port, L / (L + 2) of it for one VC with L-flit packets.
///
/// A tick in which nothing can move changes nothing, so a router may be skipped while tick() has
/// returned false and nothing has arrived since.
///
/// `Surroundings` provides, all inline:
///   Route route(unsigned input_port, unsigned vc, const Flit& head);
///   void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit);
///   void return_credit(unsigned input_port, unsigned vc);
template <int kWords>
class WormholeCore : public RouterState {
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
  WormholeCore(const RouterParams& params, unsigned input_ports, unsigned output_ports,
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
    routing_ |= arrivals.without(active_ | occupied_);
    occupied_ |= arrivals;
    arrivals.for_each([&](unsigned i) {
      if (inputs[i].count++ == depth)
        broken_invariant("flit for a full buffer", port_of(i), vc_of(i));
    });
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
      if (out.owner != OutputVc::kNone && may_send(out)) credited_.set(out.owner);
    });
  }

  /// One clock cycle, after the arrivals of this cycle. Returns whether the next cycle has work
  /// even if nothing arrives.
  template <class Surroundings>
  [[gnu::always_inline]] inline bool tick(Surroundings& around, std::uint64_t now);

 private:
  template <class Surroundings>
  [[gnu::noinline]] void compute_routes(Surroundings& around);
  void allocate_vcs();
  [[gnu::noinline]] void allocate_contended_vcs();
  unsigned pick_vc(const InputVc& in, std::uint64_t choices) const;
  void grant_vc(unsigned i, unsigned j);
  std::uint64_t free_choices(const InputVc& in) const;
  bool may_send(const OutputVc& out) const;
  [[gnu::noinline]] bool may_send_packet(const OutputVc& out) const;
  template <class Surroundings>
  [[gnu::always_inline]] inline void allocate_switch(Surroundings& around, std::uint64_t now);
  [[gnu::noinline]] unsigned choose_vc(unsigned port, std::uint64_t vcs);
  template <class Surroundings>
  [[gnu::always_inline]] inline void transfer(unsigned i, Surroundings& around, std::uint64_t now);
  void release(unsigned i, unsigned j);
  [[gnu::noinline]] void drop_paced(Mask& requests, std::uint64_t now) const;
  void activate_granted() {
    active_ |= granted_;
    granted_ = Mask{};
  }
  [[gnu::noinline]] void advance_deep_stages();
  bool deep_work() const;
  [[gnu::always_inline]] inline bool has_work() const;

  unsigned next_slot(unsigned slot) const { return slot + 1 == depth ? 0 : slot + 1; }

  Mask occupied_{};  // Input VCs with a flit at the front,
  Mask active_{};    // with an output VC,
  Mask credited_{};  // whose output VC has a credit,
  Mask waiting_{};   // whose head has a route and wants an output VC,
  Mask routing_{};   // whose head is in its first cycle of route computation.
  Mask free_{};      // Output VCs that no packet holds.
  Mask exposed_{};   // Heads that a departing tail brings to the front: routing_ of the next cycle.
  Mask granted_{};   // Input VCs that were granted an output VC in this cycle.
  Mask* route_stages_ = nullptr;  // Second and later cycles of route computation,
  Mask* grant_stages_ = nullptr;  // and of VC allocation.
  std::uint64_t* busy_until_ = nullptr;
  std::uint32_t* period_ = nullptr;
  Pipeline pipeline_;
  bool whole_packet_credit_ = false;
  bool deep_ = false;  // Some stage takes more than one cycle.
  bool paced_ = false;
};

template <int kWords>
std::size_t WormholeCore<kWords>::storage_bytes(const RouterParams& params, unsigned input_ports,
                                                unsigned output_ports) {
  const std::size_t stride = std::size_t{1} << detail::log2_ceil(params.virtual_channels);
  const unsigned stages = detail::extra_stages(params.pipeline.route) +
                          detail::extra_stages(params.pipeline.vc_allocation);
  detail::Carver carver(nullptr);
  carver.take<InputVc>(input_ports * stride);
  carver.take<OutputVc>(output_ports * stride);
  carver.take<SwitchPointers>(std::max(input_ports, output_ports));
  carver.take<std::uint64_t>(output_ports);
  carver.take<std::uint32_t>(output_ports);
  carver.take<Mask>(stages);
  carver.take<Flit>(input_ports * stride * params.buffer_depth);
  return carver.used();
}

template <int kWords>
WormholeCore<kWords>::WormholeCore(const RouterParams& params, unsigned inputs_wanted,
                                   unsigned outputs_wanted, std::byte* storage)
    : pipeline_(params.pipeline), whole_packet_credit_(params.whole_packet_credit) {
  depth = static_cast<std::uint16_t>(params.buffer_depth);
  stride_log2 = static_cast<std::uint8_t>(detail::log2_ceil(params.virtual_channels));
  virtual_channels = static_cast<std::uint8_t>(params.virtual_channels);
  input_ports = static_cast<std::uint16_t>(inputs_wanted);
  output_ports = static_cast<std::uint16_t>(outputs_wanted);
  const std::size_t stride = std::size_t{1} << stride_log2;
  detail::Carver carver(storage);
  inputs = carver.take<InputVc>(inputs_wanted * stride);
  outputs = carver.take<OutputVc>(outputs_wanted * stride);
  pointers = carver.take<SwitchPointers>(std::max(inputs_wanted, outputs_wanted));
  busy_until_ = carver.take<std::uint64_t>(outputs_wanted);
  period_ = carver.take<std::uint32_t>(outputs_wanted);
  const unsigned route_extra = detail::extra_stages(pipeline_.route);
  route_stages_ = carver.take<Mask>(route_extra + detail::extra_stages(pipeline_.vc_allocation));
  grant_stages_ = route_stages_ + route_extra;
  deep_ = pipeline_.route > 1 || pipeline_.vc_allocation > 1;
  slots = carver.take<Flit>(inputs_wanted * stride * depth);

  // Every pointer starts as if the last member had been served, so the first choice is the lowest.
  std::fill_n(period_, outputs_wanted, 1U);
  for (unsigned i = 0; i < inputs_wanted * stride; ++i) {
    inputs[i].last_output = static_cast<std::uint16_t>(Mask::kBits - 1);
    inputs[i].port = static_cast<std::uint8_t>(port_of(i));
    inputs[i].vc = static_cast<std::uint8_t>(vc_of(i));
  }
  for (unsigned j = 0; j < outputs_wanted * stride; ++j) {
    outputs[j].last_input = static_cast<std::uint16_t>(Mask::kBits - 1);
  }
  for (unsigned p = 0; p < std::max(inputs_wanted, outputs_wanted); ++p) {
    pointers[p] = {31, kMaxPorts - 1, kMaxPorts - 1};
  }
}

template <int kWords>
template <class Surroundings>
bool WormholeCore<kWords>::tick(Surroundings& around, std::uint64_t now) {
  if (routing_.any()) compute_routes(around);
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

// With look-ahead (route == 0) the head may ask for a VC in this very cycle.
template <int kWords>
template <class Surroundings>
void WormholeCore<kWords>::compute_routes(Surroundings& around) {
  routing_.for_each([&](unsigned i) {
    InputVc& in = inputs[i];
    Flit& head = slots[i * depth + in.head];
    ++head.hops;
    const Route route = around.route(in.port, in.vc, head);
    in.route_port = static_cast<std::uint16_t>(index(route.output));
    in.route_vcs = route.vcs;
  });
  if (pipeline_.route == 0) {
    waiting_ |= routing_;
    routing_ = Mask{};
  }
}

// All of the core's own state first: what the surroundings write may alias anything.
template <int kWords>
template <class Surroundings>
void WormholeCore<kWords>::transfer(unsigned i, Surroundings& around, std::uint64_t now) {
  InputVc& in = inputs[i];
  const unsigned j = in.output;
  OutputVc& out = outputs[j];
  const Flit& flit = slots[i * depth + in.head];  // Stays in place until its credit is used.
  const unsigned slot = out.slot;
  in.head = static_cast<std::uint16_t>(next_slot(in.head));
  if (--in.count == 0) occupied_.clear(i);
  out.slot = static_cast<std::uint16_t>(next_slot(slot));
  if (--out.credits == 0) credited_.clear(i);

  const unsigned input_port = in.port;
  const unsigned input_vc = in.vc;
  const unsigned output_port = in.route_port;
  const unsigned output_vc = vc_of(j);
  pointers[input_port].last_vc = static_cast<std::uint8_t>(input_vc);
  pointers[input_port].last_output = static_cast<std::uint8_t>(output_port);
  pointers[output_port].last_input = static_cast<std::uint8_t>(input_port);
  if (paced_) busy_until_[output_port] = now + period_[output_port];
  if (flit.tail()) release(i, j);
  around.depart(output_port, output_vc, slot, flit);
  around.return_credit(input_port, input_vc);
}

template <int kWords>
void WormholeCore<kWords>::release(unsigned i, unsigned j) {
  inputs[i].output = InputVc::kNone;
  inputs[i].route_vcs = 0;
  outputs[j].owner = OutputVc::kNone;
  active_.clear(i);
  free_.set(j);
  if (occupied_.test(i)) exposed_.set(i);
}

// Takes out the VCs whose output channel is still busy with an earlier flit.
template <int kWords>
void WormholeCore<kWords>::drop_paced(Mask& requests, std::uint64_t now) const {
  requests.for_each([&](unsigned i) {
    if (busy_until_[inputs[i].route_port] > now) requests.clear(i);
  });
}

// Each stage beyond the first hands its heads to the next.
template <int kWords>
void WormholeCore<kWords>::advance_deep_stages() {
  const auto shift = [](Mask* stages, unsigned count, const Mask& in, Mask& out) {
    out |= count == 0 ? in : stages[0];
    if (count == 0) return;
    std::copy(stages + 1, stages + count, stages);
    stages[count - 1] = in;
  };
  shift(route_stages_, detail::extra_stages(pipeline_.route), routing_, waiting_);
  shift(grant_stages_, detail::extra_stages(pipeline_.vc_allocation), granted_, active_);
  granted_ = Mask{};
}

template <int kWords>
bool WormholeCore<kWords>::has_work() const {
  if ((occupied_ & active_ & credited_).any() || routing_.any()) return true;
  if (deep_ && deep_work()) return true;
  if (!waiting_.any()) return false;
  bool can_ask = false;
  waiting_.for_each([&](unsigned i) { can_ask = can_ask || free_choices(inputs[i]) != 0; });
  return can_ask;
}

template <int kWords>
bool WormholeCore<kWords>::deep_work() const {
  const unsigned stages =
      detail::extra_stages(pipeline_.route) + detail::extra_stages(pipeline_.vc_allocation);
  return std::any_of(route_stages_, route_stages_ + stages,
                     [](const Mask& stage) { return stage.any(); });
}

}  // namespace flitcast

#include "router/wormhole_allocation.h"
