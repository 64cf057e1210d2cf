// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_gossip.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Counts = std::vector<std::uint32_t>;

// A trail through the given nodes, whose positions own the given numbers of chunks.
LoadedTrail trail_through(const Counts& nodes, const Counts& owned) {
  LoadedTrail trail;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    trail.append({NodeId{nodes[i]}, Grid::plus(0)}, std::vector<ChunkId>(owned[i], ChunkId{7}));
  }
  return trail;
}

LoadedTrail ring_of(std::uint32_t positions) {
  Counts nodes;
  for (std::uint32_t node = 0; node < positions; ++node) nodes.push_back(node);
  return trail_through(nodes, Counts(positions, 1));
}

Counts behind(const std::vector<Intake>& intakes) {
  Counts numbers;
  for (const Intake& intake : intakes) numbers.push_back(intake.from_behind);
  return numbers;
}

Counts ahead(const std::vector<Intake>& intakes) {
  Counts numbers;
  for (const Intake& intake : intakes) numbers.push_back(intake.from_ahead);
  return numbers;
}

// The entries that a stream carries, by round.
Counts carried(const Stream& stream, std::uint32_t entries) {
  Counts carried;
  for (std::uint32_t round = 0; stream.entry(round, entries); ++round) {
    carried.push_back(*stream.entry(round, entries));
  }
  return carried;
}

}  // namespace

TEST_CASE("a position without chunks owns one empty entry", "[collective]") {
  const LoadedTrail trail = trail_through({0, 1, 2}, {2, 0, 1});
  CHECK(trail.entries() == 4);
  CHECK(trail.owned(0) == 2);
  CHECK(trail.first_entry(1) == 2);
  CHECK(trail.last_entry(1) == 2);
  CHECK(trail.chunk(2) == kNoChunk);
  CHECK(trail.last_entry(2) == 3);
  CHECK(trail.next(2) == 0);
}

TEST_CASE("a node that lies on a trail once takes half of it from either side", "[collective]") {
  // 3 of the 5 other entries come from behind and 2 from ahead.
  CHECK(behind(intakes(ring_of(6), 6, 9)) == Counts(6, 3));
  CHECK(ahead(intakes(ring_of(6), 6, 9)) == Counts(6, 2));
  // No entry comes from a distance above 2 rounds.
  CHECK(behind(intakes(ring_of(6), 6, 2)) == Counts(6, 2));
}

TEST_CASE("a node takes what lies between two of its positions to the nearer of them",
          "[collective]") {
  // Node 0 has positions 0 and 4, which divide entries 1 to 3 and entries 5 to 6 between them.
  const std::vector<Intake> taken =
      intakes(trail_through({0, 1, 2, 3, 0, 4, 5}, Counts(7, 1)), 6, 9);
  CHECK(taken[0].from_ahead == 1);
  CHECK(taken[4].from_behind == 2);
  CHECK(taken[4].from_ahead == 1);
  CHECK(taken[0].from_behind == 1);
}

TEST_CASE("chunks go round a trail in both directions, the sender's own first", "[collective]") {
  const LoadedTrail trail = ring_of(5);
  const std::vector<Stream> streams = circulation(trail, intakes(trail, 5, 9));
  REQUIRE(streams.size() == 10);
  CHECK(streams[2].from == NodeId{1});
  CHECK(streams[2].to == NodeId{2});
  CHECK(streams[2].output == Grid::plus(0));
  CHECK(carried(streams[2], 5) == Counts{1, 0});
  CHECK(streams[3].from == NodeId{2});
  CHECK(streams[3].to == NodeId{1});
  CHECK(streams[3].output == Grid::minus(0));
  CHECK(carried(streams[3], 5) == Counts{2, 3});
}

TEST_CASE("a position with two chunks sends both before it passes others on", "[collective]") {
  const LoadedTrail trail = trail_through({0, 1, 2}, {1, 2, 1});  // Node 1 owns entries 1 and 2.
  const std::vector<Stream> streams = circulation(trail, intakes(trail, 3, 9));
  // Node 1 sends forward; entry 0 reaches node 2 in the other direction.
  CHECK(carried(streams[2], 4) == Counts{2, 1});
  CHECK(carried(streams[1], 4) == Counts{1});  // Node 1 sends backward.
}
