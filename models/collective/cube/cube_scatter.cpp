// SPDX-License-Identifier: Apache-2.0
#include "collective/cube/cube_scatter.h"

#include <cstdint>
#include <vector>

#include "collective/cube/cube_numbering.h"
#include "collective/precondition.h"

namespace flitcast {
namespace {

/// A packet's way, as addresses relative to the source.
struct Hop {
  std::uint32_t from = 0;
  std::uint32_t address = 0;  ///< Of the packet's destination.
  std::size_t dimension = 0;
};
using Round = std::vector<Hop>;

Claim scatter_claim(std::size_t n) {
  if (n == 0) return {0, false, 0, 0};
  const std::size_t nodes = std::size_t{1} << n;
  return {(nodes - 1 + n - 1) / n, false, n * (nodes / 2), 0};
}

/// Lets a packet leave through `port` in `round` and move on in every round.
void add_journey(std::vector<Round>& rounds, std::size_t round, std::uint32_t address,
                 std::size_t port, std::size_t n) {
  std::uint32_t at = 0;
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t dimension = (port + step) % n;
    if ((address >> dimension & 1U) == 0) continue;
    rounds[round++].push_back({at, address, dimension});
    at ^= std::uint32_t{1} << dimension;
  }
}

/// Entries are numbered by ascending weight, so the groups in reverse order are farthest first. A
/// packet arrives in time because group g holds no address heavier than g + 1.
std::vector<Round> journeys(std::size_t n, std::size_t round_count) {
  std::vector<Round> rounds(round_count);
  const std::vector<std::uint32_t> numbering = cube_numbering(n);
  for (std::size_t entry = 0; entry < numbering.size(); ++entry) {
    add_journey(rounds, round_count - 1 - entry / n, numbering[entry], entry % n, n);
  }
  return rounds;
}

}  // namespace

Plan cube_scatter(const Hypercube& cube, NodeId source) {
  require_source(cube, source);
  Plan plan{{}, scatter_claim(cube.dimension())};
  plan.schedule.reserve(*plan.claim.transmissions);
  for (const Round& round : journeys(cube.dimension(), plan.claim.rounds)) {
    plan.schedule.begin_round();
    for (const Hop& hop : round) {
      const std::uint32_t from = index(source) ^ hop.from;
      plan.schedule.add(NodeId{from}, NodeId{from ^ std::uint32_t{1} << hop.dimension},
                        ChunkId{index(source) ^ hop.address},
                        PortId{static_cast<std::uint16_t>(hop.dimension)});
    }
  }
  return plan;
}

}  // namespace flitcast
