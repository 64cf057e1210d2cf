// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "collective/schedule.h"
#include "topology/topology.h"
#include "traffic/chunk_ledger.h"
#include "traffic/message_lanes.h"

namespace flitcast {

/// The source of the packets of a collective operation, which also detects when the operation is
/// complete.
class CollectivePlayer : public PacketSource {
 public:
  bool wants_deliveries() const override { return true; }

  /// True if all receipts have arrived.
  bool finished() const { return arrived_ == expected_; }
  /// The number of chunks or sums that nodes should know by now but lack, or know with wrong data.
  virtual std::uint64_t wrong() const { return ledger_.wrong() + spoilt_; }
  /// Cycles from the start to the end of the last arrival that was new for its node, including what
  /// nodes compute from it; 0 before the first.
  std::uint64_t cycles() const { return cycles_; }

 protected:
  CollectivePlayer(const Demand& demand, std::uint64_t length, std::uint64_t seed)
      : ledger_(demand, seed), length_(length) {}

  const ChunkLedger& ledger() const { return ledger_; }
  using Values = std::vector<std::uint64_t>;
  /// The values of the items at `from`; throws InvariantError for a chunk that the node does not
  /// hold.
  Values values_of(NodeId from, const Items& items) const;
  /// The payload of a packet that carries the values: a single value, or a digest of several.
  static std::uint64_t payload_of(const Values& values);
  /// The flits of a message with these items.
  std::uint64_t flits_of(const Items& items) const;
  /// The first packet of a message that carries the items with a given payload.
  PacketRequest packet(NodeId to, const Items& items, std::uint64_t payload, std::uint64_t tag,
                       std::size_t receivers) const;
  void expect(std::size_t receipts) { expected_ += receipts; }
  /// Enters the items of a delivered packet at a node. `values` are those with which the packet was
  /// made or, for a single item, its payload.
  void receive(NodeId to, const Items& items, const Values& values, const Delivery& delivery);
  /// Counts a receipt that the ledger does not keep, and that its node has processed at `done`.
  void receive_apart(Cycle done);

 private:
  ChunkLedger ledger_;
  std::uint64_t length_;
  std::uint64_t expected_ = 0;  // The number of all receipts.
  std::uint64_t arrived_ = 0;   // The number of receipts so far.
  std::uint64_t cycles_ = 0;
  std::uint64_t spoilt_ = 0;  // Packets whose payload does not match their values.
};

/// Plays a schedule on a network of any kind, and nodes forward the values that they have received.
/// Every message is one packet, or as many packets of 65536 flits as it needs, and arrives with the
/// last packet.
///
/// Where messages have paths, a node with as many ports as its router has channels sends by the
/// port of the first hop, so that its messages of a round do not meet; with fewer ports they take
/// turns. The header selects the path in the routing (header_bits).
class SchedulePlayer : public CollectivePlayer {
 public:
  enum class Timing {
    kRounds,  ///< A round starts in the cycle after all nodes have processed the one before.
    /// A message starts once its node holds the chunk and has begun its earlier messages. Sums: a
    /// node enters a round when it has received what it gets in earlier ones; what arrives before
    /// is kept until then.
    kSelfTimed,
  };

  /// `topology` and `schedule`, which must be legal, must outlive the player. So must `groups`, to
  /// which the player adds the destinations of its multicasts; null on a network without multicast.
  ///
  /// Throws std::invalid_argument for a multicast without groups or with self-timed sums, and where
  /// nodes have a port for every router output but the outputs to other routers are not the first
  /// ones (they are in grids, hypercubes, complete graphs, and graphs with one node at each
  /// router).
  /// @param length  Flits of a chunk or a contribution; messages as message_length() says.
  /// @param placement  The nodes of the ranks that schedule and demand count.
  SchedulePlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
                 Timing timing, std::uint64_t length, std::uint64_t seed,
                 DestinationGroups* groups = nullptr, Placement placement = {});

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a packet that the schedule does not send there.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 protected:
  const Schedule& schedule() const { return schedule_; }
  const Placement& placement() const { return placement_; }
  /// Records the values that a message carries, if its payload is only a digest, and returns the
  /// payload.
  virtual std::uint64_t load(std::size_t message);
  /// Enters the values of a message at its receiver. Returns the cycle in which the receiver has
  /// processed them: the cycle of arrival if it need not compute.
  virtual Cycle unload(std::size_t message, const Delivery& delivery);
  /// Called when all messages of the round have arrived.
  virtual void end_round(std::size_t round) { static_cast<void>(round); }

 private:
  void find_groups();
  bool ready(std::size_t message) const;
  PacketRequest packet_of(std::size_t message);
  void send(std::size_t message, std::vector<PacketRequest>& packets);
  /// Counts a packet, and returns whether all packets of the message have arrived at the node.
  bool completes(std::size_t message, NodeId node);
  bool is_receiver(std::size_t message, NodeId node) const;
  void make_agendas();
  void advance(NodeId rank);

  const Topology& topology_;
  const Schedule& schedule_;
  const Timing timing_;
  DestinationGroups* const groups_;
  const Placement placement_;
  MessageLanes lanes_;
  std::unordered_map<std::size_t, NodeId> group_of_;  // By multicast message: its group.
  /// By message and node: the packets so far of a message that has several and is in flight.
  std::map<std::pair<std::size_t, NodeId>, std::uint64_t> arrived_parts_;
  std::vector<Values> loads_;  // By message: its values, if any message has several items.
  Cycle processed_{};          // The cycle in which nodes have processed all arrivals so far.
  // For self-timed sums, by rank: the messages that it sends and receives, in the order of rounds
  // and, in a round, sends first; and how many of them are behind it.
  std::vector<std::vector<std::uint32_t>> agendas_;
  std::vector<std::size_t> behind_;
  std::unordered_map<std::size_t, Delivery> early_;  // By message that is kept.
};

}  // namespace flitcast
