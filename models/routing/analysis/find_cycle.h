// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace flitcast {

/// A cycle of a directed graph with the vertices 0 .. vertices - 1: each vertex leads to the next
/// and the last to the first. Empty if there is no cycle. Searches depth first, without recursion,
/// in O(vertices + edges).
/// @param successors  successors(vertex) is a cursor; each call of its next() yields a further
///                    successor of the vertex, and std::nullopt after the last.
template <class Successors>
std::vector<std::size_t> find_cycle(std::size_t vertices, const Successors& successors) {
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<Mark> marks(vertices, Mark::kNew);
  std::vector<std::pair<std::size_t, decltype(successors(0))>> path;
  const auto enter = [&](std::size_t vertex) {
    marks[vertex] = Mark::kOnPath;
    path.emplace_back(vertex, successors(vertex));
  };
  for (std::size_t start = 0; start < vertices; ++start) {
    if (marks[start] == Mark::kNew) enter(start);
    while (!path.empty()) {
      const std::optional<std::size_t> next = path.back().second.next();
      if (!next) {
        marks[path.back().first] = Mark::kDone;
        path.pop_back();
      } else if (marks[*next] == Mark::kNew) {
        enter(*next);
      } else if (marks[*next] == Mark::kOnPath) {
        std::vector<std::size_t> cycle;
        for (const auto& step : path) {
          if (!cycle.empty() || step.first == *next) cycle.push_back(step.first);
        }
        return cycle;
      }
    }
  }
  return {};
}

/// The same for a graph that has, per vertex, a container of its successors.
template <class Vertices>
std::vector<std::size_t> find_cycle(const std::vector<Vertices>& edges) {
  struct Cursor {
    typename Vertices::const_iterator at;
    typename Vertices::const_iterator end;

    std::optional<std::size_t> next() {
      return at == end ? std::nullopt : std::optional<std::size_t>(*at++);
    }
  };
  return find_cycle(edges.size(), [&](std::size_t vertex) {
    return Cursor{edges[vertex].begin(), edges[vertex].end()};
  });
}

}  // namespace flitcast
