// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/span.h"
#include "topology/topology.h"

namespace flitcast {

/// A piece of data that a collective operation moves as a whole, or a node's contribution to a sum;
/// Demand says how they are numbered. In a permutation, the number of a packet.
enum class ChunkId : std::uint32_t {};

/// The largest number of chunks, and of blocks, of an operation; larger numbers denote sums.
inline constexpr std::uint32_t kMostChunks = std::uint32_t{1} << 30;

/// In operations that add up contributions, a message carries a sum instead of a chunk: the sum of
/// a block (see Demand) that its sender has so far. A receiver adds a partial sum to its own; a
/// result replaces its own.
constexpr ChunkId partial_sum(std::size_t block) {
  return ChunkId{kMostChunks + static_cast<std::uint32_t>(block)};
}
constexpr ChunkId result_of(std::size_t block) {
  return ChunkId{2 * kMostChunks + static_cast<std::uint32_t>(block)};
}
inline constexpr ChunkId kPartialSum = partial_sum(0);  ///< The partial sum of the only block.
inline constexpr ChunkId kResult = result_of(0);        ///< The result of the only block.
constexpr bool is_sum(ChunkId item) { return item >= kPartialSum; }
constexpr bool is_result(ChunkId item) { return item >= kResult; }
/// The block of a sum.
constexpr std::size_t block_of(ChunkId sum) {
  return static_cast<std::uint32_t>(sum) % kMostChunks;
}

/// One message of a round: `from` sends an item to `to`, along a path of output ports if the
/// algorithm relies on one.
struct Message {
  NodeId from{};
  NodeId to{};      ///< A node or, in a multicast, a group: see Schedule::receivers().
  ChunkId chunk{};  ///< An item, or a list of items: see Schedule::items().
};

/// Consecutive rounds of a schedule, from `begin` up to `end`, that have a name: "level 3 of 4
/// nodes".
struct Phase {
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The output ports by which a message leaves its routers, from the source's router on.
using Path = Span<PortId>;
using Receivers = Span<NodeId>;
/// The items that a message carries: chunks, or sums of blocks.
using Items = Span<ChunkId>;
using Messages = Span<Message>;

/// The messages of an algorithm, round by round.
///
/// Messages are numbered from 0 in the order of their rounds. Rounds are numbered from 0 here, and
/// from 1 wherever a user reads them. The messages of a round carry only data that their senders
/// knew before the round. Messages of an algorithm for one topology have paths, on topologies where
/// node n sits at router n (grids, hypercubes, complete graphs), and where routers take part
/// (Switching::kThroughRouters); messages of an algorithm for any network, and of a permutation,
/// have none. Memory: 12 bytes a message, 4 more where messages have paths, 2 a hop, 4 a receiver
/// of a multicast and 4 an item of a list.
class Schedule {
 public:
  /// Opens the next round; the messages added from now on belong to it. A round may stay empty.
  void begin_round() { round_begin_.push_back(messages_.size()); }
  /// Gives a name to the rounds that begin from now on, up to the next phase.
  void begin_phase(std::string name) { phases_.push_back({std::move(name), rounds()}); }
  void add(NodeId from, NodeId to, ChunkId chunk, PortId output) {
    add_along({&output, &output + 1}, from, to, chunk);
  }
  void add(NodeId from, NodeId to, ChunkId chunk, const std::vector<PortId>& path) {
    add_along({path.data(), path.data() + path.size()}, from, to, chunk);
  }
  /// Adds a message without a path.
  void add(NodeId from, NodeId to, ChunkId chunk) {
    if (round_begin_.empty()) throw std::logic_error("a message before the first round");
    messages_.push_back({from, to, chunk});
  }
  /// Adds a message without a path that carries several items, at least one.
  void add(NodeId from, NodeId to, const std::vector<ChunkId>& items) {
    if (items.empty()) throw std::logic_error("a message that carries nothing");
    if (items.size() == 1) return add(from, to, items.front());
    add(from, to, ChunkId{kFirstList + static_cast<std::uint32_t>(lists_.size())});
    lists_.push_back(items);
  }
  /// Adds a multicast without a path: one message to all receivers.
  void add(NodeId from, const std::vector<NodeId>& receivers, ChunkId chunk) {
    if (receivers.size() == 1) return add(from, receivers.front(), chunk);
    add(from, NodeId{kFirstGroup + static_cast<std::uint32_t>(groups_.size())}, chunk);
    groups_.push_back(receivers);
  }
  /// Reserves memory for the given number of messages, each with a path of one hop.
  void reserve(std::size_t messages);

