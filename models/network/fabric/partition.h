// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/packet.h"
#include "base/packet_source.h"
#include "base/probe.h"
#include "base/sequences.h"
#include "network/fabric/calendar_queue.h"
#include "network/fabric/channel_outputs.h"
#include "network/fabric/node_interface.h"
#include "network/fabric/packet_maker.h"
#include "network/fabric/packet_store.h"
#include "network/fabric/route_table.h"
#include "network/network.h"
#include "network/network_params.h"
#include "router/bit_mask.h"
#include "router/router_params.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// The channel side of a router: the event wheels in which flits and credits arrive, and the
/// outputs by which it sends flits and returns credits.
///
/// `arrivals` has `copies` masks of `words` words over the input VCs, one mask for each partition
/// that sends to the router; the rows of each word are adjacent. `credits` has the same layout over
/// the output VCs.
struct RouterNode {
  RouterState* state = nullptr;
  std::uint64_t* arrivals = nullptr;
  std::uint64_t* credits = nullptr;
  FlitOutput* outputs = nullptr;   ///< One per output port.
  CreditReturn* inputs = nullptr;  ///< One per input port, for returning credits.
  std::uint16_t copies = 1;
  std::uint16_t words = 1;
  bool external = false;  ///< True after Partition::detach(): an ExternalRouter ticks the router.
  RouterId id{};
  /// If routers store packets as a whole: `rows` flits per input port, one for each due cycle;
  /// otherwise null.
  Flit* landing = nullptr;
  /// The table of CoreHost::further_ports().
  std::uint16_t* further_ports = nullptr;

  /// The number of words of a row, in all copies.
  std::uint32_t row_words() const { return std::uint32_t{copies} * words; }
};

/// One bit per member (a router, or a port of a node) and row of the event wheel; it is set if the
/// member has a flit or credit due in that cycle. Only one partition sets the bits.
class WakeRows {
 public:
  WakeRows(std::size_t members, std::size_t rows)
      : rows_(rows), bits_((members + 63) / 64 * rows, 0) {}

  void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
  bool empty() const {
    return all_of(bits_, [](std::uint64_t bits) { return bits == 0; });
  }
  /// The bits of the members from number 64 * word on.
  std::uint64_t& at(std::size_t word, std::size_t row) { return bits_[word * rows_ + row]; }
  /// The first word in `word` .. `end` - 1 with a bit set in one of two rows; `end` if there is
  /// none.
  std::size_t next_due(std::size_t word, std::size_t end, std::size_t row,
                       std::size_t other) const {
    while (word < end && (bits_[word * rows_ + row] | bits_[word * rows_ + other]) == 0) ++word;
    return word;
  }
  /// The word of a member in row 0, followed by those of the other rows.
  std::uint64_t* word_of(std::size_t member) { return &at(member / 64, 0); }

 private:
  std::size_t rows_;
  std::vector<std::uint64_t> bits_;
};

