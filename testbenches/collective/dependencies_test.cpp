// SPDX-License-Identifier: Apache-2.0
#include "collective/dependencies.h"

#include <map>
#include <stdexcept>

#include "collective/instances.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Counts = std::vector<std::uint32_t>;

/// Makes a schedule from rounds of {from, to, chunk}; the paths do not matter here.
Schedule schedule_of(const std::vector<std::vector<std::vector<std::uint32_t>>>& rounds) {
  Schedule schedule;
  for (const auto& round : rounds) {
    schedule.begin_round();
    for (const auto& send : round) {
      schedule.add(NodeId{send[0]}, NodeId{send[1]}, ChunkId{send[2]}, PortId{0});
    }
  }
  return schedule;
}

/// Compares with a direct implementation: the first earlier send of this chunk to this sender.
void check_against_map(const Schedule& schedule, const Demand& demand) {
  const Counts actual = dependencies(schedule, demand);
  REQUIRE(actual.size() == schedule.size());
  std::map<std::pair<NodeId, ChunkId>, std::uint32_t> first;
  for (std::uint32_t n = 0; n < schedule.size(); ++n) {
    const Message& send = schedule.message(n);
    const bool own = demand.origin(send.chunk) == send.from;
    CHECK(actual[n] == (own ? kNoSend : first.at({send.from, send.chunk})));
    first.insert({{send.to, send.chunk}, n});
  }
}

}  // namespace

TEST_CASE("a send waits for the first that brought its chunk", "[collective]") {
  const Demand gossip{Operation::kGossip, 3, NodeId{0}, 1};
  const Schedule schedule = schedule_of({{{0, 1, 0}, {2, 1, 2}},
                                         {{0, 1, 0}, {1, 2, 0}, {1, 0, 2}, {1, 0, 1}},
                                         {{1, 2, 0}, {0, 2, 1}, {0, 1, 2}}});
  CHECK(dependencies(schedule, gossip) ==
        Counts{kNoSend, kNoSend, kNoSend, 0, 1, kNoSend, 0, 5, 4});
}

TEST_CASE("an origin does not wait, even if its chunk came back", "[collective]") {
  const Demand broadcast{Operation::kBroadcast, 2, NodeId{1}, 1};
  CHECK(dependencies(schedule_of({{{1, 0, 0}}, {{0, 1, 0}}, {{1, 0, 0}}}), broadcast) ==
        Counts{kNoSend, 0, kNoSend});
}

TEST_CASE("what depends on a send of its own round or on none is refused", "[collective]") {
  const Demand broadcast{Operation::kBroadcast, 3, NodeId{0}, 1};
  CHECK_THROWS_AS(dependencies(schedule_of({{{0, 1, 0}, {1, 2, 0}}}), broadcast),
                  std::invalid_argument);
  CHECK_THROWS_AS(dependencies(schedule_of({{{1, 2, 0}}, {{0, 1, 0}}}), broadcast),
                  std::invalid_argument);
  CHECK_THROWS_AS(dependencies(schedule_of({{{0, 3, 0}}}), broadcast), std::invalid_argument);
  CHECK_THROWS_AS(dependencies(schedule_of({{{3, 0, 0}}}), broadcast), std::invalid_argument);
  CHECK_THROWS_AS(dependencies(schedule_of({{{0, 1, 1}}}), broadcast), std::invalid_argument);
}

TEST_CASE("dependencies of real schedules are those of the plain rule", "[collective]") {
  for (const Instance& instance : collective_instances()) {
    INFO(instance.name());
    check_against_map(instance.plan.schedule, instance.demand);
  }
}
