// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/judge_rounds.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/bit_matrix.h"
#include "base/bit_set.h"

namespace flitcast {

namespace {

std::string numbered(const char* thing, std::size_t number) {
  return std::string(thing) + " " + std::to_string(number);
}

/// The abstract machine.
class Machine {
 public:
  Machine(const RoundPlan& plan, const RoundDemand& demand)
      : plan_(plan), demand_(demand), known_(demand.nodes, demand.items()) {
    for (std::uint32_t item = 0; item < demand.items(); ++item) {
      known_.set(index(demand.origin(item)), item);
    }
    judgement_.rounds = plan.rounds();
    judgement_.messages = plan.size();
    judgement_.receipts = plan.receipts();
  }

  RoundJudgement run() {
    for (round_ = 0; round_ < plan_.rounds(); ++round_) play_round();
    check_end();
    return std::move(judgement_);
  }

 private:
  /// What a node is about to learn, from what was known before the round.
  struct Receipt {
    std::size_t message;
    std::size_t node;
  };

  void play_round();
  bool sound(std::size_t message);
  void receive(const Receipt& receipt);
  void receive_chunk(const Receipt& receipt);
  void receive_combination(const Receipt& receipt, const BitSet& sent);
  void count(bool is_new);
  void check_end();
  void check_end(std::uint32_t node);
  void fault(RoundFault fault, const std::string& text);
  void round_fault(RoundFault fault, const std::string& text);