/// The bits of word `w` that correspond to members, in a bitmap of `members`.
constexpr std::uint64_t members_of_word(std::size_t w, std::size_t members) {
  const std::size_t rest = members - w * 64;
  return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

/// The ports of a router, which determine its memory layout.
struct RouterShape {
  unsigned inputs = 0;
  unsigned outputs = 0;
  unsigned writers = 1;  ///< Partitions that send flits or credits to the router.
};

/// The parameters and objects that all partitions of a fabric share.
struct PartitionContext {
  const NetworkParams& params;
  const Routing& routing;
  PacketSource& source;
  std::size_t node_count;  ///< Nodes of the whole network.
  std::size_t node_ports;  ///< Ports of every node.
  std::uint32_t rows = 4;  ///< Rows of the event wheel: a power of two above every latency.
  /// Cycles of a router that a partition may run at a visit: a flit or credit sent in one of them
  /// is due after the last.
  std::uint32_t stride = 1;
  std::uint32_t window = 1;  ///< Cycles that partitions run between two meetings of their threads.
  std::size_t message_classes = 1;
  unsigned partition_count = 1;
  bool keep_deliveries = false;         ///< True if Partition::deliveries() are collected.
  std::vector<class Partition*> peers;  ///< All partitions, by number.
};

/// A part of the network that one thread runs: consecutive routers with the nodes that inject into
/// them.
/// The thread pool calls tick() of every partition once per window. A window has no more cycles
/// than a flit or credit takes from one partition to another. A tick reads what is due in its
/// cycles, and writes only its own state and, of other partitions, rows of later windows.
class Partition {
 public:
  /// @param nodes  The nodes of this partition in rising order.
  Partition(unsigned number, PartitionContext& context, RouterId first_router,
            std::size_t router_count, std::vector<NodeId> nodes, Probe* probe);
  virtual ~Partition();

  /// Runs the cycles of a window.
  void tick(Cycle now, std::uint32_t cycles);

  /// Makes an ExternalRouter tick the router from now on.
  void detach(RouterId router);
  RouterNode& router(RouterId id) { return *routers_[index(id) - index(first_router_)]; }
  /// The interface at a port of a node; `number` is the node's local number * node_ports + port.
  NodeInterface& interface(std::size_t number) { return interfaces_[number]; }
  PacketStore& packets() { return packets_; }
  unsigned ring() const { return ring_; }  ///< ring_slots() of an input VC.
  const PacketMaker& packet_maker() const { return packet_maker_; }
  RouteTable& routes() { return routes_; }
  /// The records of packets that have arrived in this partition and whose owners have not counted
  /// the arrival, one entry for each arrival.
  std::vector<PacketSlot> pending_returns() const;

  /// Called by routers: combines packet `part` with `into`, which gets the combined payload and
  /// arrives in its place.
  void combine(PacketSlot into, PacketSlot part);

  WakeRows& router_wakes(unsigned writer) { return router_wakes_[writer]; }
  WakeRows& node_wakes(unsigned writer) { return node_wakes_[writer]; }
  unsigned router_offset(RouterId id) const { return index(id) - index(first_router_); }

  // The functions below may be called between two ticks.

  /// Creates a packet at a node, which may leave from `now` on. Throws InvariantError for a packet
  /// that the network cannot carry.
  PacketId submit(std::uint32_t local, const PacketRequest& request, Cycle now);
  /// The number of packets of a message class in the source queues of a node, including those that
  /// are leaving. Time: one visit to each.
  std::size_t waiting(std::uint32_t local, std::size_t message_class) const;
  /// Bounds the receiver of a node to `slots` packets of each message class. Every packet that is
  /// taken out must be reported by free_slots(). With `for_replies`, which the constructor sets for
  /// NetworkParams::reply_queue, a packet frees its slot when its reply leaves. Must be called at
  /// most once for a node (with reply_queue only by the constructor) and not while a packet is
  /// arriving there.
  void bound_ejection(std::uint32_t local, std::uint32_t slots, bool for_replies = false);
  void free_slots(std::uint32_t local, std::size_t message_class, std::uint32_t slots);
  /// Makes a StreamTerminal receive a message class at a node with one port, which accepts flits by
  /// EjectionBuffer::accepted. Flits of classes without one wait. Not after bound_ejection().
  void stream_ejection(std::uint32_t local, std::uint8_t message_class);
  /// Drops every packet that waits or is in flight. The state is that of a new partition, except
  /// for counters, packet numbers and the cycles in which sources are to be polled; channels must
  /// be connected again. Calls lost(packet, lost arrivals) for each packet.
  void reset(const std::function<void(const Packet&, std::uint32_t)>& lost);

  /// Makes the partition poll the node's source in `cycle` or earlier.
  void wake(std::uint32_t local, Cycle cycle);

  /// The next cycle in which any source is polled; `now` if any router or node has work.
  Cycle next_event(Cycle now) const;

  /// The deliveries of the last cycle, if PartitionContext::keep_deliveries; the caller clears the
  /// list.
  std::vector<Delivery>& deliveries() { return deliveries_; }
  const Totals& totals() const { return totals_; }

  /// Informs the router of the channel at an output port.
  virtual void connect_output(RouterId router, PortId port, const OutputChannel& channel) = 0;
  /// Informs the router that a node injects into an input port.
  virtual void connect_node_input(RouterId router, PortId port) = 0;
  /// The same as Network::busy_until().
  virtual Cycle busy_until(RouterId router, PortId port) const = 0;
  /// Polls every node's source for its first cycle; called once, after all channels are connected.
  void start();

 protected:
  /// The first word of a bitmap, from `word` on, with members to be ticked: members that are awake
  /// or have a wake-up in one of two rows, or any members if members do not sleep.
  std::size_t next_awake(const std::vector<std::uint64_t>& awake,
                         const std::vector<WakeRows>& wakes, std::size_t word, std::size_t row,
                         std::size_t other) const {
    std::size_t next = word;
    while (next < awake.size() && awake[next] == 0) ++next;
    if (next == word || !context_.params.sleep) return word;
    for (const WakeRows& rows : wakes) next = rows.next_due(word, next, row, other);
    return next;
  }
  /// Ticks the routers that have a flit or credit due, or unfinished work.
  virtual void tick_routers(Cycle now, std::uint32_t cycles) = 0;
  /// Replaces the routers by new ones with no channels connected.
  virtual void remake_routers() = 0;

  PartitionContext& context_;
  const RouterId first_router_;
  std::vector<RouterNode*> routers_;
  std::vector<WakeRows> router_wakes_;  // One per writing partition.
  std::vector<std::uint64_t> awake_routers_;
  std::vector<std::uint64_t> native_routers_;  // Routers ticked by tick_routers().
  Totals totals_;

 private:
  /// A node whose receiver has a bounded number of packet slots.
  struct BoundedNode {
    std::vector<std::uint32_t>
        slots;               // Free slots per message class (of replies, if replies free slots).
    std::uint32_t most = 0;  // Slots of each class.
    std::vector<EjectionBuffer> ports;
  };

  void init_interface(std::size_t number);
  void visit_all(Cycle now, std::uint32_t cycles);
  void empty_bounded_nodes();
  void reclaim_slots();
  void create_packets(Cycle now);
  // If kWholePackets, a credit stands for a packet instead of a flit.
  template <bool kWholePackets>
  void tick_nodes(Cycle now);
  template <bool kWholePackets>
  [[gnu::always_inline]] inline bool tick_interface(std::size_t number, Cycle now);
  template <bool kWholePackets>
  [[gnu::noinline]] void tick_nodes_apart(Cycle now);
  void take_further_credits(Cycle now);
  [[gnu::always_inline]] inline void take_credit(NodeInterface& node, unsigned vc) const;
  template <bool kWholePackets>
  void receive_held(std::size_t number, Cycle now);
  VcSet takeable(const EjectionBuffer& buffer) const;
  std::uint32_t* slot_for(const EjectionBuffer& buffer, const Flit& head) const;
  template <bool kWholePackets>
  void receive(std::size_t number, unsigned vc, const Flit& flit, Cycle now);
  void end_admissions();
  void complete(std::size_t number, const NodeVc& vc, Cycle now);
  void retire(PacketSlot slot, std::uint32_t receivers);
  NodeId node_at(std::size_t number) const { return node_ids_[number / node_ports_]; }
  template <bool kWholePackets>
  [[gnu::always_inline]] inline bool inject(NodeInterface& node, Cycle now);
  template <bool kWholePackets>
  [[gnu::noinline]] bool inject_by_turns(NodeInterface& node, Cycle now);
  template <bool kWholePackets>
  [[gnu::always_inline]] inline bool can_send(const NodeInterface& node, SourceQueue& queue,
                                              Cycle now);
  template <bool kWholePackets>
  [[gnu::always_inline]] inline void send(NodeInterface& node, SourceQueue& queue, Cycle now);
  template <bool kWholePackets>
  [[gnu::always_inline]] static inline bool has_more(const NodeInterface& node,
                                                     const SourceQueue& queue, Cycle now);
  bool begin_packet(const NodeInterface& node, SourceQueue& queue, Cycle now);
  [[gnu::noinline]] VcSet admissible(const NodeInterface& node, const Packet& packet,
                                     VcSet vcs) const;
  void drain_returned();

  const unsigned number_;
  Probe* const probe_;
  const unsigned depth_;
  const unsigned ring_;
  const std::uint32_t row_mask_;
  const std::size_t node_ports_;
  const std::size_t message_classes_;
  const ClassTurns class_turns_;
  const std::vector<bool>
      is_reply_;           // Per message class: true if it is the reply class of another.
  const bool shares_vcs_;  // True if some message classes have the same VCs.
  const bool restricted_;  // True if a credit alone does not admit every packet.
  bool nodes_apart_;       // True if some node is bounded or gets several credits in a cycle.
  const PacketMaker packet_maker_;
  const std::vector<NodeId> node_ids_;
  std::vector<std::uint32_t> serials_;     // Packets created so far, per node.
  std::vector<NodeInterface> interfaces_;  // Per node and port, as are the next five members.
  std::vector<std::uint64_t> node_rows_;
  std::vector<Flit> sinks_;
  std::vector<OutputVc> node_outputs_;
  std::vector<NodeVc> node_vcs_;
  std::vector<SourceQueue> queues_;
  std::vector<std::unique_ptr<BoundedNode>> bounded_nodes_;  // Per node; empty if none is bounded.
  std::vector<WakeRows> node_wakes_;
  std::vector<std::uint64_t> awake_interfaces_;
  CalendarQueue calendar_;
  PacketStore packets_;
  RouteTable routes_;
  std::vector<PacketRequest> requests_;
  std::vector<Delivery> deliveries_;
  std::vector<NodeId> ask_again_;  // Nodes to which the admission may now admit packets.
  // Records of other partitions' packets that arrived here, by parity of the window and by owner,
  // which frees them one window later.
  std::vector<std::vector<PacketSlot>> returned_[2];
  std::size_t window_parity_ = 0;
};

}  // namespace flitcast
