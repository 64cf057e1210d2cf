// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "collective/forwarding/forwarding.h"
#include "collective/schedule.h"
#include "topology/topology.h"
#include "traffic/chunk_ledger.h"

namespace flitcast {

/// Who feeds the network with a collective operation and watches it to its end.
class CollectivePlayer : public PacketSource {
 public:
  bool wants_deliveries() const override { return true; }

  /// Whether everything that was to be sent has arrived.
  bool finished() const { return arrived_ == expected_; }
  /// What nodes have to know by now and do not, or otherwise than its origin does.
  std::uint64_t wrong() const { return ledger_.wrong(); }
  /// Cycles from the start to the last arrival of something new for its node, that cycle included;
  /// 0 before the first.
  std::uint64_t cycles() const { return cycles_; }

 protected:
  CollectivePlayer(const Demand& demand, std::uint32_t length, std::uint64_t seed)
      : ledger_(demand, length, seed), length_(length) {}

  const ChunkLedger& ledger() const { return ledger_; }
  /// A packet with what `from` knows; throws InvariantError for a chunk that it does not hold.
  PacketRequest packet(NodeId from, NodeId to, ChunkId carried, std::uint64_t tag,
                       std::size_t receivers) const;
  void expect(std::size_t receipts) { expected_ += receipts; }
  /// Enters what a packet brought.
  void receive(ChunkId carried, const Delivery& delivery);

 private:
  ChunkLedger ledger_;
  std::uint32_t length_;
  std::uint64_t expected_ = 0;  // Receipts,
  std::uint64_t arrived_ = 0;   // and so far.
  std::uint64_t cycles_ = 0;
};

/// Plays a schedule on a network of any kind: every message is a packet, and nodes send on what
/// they have received.
///
/// Where messages have paths, a node with as many ports as its router has channels sends by the
/// port that belongs to the first hop, so its messages of a round do not meet; with fewer ports
/// they take turns. The header tells the routing which of its paths to take (header_bits).
class SchedulePlayer : public CollectivePlayer {
 public:
  enum class Timing {
    kRounds,     ///< A round starts in the cycle after the last arrival of the round before it.
    kSelfTimed,  ///< A message starts once its node holds the chunk and has begun its earlier ones.
  };

  /// `topology` and `schedule`, a legal one, must outlive the player, and so must `groups`, which
  /// it adds its multicasts to: those of a network that multicasts, or null.
  ///
  /// Throws std::invalid_argument for a multicast without groups, for self-timed sums, and where
  /// every output has a node port but those to other routers do not come first (they do in grids,
  /// hypercubes, complete graphs, graphs with one node a router).
  /// @param length  Flits of every message, as message_length() says.
  SchedulePlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
                 Timing timing, std::uint32_t length, std::uint64_t seed,
                 DestinationGroups* groups = nullptr);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a packet that the schedule does not send there.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 private:
  void find_groups();
  void sort_into_lanes();
  // The messages of one node that follow one another: all, or those by one first output.
  std::size_t lane(std::size_t message) const;
  bool ready(std::size_t message) const;
  PacketRequest packet_of(std::size_t message) const;
  bool is_receiver(std::size_t message, NodeId node) const;
  void enter_round();
  void start_round(Cycle when, std::vector<WakeUp>& wake_ups);

  const Topology& topology_;
  const Schedule& schedule_;
  const Timing timing_;
  DestinationGroups* const groups_;
  const std::size_t lanes_;              // Per node.
  std::vector<std::uint32_t> messages_;  // Lane by lane;
  std::vector<std::size_t> next_;        // per lane the place of its next message,
  std::vector<std::size_t> last_;        // and where its messages end.
  std::vector<std::size_t> woken_for_;   // Per node: the last round that it was woken for, + 1.
  std::unordered_map<std::size_t, NodeId> group_of_;  // Of every multicast.
  std::size_t round_ = 0;
  std::size_t round_left_ = 0;  // Receipts of this round that are yet to come.
};

/// Plays a collective operation that the routers carry out: nodes inject in cycle 0, and all else
/// is up to the routers.
///
/// A packet's destination is the node where its chunk starts, for routings that read the source
/// there; its tag is the number of the chunk.
class ForwardingPlayer : public CollectivePlayer {
 public:
  using Injection = RouterForwarding::Injection;

  /// @param demand  Which chunks start where and have to end where.
  /// @param length  Flits of every chunk.
  ForwardingPlayer(std::vector<Injection> injections, const Demand& demand, std::uint32_t length,
                   std::uint64_t seed);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a chunk that the node holds already or does not want.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 private:
  std::vector<Injection> injections_;  // Node by node;
  std::vector<std::size_t> begin_;     // per node the place of its first, and the end.
};

}  // namespace flitcast
