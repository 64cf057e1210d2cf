// SPDX-License-Identifier: Apache-2.0
#include "topology/grid.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "topology/catalog.h"
#include "topology/topology.h"

namespace flitcast {
namespace {

std::vector<std::size_t> sizes_of(const std::vector<GridDimension>& dimensions) {
  return mapped(dimensions, [](const GridDimension& dimension) { return dimension.size; });
}

std::vector<GridDimension> all_alike(const std::vector<std::size_t>& sizes, bool wraps) {
  return mapped(sizes, [&](const std::size_t size) { return GridDimension{size, wraps}; });
}

void require_valid(const std::vector<GridDimension>& dimensions) {
  if (dimensions.empty() || dimensions.size() > Grid::kMaxDimensions) {
    throw std::invalid_argument("a grid has 1 to 16 dimensions");
  }
  for (std::size_t d = Grid::kMaxWrappedDimensions; d < dimensions.size(); ++d) {
    if (dimensions[d].wraps) throw std::invalid_argument("only the first 8 dimensions can wrap");
  }
  require_buildable(bounded_product(sizes_of(dimensions)), 2 * dimensions.size() + 1);
}

}  // namespace

Grid::Grid(const std::string& kind, std::vector<GridDimension> dimensions,
           std::vector<std::size_t> die)
    : Topology(kind + " " + to_text(sizes_of(dimensions))),
      dimensions_(std::move(dimensions)),
      die_(std::move(die)) {
  require_valid(dimensions_);
  std::size_t nodes = 1;
  for (const GridDimension& dimension : dimensions_) {
    strides_.push_back(nodes);
    nodes *= dimension.size;
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    const RouterId router = add_router(2 * this->dimensions() + 1, 2 * this->dimensions() + 1);
    add_node({{router, local()}, {router, local()}});
    for (std::size_t d = 0; d < this->dimensions(); ++d) connect(node, d);
  }
}

// Adds the two channels that leave a node in one dimension.
void Grid::connect(std::size_t node, std::size_t dimension) {
  const auto [size, wraps] = dimensions_[dimension];
  if (size == 1) return;
  const std::size_t stride = strides_[dimension];
  const std::size_t last = (size - 1) * stride;
  const std::size_t x = coordinate(to_id<NodeId>(node), dimension);
  const auto router = [](std::size_t number) { return to_id<RouterId>(number); };
  if (wraps || x + 1 < size) {
    const std::size_t up = x + 1 < size ? node + stride : node - last;
    add_channel({{router(node), plus(dimension)}, {router(up), minus(dimension)}});
  }
  if (wraps || x > 0) {
    const std::size_t down = x > 0 ? node - stride : node + last;
    add_channel({{router(node), minus(dimension)}, {router(down), plus(dimension)}});
  }
}

std::vector<std::size_t> Grid::node_grid() const { return sizes_of(dimensions_); }

std::string Grid::channel_class(const Channel& channel) const {
  const std::size_t dimension = index(channel.from.port) / 2;
  const std::size_t x = coordinate(NodeId{index(channel.from.router)}, dimension);
  // The coordinate of the upper router of the two, or size(dimension) for a channel that wraps.
  const std::size_t upper = channel.from.port == plus(dimension) ? x + 1 : x;
  if (!die_.empty() && upper % die_[dimension] == 0) return "die_to_die";
  return upper % size(dimension) == 0 ? "wrap" : "dimension_" + std::to_string(dimension);
}

std::optional<std::size_t> Grid::bisection_channels() const {
  std::vector<std::size_t> sizes;
  std::size_t wrapped = 0;
  for (const GridDimension& dimension : dimensions_) {
    if (dimension.size == 1) continue;
    sizes.push_back(dimension.size);
    wrapped += dimension.wraps ? 1 : 0;
  }
  if (wrapped != 0 && wrapped != sizes.size()) return std::nullopt;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::size_t section = node_count();
  std::size_t links = 0;
  for (const std::size_t size : sizes) {
    section /= size;
    links += section;
    if (size % 2 == 0) break;
  }
  return links * (wrapped != 0 ? 4 : 2);
}

Grid mesh(const std::vector<std::size_t>& sizes) { return Grid("mesh", all_alike(sizes, false)); }

Grid torus(const std::vector<std::size_t>& sizes) { return Grid("torus", all_alike(sizes, true)); }

Grid ring(std::size_t nodes) { return Grid("ring", {{nodes, true}}); }

TopologySize mesh_size(const std::vector<std::size_t>& sizes) {
  const std::size_t routers = bounded_product(sizes);
  const auto channels = sum_of<std::size_t>(
      sizes, [&](std::size_t size) { return 2 * (size - 1) * (routers / size); });
  return {routers, routers, channels, 2 * sizes.size() + 1};
}

namespace {

std::vector<std::size_t> sizes_of(const Section& section, std::size_t most_dimensions) {
  std::vector<std::size_t> sizes = counts_of(section, "sizes");
  if (sizes.empty() || sizes.size() > most_dimensions) {
    section.fail("sizes", std::to_string(sizes.size()) + " dimensions",
                 "write 1 to " + std::to_string(most_dimensions) + " sizes");
  }
  if (bounded_product(sizes) > kMaxRouters) {
    section.fail("sizes", "more than 2^24 routers", "make their product at most 16777216");
  }
  return sizes;
}

TopologySize grid_size(const Section& section) {
  return mesh_size(sizes_of(section, Grid::kMaxDimensions));
}

}  // namespace

Param sizes_param(const std::string& limit) {
  return Param::integers("sizes", "routers",
                         "Routers along each dimension, dimension 0 first; " + limit + ".", 1,
                         kMaxRouters);
}

std::vector<TopologyEntry> grid_topologies() {
  return {
      {{"mesh",
        "Grid without wrap-around links.",
        {sizes_param("1 to 16 dimensions")},
        [](const Section& section) { return made(mesh(sizes_of(section, Grid::kMaxDimensions))); },
        {"sizes: 1", "sizes: [2]", "sizes: [5]", "sizes: [1, 4]", "sizes: [2, 2]", "sizes: [3, 5]",
         "sizes: [4, 2, 3]"}},
       grid_size},
      {{"torus",
        "Grid that wraps in every dimension (k-ary n-cube).",
        {sizes_param("1 to 8 dimensions")},
        [](const Section& section) {
          return made(torus(sizes_of(section, Grid::kMaxWrappedDimensions)));
        },
        {"sizes: 1", "sizes: [2]", "sizes: [5]", "sizes: [1, 4]", "sizes: [2, 2]", "sizes: [3, 5]",
         "sizes: [4, 2, 3]", "sizes: [4, 4]", "sizes: [6, 5]"}},
       grid_size},
      {{"ring",
        "Torus of one dimension.",
        {Param::integer("nodes", "nodes", "Routers round the ring.", 1, kMaxRouters)},
        [](const Section& section) { return made(ring(section.count("nodes"))); },
        {"nodes: 1", "nodes: 2", "nodes: 3", "nodes: 4", "nodes: 5", "nodes: 8"}},
       [](const Section& section) { return mesh_size({section.count("nodes")}); }}};
}

}  // namespace flitcast
