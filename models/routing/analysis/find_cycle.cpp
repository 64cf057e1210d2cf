// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/find_cycle.h"

#include <algorithm>
#include <cstddef>

namespace flitcast {

std::vector<std::uint32_t> find_cycle(const std::vector<std::vector<std::uint32_t>>& edges) {
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  std::vector<Mark> marks(edges.size(), Mark::kNew);
  std::vector<std::size_t> next_edge(edges.size(), 0);
  for (std::uint32_t start = 0; start < edges.size(); ++start) {
    if (marks[start] != Mark::kNew) continue;
    std::vector<std::uint32_t> path{start};
    marks[start] = Mark::kOnPath;
    while (!path.empty()) {
      const std::uint32_t at = path.back();
      if (next_edge[at] == edges[at].size()) {
        marks[at] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = edges[at][next_edge[at]++];
      if (marks[to] == Mark::kOnPath) return {std::find(path.begin(), path.end(), to), path.end()};
      if (marks[to] == Mark::kDone) continue;
      marks[to] = Mark::kOnPath;
      path.push_back(to);
    }
  }
  return {};
}

}  // namespace flitcast
