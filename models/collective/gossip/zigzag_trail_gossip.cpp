// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/zigzag_trail_gossip.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "collective/gossip/trail_gossip.h"
#include "collective/gossip/zigzag_laps.h"
#include "collective/gossip/zigzag_sizes.h"
#include "collective/send_limit.h"

namespace flitcast {

namespace {

std::size_t divided_up(std::size_t number, std::size_t by) { return (number + by - 1) / by; }

std::size_t rounds_in_two_dimensions(std::size_t rows, std::size_t columns) {
  const std::size_t lap = columns + 2;
  if (rows % 2 == 0) return divided_up(rows / 2 * lap, 2);
  // A node of the first two columns lies on the trail twice, at most lap (rows+1)/2 - 1 apart.
  return std::max(divided_up(rows * lap - 1, 4), divided_up(lap * (rows + 1) / 2 - 2, 2));
}

// How the literature's axes lie in the torus, and the rounds that result.
struct Layout {
  std::vector<std::size_t> axes;
  std::size_t rounds = 0;
};

Layout layout_in_two_dimensions(const Grid& torus) {
  // Axis 1 runs along the rows, that is, from column to column.
  const std::size_t upright = rounds_in_two_dimensions(torus.size(0), torus.size(1));
  const std::size_t exchanged = rounds_in_two_dimensions(torus.size(1), torus.size(0));
  if (exchanged < upright) return {{0, 1}, exchanged};
  return {{1, 0}, upright};
}

Layout layout(const Grid& torus) {
  if (torus.dimensions() == 2) return layout_in_two_dimensions(torus);
  std::vector<std::size_t> axes(torus.dimensions());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const std::size_t nodes = torus.node_count();
  return {axes, divided_up(nodes / axes.size() + nodes / torus.size(0), 2)};
}

// A node's chunk lies where the trail enters the node by axis 1; the other positions are empty.
LoadedTrail loaded(const Trail& trail, PortId along_axis_1) {
  LoadedTrail loaded;
  PortId entered_by = trail.back().output;
  for (const TrailPosition& position : trail) {
    const ChunkId chunk{index(position.node)};
    loaded.append(position, entered_by == along_axis_1 ? std::vector<ChunkId>{chunk}
                                                       : std::vector<ChunkId>{});
    entered_by = position.output;
  }
  return loaded;
}

}  // namespace

Plan zigzag_trail_gossip(const Grid& torus) {
  require_zigzag_sizes(torus);
  require_gossip_sends(torus, 1);
  const Layout layout = flitcast::layout(torus);
  std::vector<LoadedTrail> trails;
  for (const Trail& trail : zigzag_laps(torus, layout.axes)) {
    trails.push_back(loaded(trail, Grid::plus(layout.axes[0])));
  }

  const std::size_t nodes = torus.node_count();
  Claim claim;
  claim.rounds = layout.rounds;
  claim.transmissions = gossip_sends(nodes, 1);
  claim.duplicates = 0;
  return {trail_gossip(torus, trails, static_cast<std::uint32_t>(claim.rounds)), claim};
}

}  // namespace flitcast
