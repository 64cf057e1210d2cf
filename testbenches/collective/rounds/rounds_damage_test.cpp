// SPDX-License-Identifier: Apache-2.0
// Plans that are wrong in one place each, and what the judge says of them.
#include <algorithm>
#include <functional>

#include "collective/rounds/round_cases.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A plan that can be changed.
struct Editable {
  struct Message {
    NodeId from{};
    Carries carries{};
    std::uint32_t chunk = 0;
    std::vector<NodeId> to;
  };
  std::vector<std::vector<Message>> rounds;

  explicit Editable(const RoundPlan& plan) {
    for (std::size_t round = 0; round < plan.rounds(); ++round) {
      rounds.emplace_back();
      for (std::size_t m = plan.begin(round); m < plan.end(round); ++m) {
        const RoundMessage& message = plan.message(m);
        const NodeRange to = plan.receivers(m);
        rounds.back().push_back(
            {message.from, message.carries, message.chunk, {to.begin(), to.end()}});
      }
    }
  }
  RoundPlan plan() const {
    RoundPlan plan;
    for (const auto& round : rounds) {
      plan.begin_round();
      for (const Message& m : round) plan.add(m.from, m.carries, m.chunk, m.to);
    }
    return plan;
  }
};

bool reports(const RoundJudgement& judgement, RoundFault fault) {
  return std::any_of(judgement.violations.begin(), judgement.violations.end(),
                     [&](const RoundViolation& violation) { return violation.fault == fault; });
}

/// Judges every case after `spoil` has changed it; spoil returns false where it cannot.
std::size_t count_reported(RoundFault fault, const std::function<bool(Editable&)>& spoil,
                           std::size_t nodes = 8) {
  std::size_t count = 0;
  for (const RoundMethod method : {RoundMethod::kMulticast, RoundMethod::kUnicast}) {
    for (const RoundCase& one : round_cases(nodes, method)) {
      Editable plan(one.plan());
      if (!spoil(plan)) continue;
      ++count;
      const RoundJudgement judgement = judge_rounds(plan.plan(), one.demand, one.claim());
      INFO(one.name << (method == RoundMethod::kMulticast ? " multicast: " : " unicast: ")
                    << to_text(fault));
      CHECK(reports(judgement, fault));
    }
  }
  return count;
}

Editable::Message& last(Editable& plan) { return plan.rounds.back().back(); }

}  // namespace

TEST_CASE("a message that is left out is missed by somebody", "[collective]") {
  for (const bool whole_round : {false, true}) {
    CHECK(count_reported(RoundFault::kUnserved, [&](Editable& plan) {
            plan.rounds.front().pop_back();
            if (whole_round) plan.rounds.erase(plan.rounds.begin());
            return true;
          }) == 20);
  }
}

