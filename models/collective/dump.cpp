// SPDX-License-Identifier: Apache-2.0
#include "collective/dump.h"

#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

bool has_twin(const Grid* grid, PortId output) {
  const std::size_t dimension = index(output) / 2;
  return grid != nullptr && grid->wraps(dimension) && grid->size(dimension) == 2;
}

void write_packet(std::ostream& out, const Grid* grid, ChunkId chunk, PortId output) {
  out << ' ' << index(chunk);
  if (has_twin(grid, output)) out << (output == Grid::plus(index(output) / 2) ? " +" : " -");
}

void write_nodes_between(std::ostream& out, const Topology& topology, const Adjacency& adjacency,
                         NodeId from, const Path& path) {
  RouterId at{index(from)};
  for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
    at = topology.channels()[adjacency.leaving(at, path[hop])].to.router;
    out << ' ' << index(at);
  }
}

}  // namespace

void write_dump(std::ostream& out, const Topology& topology, const Schedule& schedule,
                Switching switching) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  const Adjacency adjacency(topology);
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t n = schedule.begin(round); n < schedule.end(round); ++n) {
      const Send& send = schedule.send(n);
      const Path path = schedule.path(n);
      out << round + 1 << ' ' << index(send.from) << ' ' << index(send.to);
      if (switching == Switching::kStoreAndForward) {
        write_packet(out, grid, send.chunk, path[0]);
      } else {
        write_nodes_between(out, topology, adjacency, send.from, path);
      }
      out << '\n';
    }
  }
}

}  // namespace flitcast
