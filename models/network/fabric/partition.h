// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/ids.h"
#include "base/packet.h"
#include "base/packet_source.h"
#include "base/probe.h"
#include "network/fabric/calendar_queue.h"
#include "network/fabric/channel_outputs.h"
#include "network/fabric/kernel_driver.h"
#include "network/fabric/node_interface.h"
#include "network/fabric/packet_maker.h"
#include "network/fabric/packet_store.h"
#include "network/network.h"
#include "network/network_params.h"
#include "router/bit_mask.h"
#include "router/router_params.h"
#include "router/router_state.h"
#include "routing/routing.h"

namespace flitcast {

/// A router as its links see it: where flits and credits announce themselves and where its own go.
///
/// Arrivals are `copies` masks of `words` words over the input VCs, one for each partition that
/// sends to the router; each word is there once for each row, side by side. Credits are the same
/// over the output VCs.
struct RouterNode {
  RouterState* state = nullptr;
  std::uint64_t* arrivals = nullptr;
  std::uint64_t* credits = nullptr;
  FlitOutput* outputs = nullptr;   ///< One per output port.
  CreditReturn* inputs = nullptr;  ///< One per input port: the way back for its credits.
  std::uint16_t copies = 1;
  std::uint16_t words = 1;
  bool external = false;  ///< Ticked by somebody else, who works on the rows: Partition::detach().
  RouterId id{};
  /// Where packets are kept whole: `rows` flits per input port, one for each due cycle; otherwise
  /// null.
  Flit* landing = nullptr;
  /// Where nodes have several ports, per output: a node's second output if this is its first, else
  /// 0. Null where nodes have one port.
  std::uint16_t* further_ports = nullptr;

  std::uint32_t row_words() const { return std::uint32_t{copies} * words; }  ///< Of all copies.
};

/// One bit per member and row: who has a token due in which cycle, set by one writing partition.
class WakeRows {
 public:
  WakeRows(std::size_t members, std::size_t rows)
      : rows_(rows), bits_((members + 63) / 64 * rows, 0) {}

  void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
  bool empty() const {
    return std::all_of(bits_.begin(), bits_.end(), [](std::uint64_t bits) { return bits == 0; });
  }
  /// The members 64 * word and up.
  std::uint64_t& at(std::size_t word, std::size_t row) { return bits_[word * rows_ + row]; }
  /// The first word before `end`, from `word` on, that has a token in one of two rows; `end` if
  /// none has.
  std::size_t next_due(std::size_t word, std::size_t end, std::size_t row,
                       std::size_t other) const {
    while (word < end && (bits_[word * rows_ + row] | bits_[word * rows_ + other]) == 0) ++word;
    return word;
  }
  /// The word of a member in row 0, behind which those of the other rows lie.
  std::uint64_t* word_of(std::size_t member) { return &at(member / 64, 0); }

