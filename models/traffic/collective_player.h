// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/destination_groups.h"
#include "base/packet_source.h"
#include "collective/forwarding/forwarding.h"
#include "collective/placement.h"
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
  virtual std::uint64_t wrong() const { return ledger_.wrong() + spoilt_; }
  /// Cycles from the start to the last arrival of something new for its node, that cycle included,
  /// and what nodes have computed from it; 0 before the first.
  std::uint64_t cycles() const { return cycles_; }

 protected:
  CollectivePlayer(const Demand& demand, std::uint32_t length, std::uint64_t seed)
      : ledger_(demand, length, seed), length_(length) {}

  const ChunkLedger& ledger() const { return ledger_; }
  using Values = std::vector<std::uint64_t>;
  /// What `from` knows of the items; throws InvariantError for a chunk that it does not hold.
  Values values_of(NodeId from, const Items& items) const;
  /// A packet that carries the values of the items.
  PacketRequest packet(NodeId to, const Items& items, const Values& values, std::uint64_t tag,
                       std::size_t receivers) const;
  /// A packet with the payload.
  PacketRequest packet(NodeId to, const Items& items, std::uint64_t payload, std::uint64_t tag,
                       std::size_t receivers) const;
  void expect(std::size_t receipts) { expected_ += receipts; }
  /// Enters what a packet has brought to a node of the operation: the only value of its payload, or
  /// those that it was made with.
  void receive(NodeId to, const Items& items, const Values& values, const Delivery& delivery);
  /// Something new for its node, which is done with it in that cycle, that the ledger keeps no
  /// account of.
  void receive_apart(Cycle done);

 private:
  ChunkLedger ledger_;
  std::uint32_t length_;
  std::uint64_t expected_ = 0;  // Receipts,
  std::uint64_t arrived_ = 0;   // and so far.
  std::uint64_t cycles_ = 0;
  std::uint64_t spoilt_ = 0;  // Packets whose payload was not that of the values.
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
    kRounds,     ///< A round starts in the cycle after all have dealt with the one before it.
    kSelfTimed,  ///< A message starts once its node holds the chunk and has begun its earlier ones.
  };

  /// `topology` and `schedule`, a legal one, must outlive the player, and so must `groups`, which
  /// it adds its multicasts to: those of a network that multicasts, or null.
  ///
  /// Throws std::invalid_argument for a multicast without groups, for self-timed sums, and where
  /// every output has a node port but those to other routers do not come first (they do in grids,
  /// hypercubes, complete graphs, graphs with one node a router).
  /// @param length  Flits of a chunk or a contribution; messages as message_length() says.
  /// @param placement  Where the nodes of schedule and demand sit in the network.
  SchedulePlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
                 Timing timing, std::uint32_t length, std::uint64_t seed,
                 DestinationGroups* groups = nullptr, Placement placement = {});

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a packet that the schedule does not send there.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

 protected:
  const Schedule& schedule() const { return schedule_; }
  const Placement& placement() const { return placement_; }
  /// Notes what a message carries, if its payload does not tell, and returns the payload.
  virtual std::uint64_t load(std::size_t message);
  /// Its receiver takes what it brought; returns the cycle by which it has dealt with it, that of
  /// the arrival if it need not compute.
  virtual Cycle unload(std::size_t message, const Delivery& delivery);
  /// All messages of the round have arrived.
  virtual void end_round(std::size_t round) { static_cast<void>(round); }

 private:
  void find_groups();
  void sort_into_lanes();
  // The messages of one node that follow one another: all, or those by one first output.
  std::size_t lane(std::size_t message) const;
  bool ready(std::size_t message) const;
  PacketRequest packet_of(std::size_t message);
  bool is_receiver(std::size_t message, NodeId node) const;
  void enter_round();
  void start_round(Cycle when, std::vector<WakeUp>& wake_ups);

  const Topology& topology_;
  const Schedule& schedule_;
  const Timing timing_;
  DestinationGroups* const groups_;
  const Placement placement_;
  const std::size_t lanes_;              // Per node.
  std::vector<std::uint32_t> messages_;  // Lane by lane;
  std::vector<std::size_t> next_;        // per lane the place of its next message,
  std::vector<std::size_t> last_;        // and where its messages end.
  std::vector<std::size_t> woken_for_;   // Per node: the last round that it was woken for, + 1.
  std::unordered_map<std::size_t, NodeId> group_of_;  // Of every multicast.
  std::vector<Values> loads_;                         // Per message, if any has several items.
  std::size_t round_ = 0;
  std::size_t round_left_ = 0;  // Receipts of this round that are yet to come.
  Cycle dealt_with_{};          // All that has arrived.
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
