// SPDX-License-Identifier: Apache-2.0
// Plans that are wrong in one place each, and what the checker says of them.
#include <algorithm>
#include <functional>

#include "collective/round_cases.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A schedule in a form that tests can change.
struct Editable {
  struct Line {
    NodeId from{};
    ChunkId chunk{};
    std::vector<NodeId> to;
  };
  std::vector<std::vector<Line>> rounds;

  explicit Editable(const Schedule& schedule) {
    for (std::size_t round = 0; round < schedule.rounds(); ++round) {
      rounds.emplace_back();
      for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
        const Message& message = schedule.message(m);
        const Receivers to = schedule.receivers(m);
        rounds.back().push_back({message.from, message.chunk, {to.begin(), to.end()}});
      }
    }
  }
  Schedule schedule() const {
    Schedule schedule;
    for (const auto& round : rounds) {
      schedule.begin_round();
      for (const Line& line : round) schedule.add(line.from, line.to, line.chunk);
    }
    return schedule;
  }
};

bool reports(const Verification& verification, Fault fault) {
  return std::any_of(verification.violations.begin(), verification.violations.end(),
                     [&](const Violation& violation) { return violation.fault == fault; });
}

/// Verifies every case after `spoil` has changed it; spoil returns false where it cannot damage the
/// case. Returns the number of damaged cases.
std::size_t count_reported(Fault fault, const std::function<bool(Editable&)>& spoil,
                           std::size_t nodes = 8) {
  std::size_t count = 0;
  for (const bool multicast : {true, false}) {
    for (const RoundCase& one : round_cases(nodes, multicast)) {
      Editable plan(one.plan().schedule);
      if (!spoil(plan)) continue;
      ++count;
      INFO(one.name << (multicast ? " multicast: " : " unicast: ") << to_text(fault));
      CHECK(reports(one.held_to_claim(plan.schedule()), fault));
    }
  }
  return count;
}

Editable::Line& last(Editable& plan) { return plan.rounds.back().back(); }

}  // namespace

TEST_CASE("a message that is left out is missed by a node", "[collective]") {
  for (const bool whole_round : {false, true}) {
    CHECK(count_reported(Fault::kUnserved, [&](Editable& plan) {
            plan.rounds.front().pop_back();
            if (whole_round) plan.rounds.erase(plan.rounds.begin());
            return true;
          }) == 20);
  }
}