 private:
  std::size_t rows_;
  std::vector<std::uint64_t> bits_;
};

/// The members that the word w of a bitmap of `members` stands for.
constexpr std::uint64_t members_of_word(std::size_t w, std::size_t members) {
  const std::size_t rest = members - w * 64;
  return rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

/// Ports of one router, by which its memory is laid out.
struct RouterShape {
  unsigned inputs = 0;
  unsigned outputs = 0;
  unsigned writers = 1;  ///< Partitions that send flits or credits to it.
};

/// What all partitions of a fabric share.
struct PartitionContext {
  const NetworkParams& params;
  const Routing& routing;
  PacketSource& source;
  std::size_t node_count;  ///< Of the whole network.
  std::size_t node_ports;  ///< Of every node.
  std::uint32_t rows = 4;  ///< rows of the event wheel: a power of two above every latency.
  /// Cycles that a partition may run at once: what is sent in one of them is due behind the last.
  std::uint32_t stride = 1;
  std::size_t message_classes = 1;
  unsigned partition_count = 1;
  bool keep_deliveries = false;    ///< Somebody wants Partition::deliveries().
  KernelDriver* driver = nullptr;  ///< Of the partitions' processes.
  std::vector<class Partition*> peers;
};

/// A part of the network that one thread runs: consecutive routers with the nodes that inject
/// there.
///
/// Its only SystemC process hands over to the thread_pool, which lets every partition tick() once
/// per cycle, or once for two of them where nothing that is sent in the first is due in the second.
/// A tick reads what is due in its cycles, and writes only its own state and rows of later ones.
class Partition : public sc_core::sc_module {
 public:
  /// @param routers  First router and how many.
  /// @param nodes    The nodes of this partition in rising order.
  Partition(const sc_core::sc_module_name& name, unsigned number, PartitionContext& context,
            RouterId first_router, std::size_t router_count, std::vector<NodeId> nodes,
            Probe* probe);
  ~Partition() override;

  /// Runs so many cycles, PartitionContext::stride at most: all of each router, then cycle by cycle
  /// the creation of packets and the nodes.
  void tick(Cycle now, std::uint32_t cycles);

  /// From now on somebody else ticks the router.
  void detach(RouterId router);
  RouterNode& router(RouterId id) { return *routers_[index(id) - index(first_router_)]; }
  /// A port of a node by its place in the partition: local node * ports of a node + port.
  NodeInterface& interface(std::size_t place) { return interfaces_[place]; }
  PacketStore& packets() { return packets_; }
  unsigned ring() const { return ring_; }  ///< ring_slots() of an input VC.
  const PacketMaker& packet_maker() const { return packet_maker_; }
  /// Arrivals here of which the packets' owners have yet to learn.
  std::size_t pending_returns() const;
  /// Their records, one for each arrival.
  void append_returns(std::vector<PacketSlot>& returned) const;

  /// For routers: `part` ends as a part of `into`, which takes its payload in and replaces it
  /// wherever it was to arrive.
  void combine(PacketSlot into, PacketSlot part, Cycle now);

  WakeRows& router_wakes(unsigned writer) { return router_wakes_[writer]; }
  WakeRows& node_wakes(unsigned writer) { return node_wakes_[writer]; }
  unsigned router_offset(RouterId id) const { return index(id) - index(first_router_); }

  // For callers between two ticks.

  /// Creates a packet at a node, to leave in `now` at the earliest. Throws InvariantError for one
  /// that the network cannot carry.
  PacketId submit(std::uint32_t local, const PacketRequest& request, Cycle now);
  /// Packets of a message class that wait at a node or are leaving it; visits them.
  std::size_t waiting(std::uint32_t local, std::size_t message_class) const;
  /// Gives a node so many places for packets of each class that arrive, in place of any number.
  /// Whoever takes a packet out gives its place back by free_slots(). Once for a node, and not
  /// while a packet is arriving there, nor where NetworkParams::reply_queue has given it places.
  void bound_ejection(std::uint32_t local, std::uint32_t places);
  void free_slots(std::uint32_t local, std::size_t message_class, std::uint32_t places);
  /// Gives up every packet that waits or is in flight: the state of a new partition, but for what
  /// is counted, for the numbers of packets and for the cycles in which sources want to be asked.
  /// Ends of channels are gone. Calls lost(packet, arrivals that will not come) for each packet.
  void reset(const std::function<void(const Packet&, std::uint32_t)>& lost);

  /// Asks the node's source again in `cycle` or earlier.
  void wake(std::uint32_t local, Cycle cycle);

  /// The next cycle in which a source is asked; `now` if anything has to be looked at before.
  Cycle next_event(Cycle now) const;

  /// What arrived in the last cycle, if PartitionContext::keep_deliveries; emptied by the caller.
  std::vector<Delivery>& deliveries() { return deliveries_; }
  const Totals& totals() const { return totals_; }

  /// An output port that leads somewhere.
  virtual void connect_output(RouterId router, PortId port, const OutputChannel& channel) = 0;
  /// An input port that a node injects by.
  virtual void connect_node_input(RouterId router, PortId port) = 0;
  /// The first cycle in which the channel behind an output takes another flit; may have passed.
  virtual Cycle busy_until(RouterId router, PortId port) const = 0;
  /// Asks every node's source for its first cycle; called once, after all links are in place.
  void start();

 protected:
  /// The first word of a bitmap, from `word` on, whose members are to be looked at: some are awake,
  /// or have a token in one of two rows, or nobody may sleep.
  std::size_t next_awake(const std::vector<std::uint64_t>& awake,
                         const std::vector<WakeRows>& wakes, std::size_t word, std::size_t row,
                         std::size_t other) const {
    std::size_t next = word;
    while (next < awake.size() && awake[next] == 0) ++next;
    if (next == word || !context_.params.sleep) return word;
    for (const WakeRows& rows : wakes) next = rows.next_due(word, next, row, other);
    return next;
  }
  /// Ticks the routers that have something due or left to do.
  virtual void tick_routers(Cycle now, std::uint32_t cycles) = 0;
  /// Makes the routers anew, without ends of channels.
  virtual void remake_routers() = 0;

  PartitionContext& context_;
  const RouterId first_router_;
  std::vector<RouterNode*> routers_;
  std::vector<WakeRows> router_wakes_;  // One set of rows per writing partition.
  std::vector<std::uint64_t> awake_routers_;
  std::vector<std::uint64_t> native_routers_;  // Those that tick_routers() ticks.
  Totals totals_;

 private:
  /// A node whose receiver has so many places for packets.
  struct BoundedNode {
    std::vector<std::uint32_t>
        places;              // Free ones per message class; of answers, where they count.
    std::uint32_t most = 0;  // Of each class.
    std::vector<EjectionBuffer> ports;
  };

  void on_clock() { context_.driver->await(); }
  void init_interface(std::size_t place);
  void bound_ejection(std::uint32_t local, std::uint32_t places, bool by_answers);
  void empty_bounded_nodes();
  void reclaim_slots();
  void create_packets(Cycle now);
  // kWholePackets: credits of the channels between nodes and routers count packets, not flits.
  template <bool kWholePackets>
  void tick_nodes(Cycle now);
  template <bool kWholePackets>
  [[gnu::always_inline]] inline bool tick_interface(std::size_t place, Cycle now);
  template <bool kWholePackets>
  [[gnu::noinline]] void tick_nodes_apart(Cycle now);
  template <bool kWholePackets>
  void receive_at_bounded_nodes(Cycle now);
  void take_further_credits(Cycle now);
  [[gnu::always_inline]] inline void take_credit(NodeInterface& node, unsigned vc) const;
  template <bool kWholePackets>
  void receive_held(std::size_t place, Cycle now);
  VcSet takeable(const EjectionBuffer& buffer) const;
  std::uint32_t* slot_for(const EjectionBuffer& buffer, const Flit& head) const;
  template <bool kWholePackets>
  void receive(std::size_t place, unsigned vc, const Flit& flit, Cycle now);
  void end_admissions();
  void complete(std::size_t place, const NodeVc& vc, Cycle now);
  void retire(PacketSlot slot, std::uint32_t receivers, Cycle now);
  NodeId node_at(std::size_t place) const { return node_ids_[place / node_ports_]; }
  template <bool kWholePackets>
  [[gnu::always_inline]] inline bool inject(NodeInterface& node, Cycle now);
  template <bool kWholePackets>
  [[gnu::always_inline]] inline bool inject_from(NodeInterface& node, SourceQueue& queue,
                                                 Cycle now);
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
  void start_up(SourceQueue& queue, Cycle now) const;
  bool begin_packet(const NodeInterface& node, SourceQueue& queue, Cycle now);
  [[gnu::noinline]] VcSet admissible(const NodeInterface& node, const Packet& packet,
                                     VcSet vcs) const;
  void drain_returned(Cycle now);

  const unsigned number_;
  Probe* const probe_;
  const unsigned depth_;
  const unsigned ring_;
  const std::uint32_t row_mask_;
  const std::size_t node_ports_;
  const std::size_t message_classes_;
  const ClassTurns class_turns_;
  const std::vector<bool> is_reply_;  // Per message class: some class is answered by it.
  const bool shares_vcs_;             // Some message classes have the same VCs.
  const bool restricted_;             // Not every packet may begin as soon as there is a credit.
  bool nodes_apart_;                  // Some node is bounded, or gets several credits in a cycle.
  const PacketMaker packet_maker_;
  const std::vector<NodeId> node_ids_;
  std::vector<std::uint32_t> serials_;     // Packets created so far, per node.
  std::vector<NodeInterface> interfaces_;  // Per node and port, as all that follow.
  std::vector<std::uint64_t> node_rows_;
  std::vector<Flit> sinks_;
  std::vector<OutputVc> node_outputs_;
  std::vector<NodeVc> node_vcs_;
  std::vector<SourceQueue> queues_;
  std::vector<std::unique_ptr<BoundedNode>> bounded_nodes_;  // Per node; empty if there are none.
  std::vector<WakeRows> node_wakes_;
  std::vector<std::uint64_t> awake_interfaces_;
  CalendarQueue calendar_;
  PacketStore packets_;
  std::vector<PacketRequest> requests_;
  std::vector<Delivery> deliveries_;
  std::vector<NodeId> ask_again_;  // Admission.
  // Records of other partitions that arrived here, by cycle parity and owner; the owner frees them
  // one cycle later.
  std::vector<std::vector<PacketSlot>> returned_[2];
};

}  // namespace flitcast
