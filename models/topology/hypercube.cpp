// SPDX-License-Identifier: Apache-2.0
#include "topology/hypercube.h"

#include <stdexcept>
#include <string>

#include "topology/catalog.h"

namespace flitcast {

Hypercube::Hypercube(std::size_t dimension)
    : Topology("hypercube " + std::to_string(dimension)), dimension_(dimension) {
  if (dimension > kMaxDimension) throw std::invalid_argument("a hypercube has 0 to 20 dimensions");
  for (std::uint32_t node = 0; node < (std::uint32_t{1} << dimension); ++node) {
    const RouterId router = add_router(dimension + 1, dimension + 1);
    add_node({{router, local()}, {router, local()}});
    for (std::size_t d = 0; d < dimension; ++d) {
      const PortId port{static_cast<std::uint16_t>(d)};
      add_channel({{router, port}, {RouterId{node ^ (std::uint32_t{1} << d)}, port}});
    }
  }
}

std::vector<std::size_t> Hypercube::node_grid() const {
  if (dimension_ == 0) return {1};
  return std::vector<std::size_t>(dimension_, 2);
}

std::optional<std::size_t> Hypercube::bisection_channels() const {
  return dimension_ == 0 ? 0 : node_count();
}

TopologyEntry hypercube_topology() {
  return {
      {"hypercube",
       "Binary n-cube: neighbours differ in one bit of their numbers.",
       {Param::integer("dimension", "", "n; there are 2^n nodes.", 0, Hypercube::kMaxDimension)},
       [](const Section& section) -> std::unique_ptr<Topology> {
         return std::make_unique<Hypercube>(section.count("dimension"));
       },
       {"dimension: 0", "dimension: 1", "dimension: 2", "dimension: 5"}},
      [](const Section& section) -> TopologySize {
        const std::size_t dimension = section.count("dimension");
        const std::size_t nodes = std::size_t{1} << dimension;
        return {nodes, nodes, nodes * dimension, dimension + 1};
      }};
}

}  // namespace flitcast
