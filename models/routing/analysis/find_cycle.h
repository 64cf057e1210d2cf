// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace flitcast {

/// Vertices of a directed graph of which each leads to the next and the last to the first; none if
/// there is no cycle. Depth first, without recursion: O(vertices + edges).
/// @param edges  Per vertex, those that it leads to.
std::vector<std::uint32_t> find_cycle(const std::vector<std::vector<std::uint32_t>>& edges);

}  // namespace flitcast