  std::size_t rounds() const { return round_begin_.size(); }
  std::size_t size() const { return messages_.size(); }
  /// The messages of a round are begin(round) .. end(round) - 1.
  std::size_t begin(std::size_t round) const { return round_begin_[round]; }
  std::size_t end(std::size_t round) const {
    return round + 1 < rounds() ? round_begin_[round + 1] : size();
  }
  Messages messages(std::size_t round) const {
    return {messages_.data() + begin(round), messages_.data() + end(round)};
  }

  /// The phases that have rounds; empty if there is only one, or rounds have no names.
  std::vector<Phase> phases() const;

  const Message& message(std::size_t number) const { return messages_[number]; }
  Path path(std::size_t number) const {
    if (number >= path_ends_.size()) return {nullptr, nullptr};
    const std::size_t first = number == 0 ? 0 : path_ends_[number - 1];
    return {hops_.data() + first, hops_.data() + path_ends_[number]};
  }
  /// The channels on the paths of all messages, each as often as a message takes it.
  std::size_t hops() const { return hops_.size(); }
  Receivers receivers(std::size_t number) const {
    return listed(messages_[number].to, kFirstGroup, groups_);
  }
  Items items(std::size_t number) const {
    return listed(messages_[number].chunk, kFirstList, lists_);
  }

 private:
  void add_along(const Path& path, NodeId from, NodeId to, ChunkId chunk);

  static constexpr std::uint32_t kFirstGroup = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kFirstList = 3 * kMostChunks;

  // The list that a number from `first` on stands for, or the entry itself.
  template <class Entry>
  static Span<Entry> listed(const Entry& entry, std::uint32_t first,
                            const std::vector<std::vector<Entry>>& lists) {
    const std::size_t list = index(entry) - first;
    if (index(entry) < first || list >= lists.size()) return {&entry, &entry + 1};
    return {lists[list].data(), lists[list].data() + lists[list].size()};
  }

  std::vector<std::size_t> round_begin_;
  std::vector<Phase> phases_;  // Without their ends.
  std::vector<Message> messages_;
  std::vector<PortId> hops_;
  // By message, up to the last that has a path: the end of its path in hops_.
  std::vector<std::uint32_t> path_ends_;
  std::vector<std::vector<NodeId>> groups_;  // Group g has the number kFirstGroup + g.
  std::vector<std::vector<ChunkId>> lists_;  // List l has the number kFirstList + l.
};

/// The nodes at which the ranks of an operation sit. Schedule, Demand and Verification count ranks
/// from 0 and call them nodes; a placement maps them to the nodes of the network where they differ.
class Placement {
 public:
  /// Places rank r at node r.
  Placement() = default;
  /// Places rank r at nodes[r] of a network of `node_count` nodes; no node may occur twice.
  Placement(std::vector<NodeId> nodes, std::size_t node_count)
      : nodes_(std::move(nodes)), ranks_(node_count, kNoRank) {
    for (std::size_t r = 0; r < nodes_.size(); ++r) {
      ranks_[index(nodes_[r])] = to_id<NodeId>(r);
    }
  }

  static constexpr NodeId kNoRank{~std::uint32_t{0}};

