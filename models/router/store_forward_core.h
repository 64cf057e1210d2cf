// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "base/ids.h"
#include "router/bit_mask.h"
#include "router/bump_allocator.h"
#include "router/invariant.h"
#include "router/router_params.h"
#include "router/store_forward_state.h"
#include "routing/routing.h"

namespace flitcast {

/// Store-and-forward router with one queue per output, as a pure cycle state machine: its inputs
/// are the arrivals of a cycle, its outputs the departures. Packets may leave by several outputs.
///
///   credit(VCs), accept(VCs) --> tick() --> depart(...) per flit, return_credit(...) per packet
///
/// Memory. Every input VC has `buffer_depth` slots for whole packets (the auxiliary buffer of the
/// literature). A packet occupies its slot from the arrival of its head to the departure of the
/// last flit of its last copy; then one credit is returned. The memory feeds all outputs at once
/// (all-port nodes), so no copy waits for another. The credit wires carry one credit per port and
/// cycle: if several packets finish in one cycle, the others keep their slots until their turn.
///
/// Queues. A copy of the packet joins the queue of each output that routing names:
///  - route + vc_allocation cycles after the arrival of the head, if the packet comes from a node
///    (which stores it) or the copy goes to one (which has the memory for it);
///  - otherwise when the packet is stored: flit_time + route + vc_allocation cycles after the
///    arrival of its tail.
/// The queue is ordered by (rank, cycle of joining, packet id), the smallest first. An idle output
/// starts with the first packet for which an allowed VC has a credit, and picks among these VCs by
/// round robin. Packets behind a packet without credit overtake it, so an output never idles while
/// a packet could leave.
///
/// Channels. A packet leaves at one flit per cycles_per_flit (tm) cycles, no flit before it has
/// arrived. A channel to a node takes the next packet at once. A channel to another router waits
/// until the packet is stored there and could move on (stop and wait): td cycles longer, where
/// td = route + vc_allocation + switch_allocation + traversal + latency of the channel. So a packet
/// of m flits occupies the channel for one step of td + m * tm cycles, the step of the
/// store-and-forward model; in the next step it may use its next channel. Source of the model and
/// of the measures Q and H (StoreForwardState): CS838 lecture notes (1999), section 9, "Permutation
/// routing in mesh-based networks", which leave open whether beta counts the packet that is
/// leaving.
///
/// depart() is called in the cycle of the grant; the caller adds switch_allocation + traversal +
/// latency cycles until it calls accept() on the next router.
///
/// A tick in which nothing can happen changes nothing, so a router may be skipped after tick() has
/// returned false, until something arrives.
///
/// `Host` provides, all inline:
///   const Flit& landed(unsigned input_port);  the flit that has arrived there in this cycle
///   void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& branches);
///     adds at least one branch, each with a different output (exactly one unless
///     RouterParams::multicast); `branches` is empty before
///   std::uint32_t rank(unsigned output_port, const Flit& head, std::uint64_t joins);
///   std::uint64_t packet_id(const Flit& head);  called for packets of equal rank and cycle only
///   void depart(unsigned output_port, unsigned vc, const Flit& flit);
///   void return_credit(const InputVc& in);
template <int kWords>
class StoreForwardCore : public StoreForwardState {
 public:
  using Mask = BitMask<kWords>;
  /// Ports that fit in the masks of ports. Routers with more ports are not built in practice.
  static constexpr unsigned kMaxPorts = kWords == 1 ? 64 : 128;
  using PortMask = BitMask<static_cast<int>(kMaxPorts / 64)>;

  static constexpr BufferUnit kUnit = BufferUnit::kPacket;

  /// Bytes of storage, aligned to 16, that a core of this shape needs.
  static std::size_t storage_bytes(const RouterParams& params, unsigned inputs_wanted,
                                   unsigned outputs_wanted) {
    detail::BumpAllocator measure(nullptr);
    StoreForwardCore(params, inputs_wanted, outputs_wanted, measure);
    return measure.used();
  }

  /// The arena keeps the storage of the core. Ports are connected before the first cycle, in any
  /// order.
  StoreForwardCore(const RouterParams& params, unsigned inputs_wanted, unsigned outputs_wanted,
                   detail::BumpAllocator& arena);

  /// Connects an output to a channel and fills its credits.
  void connect_output(unsigned output_port, const OutputChannel& channel = {});
  /// Notes that a node injects by this input.
  void connect_node_input(unsigned input_port) { from_node_.set(input_port); }
  /// The first cycle in which the channel of an output has finished its last flit.
  std::uint64_t busy_until(unsigned output_port) const {
    const StoreForwardOutput& out = channels[output_port];
    return out.leaving != nullptr ? out.free_at
                                  : out.free_at - std::min<std::uint64_t>(out.pause, out.free_at);
  }
  /// Does nothing: accept() reads flits from the host.
  void land(unsigned, const Flit&) {}

  /// Returns one credit to each of these output VCs, of which there is at most one per port.
  [[gnu::always_inline]] inline void credit(const Mask& credits);

  /// Takes the flits that have arrived for these input VCs, at most one per port; tick() follows in
  /// the same cycle.
  template <class Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host& host);

  /// One clock cycle, after the arrivals of this cycle. Returns whether the next cycle has work
  /// even if nothing arrives; always true while a timer runs.
  template <class Host>
  [[gnu::always_inline]] inline bool tick(Host& host, std::uint64_t now);

