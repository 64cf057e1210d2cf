// SPDX-License-Identifier: Apache-2.0
#include "traffic/grid_permutations.h"

#include <functional>
#include <numeric>

namespace flitcast {
namespace {

template <class Shift>
DestinationTable shifted(const std::vector<std::size_t>& grid, Shift shift) {
  const std::size_t count =
      std::accumulate(grid.begin(), grid.end(), std::size_t{1}, std::multiplies<>());
  return tabulate(count, [&](std::size_t node) {
    std::size_t destination = 0;
    std::size_t stride = 1;
    for (const std::size_t size : grid) {
      destination += (node / stride + shift(size)) % size * stride;
      stride *= size;
    }
    return destination;
  });
}

}  // namespace

DestinationTable tornado(const std::vector<std::size_t>& grid) {
  return shifted(grid, [](std::size_t size) { return (size + 1) / 2 - 1; });
}

DestinationTable neighbour(const std::vector<std::size_t>& grid) {
  return shifted(grid, [](std::size_t) { return std::size_t{1}; });
}

std::unique_ptr<Pattern> make_tornado(const Section&, const Topology& topology) {
  return std::make_unique<Permutation>(tornado(topology.node_grid()));
}

std::unique_ptr<Pattern> make_neighbour(const Section&, const Topology& topology) {
  return std::make_unique<Permutation>(neighbour(topology.node_grid()));
}

}  // namespace flitcast