  /// The node of every rank; empty where rank r sits at node r.
  const std::vector<NodeId>& nodes() const { return nodes_; }
  NodeId node(NodeId rank) const { return nodes_.empty() ? rank : nodes_[index(rank)]; }
  /// The rank at a node; kNoRank for a node that takes no part.
  NodeId rank(NodeId node) const { return nodes_.empty() ? node : ranks_[index(node)]; }

 private:
  std::vector<NodeId> nodes_;  // By rank: its node.
  std::vector<NodeId> ranks_;  // By node: its rank.
};

/// How messages move in a round.
enum class Switching {
  kStoreAndForward,  ///< A message is one packet over one channel.
  kWormhole,         ///< A message takes a whole path; its length costs no round.
  kAnyNetwork,       ///< Messages have no paths; the network between two nodes is irrelevant.
  /// A message crosses one channel, between a node and its router or between two routers, which
  /// take part in the operation: of N nodes, or ranks, router s has the number N + s.
  kThroughRouters,
};

/// A node sends and receives as many messages in a round as its router has channels.
inline constexpr unsigned kAllPorts = ~0U;

/// The rules that make the messages of one round legal together. Links are full duplex, so sends
/// and receipts are counted separately. No channel carries two messages in a round.
struct Discipline {
  Switching switching = Switching::kStoreAndForward;
  /// The most sends, and the most receipts, of a node in a round; at least 1.
  unsigned ports = kAllPorts;
  bool multicast = false;  ///< A message may have several receivers: the network replicates it.
  bool combining = false;  ///< A message may carry several chunks.
};

/// The costs that the theorem behind an algorithm promises for an instance. A claim comes from a
/// closed formula, never from the schedule, because verify() compares the two.
struct Claim {
  std::size_t rounds = 0;  ///< The rounds until all nodes are served.
  bool at_most = false;    ///< `rounds` is an upper bound only.
  std::optional<std::size_t> transmissions{};
  std::optional<std::size_t> duplicates{};
  /// The blocks sent one after another: the sum over the rounds of the blocks in the longest
  /// message.
  std::optional<std::size_t> serial_blocks{};
  std::optional<std::size_t> total_blocks{};  ///< The blocks of all messages.
};

/// A statement of the literature about the rounds that an algorithm takes. The schedule may miss
/// it.
struct Theorem {
  std::string id;          ///< The name in `flitcast claims`: "gossip.theorem_2".
  std::string formula;     ///< The rounds that it allows: "P/4 + n1/2 + 1".
  std::size_t rounds = 0;  ///< The value of the formula, rounded up.
};

/// An item as dumps write it: "17", "partial", "result:3".
std::string to_text(ChunkId item);

/// The result of a collective algorithm for an instance: its schedule, and the claim with which
/// verify() compares it.
struct Plan {
  Schedule schedule;
  Claim claim;
  std::vector<Theorem> theorems{};
};

/// Writes a schedule so that other programs can verify it: one message a line, in decimal, rounds
/// from 1.
///
///   store-and-forward   round from to packet [+|-]   packet: the chunk's number, see Demand,
///                                                    "partial" or "result"
///   through routers     round from to packet         likewise; router s is N + s
///   wormhole            round from to node...        the nodes between from and to on the path
///   any network         round from what to...        items, joined by commas: see below
///
/// For an algorithm between ranks that workload.nodes or mapping place, `from`, `to` and the
/// numbers in items are ranks.
///
/// An item is a chunk's number, or "partial" or "result" for a sum of block 0, "partial:3" for a
/// sum of block 3.
///
/// A permutation is dumped as store-and-forward messages without paths: phase, from, to, packet.
///
/// The sign is written only where two links join `from` and `to`, in a wrapped dimension of size 2:
/// it names the output, Grid::plus or Grid::minus. Paths must stay in the network; node n sits at
/// router n. O(messages + hops + receivers).
void write_dump(std::ostream& out, const Topology& topology, const Schedule& schedule,
                Switching switching);

}  // namespace flitcast
