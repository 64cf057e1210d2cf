// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/flit.h"
#include "base/ids.h"
#include "router/bit_mask.h"
#include "router/invariant.h"
#include "router/router_params.h"
#include "router/store_forward_state.h"
#include "routing/routing.h"

namespace flitcast {

/// Store-and-forward router with one queue per output, as a pure cycle state machine: it is told
/// what arrives in a cycle and says what leaves. Packets may leave by several outputs.
///
///   credit(VCs), accept(VCs) --> tick() --> depart(...) per flit, return_credit(...) per packet
///
/// Memory. Every input VC has `buffer_depth` places for whole packets (the auxiliary buffer of the
/// literature). A packet has its place from the arrival of its head to the departure of the last
/// flit of its last copy; then one credit goes back. The memory feeds all outputs at once (all-port
/// nodes), so no copy waits for another. The credit wires carry one credit per port and cycle: of
/// packets that finish in one cycle the others keep their places until it is their turn.
///
/// Queues. A copy of the packet joins the queue of each output that routing names:
///  - route + vc_allocation cycles after the arrival of the head, if the packet comes from a node
///    (whose memory is its store) or the copy goes to one (whose memory is its place);
///  - otherwise when the packet is stored: flit_time + route + vc_allocation cycles after the
///    arrival of its tail.
/// The queue is ordered by (rank, cycle of joining, packet id), the smallest first. An idle output
/// starts with the first packet for which some VC that it may take has a credit, and takes the next
/// of these VCs by round robin; a packet without credit is passed by those behind it, so an output
/// never idles while a packet could leave.
///
/// Channels. A packet leaves one flit per cycles_per_flit (tm) cycles, no flit before it has
/// arrived. A channel to a node takes the next packet at once; one to another router waits until
/// the packet is stored there and could move on (stop and wait): td cycles longer, where
/// td = route + vc_allocation + switch_allocation + traversal + latency of the channel. So a packet
/// of m flits takes the channel for one step of td + m * tm cycles, which is the step of the
/// store-and-forward model: in the next step it may take its next channel. Source of the model and
/// of the two measures below: CS838 lecture notes (1999), section 9, "Permutation routing in
/// mesh-based networks", whose beta leaves open whether it counts the packet that is leaving.
///
/// depart() is called in the cycle of the grant; the caller adds switch_allocation + traversal +
/// latency cycles until it calls accept() on the next router.
///
/// A tick in which nothing can happen changes nothing, so a router may be skipped while tick() has
/// returned false and nothing has arrived since.
///
/// `Host` provides, all inline:
///   const Flit& landed(unsigned input_port);  the flit that has arrived there in this cycle
///   void branches(unsigned input_port, unsigned vc, const Flit& head, Branches& branches);
///     adds at least one branch, each with another output (just one unless
///     RouterParams::multicast); `branches` is empty before
///   std::uint32_t rank(unsigned output_port, const Flit& head, std::uint64_t joins);
///   std::uint64_t packet_id(const Flit& head);  asked of packets of equal rank and cycle only
///   void depart(unsigned output_port, unsigned vc, const Flit& flit);
///   void return_credit(const InputVc& in);
template <int kWords>
class StoreForwardCore : public StoreForwardState {
 public:
  using Mask = BitMask<kWords>;
  /// Ports that fit in the masks of ports; more make no router that anyone builds.
  static constexpr unsigned kMaxPorts = kWords == 1 ? 64 : 128;
  using PortMask = BitMask<static_cast<int>(kMaxPorts / 64)>;

  static constexpr BufferUnit kUnit = BufferUnit::kPacket;

  /// Bytes of storage, aligned to 16, that a core of this shape works in.
  static std::size_t storage_bytes(const RouterParams& params, unsigned input_ports,
                                   unsigned output_ports) {
    return StoreForwardMemory(nullptr, params, input_ports, output_ports).bytes;
  }

  /// The core neither owns nor frees `storage`. Ports are connected before the first cycle, in any
  /// order.
  StoreForwardCore(const RouterParams& params, unsigned input_ports, unsigned output_ports,
                   std::byte* storage);

  /// An output that leads somewhere: fills its credits.
  void connect_output(unsigned output_port, const OutputChannel& channel = {});
  /// An input by which a node injects.
  void connect_node_input(unsigned input_port) { from_node_.set(input_port); }
  /// The first cycle in which the channel of an output is through with its last flit.
  std::uint64_t busy_until(unsigned output_port) const {
    const StoreForwardOutput& out = channels[output_port];
    return out.leaving != nullptr ? out.free_at
                                  : out.free_at - std::min<std::uint64_t>(out.pause, out.free_at);
  }
  /// Flits are taken from where the host keep them.
  void land(unsigned, const Flit&) {}

  /// Room for packets downstream of these output VCs is free again.
  [[gnu::always_inline]] inline void credit(const Mask& credits);

  /// Flits have arrived for these input VCs, at most one per port; tick() follows in the same
  /// cycle.
  template <class Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host& host);

  /// One clock cycle, after the arrivals of this cycle. Returns whether the next cycle has work
  /// even if nothing arrives; while a timer runs it says so without having looked.
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

  std::uint64_t next_ = kNothing;  // The next cycle in which something happens by itself.
  Mask ends_{};                    // Input VCs at which a head or a tail has arrived in this cycle.
  Mask credited_{};                // Output VCs with a credit.
  Mask owed_{};                    // Input VCs with credits that have yet to go.
  PortMask active_{};              // Outputs with a packet that leaves or waits.
  PortMask from_node_{};           // Input ports.
  CopyList early_;                 // Copies that join a fixed time after the head came,
  CopyList late_;                  // and after the tail; both in the order of joining.
  StoredPacket** arriving_ = nullptr;
  StoredPacket* free_ = nullptr;
  PacketCopy* copies_ = nullptr;
  Branches* branches_ = nullptr;
  std::uint16_t* owed_count_ = nullptr;
  std::size_t copies_of_slot_ = 1;
  std::uint32_t flit_time_ = 1;
  Pipeline pipeline_;
};

template <int kWords>
StoreForwardCore<kWords>::StoreForwardCore(const RouterParams& params, unsigned inputs_wanted,
                                           unsigned outputs_wanted, std::byte* storage)
    : flit_time_(params.flit_time), pipeline_(params.pipeline) {
  const StoreForwardMemory memory(storage, params, inputs_wanted, outputs_wanted);
  set_shape(params, inputs_wanted, outputs_wanted);
  inputs = memory.inputs;
  outputs = memory.outputs;
  pointers = memory.pointers;
  channels = memory.channels;
  arriving_ = memory.arriving;
  owed_count_ = memory.owed;
  places = memory.places;
  slots_count = static_cast<std::uint32_t>(memory.slots_count);
  copies_ = memory.copies;
  copies_of_slot_ = memory.copies_of_slot;
  branches_ = memory.branches;

  for (std::size_t p = memory.slots_count; p-- > 0;) {
    places[p].next_free = free_;
    free_ = &places[p];
  }
  number_inputs();
  for (unsigned port = 0; port < input_ports; ++port) {
    pointers[port].last_vc = kMaxVirtualChannels - 1;
  }
}

// td, so that the step ends when the packet can leave the next router; nodes do not pass it on.
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
