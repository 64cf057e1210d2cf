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
/// cycle: if several packets finish in one cycle, all but one keep their slots until their credits
/// can be sent.
///
/// Queues. A copy of the packet joins the queue of each output that routing names:
///  - route + vc_allocation cycles after the arrival of the head, if the packet comes from a node
///    (which stores the packet) or the copy goes to a node (which has the memory for the packet);
///  - otherwise when the packet is stored: flit_time + route + vc_allocation cycles after the
///    arrival of its tail.
/// The queue is ordered by (rank, cycle of joining, packet id), the smallest first. An idle output
/// starts with the first packet for which an allowed VC has a credit, and picks among these VCs by
/// round robin. Packets behind a packet without credit overtake it, so an output never idles while
/// a packet could leave.
///
/// Channels. A packet leaves at one flit per cycles_per_flit (tm) cycles, and no flit leaves before
/// it has arrived. A channel to a node takes the next packet at once. A channel to another router
/// waits until the packet is stored there and could move on (stop and wait): td cycles longer,
/// where td = route + vc_allocation + switch_allocation + traversal + latency of the channel. So a
/// packet of m flits occupies the channel for one step of td + m * tm cycles, the step of the
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
  /// The largest number of ports that fit in a PortMask. Routers with more ports are not built in
  /// practice.
  static constexpr unsigned kMaxPorts = kWords == 1 ? 64 : 128;
  using PortMask = BitMask<static_cast<int>(kMaxPorts / 64)>;

  static constexpr BufferUnit kUnit = BufferUnit::kPacket;

  /// The arena keeps the storage of the core. Ports are connected before the first cycle, in any
  /// order.
  StoreForwardCore(const CoreShape& shape, detail::BumpAllocator& arena)
      : copies_per_slot_(shape.params.multicast ? shape.outputs : 1),
        flit_time_(shape.params.flit_time),
        pipeline_(shape.params.pipeline) {
    const std::size_t stride = place(shape, arena);
    slot_count = shape.inputs * shape.params.virtual_channels * depth;
    channels = arena.take<StoreForwardOutput>(shape.outputs);
    pointers = arena.take<SwitchPointers>(shape.inputs);
    arriving_ = arena.take<StoredPacket*>(shape.inputs * stride);
    owed_count_ = arena.take<std::uint16_t>(shape.inputs * stride);
    slots = arena.take<StoredPacket>(slot_count);
    copies_ = arena.take<PacketCopy>(slot_count * copies_per_slot_);
    branches_ = arena.take<Branches>(1);
    if (inputs == nullptr) return;  // The arena only measures.
    for (std::size_t s = slot_count; s-- > 0;) {
      slots[s].next_free = free_;
      free_ = &slots[s];
    }
    for (unsigned port = 0; port < input_ports; ++port) {
      pointers[port].last_vc = kMaxVirtualChannels - 1;
    }
  }

  /// Connects an output to a channel and fills its credits.
  void connect_output(unsigned output_port, const OutputChannel& channel = {}) {
    StoreForwardOutput& out = channels[output_port];
    out.space = fill_credits(output_port, channel);
    for (unsigned vc = 0; vc < virtual_channels; ++vc) credited_.set(vc_index(output_port, vc));
    out.cycles_per_flit = channel.cycles_per_flit;
    out.pause = pause_behind(channel);
    out.to_node = channel.to_node;
  }

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
  [[gnu::always_inline]] inline void credit(const Mask& credits) {
    credits.for_each([&](unsigned j) {
      if (outputs[j].credits++ == channels[port_of(j)].space) {
        broken_invariant("credit for no packet", port_of(j), vc_of(j));
      }
      credited_.set(j);
      next_ = 0;
    });
  }

  /// Takes the flits that have arrived for these input VCs, at most one per port; tick() follows in
  /// the same cycle.
  template <class Host>
  [[gnu::always_inline]] inline void accept(const Mask& arrivals, Host& host) {
    if (!arrivals.any()) return;
    arrivals.for_each([&](unsigned i) {
      const Flit& flit = host.landed(port_of(i));
      ++stored_flits;
      if (flit.head) {
        store(i, flit, host);
      } else {
        append(i, flit);
      }
    });
    next_ = 0;
  }

  /// One clock cycle, after the arrivals of this cycle. Returns whether the next cycle has work
  /// even if nothing arrives; always true while a timer runs.
  template <class Host>
  [[gnu::always_inline]] inline bool tick(Host& host, std::uint64_t now) {
    if (now < next_) return next_ != kNothing;
    next_ = kNothing;
    if (ends_.any()) start_timers(now);
    if (!early_.empty()) join_due(early_, host, now);
    if (!late_.empty()) join_due(late_, host, now);
    active_.for_each([&](unsigned output) { next_ = std::min(next_, serve(output, host, now)); });
    if (owed_.any()) return_credits(host, now);
    return next_ != kNothing;
  }

 private:
  // Returns td, so that the step ends when the packet can leave the next router; 0 for channels to
  // nodes, which do not forward packets.
  unsigned pause_behind(const OutputChannel& channel) const {
    const unsigned router = pipeline_.route + pipeline_.vc_allocation + pipeline_.departure();
    return channel.to_node ? 0 : router + channel.latency;
  }

  template <class Host>
  void store(unsigned i, const Flit& head, Host& host) {
    if (arriving_[i] != nullptr) broken_invariant("head inside a packet", port_of(i), vc_of(i));
    if (inputs[i].count++ == depth) broken_invariant("packet without a slot", port_of(i), vc_of(i));
    StoredPacket& packet = *free_;
    free_ = packet.next_free;
    arriving_[i] = &packet;
    packet.head = head;
    ++packet.head.hops;
    packet.missing = head.remaining;
    packet.input = static_cast<std::uint16_t>(i);
    ends_.set(i);
    make_copies(packet, host);
  }

  // Computes the route, which takes effect when the copies join their queues.
  template <class Host>
  void make_copies(StoredPacket& packet, Host& host) {
    const unsigned port = port_of(packet.input);
    const unsigned vc = vc_of(packet.input);
    branches_->clear();
    host.branches(port, vc, packet.head, *branches_);
    const std::size_t count = branches_->size();
    if (count == 0 || count > copies_per_slot_) {
      broken_invariant("packet without a branch, or with too many", port, vc);
    }
    packet.copies = packet.copies_left = static_cast<std::uint16_t>(count);
    PacketCopy* copy = copies_of(packet);
    for (const Branch& branch : *branches_) {
      if (index(branch.output) >= output_ports || branch.vcs == 0) {
        broken_invariant("branch to no port or to no VC", port, vc);
      }
      copy->packet = &packet;
      copy->vcs = branch.vcs;
      copy->output = index(branch.output);
      copy->route_field = branch.route_field;
      ++copy;
    }
  }

  void append(unsigned i, const Flit& flit) {
    StoredPacket* const packet = arriving_[i];
    if (packet == nullptr || flit.packet != packet->head.packet ||
        flit.remaining + 1 != packet->missing) {
      broken_invariant("flit out of order", port_of(i), vc_of(i));
    }
    if (--packet->missing == 0) ends_.set(i);
  }

  PacketCopy* copies_of(const StoredPacket& packet) const {
    return copies_ + static_cast<std::size_t>(&packet - slots) * copies_per_slot_;
  }

  bool joins_early(const PacketCopy& copy) const {
    return channels[copy.output].to_node || from_node_.test(port_of(copy.packet->input));
  }

  // The lists early_ and late_ stay in the order of joining, because each of the two delays is the
  // same for all copies.
  void start_timers(std::uint64_t now) {
    const std::uint64_t visible = now + pipeline_.route + pipeline_.vc_allocation;
    ends_.for_each([&](unsigned i) {
      StoredPacket& packet = *arriving_[i];
      if (packet.missing == packet.head.remaining) start_timers(packet, true, visible);
      if (packet.missing != 0) return;
      start_timers(packet, false, visible + flit_time_);
      arriving_[i] = nullptr;
    });
    ends_ = Mask{};
  }

  void start_timers(StoredPacket& packet, bool early, std::uint64_t joins) {
    PacketCopy* copy = copies_of(packet);
    for (unsigned c = 0; c < packet.copies; ++c, ++copy) {
      if (joins_early(*copy) != early) continue;
      copy->joins = joins;
      (early ? early_ : late_).push_back(*copy);
    }
  }

  template <class Host>
  void join_due(CopyList& timers, Host& host, std::uint64_t now) {
    while (!timers.empty() && timers.front().joins <= now) {
      PacketCopy& copy = timers.front();
      timers.pop_front();
      join(copy, host);
    }
    if (!timers.empty()) next_ = std::min(next_, timers.front().joins);
  }

  template <class Host>
  void join(PacketCopy& copy, Host& host) {
    StoreForwardOutput& out = channels[copy.output];
    copy.rank = host.rank(copy.output, copy.packet->head, copy.joins);
    out.queue.insert(copy, [&host](const PacketCopy& a, const PacketCopy& b) {
      if (a.rank != b.rank) return a.rank < b.rank;
      if (a.joins != b.joins) return a.joins < b.joins;
      return host.packet_id(a.packet->head) < host.packet_id(b.packet->head);
    });
    active_.set(copy.output);
    ++out.length;
    if (out.to_node) return;
    if (out.length > 1) ++held;
    max_queue = std::max(max_queue, out.length);
    max_held = std::max(max_held, held);
  }

  // Serves an output in this cycle. Returns the next cycle in which the output can act without an
  // arrival, or kNothing if the output waits for a credit or a flit.
  template <class Host>
  std::uint64_t serve(unsigned output_port, Host& host, std::uint64_t now) {
    StoreForwardOutput& out = channels[output_port];
    if (now < out.free_at) return out.free_at;
    if (out.leaving == nullptr && !start_packet(output_port)) return kNothing;
    if (!out.leaving->packet->has(out.flits_left - 1)) return kNothing;
    send_flit(output_port, host, now);
    return active_.test(output_port) ? out.free_at : kNothing;
  }

  bool start_packet(unsigned output_port) {
    StoreForwardOutput& out = channels[output_port];
    const auto credited =
        static_cast<VcSet>(credited_.field(vc_index(output_port, 0), 1U << stride_log2));
    if (credited == 0) return false;
    out.leaving = out.queue.take_first(
        [credited](const PacketCopy& copy) { return (copy.vcs & credited) != 0; });
    if (out.leaving == nullptr) return false;
    out.vc = static_cast<std::uint8_t>(round_robin(out.leaving->vcs & credited, out.vc));
    out.flits_left = out.leaving->packet->length();
    const unsigned j = vc_index(output_port, out.vc);
    if (--outputs[j].credits == 0) credited_.clear(j);
    if (--out.length > 0 && !out.to_node) --held;
    return true;
  }

  // The state of the core is updated first, because the compiler must assume that the stores of the
  // host alias it.
  template <class Host>
  void send_flit(unsigned output_port, Host& host, std::uint64_t now) {
    StoreForwardOutput& out = channels[output_port];
    const unsigned vc = out.vc;
    Flit flit = out.leaving->packet->head;
    --out.flits_left;
    flit.head = out.flits_left == flit.remaining;
    flit.remaining = static_cast<std::uint16_t>(out.flits_left);
    flit.route_field = out.leaving->route_field;
    out.free_at = now + out.cycles_per_flit;
    ++copies;
    if (flit.tail()) finish(output_port);
    host.depart(output_port, vc, flit);
  }

  void finish(unsigned output_port) {
    StoreForwardOutput& out = channels[output_port];
    StoredPacket& packet = *out.leaving->packet;
    out.leaving = nullptr;
    out.free_at += out.pause;
    if (out.queue.empty()) active_.clear(output_port);
    if (--packet.copies_left == 0) release_slot(packet);
  }

  void release_slot(StoredPacket& packet) {
    stored_flits -= packet.length();
    copies -= packet.length();
    ++owed_count_[packet.input];
    owed_.set(packet.input);
    packet.next_free = free_;
    free_ = &packet;
  }

  // Returns one credit per port; the VCs of a port take turns.
  template <class Host>
  void return_credits(Host& host, std::uint64_t now) {
    const unsigned stride = 1U << stride_log2;
    for (Mask rest = owed_; rest.any();) {
      const unsigned port = port_of(rest.lowest());
      const unsigned first = vc_index(port, 0);
      const unsigned vc = round_robin(rest.field(first, stride), pointers[port].last_vc);
      rest.clear_field(first, stride);
      pointers[port].last_vc = static_cast<std::uint8_t>(vc);
      if (--owed_count_[first + vc] == 0) owed_.clear(first + vc);
      --inputs[first + vc].count;
      host.return_credit(inputs[first + vc]);
    }
    if (owed_.any()) next_ = now + 1;
  }

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
  PacketCopy* copies_ = nullptr;         // Per slot: copies_per_slot_ entries.
  Branches* branches_ = nullptr;         // Answer of the routing for the head that has arrived.
  std::uint16_t* owed_count_ = nullptr;  // Per input VC: credits that are still to be returned.
  std::size_t copies_per_slot_;          // The largest number of outputs of a packet.
  std::uint32_t flit_time_;
  Pipeline pipeline_;
};

}  // namespace flitcast