TEST_CASE("another number of rounds or messages than promised is reported", "[collective]") {
  CHECK(count_reported(RoundFault::kRounds, [](Editable& plan) {
          plan.rounds.emplace_back();
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kMessages, [](Editable& plan) {
          plan.rounds.back().pop_back();
          return true;
        }) == 20);
}

TEST_CASE("a round without messages is reported", "[collective]") {
  CHECK(count_reported(RoundFault::kEmptyRound, [](Editable& plan) {
          plan.rounds.emplace(plan.rounds.begin());
          return true;
        }) == 20);
}

TEST_CASE("a node that sends or receives twice in a round is reported", "[collective]") {
  CHECK(count_reported(RoundFault::kSendsTwice, [](Editable& plan) {
          plan.rounds.front().push_back(plan.rounds.front().back());
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kReceivesTwice, [](Editable& plan) {
          last(plan).to.push_back(last(plan).to.back());
          return true;
        }) == 20);
}

TEST_CASE("messages from, to or about nothing are reported", "[collective]") {
  const NodeId nobody{8};
  CHECK(count_reported(RoundFault::kNoSuchNode, [&](Editable& plan) {
          last(plan).from = nobody;
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kNoSuchNode, [&](Editable& plan) {
          last(plan).to.back() = nobody;
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kNoSuchNode, [](Editable& plan) {
          last(plan).to.clear();
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kToItself, [](Editable& plan) {
          last(plan).to.back() = last(plan).from;
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kNoSuchItem, [](Editable& plan) {
          last(plan).carries =
              last(plan).carries == Carries::kChunk ? Carries::kPartial : Carries::kChunk;
          return true;
        }) == 20);
  CHECK(count_reported(RoundFault::kNoSuchItem, [](Editable& plan) {
          last(plan).chunk = 64;
          return last(plan).carries == Carries::kChunk;
        }) == 12);
}

TEST_CASE("a chunk that the sender does not hold before the round is reported", "[collective]") {
  // In the first round by a node that is not in it.
  CHECK(count_reported(RoundFault::kLacksChunk, [](Editable& plan) {
          Editable::Message& first = plan.rounds.front().front();
          if (first.carries != Carries::kChunk || first.to.size() == 7) return false;
          std::uint32_t other = 0;
          const auto is_in = [&](NodeId node) { return node == NodeId{other}; };
          while (is_in(first.from) || std::any_of(first.to.begin(), first.to.end(), is_in)) ++other;
          first.from = NodeId{other};
          return true;
        }) == 10);
  // The second round in one with the first: who is informed sends on at once.
  Editable plan(make_rounds({RoundOperation::kBroadcast, 8}, RoundMethod::kUnicast));
  plan.rounds[0].push_back(plan.rounds[1].back());
  CHECK(
      reports(judge_rounds(plan.plan(), {RoundOperation::kBroadcast, 8}), RoundFault::kLacksChunk));
}

TEST_CASE("a contribution that is counted twice is reported, but not at a barrier",
          "[collective]") {
  // Everything once more: the sums of a second pass share all that those of the first have.
  std::size_t spoiled = 0;
  for (const RoundMethod method : {RoundMethod::kMulticast, RoundMethod::kUnicast}) {
    for (const RoundCase& one : round_cases(8, method)) {
      if (!one.demand.combines()) continue;
      Editable plan(one.plan());
      plan.rounds.push_back(plan.rounds.front());
      const RoundJudgement judgement = judge_rounds(plan.plan(), one.demand);
      INFO(one.name);
      CHECK(reports(judgement, RoundFault::kCountedTwice) == !one.demand.is_union());
      CHECK(judgement.duplicates > 0);
      ++spoiled;
    }
  }
  CHECK(spoiled == 8);
}

TEST_CASE("dissemination is no way to add where nodes are not a power of two", "[collective]") {
  const RoundPlan plan = make_rounds({RoundOperation::kBarrier, 6}, RoundMethod::kUnicast);
  CHECK(judge_rounds(plan, {RoundOperation::kBarrier, 6}).legal());
  CHECK(reports(judge_rounds(plan, {RoundOperation::kAllReduce, 6}), RoundFault::kCountedTwice));
}

TEST_CASE("a scan in which a node hears from one behind it is reported", "[collective]") {
  const RoundDemand demand{RoundOperation::kScan, 4};
  const RoundPlan all = make_rounds({RoundOperation::kAllReduce, 4}, RoundMethod::kUnicast);
  const RoundJudgement judgement = judge_rounds(all, demand);
  CHECK(reports(judgement, RoundFault::kExcess));
  CHECK(judgement.violations.front().text == "at the end node 0 has item 1 in its sum");
}

TEST_CASE("a violation says where it is", "[collective]") {
  RoundPlan plan;
  plan.begin_round();
  plan.add_chunk(NodeId{0}, NodeId{1}, 0);
  plan.begin_round();
  plan.add_chunk(NodeId{2}, NodeId{1}, 0);
  const RoundJudgement judgement = judge_rounds(plan, {RoundOperation::kBroadcast, 3});
  REQUIRE(judgement.faults == 2);
  CHECK(judgement.violations[0].text == "round 2: node 2 sends chunk 0 that it does not hold");
  CHECK(judgement.violations[1].text == "at the end node 2 lacks item 0");
  CHECK(judgement.new_per_round == std::vector<std::size_t>{1, 0});
}
