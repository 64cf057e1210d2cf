// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/ids.h"
#include "topology/topology.h"

namespace flitcast {

/// A piece of data that a collective operation moves as a whole, or a node's contribution to a sum;
/// see Demand for its numbering.
enum class ChunkId : std::uint32_t {};

/// Most chunks, and most blocks, of an operation: the numbers from here on are those of sums.
inline constexpr std::uint32_t kMostChunks = std::uint32_t{1} << 30;

/// Where nodes add up contributions, a message carries one of these in the place of a chunk: what
/// its sender has added up so far of a block (see Demand). Receivers add a partial sum to their
/// own; a result takes the place of their own.
constexpr ChunkId partial_sum(std::size_t block) {
  return ChunkId{kMostChunks + static_cast<std::uint32_t>(block)};
}
constexpr ChunkId result_of(std::size_t block) {
  return ChunkId{2 * kMostChunks + static_cast<std::uint32_t>(block)};
}
inline constexpr ChunkId kPartialSum = partial_sum(0);  ///< Of the only block.
inline constexpr ChunkId kResult = result_of(0);
constexpr bool is_sum(ChunkId item) { return item >= kPartialSum; }
constexpr bool is_result(ChunkId item) { return item >= kResult; }
/// The block that a sum is of.
constexpr std::size_t block_of(ChunkId sum) {
  return static_cast<std::uint32_t>(sum) % kMostChunks;
}

/// One message of a round: `from` sends what it carries to its receiver, along a path of output
/// ports where the algorithm counts on one.
struct Message {
  NodeId from{};
  NodeId to{};                  ///< A node; of a multicast a group, see Schedule::receivers().
  ChunkId chunk{};              ///< A chunk or a sum; of several a list, see Schedule::items().
  std::uint32_t first_hop = 0;  ///< Where its path starts among the schedule's hops.
};

/// Some neighbouring entries of a list.
template <class Entry>
class Span {
 public:
  Span(const Entry* begin, const Entry* end) : begin_(begin), end_(end) {}
  const Entry* begin() const { return begin_; }
  const Entry* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  Entry operator[](std::size_t place) const { return begin_[place]; }

 private:
  const Entry* begin_;
  const Entry* end_;
};

/// The output ports that a message leaves its routers by, from the source's on.
using Path = Span<PortId>;
using Receivers = Span<NodeId>;
/// What a message carries: chunks, or sums of blocks.
using Items = Span<ChunkId>;

/// Who sends what to whom in which round: a collective algorithm as a value.
///
/// Messages are numbered from 0 in the order of their rounds; rounds too are numbered from 0 here,
/// and from 1 wherever a user reads them. All messages of a round use what was known before the
/// round. Those of an algorithm for one topology have paths, on topologies where node n sits at
/// router n (grids, hypercubes, complete graphs); those of an algorithm for any network have none.
/// 16 bytes a message, 2 a hop, 4 a receiver of a multicast and an item of a list.
class Schedule {
 public:
  /// Opens the next round; the messages added from now on belong to it. A round may stay empty.
  void begin_round() { round_begin_.push_back(messages_.size()); }
  void add(NodeId from, NodeId to, ChunkId chunk, PortId output);
  void add(NodeId from, NodeId to, ChunkId chunk, const std::vector<PortId>& path);
  /// A message without a path.
  void add(NodeId from, NodeId to, ChunkId chunk);
  /// A message without a path that carries several items, one at least.
  void add(NodeId from, NodeId to, const std::vector<ChunkId>& items);
  /// A multicast without a path: one message to all receivers.
  void add(NodeId from, const std::vector<NodeId>& receivers, ChunkId chunk);
  /// Makes space for so many messages of one hop.
  void reserve(std::size_t messages);

  std::size_t rounds() const { return round_begin_.size(); }
  std::size_t size() const { return messages_.size(); }
  /// The messages of a round are begin(round) .. end(round) - 1.
  std::size_t begin(std::size_t round) const { return round_begin_[round]; }
  std::size_t end(std::size_t round) const {
    return round + 1 < rounds() ? round_begin_[round + 1] : size();
  }

