// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "collective/refusal.h"
#include "collective/rounds/round_cases.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

std::string dump(RoundOperation operation, RoundMethod method, std::size_t nodes,
                 std::uint32_t source = 0, std::size_t receivers = 0) {
  std::ostringstream text;
  write_rounds(text, make_rounds({operation, nodes, NodeId{source}, receivers}, method));
  return text.str();
}

}  // namespace

TEST_CASE("all operations are legal and keep their promise on every number of nodes",
          "[collective]") {
  const RoundMethod method = GENERATE(RoundMethod::kMulticast, RoundMethod::kUnicast);
  for (std::size_t nodes = 1; nodes <= 35; ++nodes) {
    for (const std::size_t source : {std::size_t{0}, nodes / 3, nodes - 1}) {
      for (const RoundCase& one : round_cases(nodes, method, static_cast<std::uint32_t>(source))) {
        const RoundJudgement judgement = judge_rounds(one.plan(), one.demand, one.claim());
        INFO(one.name << " from " << source);
        INFO((judgement.legal() ? "legal" : judgement.violations.front().text));
        CHECK(judgement.legal());
        CHECK(judgement.duplicates == 0);
        CHECK(judgement.rounds >= one.claim().bound.rounds);
      }
    }
  }
}

TEST_CASE("without hardware multicast a message has one receiver", "[collective]") {
  for (const RoundCase& one : round_cases(16, RoundMethod::kUnicast)) {
    const RoundPlan plan = one.plan();
    INFO(one.name);
    CHECK(plan.receipts() == plan.size());
  }
}

TEST_CASE("the messages of small plans are those of the operations", "[collective]") {
  using Op = RoundOperation;
  constexpr auto kMc = RoundMethod::kMulticast;
  constexpr auto kUc = RoundMethod::kUnicast;
  CHECK(dump(Op::kBroadcast, kMc, 4, 1) == "1 1 0 2 3 0\n");
  CHECK(dump(Op::kBroadcast, kUc, 5, 1) == "1 1 0 0\n2 1 0 3\n3 1 0 2\n3 3 0 4\n");
  CHECK(dump(Op::kMulticast, kMc, 5, 3, 2) == "1 3 0 4 0\n");
  CHECK(dump(Op::kMulticast, kUc, 5, 3, 2) == "1 3 0 0\n2 3 0 4\n");
  CHECK(dump(Op::kScatter, kUc, 3, 2) == "1 2 0 0\n2 2 1 1\n");
  CHECK(dump(Op::kGather, kMc, 3, 2) == "1 0 0 2\n2 1 1 2\n");
  CHECK(dump(Op::kGossip, kMc, 3) == "1 0 0 1 2\n2 1 1 0 2\n3 2 2 0 1\n");
  CHECK(dump(Op::kGossip, kUc, 3) == "1 0 0 1\n1 1 1 2\n1 2 2 0\n2 0 0 2\n2 1 1 0\n2 2 2 1\n");
  CHECK(dump(Op::kAllToAllScatter, kUc, 3) ==
        "1 0 3 1\n1 1 7 2\n1 2 2 0\n2 0 6 2\n2 1 1 0\n2 2 5 1\n");
  CHECK(dump(Op::kReduce, kUc, 4, 1) == "1 2 partial 1\n1 0 partial 3\n2 3 partial 1\n");
  CHECK(dump(Op::kAllReduce, kUc, 2) == "1 0 partial 1\n1 1 partial 0\n");
  CHECK(dump(Op::kAllReduce, kMc, 3) == "1 1 partial 0\n2 2 partial 0\n3 0 result 1 2\n");
  CHECK(dump(Op::kScan, kUc, 3) == "1 0 partial 1\n1 1 partial 2\n2 0 partial 2\n");
  CHECK(dump(Op::kBarrier, kUc, 3) ==
        "1 0 partial 1\n1 1 partial 2\n1 2 partial 0\n2 0 partial 2\n2 1 partial 0\n2 2 partial "
        "1\n");
}

TEST_CASE("what is not defined is refused with the nearest sizes that are", "[collective]") {
  const PreconditionError error = refusal([] {
    make_rounds({RoundOperation::kAllReduce, 12}, RoundMethod::kUnicast);
  });
  CHECK(error.reason() == "recursive doubling is defined on 2^k nodes only, not on 12");
  CHECK(error.remedy() == "use 8 or 16 nodes, or multicast_rounds on a Clos network");
  CHECK(refusal([] {
          make_rounds({RoundOperation::kGather, 4, NodeId{4}}, RoundMethod::kUnicast);
        }).subject() == PreconditionError::Subject::kSource);
  for (const std::size_t receivers : {0, 4}) {
    CHECK_THROWS_AS(
        make_rounds({RoundOperation::kMulticast, 4, NodeId{0}, receivers}, RoundMethod::kMulticast),
        std::invalid_argument);
  }
  CHECK_THROWS_AS(make_rounds({RoundOperation::kScan, 0}, RoundMethod::kUnicast),
                  std::invalid_argument);
}

TEST_CASE("more than the machine can keep account of is refused", "[collective]") {
  // 2048 nodes with 2^22 items have 2^33 entries.
  CHECK_THROWS_AS(judge_rounds(RoundPlan(), {RoundOperation::kAllToAllScatter, 2048}),
                  std::length_error);
}
