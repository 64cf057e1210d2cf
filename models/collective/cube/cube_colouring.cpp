// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collective/catalog.h"
#include "collective/edge_colouring.h"
#include "collective/precondition.h"
#include "topology/hypercube.h"

namespace flitcast {

namespace {

// The left vertex is a relative address, the right one a dimension.
using Edges = std::vector<BipartiteEdge>;

Claim exchange_claim(std::size_t n) {
  if (n == 0) return {0, false, 0, 0};
  const std::size_t half = std::size_t{1} << (n - 1);
  return {half, false, n * half * (2 * half), 0};
}

std::vector<Edges> edges_by_colour(std::size_t n, std::size_t colours) {
  Edges edges;
  for (std::uint32_t address = 1; address < std::uint32_t{1} << n; ++address) {
    for (std::uint32_t d = 0; d < n; ++d) {
      if ((address >> d & 1U) != 0) edges.push_back({address, d});
    }
  }
  const auto colour_of = colour_edges(std::size_t{1} << n, n, edges, colours);
  std::vector<Edges> of_colour(colours);
  for (std::size_t i = 0; i < edges.size(); ++i) of_colour[colour_of[i]].push_back(edges[i]);
  return of_colour;
}

/// Adds the hop across `dimension` of every node's packet with this relative address, which has
/// crossed the dimensions `crossed` before.
void add_translates(Schedule& schedule, std::uint32_t address, std::uint32_t crossed,
                    std::uint32_t dimension, std::uint32_t nodes) {
  const std::uint32_t next = crossed ^ std::uint32_t{1} << dimension;
  for (std::uint32_t source = 0; source < nodes; ++source) {
    schedule.add(NodeId{source ^ crossed}, NodeId{source ^ next},
                 ChunkId{source + nodes * (source ^ address)}, to_id<PortId>(dimension));
  }
}

/// Optimal all-to-all scatter (AAS, total exchange) on a hypercube, store-and-forward, all-port,
/// full-duplex.
///
/// The bipartite graph of all pairs (relative address v, set bit d of v) is coloured properly with
/// 2^(n-1) colours (see colour_edges()). In round c every node forwards the packet with relative
/// address v through d, for each pair (v, d) of colour c: a packet takes its dimensions in the
/// order of their colours and waits in between. At a vertex d all colours occur, so every channel
/// is busy in every round.
///
/// Cost on the n-cube: 2^(n-1) rounds and n 2^(2n-1) sends, both minimal, without duplicates.
/// n = 0: nothing. Chunk: origin + 2^n * destination.
/// Throws PreconditionError for n >= 13, beyond kMostSends.
/// Source: CS838 lecture notes (1999), lemma of "An example of lower bound calculations", which
/// says that a matching algorithm exists but does not give it; the colouring is flitcast's.
Plan cube_total_exchange(const Hypercube& cube) {
  Plan plan{{}, exchange_claim(cube.dimension())};
  plan.theorems = {{"broadcast.lower_bounds.aas", "2^(n-1)", plan.claim.rounds}};
  require(
      few_enough_sends(cube, *plan.claim.transmissions, "use a hypercube of dimension 12 or less"));
  plan.schedule.reserve(*plan.claim.transmissions);
  const auto nodes = static_cast<std::uint32_t>(cube.node_count());
  std::vector<std::uint32_t> crossed(nodes, 0);
  for (const Edges& round : edges_by_colour(cube.dimension(), plan.claim.rounds)) {
    plan.schedule.begin_round();
    for (const auto& [address, dimension] : round) {
      add_translates(plan.schedule, address, crossed[address], dimension, nodes);
      crossed[address] ^= std::uint32_t{1} << dimension;
    }
  }
  return plan;
}

}  // namespace

CollectiveEntry cube_colouring_collective() {
  return {{"cube_colouring",
           "Hypercubes: optimal, by an edge colouring.",
           {},
           make_gossip<Hypercube, cube_total_exchange, 1>},
          {Operation::kAllToAllScatter}};
}

}  // namespace flitcast
