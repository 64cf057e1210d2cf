// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collective/demand.h"
#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast {

/// A way in which a schedule can be wrong.
enum class Fault {
  kNoSuchNode,        ///< A sender or receiver that there is none of.
  kNoSuchChunk,       ///< A chunk that there is none of, or a sum where nothing is added up.
  kToItself,          ///< A message without a path from a node to itself.
  kManyReceivers,     ///< A multicast where the network makes no copies, or one to nobody.
  kManyItems,         ///< A message with several chunks where each has to travel alone.
  kBrokenPath,        ///< The path leaves the network, or is empty.
  kWrongReceiver,     ///< The path ends at another node than the message says.
  kLongPath,          ///< More than one hop under store-and-forward.
  kEmptyRound,        ///< Nobody sends in a round of a schedule without paths.
  kSenderLacksChunk,  ///< The sender did not hold the chunk before the round.
  kLinkShared,        ///< Two messages of a round use one channel.
  kSendLimit,         ///< A node sends more often in a round than it has ports.
  kReceiveLimit,      ///< A node receives more often in a round than it has ports.
  kCountedTwice,      ///< A sum of two that share a contribution.
  kUnserved,          ///< A node lacks a chunk at the end that the operation owes it.
  kExcess,            ///< A node's sum contains at the end what does not belong there.
  kRounds,            ///< There are too many rounds, or not those claimed.
  kTransmissions,     ///< There are more or fewer messages than claimed.
  kDuplicates,        ///< There are more or fewer duplicates than claimed.
  kSerialBlocks,      ///< The rounds take other numbers of blocks one after another than claimed.
  kTotalBlocks,       ///< The messages carry more or fewer blocks than claimed.
};

/// "link shared", as messages name it.
const char* to_text(Fault fault);

/// One thing that is wrong, where it is wrong.
struct Violation {
  Fault fault{};
  std::string text;  ///< A sentence: "round 3: node 5 sends chunk 0 to node 7 but lacks it".
};

/// What the abstract machine saw.
struct Verification {
  std::size_t rounds = 0;  ///< Until the last receipt of something new.
  std::size_t transmissions = 0;
  std::size_t receipts = 0;    ///< As many as transmissions, and more where there are multicasts.
  std::size_t duplicates = 0;  ///< Receipts that told the receiver nothing new.
  /// Items of the longest message of every round together; every round.
  std::size_t serial_blocks = 0;
  std::size_t total_blocks = 0;                       ///< Items of all messages.
  std::vector<std::size_t> new_per_round{};           ///< Receipts of something new; every round.
  std::vector<std::size_t> longest_path_per_round{};  ///< Hops; every round.
  std::vector<std::size_t> last_news{};               ///< Messages of round `rounds` that told it.
  std::size_t faults = 0;                             ///< All that were found.
  std::vector<Violation> violations{};                ///< The first kMostViolations faults.

  static constexpr std::size_t kMostViolations = 64;
  bool legal() const { return faults == 0; }
};

/// Most nodes times chunks that are kept account of, a bit each: 8 GiB.
inline constexpr std::size_t kMostVerified = std::size_t{1} << 36;

/// Runs a schedule on the abstract machine, round by round, and verifies it. Nothing is assumed of
/// the schedule: damaged ones give violations. A message whose sender lacks its chunk or whose path
/// does not end at its receiver brings nothing; any other is delivered, whatever else is wrong with
/// it. Under wormhole switching the nodes along a path receive nothing. Switching::kAnyNetwork: the
/// network carries whatever the ports allow, so that a round on one-port nodes is a partial
/// multicast assignment, which a nonblocking multicast network carries without conflict.
///
/// Throws std::invalid_argument if the demand's nodes are more than those of the topology, or fewer
/// where there are paths, if there is no port, or if there are paths and some node n does not sit
/// at router n; std::length_error beyond kMostVerified.
///
/// A bit per node and chunk. O(hops + nodes * chunks) time; O(N / 64) a receipt of a sum.
Verification verify(const Topology& topology, const Schedule& schedule, const Demand& demand,
                    const Discipline& discipline);

/// Verifies the schedule, and holds it to what was claimed.
Verification verify(const Topology& topology, const Schedule& schedule, const Demand& demand,
                    const Discipline& discipline, const Claim& claim);

}  // namespace flitcast
