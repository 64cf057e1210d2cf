// SPDX-License-Identifier: Apache-2.0
#include "topology/hypercube.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

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

GeneralisedHypercube::GeneralisedHypercube(std::vector<std::size_t> sizes)
    : Topology("generalised hypercube " + to_text(sizes)),
      sizes_(std::move(sizes)),
      first_ports_{0} {
  std::size_t routers = 1;
  for (const std::size_t size : sizes_) {
    strides_.push_back(routers);
    routers = bounded_product({routers, size});
    first_ports_.push_back(first_ports_.back() + std::min(size, kMaxPorts + 1) - 1);
  }
  require_buildable(sizes_.empty() ? 0 : routers, first_ports_.back() + 1);
  for (std::size_t r = 0; r < routers; ++r) {
    const RouterId router = add_router(first_ports_.back() + 1, first_ports_.back() + 1);
    add_node({{router, local()}, {router, local()}});
    for (std::size_t d = 0; d < dimensions(); ++d) connect(r, d);
  }
}

void GeneralisedHypercube::connect(std::size_t router, std::size_t dimension) {
  const std::size_t size = sizes_[dimension];
  const std::size_t x = router / strides_[dimension] % size;
  const auto port = [&](std::size_t q) { return to_id<PortId>(first_ports_[dimension] + q); };
  for (std::size_t q = 0; q + 1 < size; ++q) {
    const std::size_t there = (x + q + 1) % size;
    const std::size_t neighbour = router + there * strides_[dimension] - x * strides_[dimension];
    // Counted from the neighbour, this router is size - q - 1 ahead.
    add_channel(
        {{to_id<RouterId>(router), port(q)}, {to_id<RouterId>(neighbour), port(size - q - 2)}});
  }
}

std::string GeneralisedHypercube::channel_class(const Channel& channel) const {
  const auto next =
      std::upper_bound(first_ports_.begin(), first_ports_.end(), index(channel.from.port));
  return "dimension_" + std::to_string(next - first_ports_.begin() - 1);
}

std::optional<std::size_t> GeneralisedHypercube::bisection_channels() const {
  std::vector<std::size_t> slowest_first = sizes_;
  std::sort(slowest_first.begin(), slowest_first.end());
  std::size_t block = node_count();  // Routers of the part to be divided.
  std::size_t here = block / 2;      // Routers of that part in the first half.
  std::size_t links = 0;
  for (const std::size_t size : slowest_first) {
    block /= size;
    const std::size_t whole = here / block;
    here %= block;
    links += here * (whole + 1) * (size - whole - 1) + (block - here) * whole * (size - whole);
  }
  return 2 * links;
}

Complete::Complete(std::size_t nodes) : Topology("complete " + std::to_string(nodes)) {
  const GeneralisedHypercube row({nodes});
  for (const NodeId node : row.nodes()) {
    add_router(nodes, nodes);
    add_node(row.attachment(node));
  }
  for (const Channel& channel : row.channels()) add_channel(channel);
}

std::vector<TopologyEntry> hypercube_topologies() {
  return {
      {{"hypercube",
        "Binary n-cube: neighbours differ in one bit of their numbers.",
        {Param::integer("dimension", "", "n; there are 2^n nodes.", 0, Hypercube::kMaxDimension)},
        [](const Section& section) { return made(Hypercube(section.count("dimension"))); },
        {"dimension: 0", "dimension: 1", "dimension: 2", "dimension: 5"}},
       [](const Section& section) -> TopologySize {
         const std::size_t dimension = section.count("dimension");
         const std::size_t nodes = std::size_t{1} << dimension;
         return {nodes, nodes, nodes * dimension, dimension + 1};
       }},
      {{"complete",
        "Every router is linked to every other.",
        {Param::integer("nodes", "nodes", "Routers, each with a node.", 1, Complete::kMaxNodes)},
        [](const Section& section) { return made(Complete(section.count("nodes"))); },
        {"nodes: 1", "nodes: 2", "nodes: 3", "nodes: 4", "nodes: 5", "nodes: 8"}}}};
}

}  // namespace flitcast
