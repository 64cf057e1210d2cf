// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collective/demand.h"
#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast {

/// A kind of fault of a schedule.
enum class Fault {
  kNoSuchNode,        ///< The sender or a receiver does not exist.
  kNoSuchChunk,       ///< The chunk does not exist, or a sum occurs in an operation without sums.
  kToItself,          ///< A message without a path goes from a node to itself.
  kManyReceivers,     ///< A multicast in a network that makes no copies, or without a receiver.
  kManyItems,         ///< A message carries several chunks, but each has to travel alone.
  kBrokenPath,        ///< The path leaves the network, or is empty.
  kWrongReceiver,     ///< The path ends at another node than the receiver of the message.
  kLongPath,          ///< The path has more than one hop under store-and-forward.
  kEmptyRound,        ///< No node sends in a round of a schedule without paths.
  kSenderLacksChunk,  ///< The sender did not hold the chunk before the round.
  kLinkShared,        ///< Two messages of a round use one channel.
  kSendLimit,         ///< A node sends more messages in a round than it has ports.
  kReceiveLimit,      ///< A node receives more messages in a round than it has ports.
  kCountedTwice,      ///< Two sums that are added share a contribution.
  kUnserved,          ///< At the end a node lacks a chunk that the operation must bring it.
  kExcess,         ///< At the end a node's sum contains a contribution that does not belong there.
  kRounds,         ///< The number of rounds is not the claimed one, or above the claimed bound.
  kTransmissions,  ///< The number of messages is not the claimed one.
  kDuplicates,     ///< The number of duplicates is not the claimed one.
  kSerialBlocks,   ///< The number of blocks sent one after another is not the claimed one.
  kTotalBlocks,    ///< The number of blocks in all messages is not the claimed one.
};

/// The name of a fault in messages: "link shared".
const char* to_text(Fault fault);

/// One fault of a schedule, and where it occurs.
struct Violation {
  Fault fault{};
  std::string text;  ///< A sentence: "round 3: node 5 sends chunk 0 to node 7 but lacks it".
};

/// The result of verify(): measurements of a schedule, and its faults. A receipt is new if the
/// receiver did not know the item before.
struct Verification {
  std::size_t rounds = 0;  ///< Rounds up to the last receipt that is new.
  std::size_t transmissions = 0;
  std::size_t receipts = 0;    ///< Transmissions, a multicast counted once for each receiver.
  std::size_t duplicates = 0;  ///< Receipts that are not new.
  /// Sum over the rounds of the items in the longest message.
  std::size_t serial_blocks = 0;
  std::size_t total_blocks = 0;                       ///< Items of all messages.
  std::vector<std::size_t> new_per_round{};           ///< By round: the receipts that are new.
  std::vector<std::size_t> longest_path_per_round{};  ///< By round: the hops of the longest path.
  std::vector<std::size_t> last_news{};  ///< The messages of the last receipts that are new.
  /// The different sets of contributions of sums that are no cyclic range of nodes.
  std::size_t stored = 0;
  std::size_t faults = 0;               ///< The number of all faults.
  std::vector<Violation> violations{};  ///< The first kMostViolations faults.

  static constexpr std::size_t kMostViolations = 64;
  bool legal() const { return faults == 0; }
};

/// The most bits that verify() takes for what nodes know, and again for sets of contributions that
/// are no cyclic ranges: 8 GiB each.
inline constexpr std::size_t kMostVerified = std::size_t{1} << 36;

/// Runs a schedule on the abstract machine, round by round, and reports its faults. The machine
/// knows the rules of a round (Discipline) and the chunks that nodes must know at the end (Demand),
/// but not the algorithm, and makes no assumption about the schedule: a damaged schedule gives
/// violations. A message whose sender lacks its chunk or whose path does not end at its receiver
/// brings nothing; any other message is delivered, whatever else is wrong with it. Under wormhole
/// switching the nodes along a path receive nothing. Under Switching::kAnyNetwork the network
/// carries every set of messages that the ports allow, so that a round on one-port nodes is a
/// partial multicast assignment, which a nonblocking multicast network carries without conflict.
///
/// Under Switching::kThroughRouters routers take part, which contribute nothing, want nothing and
/// have as many ports as they need; a channel between two of them carries one message in a round.
///
/// @param placement  The nodes of the ranks that the demand counts; read under kThroughRouters.
/// Throws std::invalid_argument if the demand has more nodes than the topology, or fewer where
/// there are paths, if nodes have no port, or if there are paths and some node n does not sit at
/// router n; std::length_error before it takes more than kMostVerified.
///
/// Memory: a bit per node and chunk; for sums of N nodes 8 bytes per node and block, and N bits for
/// every different set of contributions that is no cyclic range of nodes. O(hops + nodes * chunks)
/// time; O(1) a receipt of a sum that is such a range, or has the contributions of the one before,
/// otherwise O(N).
[[nodiscard]] Verification verify(const Topology& topology, const Schedule& schedule,
                                  const Demand& demand, const Discipline& discipline,
                                  const Placement& placement = {});

/// Verifies the schedule and compares it with the claim; every difference is a fault.
[[nodiscard]] Verification verify(const Topology& topology, const Schedule& schedule,
                                  const Demand& demand, const Discipline& discipline,
                                  const Claim& claim, const Placement& placement = {});

}  // namespace flitcast
