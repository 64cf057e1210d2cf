// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"

using namespace flitcast;

namespace {

Verification double_up(std::size_t nodes, NodeId source) {
  const Complete network(nodes);
  return verify_hops(network, source, doubling_broadcast(network, source), 1);
}

}  // namespace

// P1 to P4 are cases of the specification's table of costs.
TEST_CASE("doubling costs what the specification says", "[collective]") {
  check_cost(double_up(1, NodeId{0}), {0, 0, 0, {}});              // P1
  check_cost(double_up(2, NodeId{1}), {1, 1, 0, {1}});             // P2
  check_cost(double_up(8, NodeId{0}), {3, 7, 0, {1, 2, 4}});       // P3
  check_cost(double_up(13, NodeId{5}), {4, 12, 0, {1, 2, 4, 5}});  // P4
  check_cost(double_up(9, NodeId{8}), {4, 8, 0, {1, 2, 4, 1}});
}

TEST_CASE("doubling is legal from every source, up to the largest complete network",
          "[collective]") {
  for (std::size_t nodes = 1; nodes < 34; ++nodes) {
    for (const NodeId source : nodes_of(Complete(nodes))) double_up(nodes, source);
  }
  CHECK(double_up(69, NodeId{68}).rounds == 7);
  CHECK(double_up(Complete::kMaxNodes, NodeId{77}).rounds == 7);
}

TEST_CASE("in round k of doubling, rank r sends to rank r + 2^(k-1)", "[collective]") {
  const Schedule schedule = doubling_broadcast(Complete(6), NodeId{4}).schedule;
  Numbers receivers;
  for (std::size_t send = 0; send < schedule.size(); ++send) {
    receivers.push_back(index(schedule.message(send).to));
  }
  CHECK(receivers == Numbers{5, 0, 1, 2, 3});
  CHECK(index(schedule.message(4).from) == 5);  // Rank 1 sends to rank 5.
}

TEST_CASE("doubling refuses a source outside the network and names its nodes", "[collective]") {
  const PreconditionError error = refusal([] { doubling_broadcast(Complete(13), NodeId{13}); });
  CHECK(error.subject() == PreconditionError::Subject::kSource);
  CHECK(error.hint().find("0 to 12") != std::string::npos);
}