  const Message& message(std::size_t number) const { return messages_[number]; }
  Path path(std::size_t number) const {
    const std::size_t last = number + 1 < size() ? messages_[number + 1].first_hop : hops_.size();
    return {hops_.data() + messages_[number].first_hop, hops_.data() + last};
  }
  Receivers receivers(std::size_t number) const {
    const NodeId& to = messages_[number].to;
    const std::size_t group = index(to) - kFirstGroup;
    if (index(to) < kFirstGroup || group >= groups_.size()) return {&to, &to + 1};
    return {groups_[group].data(), groups_[group].data() + groups_[group].size()};
  }
  Items items(std::size_t number) const {
    const ChunkId& chunk = messages_[number].chunk;
    const std::size_t list = index(chunk) - kFirstList;
    if (index(chunk) < kFirstList || list >= lists_.size()) return {&chunk, &chunk + 1};
    return {lists_[list].data(), lists_[list].data() + lists_[list].size()};
  }

 private:
  static constexpr std::uint32_t kFirstGroup = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kFirstList = 3 * kMostChunks;

  std::vector<std::size_t> round_begin_;
  std::vector<Message> messages_;
  std::vector<PortId> hops_;
  std::vector<std::vector<NodeId>> groups_;  // Group g has the number kFirstGroup + g,
  std::vector<std::vector<ChunkId>> lists_;  // and list l the number kFirstList + l.
};

/// How messages move in a round.
enum class Switching {
  kStoreAndForward,  ///< A message is one packet over one channel.
  kWormhole,         ///< A message goes along a whole path; distance costs no round.
  kAnyNetwork,       ///< Messages have no paths: what is between two nodes does not matter.
};

/// As many sends and as many receipts per node and round as there are channels.
inline constexpr unsigned kAllPorts = ~0U;

/// The rules by which the messages of one round are legal together. Full duplex: sends and receipts
/// are counted apart. No channel carries two messages in a round.
struct Discipline {
  Switching switching = Switching::kStoreAndForward;
  unsigned ports = kAllPorts;  ///< Most sends, and most receipts, of a node in a round; from 1 up.
  bool multicast = false;      ///< A message may have several receivers: the network copies it.
  bool combining = false;      ///< A message may carry several chunks.
};

/// What the theorem behind an algorithm promises of an instance. It comes from a closed formula,
/// never from the schedule, for the two are compared.
struct Claim {
  std::size_t rounds = 0;  ///< Until everyone is served.
  bool at_most = false;    ///< The theorem bounds the rounds only from above.
  std::optional<std::size_t> transmissions{};
  std::optional<std::size_t> duplicates{};
  /// Blocks of the longest message of every round together: what the rounds take one after another,
  std::optional<std::size_t> serial_blocks{};
  std::optional<std::size_t> total_blocks{};  ///< and blocks of all messages.
};

/// "17", "partial", "result:3": an item as dumps write it.
std::string to_text(ChunkId item);

/// What a collective algorithm returns: its schedule for an instance, and the promise to hold it
/// to.
struct Plan {
  Schedule schedule;
  Claim claim;
};

/// Writes a schedule for others to verify: one message a line, in decimal, rounds from 1.
///
///   store-and-forward   round from to packet [+|-]   packet: the chunk's number, see Demand,
///                                                    "partial" or "result"
///   wormhole            round from to node...        the nodes between from and to on the path
///   any network         round from what to...        items, joined by commas: see below
///
/// Of an algorithm between ranks that workload.nodes or mapping place, `from` and `to` are ranks,
/// as are the numbers in items.
///
/// An item is a chunk's number, or "partial" or "result" for a sum of block 0, "partial:3" for one
/// of another block.
///
/// The sign is written only where two links join `from` and `to`, in a wrapped dimension of size 2:
/// it tells the output, Grid::plus or Grid::minus. Paths must stay in the network; node n sits at
/// router n. O(messages + hops + receivers).
void write_dump(std::ostream& out, const Topology& topology, const Schedule& schedule,
                Switching switching);

}  // namespace flitcast
