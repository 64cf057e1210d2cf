// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <vector>

#include "collective/gossip/trail_gossip.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Counts = std::vector<std::uint32_t>;

constexpr NodeId kFed{1000};

// A trail whose positions own one entry each; with `some_own_two` every third position owns two.
LoadedTrail trail_of(std::uint32_t positions, bool some_own_two) {
  LoadedTrail trail;
  for (std::uint32_t i = 0; i < positions; ++i) {
    const std::size_t chunks = some_own_two && i % 3 == 0 ? 2 : 1;
    trail.append({NodeId{i}, Grid::plus(0)}, std::vector<ChunkId>(chunks));
  }
  return trail;
}

Counts sent_entries(const Stream& stream, std::uint32_t entries) {
  Counts sent_entries;
  for (std::uint32_t round = 0; stream.entry(round, entries); ++round) {
    sent_entries.push_back(*stream.entry(round, entries));
  }
  return sent_entries;
}

// True if circulation brings every entry to the supplier before the supplier must send it. An entry
// that lies n places behind the position's last own entry, or n ahead of its first, has arrived
// before round n.
bool holds_what_it_sends(const LoadedTrail& trail, std::uint32_t position, const Stream& stream) {
  const std::uint32_t m = trail.entries();
  const Counts sent = sent_entries(stream, m);
  for (std::uint32_t round = 0; round < sent.size(); ++round) {
    const std::uint32_t behind = (trail.last_entry(position) + m - sent[round]) % m;
    const std::uint32_t ahead = (sent[round] + m - trail.first_entry(position)) % m;
    if (std::min(behind, ahead) > round) return false;
  }
  return true;
}

Counts received(const LoadedTrail& trail, const std::pair<Stream, Stream>& streams) {
  Counts entries = sent_entries(streams.first, trail.entries());
  const Counts others = sent_entries(streams.second, trail.entries());
  entries.insert(entries.end(), others.begin(), others.end());
  std::sort(entries.begin(), entries.end());
  return entries;
}

Counts all_entries(const LoadedTrail& trail) {
  Counts entries(trail.entries());
  std::iota(entries.begin(), entries.end(), 0U);
  return entries;
}

void check_feeding(const LoadedTrail& trail, std::uint32_t one, std::uint32_t other) {
  const auto streams =
      feeding(trail, kFed, {one, Grid::plus(1)}, {other, Grid::minus(1)}, trail.entries());
  const bool in_order = streams.first.from == trail.node(one);
  INFO(trail.entries() << " entries, suppliers at positions " << one << " and " << other);
  CHECK(received(trail, streams) == all_entries(trail));
  const std::uint32_t half = (trail.entries() + 1) / 2;
  CHECK(streams.first.passing + streams.first.remembered <= half);
  CHECK(streams.second.passing + streams.second.remembered <= half);
  CHECK(holds_what_it_sends(trail, in_order ? one : other, streams.first));
  CHECK(holds_what_it_sends(trail, in_order ? other : one, streams.second));
}

}  // namespace

TEST_CASE("two suppliers bring every entry once, in half as many rounds as there are entries",
          "[collective]") {
  const bool some_own_two = GENERATE(false, true);
  for (std::uint32_t positions = 2; positions <= 13; ++positions) {
    const LoadedTrail trail = trail_of(positions, some_own_two);
    for (std::uint32_t one = 0; one < positions; ++one) {
      for (std::uint32_t other = 0; other < positions; ++other) {
        if (one != other) check_feeding(trail, one, other);
      }
    }
  }
}

TEST_CASE("suppliers first send what passes, away from each other, then what lies between them",
          "[collective]") {
  const LoadedTrail trail = trail_of(12, false);
  const auto [x, y] = feeding(trail, kFed, {2, Grid::plus(1)}, {7, Grid::minus(1)}, 12);
  CHECK(sent_entries(x, 12) == Counts{2, 1, 0, 11, 3, 4});
  CHECK(sent_entries(y, 12) == Counts{7, 8, 9, 10, 6, 5});
  CHECK(x.from == NodeId{2});
  CHECK(x.output == Grid::plus(1));
  CHECK(x.to == kFed);
}

TEST_CASE("a node on the trail is fed with the entries around its suppliers only", "[collective]") {
  const LoadedTrail trail = trail_of(15, false);
  const auto [x, y] = feeding(trail, kFed, {5, Grid::plus(1)}, {10, Grid::minus(1)}, 8);
  CHECK(sent_entries(x, 15) == Counts{5, 4, 6, 7});
  CHECK(sent_entries(y, 15) == Counts{10, 11, 9, 8});
}
