// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collective/rounds/round_claim.h"
#include "collective/rounds/round_demand.h"
#include "collective/rounds/round_plan.h"

namespace flitcast {

/// A way in which a round plan can be wrong.
enum class RoundFault {
  kNoSuchNode,     ///< A sender or receiver that there is none of, or no receiver at all,
  kToItself,       ///< or the sender itself.
  kNoSuchItem,     ///< A chunk that there is none of, or the wrong kind of message.
  kSendsTwice,     ///< A node sends two messages in a round,
  kReceivesTwice,  ///< or receives two.
  kLacksChunk,     ///< The sender did not hold the chunk before the round.
  kCountedTwice,   ///< A sum of two that share a contribution.
  kEmptyRound,     ///< A round without messages.
  kUnserved,       ///< A node lacks something at the end that the operation owes it,
  kExcess,         ///< or its combination contains what does not belong there.
  kRounds,         ///< Against the claim: another number of rounds,
  kMessages,       ///< another number of messages.
};

/// "sends twice", as messages name it.
const char* to_text(RoundFault fault);

/// One thing that is wrong, where it is wrong.
struct RoundViolation {
  RoundFault fault{};
  std::string text;  ///< A sentence: "round 3: node 5 sends chunk 0 that it does not hold".
};

/// What the abstract machine saw.
struct RoundJudgement {
  std::size_t rounds = 0;
  std::size_t messages = 0;
  std::size_t receipts = 0;
  std::size_t duplicates = 0;                ///< Receipts that told the receiver nothing new.
  std::vector<std::size_t> new_per_round{};  ///< Receipts of something new.
  std::size_t faults = 0;                    ///< All of them;
  std::vector<RoundViolation> violations{};  ///< the first kMostViolations.

  static constexpr std::size_t kMostViolations = 64;
  bool legal() const { return faults == 0; }
};

/// Most nodes times items that are kept account of.
inline constexpr std::size_t kMostRoundEntries = std::size_t{1} << 31;

/// Runs a plan on an abstract machine whose network carries whatever the rules of RoundPlan allow,
/// and judges it. Nothing is assumed of the plan: damaged ones give violations. A message with a
/// fault of its own brings nothing, except that second messages to a node are received.
///
/// Throws std::length_error beyond kMostRoundEntries. A bit per node and item; O(1) time a receipt
/// of a chunk, O(N / 64) a receipt of a combination.
RoundJudgement judge_rounds(const RoundPlan& plan, const RoundDemand& demand);

/// The same, and against what was promised.
RoundJudgement judge_rounds(const RoundPlan& plan, const RoundDemand& demand,
                            const RoundClaim& claim);

}  // namespace flitcast
