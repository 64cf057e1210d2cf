// SPDX-License-Identifier: Apache-2.0
#include "collective/schedule.h"

#include <stdexcept>

#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast {

void Schedule::add_along(const Path& path, NodeId from, NodeId to, ChunkId chunk) {
  add(from, to, chunk);
  path_ends_.resize(size() - 1, static_cast<std::uint32_t>(hops_.size()));
  hops_.insert(hops_.end(), path.begin(), path.end());
  path_ends_.push_back(static_cast<std::uint32_t>(hops_.size()));
}

std::string to_text(ChunkId item) {
  if (!is_sum(item)) return std::to_string(index(item));
  const std::string what = is_result(item) ? "result" : "partial";
  return block_of(item) == 0 ? what : what + ":" + std::to_string(block_of(item));
}

std::vector<Phase> Schedule::phases() const {
  std::vector<Phase> phases;
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    const auto& [name, begin, unused] = phases_[p];
    const std::size_t end = p + 1 < phases_.size() ? phases_[p + 1].begin : rounds();
    if (begin < end) phases.push_back({name, begin, end});
  }
  if (phases.size() == 1) phases.clear();
  return phases;
}

void Schedule::reserve(std::size_t messages) {
  messages_.reserve(messages);
  hops_.reserve(messages);
  path_ends_.reserve(messages);
}

namespace {

bool has_parallel_link(const Grid* grid, PortId output) {
  const std::size_t dimension = index(output) / 2;
  return grid != nullptr && grid->wraps(dimension) && grid->size(dimension) == 2;
}

void write_packet(std::ostream& out, const Grid* grid, ChunkId chunk, const Path& path) {
  out << ' ' << to_text(chunk);
  if (path.size() == 0 || !has_parallel_link(grid, path[0])) return;
  out << (path[0] == Grid::plus(index(path[0]) / 2) ? " +" : " -");
}

void write_nodes_between(std::ostream& out, const Topology& topology, const Adjacency& adjacency,
                         NodeId from, const Path& path) {
  RouterId at{index(from)};
  for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
    at = topology.channels()[adjacency.leaving(at, path[hop])].to.router;
    out << ' ' << index(at);
  }
}

void write_without_path(std::ostream& out, const Schedule& schedule, std::size_t number) {
  const char* separator = " ";
  for (const ChunkId item : schedule.items(number)) {
    out << separator << to_text(item);
    separator = ",";
  }
  for (const NodeId to : schedule.receivers(number)) out << ' ' << index(to);
}

/// Writes the rest of a line, after the round and the sender.
void write_message(std::ostream& out, const Topology& topology, const Adjacency& adjacency,
                   const Schedule& schedule, std::size_t number, Switching switching) {
  const Message& message = schedule.message(number);
  if (switching == Switching::kAnyNetwork) {
    return write_without_path(out, schedule, number);
  }
  const Path path = schedule.path(number);
  out << ' ' << index(message.to);
  if (switching != Switching::kWormhole) {
    const bool sits = switching == Switching::kStoreAndForward;  // Node n sits at router n.
    const auto* grid = sits ? dynamic_cast<const Grid*>(&topology) : nullptr;
    return write_packet(out, grid, message.chunk, path);
  }
  write_nodes_between(out, topology, adjacency, message.from, path);
}

}  // namespace

void write_dump(std::ostream& out, const Topology& topology, const Schedule& schedule,
                Switching switching) {
  const Adjacency adjacency(topology);
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t n = schedule.begin(round); n < schedule.end(round); ++n) {
      out << round + 1 << ' ' << index(schedule.message(n).from);
      write_message(out, topology, adjacency, schedule, n, switching);
      out << '\n';
    }
  }
}

}  // namespace flitcast