TEST_CASE("another number of rounds or messages than promised is reported", "[collective]") {
  // An empty round delays all later rounds.
  CHECK(count_reported(Fault::kRounds, [](Editable& plan) {
          plan.rounds.emplace(plan.rounds.begin());
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kRounds, [](Editable& plan) {
          plan.rounds.pop_back();
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kTransmissions, [](Editable& plan) {
          plan.rounds.back().pop_back();
          return true;
        }) == 20);
}

TEST_CASE("a round without messages is reported", "[collective]") {
  for (const bool first : {true, false}) {
    CHECK(count_reported(Fault::kEmptyRound, [&](Editable& plan) {
            plan.rounds.emplace(first ? plan.rounds.begin() : plan.rounds.end());
            return true;
          }) == 20);
  }
}

TEST_CASE("a node that sends or receives twice in a round is reported", "[collective]") {
  CHECK(count_reported(Fault::kSendLimit, [](Editable& plan) {
          plan.rounds.front().push_back(plan.rounds.front().back());
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kReceiveLimit, [](Editable& plan) {
          last(plan).to.push_back(last(plan).to.back());
          return true;
        }) == 20);
}

TEST_CASE("messages from, to or about nothing are reported", "[collective]") {
  const NodeId nobody{8};
  CHECK(count_reported(Fault::kNoSuchNode, [&](Editable& plan) {
          last(plan).from = nobody;
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kNoSuchNode, [&](Editable& plan) {
          last(plan).to.back() = nobody;
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kManyReceivers, [](Editable& plan) {
          last(plan).to.clear();
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kToItself, [](Editable& plan) {
          last(plan).to.back() = last(plan).from;
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kNoSuchChunk, [](Editable& plan) {
          last(plan).chunk = is_sum(last(plan).chunk) ? ChunkId{0} : kPartialSum;
          return true;
        }) == 20);
  CHECK(count_reported(Fault::kNoSuchChunk, [](Editable& plan) {
          if (is_sum(last(plan).chunk)) return false;
          last(plan).chunk = ChunkId{64};
          return true;
        }) == 12);
}

TEST_CASE("a chunk that the sender does not hold before the round is reported", "[collective]") {
  // A node that does not take part in the first round sends in it.
  CHECK(count_reported(Fault::kSenderLacksChunk, [](Editable& plan) {
          Editable::Line& first = plan.rounds.front().front();
          if (is_sum(first.chunk) || first.to.size() == 7) return false;
          std::uint32_t other = 0;
          const auto is_in = [&](NodeId node) { return node == NodeId{other}; };
          while (is_in(first.from) || std::any_of(first.to.begin(), first.to.end(), is_in)) ++other;
          first.from = NodeId{other};
          return true;
        }) == 10);
  // A message of the second round is sent in the first, so its sender forwards in the round in
  // which it is informed.
  const RoundCase broadcast{"", {Operation::kBroadcast, 8}, false};
  Editable plan(broadcast.plan().schedule);
  plan.rounds[0].push_back(plan.rounds[1].back());
  CHECK(reports(broadcast.verified(plan.schedule()), Fault::kSenderLacksChunk));
}

TEST_CASE("a message to several is reported where the network makes no copies", "[collective]") {
  for (const RoundCase& one : round_cases(8, true)) {
    const RoundCase unicast{one.name, one.demand, false};
    const Verification verification = one.verified(one.plan().schedule);
    INFO(one.name);
    CHECK(reports(unicast.verified(one.plan().schedule), Fault::kManyReceivers) ==
          (verification.receipts > verification.transmissions));
  }
}

TEST_CASE("a contribution that is counted twice is reported, but not at a barrier",
          "[collective]") {
  // The first round is repeated at the end, so its sums share contributions with what their
  // receivers hold.
  std::size_t spoiled = 0;
  for (const bool multicast : {true, false}) {
    for (const RoundCase& one : round_cases(8, multicast)) {
      if (!one.demand.adds_up()) continue;
      Editable plan(one.plan().schedule);
      plan.rounds.push_back(plan.rounds.front());
      const Verification verification = one.verified(plan.schedule());
      INFO(one.name);
      CHECK(reports(verification, Fault::kCountedTwice) == !one.demand.is_union());
      CHECK(verification.duplicates > 0);
      ++spoiled;
    }
  }
  CHECK(spoiled == 8);
}

TEST_CASE("dissemination is no way to add where nodes are not a power of two", "[collective]") {
  const RoundCase barrier{"", {Operation::kBarrier, 6}, false};
  const RoundCase sum{"", {Operation::kAllReduce, 6}, false};
  CHECK(barrier.verified(barrier.plan().schedule).legal());
  CHECK(reports(sum.verified(barrier.plan().schedule), Fault::kCountedTwice));
}

TEST_CASE("a scan in which a node hears from one behind it is reported", "[collective]") {
  const RoundCase scan{"", {Operation::kScan, 4}, false};
  const RoundCase all{"", {Operation::kAllReduce, 4}, false};
  const Verification verification = scan.verified(all.plan().schedule);
  CHECK(reports(verification, Fault::kExcess));
  CHECK(verification.violations.front().text == "node 0 has in its sum chunk 1 at the end");
}

TEST_CASE("a violation of a message without a path says where it is", "[collective]") {
  Schedule schedule;
  schedule.begin_round();
  schedule.add(NodeId{0}, NodeId{1}, ChunkId{0});
  schedule.begin_round();
  schedule.add(NodeId{2}, NodeId{1}, ChunkId{0});
  const RoundCase broadcast{"", {Operation::kBroadcast, 3}, false};
  const Verification verification = broadcast.verified(schedule);
  REQUIRE(verification.faults == 2);
  CHECK(verification.violations[0].text ==
        "round 2: node 2 sends chunk 0 to node 1 but does not hold it");
  CHECK(verification.violations[1].text == "node 2 lacks chunk 0 at the end");
  CHECK(verification.new_per_round == std::vector<std::size_t>{1, 0});
}