  const RoundPlan& plan_;
  const RoundDemand& demand_;
  BitMatrix known_;  // Per node: the items that it holds, or that its combination is of.
  std::size_t round_ = 0;
  std::vector<Receipt> receipts_;
  std::vector<BitSet> sent_;  // Of every message of the round: what it is a combination of.
  RoundJudgement judgement_;
};

void Machine::fault(RoundFault fault, const std::string& text) {
  ++judgement_.faults;
  if (judgement_.violations.size() < RoundJudgement::kMostViolations) {
    judgement_.violations.push_back({fault, text});
  }
}

void Machine::round_fault(RoundFault kind, const std::string& text) {
  fault(kind, numbered("round", round_ + 1) + ": " + text);
}

void Machine::play_round() {
  judgement_.new_per_round.push_back(0);
  receipts_.clear();
  sent_.clear();
  BitSet sends(demand_.nodes);
  BitSet receives(demand_.nodes);
  for (std::size_t m = plan_.begin(round_); m < plan_.end(round_); ++m) {
    sent_.emplace_back();
    if (!sound(m)) continue;
    const std::size_t from = index(plan_.message(m).from);
    if (sends.test(from))
      round_fault(RoundFault::kSendsTwice, numbered("node", from) + " sends twice");
    sends.set(from);
    if (demand_.combines()) sent_.back() = known_.set_of(from);
    for (const NodeId to : plan_.receivers(m)) {
      if (receives.test(index(to))) {
        round_fault(RoundFault::kReceivesTwice, numbered("node", index(to)) + " receives twice");
      }
      receives.set(index(to));
      receipts_.push_back({m, index(to)});
    }
  }
  if (sent_.empty()) round_fault(RoundFault::kEmptyRound, "nobody sends");
  for (const Receipt& receipt : receipts_) receive(receipt);
}

// Whether the message can be sent at all.
bool Machine::sound(std::size_t number) {
  const RoundMessage& message = plan_.message(number);
  const NodeRange receivers = plan_.receivers(number);
  const auto unknown = [this](NodeId node) { return index(node) >= demand_.nodes; };
  if (unknown(message.from) || receivers.size() == 0 ||
      std::any_of(receivers.begin(), receivers.end(), unknown)) {
    round_fault(RoundFault::kNoSuchNode, "a message from or to no node");
    return false;
  }
  const std::string sender = numbered("node", index(message.from));
  if (std::count(receivers.begin(), receivers.end(), message.from) != 0) {
    round_fault(RoundFault::kToItself, sender + " sends to itself");
    return false;
  }
  const bool chunk = message.carries == Carries::kChunk;
  if (chunk == demand_.combines() || (chunk && message.chunk >= demand_.items())) {
    round_fault(RoundFault::kNoSuchItem, sender + " sends what the operation is not about");
    return false;
  }
  if (chunk && !known_.test(index(message.from), message.chunk)) {
    round_fault(RoundFault::kLacksChunk,
                sender + " sends " + numbered("chunk", message.chunk) + " that it does not hold");
    return false;
  }
  return true;
}

void Machine::receive(const Receipt& receipt) {
  if (demand_.combines()) {
    receive_combination(receipt, sent_[receipt.message - plan_.begin(round_)]);
  } else {
    receive_chunk(receipt);
  }
}

void Machine::receive_chunk(const Receipt& receipt) {
  const std::uint32_t chunk = plan_.message(receipt.message).chunk;
  count(!known_.test(receipt.node, chunk));
  known_.set(receipt.node, chunk);
}

void Machine::receive_combination(const Receipt& receipt, const BitSet& sent) {
  BitSet own = known_.set_of(receipt.node);
  count(!own.contains(sent));
  if (plan_.message(receipt.message).carries == Carries::kResult) {
    own = sent;
  } else {
    if (!demand_.is_union() && own.intersects(sent)) {
      round_fault(
          RoundFault::kCountedTwice,
          numbered("node", receipt.node) + " adds a sum that shares contributions with its own");
    }
    own |= sent;
  }
  known_.assign(receipt.node, own);
}

void Machine::count(bool is_new) {
  judgement_.new_per_round.back() += is_new;
  judgement_.duplicates += !is_new;
}

void Machine::check_end() {
  for (std::uint32_t node = 0; node < demand_.nodes; ++node) check_end(node);
}

// One fault a node is enough.
void Machine::check_end(std::uint32_t node) {
  const auto [begin, end] = demand_.wanted(NodeId{node});
  const std::string who = "at the end " + numbered("node", node);
  for (std::size_t item = begin; item < end; ++item) {
    if (known_.test(node, item)) continue;
    return fault(RoundFault::kUnserved, who + " lacks " + numbered("item", item));
  }
  if (!demand_.wants_nothing_else(NodeId{node})) return;
  for (std::size_t item = 0; item < demand_.items(); ++item) {
    if ((item >= begin && item < end) || !known_.test(node, item)) continue;
    return fault(RoundFault::kExcess, who + " has " + numbered("item", item) + " in its sum");
  }
}

}  // namespace

const char* to_text(RoundFault fault) {
  switch (fault) {
    case RoundFault::kNoSuchNode:
      return "no such node";
    case RoundFault::kToItself:
      return "to itself";
    case RoundFault::kNoSuchItem:
      return "no such item";
    case RoundFault::kSendsTwice:
      return "sends twice";
    case RoundFault::kReceivesTwice:
      return "receives twice";
    case RoundFault::kLacksChunk:
      return "lacks chunk";
    case RoundFault::kCountedTwice:
      return "counted twice";
    case RoundFault::kEmptyRound:
      return "empty round";
    case RoundFault::kUnserved:
      return "unserved";
    case RoundFault::kExcess:
      return "excess";
    case RoundFault::kRounds:
      return "rounds";
    case RoundFault::kMessages:
      return "messages";
  }
  return "";
}

RoundJudgement judge_rounds(const RoundPlan& plan, const RoundDemand& demand) {
  if (demand.items() > kMostRoundEntries / demand.nodes) {
    throw std::length_error("nodes times items exceed the machine's 2^31 entries");
  }
  return Machine(plan, demand).run();
}

RoundJudgement judge_rounds(const RoundPlan& plan, const RoundDemand& demand,
                            const RoundClaim& claim) {
  RoundJudgement judgement = judge_rounds(plan, demand);
  const auto compare = [&](RoundFault fault, std::size_t got, std::size_t promised) {
    if (got == promised) return;
    ++judgement.faults;
    judgement.violations.push_back({fault, std::string("the plan has ") + std::to_string(got) +
                                               " " + to_text(fault) + ", not the " +
                                               std::to_string(promised) + " promised"});
  };
  compare(RoundFault::kRounds, judgement.rounds, claim.rounds);
  compare(RoundFault::kMessages, judgement.messages, claim.messages);
  return judgement;
}

}  // namespace flitcast
