// SPDX-License-Identifier: Apache-2.0
#include "collective/precondition.h"

#include <algorithm>

namespace flitcast {

namespace {

std::string to_text(const Sizes& sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

bool wraps_everywhere(const Grid& grid) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (!grid.wraps(d)) return false;
  }
  return true;
}

}  // namespace

std::string use_one_of(const std::string& family, const std::vector<Sizes>& choices) {
  std::string text = "use ";
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 < choices.size() ? ", " : " or ";
    text += family + " " + to_text(choices[i]);
  }
  return text;
}

Sizes raised_to_three(const Grid& grid) {
  Sizes sizes = grid.node_grid();
  for (std::size_t& size : sizes) size = std::max<std::size_t>(size, 3);
  return sizes;
}

void require_torus(const Grid& grid, const std::string& what, const std::vector<Sizes>& nearest) {
  if (wraps_everywhere(grid) && grid.node_grid() == raised_to_three(grid)) return;
  throw PreconditionError(
      PreconditionError::Subject::kTopology,
      what + " is defined on tori with sizes of 3 or more, not on " + grid.name(),
      use_one_of("torus", nearest));
}

void require_torus(const Grid& grid, const std::string& what) {
  require_torus(grid, what, {raised_to_three(grid)});
}

void require_two_dimensions(const Grid& grid, const std::string& what) {
  if (grid.dimensions() == 2) return;
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          what + " is defined on two dimensions, not on " + grid.name(),
                          "use two dimensions, such as torus 4x4");
}

void require_sends(const Topology& topology, std::size_t sends, const std::string& hint) {
  if (sends <= kMostSends) return;
  throw PreconditionError(PreconditionError::Subject::kTopology,
                          "the schedule for " + topology.name() + " has " + std::to_string(sends) +
                              " sends, more than " + std::to_string(kMostSends),
                          hint);
}

std::size_t gossip_sends(std::size_t nodes, std::size_t chunks_per_node) {
  return chunks_per_node * nodes * (nodes - 1);
}

void require_gossip_sends(const Topology& topology, std::size_t chunks_per_node) {
  std::size_t fitting = topology.node_count();
  while (gossip_sends(fitting, chunks_per_node) > kMostSends) --fitting;
  require_sends(topology, gossip_sends(topology.node_count(), chunks_per_node),
                "use at most " + std::to_string(fitting) + " nodes");
}

}  // namespace flitcast
