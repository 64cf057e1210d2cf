// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <stdexcept>

#include "collective/refusal.h"
#include "collective/round_cases.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

using Op = Operation;

Plan plan_of(Operation operation, bool multicast, std::size_t nodes, std::uint32_t source = 0,
             std::size_t receivers = 0) {
  return rounds_on(
      mesh({nodes}),
      {operation, nodes, NodeId{source}, 1, nodes_after(NodeId{source}, receivers, nodes)},
      multicast);
}

std::string dump(Operation operation, bool multicast, std::size_t nodes, std::uint32_t source = 0,
                 std::size_t receivers = 0) {
  std::ostringstream text;
  write_dump(text, mesh({nodes}), plan_of(operation, multicast, nodes, source, receivers).schedule,
             Switching::kAnyNetwork);
  return text.str();
}

}  // namespace

TEST_CASE("all operations are legal and keep their promise on every number of nodes",
          "[collective]") {
  const bool multicast = GENERATE(true, false);
  for (std::size_t nodes = 1; nodes <= 35; ++nodes) {
    for (const std::size_t source : {std::size_t{0}, nodes / 3, nodes - 1}) {
      for (const RoundCase& one :
           round_cases(nodes, multicast, static_cast<std::uint32_t>(source))) {
        const Verification verification = one.held_to_claim(one.plan().schedule);
        INFO(one.name << " from " << source);
        INFO((verification.legal() ? "legal" : verification.violations.front().text));
        CHECK(verification.legal());
        CHECK(verification.duplicates == 0);
        CHECK(verification.rounds >= one.bound().rounds);
      }
    }
  }
}

TEST_CASE("without hardware multicast a message has one receiver", "[collective]") {
  for (const RoundCase& one : round_cases(16, false)) {
    INFO(one.name);
    const Verification verification = one.verified(one.plan().schedule);
    CHECK(verification.receipts == verification.transmissions);
  }
}

TEST_CASE("the messages of small plans are those of the operations", "[collective]") {
  constexpr bool kMc = true;
  constexpr bool kUc = false;
  CHECK(dump(Op::kBroadcast, kMc, 4, 1) == "1 1 0 2 3 0\n");
  CHECK(dump(Op::kBroadcast, kUc, 5, 1) == "1 1 0 0\n2 1 0 3\n3 1 0 2\n3 3 0 4\n");
  CHECK(dump(Op::kMulticast, kMc, 5, 3, 2) == "1 3 0 4 0\n");
  CHECK(dump(Op::kMulticast, kUc, 5, 3, 2) == "1 3 0 0\n2 3 0 4\n");
  CHECK(dump(Op::kMulticast, kMc, 4).empty());
  CHECK(dump(Op::kScatter, kUc, 3, 2) == "1 2 0 0\n2 2 1 1\n");
  CHECK(dump(Op::kGather, kMc, 3, 2) == "1 0 0 2\n2 1 1 2\n");
  CHECK(dump(Op::kGossip, kMc, 3) == "1 0 0 1 2\n2 1 1 0 2\n3 2 2 0 1\n");
  CHECK(dump(Op::kGossip, kUc, 3) == "1 0 0 1\n1 1 1 2\n1 2 2 0\n2 0 0 2\n2 1 1 0\n2 2 2 1\n");
  CHECK(dump(Op::kAllToAllScatter, kUc, 3) ==
        "1 0 3 1\n1 1 7 2\n1 2 2 0\n2 0 6 2\n2 1 1 0\n2 2 5 1\n");
  CHECK(dump(Op::kReduce, kUc, 4, 1) == "1 2 partial 1\n1 0 partial 3\n2 3 partial 1\n");
  CHECK(dump(Op::kAllReduce, kUc, 2) == "1 0 partial 1\n1 1 partial 0\n");
  CHECK(dump(Op::kAllReduce, kUc, 3) ==
        "1 1 partial 0\n2 0 partial 2\n2 2 partial 0\n3 0 result 1\n");
  CHECK(dump(Op::kAllReduce, kMc, 3) == "1 1 partial 0\n2 2 partial 0\n3 0 result 1 2\n");
  CHECK(dump(Op::kScan, kUc, 3) == "1 0 partial 1\n1 1 partial 2\n2 0 partial 2\n");
  CHECK(dump(Op::kBarrier, kUc, 3) ==
        "1 0 partial 1\n1 1 partial 2\n1 2 partial 0\n2 0 partial 2\n2 1 partial 0\n2 2 partial "
        "1\n");
}

TEST_CASE("what is not defined is refused", "[collective]") {
  CHECK(refusal([] { plan_of(Operation::kGather, false, 4, 4); }).subject() ==
        PreconditionError::Subject::kSource);
  // A unicast gossip on 16385 nodes would take 2^28 + 16384 messages, more than kMostSends.
  CHECK(refusal([] {
          rounds_on(mesh({5, 3277}), {Operation::kGossip, 16385}, false);
        }).subject() == PreconditionError::Subject::kTopology);
}

TEST_CASE("more than the machine can keep account of is refused", "[collective]") {
  // 16384 nodes with 2^28 chunks would have 2^42 entries.
  CHECK_THROWS_AS(verify(mesh({128, 128}), Schedule(), {Operation::kAllToAllScatter, 16384},
                         {Switching::kAnyNetwork, 1, false}),
                  std::length_error);
}