 private:
  unsigned pause_behind(const OutputChannel& channel) const;
  template <class Host>
  void store(unsigned i, const Flit& head, Host& host);
  template <class Host>
  void make_copies(StoredPacket& packet, Host& host);
  void append(unsigned i, const Flit& flit);
  PacketCopy* copies_of(const StoredPacket& packet) const;
  bool joins_early(const PacketCopy& copy) const;

  void start_timers(std::uint64_t now);
  void start_timers(StoredPacket& packet, bool early, std::uint64_t joins);
  template <class Host>
  void join_due(CopyList& timers, Host& host, std::uint64_t now);
  template <class Host>
  void join(PacketCopy& copy, Host& host);

  template <class Host>
  std::uint64_t serve(unsigned output_port, Host& host, std::uint64_t now);
  bool start_packet(unsigned output_port);
  template <class Host>
  void send_flit(unsigned output_port, Host& host, std::uint64_t now);
  void finish(unsigned output_port);
  void release_slot(StoredPacket& packet);
  template <class Host>
  void return_credits(Host& host, std::uint64_t now);

  static constexpr std::uint64_t kNothing = index(kNever);

  std::uint64_t next_ = kNothing;  // The next cycle with work if nothing arrives.
  Mask ends_{};                    // Input VCs at which a head or a tail has arrived in this cycle.
  Mask credited_{};                // Output VCs with a credit.
  Mask owed_{};                    // Input VCs with credits that are still to be returned.
  PortMask active_{};              // Outputs with a packet that leaves or waits.
  PortMask from_node_{};           // Input ports by which nodes inject.
  CopyList early_;  // Copies that join a fixed time after their head arrived, in that order.
  CopyList late_;   // Copies that join a fixed time after their tail arrived, in that order.
  StoredPacket** arriving_ = nullptr;    // Per input VC: the packet whose tail is still to arrive.
  StoredPacket* free_ = nullptr;         // The first free slot.
  PacketCopy* copies_ = nullptr;         // copies_per_slot_ for each slot.
  Branches* branches_ = nullptr;         // Answer of the routing for the head that has arrived.
  std::uint16_t* owed_count_ = nullptr;  // Per input VC: credits that are still to be returned.
  std::size_t copies_per_slot_;          // The largest number of outputs of a packet.
  std::uint32_t flit_time_;
  Pipeline pipeline_;
};

template <int kWords>
StoreForwardCore<kWords>::StoreForwardCore(const RouterParams& params, unsigned inputs_wanted,
                                           unsigned outputs_wanted, detail::BumpAllocator& arena)
    : copies_per_slot_(params.multicast ? outputs_wanted : 1),
      flit_time_(params.flit_time),
      pipeline_(params.pipeline) {
  const std::size_t stride = set_shape(params, inputs_wanted, outputs_wanted);
  slot_count = inputs_wanted * params.virtual_channels * params.buffer_depth;
  channels = arena.take<StoreForwardOutput>(outputs_wanted);
  inputs = arena.take<InputVc>(inputs_wanted * stride);
  outputs = arena.take<OutputVc>(outputs_wanted * stride);
  pointers = arena.take<SwitchPointers>(inputs_wanted);
  arriving_ = arena.take<StoredPacket*>(inputs_wanted * stride);
  owed_count_ = arena.take<std::uint16_t>(inputs_wanted * stride);
  slots = arena.take<StoredPacket>(slot_count);
  copies_ = arena.take<PacketCopy>(slot_count * copies_per_slot_);
  branches_ = arena.take<Branches>(1);
  if (inputs == nullptr) return;  // The arena only measures.
  for (std::size_t s = slot_count; s-- > 0;) {
    slots[s].next_free = free_;
    free_ = &slots[s];
  }
  number_inputs();
  for (unsigned port = 0; port < input_ports; ++port) {
    pointers[port].last_vc = kMaxVirtualChannels - 1;
  }
}

// td, so that the step ends when the packet can leave the next router. Nodes do not forward
// packets.
template <int kWords>
unsigned StoreForwardCore<kWords>::pause_behind(const OutputChannel& channel) const {
  const unsigned router = pipeline_.route + pipeline_.vc_allocation + pipeline_.departure();
  return channel.to_node ? 0 : router + channel.latency;
}

template <int kWords>
void StoreForwardCore<kWords>::connect_output(unsigned output_port, const OutputChannel& channel) {
  for (unsigned vc = 0; vc < virtual_channels; ++vc) {
    outputs[vc_index(output_port, vc)].credits = depth;
    credited_.set(vc_index(output_port, vc));
  }
  StoreForwardOutput& out = channels[output_port];
  out.cycles_per_flit = channel.cycles_per_flit;
  out.pause = pause_behind(channel);
  out.to_node = channel.to_node;
}

template <int kWords>
void StoreForwardCore<kWords>::credit(const Mask& credits) {
  credits.for_each([&](unsigned j) {
    if (outputs[j].credits++ == depth) {
      broken_invariant("credit for no packet", port_of(j), vc_of(j));
    }
    credited_.set(j);
    next_ = 0;
  });
}

template <int kWords>
template <class Host>
bool StoreForwardCore<kWords>::tick(Host& host, std::uint64_t now) {
  if (now < next_) return next_ != kNothing;
  next_ = kNothing;
  if (ends_.any()) start_timers(now);
  if (!early_.empty()) join_due(early_, host, now);
  if (!late_.empty()) join_due(late_, host, now);
  active_.for_each([&](unsigned output) { next_ = std::min(next_, serve(output, host, now)); });
  if (owed_.any()) return_credits(host, now);
  return next_ != kNothing;
}

}  // namespace flitcast

#include "router/store_forward_arrival.h"
#include "router/store_forward_departure.h"
