// SPDX-License-Identifier: Apache-2.0
#include "topology/concentrated.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "topology/catalog.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

Param sizes_param(const std::string& limit);  // Defined in grid.cpp.

namespace {

using TileSizes = std::vector<std::size_t>;

/// Visits the points of a grid in the order of their numbers.
template <class Visit>
void for_each_point(const TileSizes& sizes, const Visit& visit) {
  TileSizes point(sizes.size(), 0);
  const std::size_t count = bounded_product(sizes);
  for (std::size_t number = 0; number < count; ++number) {
    visit(point);
    for (std::size_t d = 0; d < sizes.size() && ++point[d] == sizes[d]; ++d) point[d] = 0;
  }
}

/// Requires that all routers of the core have equally many ports, and that the last leads to the
/// node.
void check_core(const Topology& core) {
  for (std::uint32_t r = 0; r < core.router_count(); ++r) {
    const std::size_t ports = core.output_count(RouterId{r});
    const Endpoint last{RouterId{r}, to_id<PortId>(ports - 1)};
    const Attachment& node = core.attachment(NodeId{r});
    if (core.input_count(RouterId{r}) != ports || ports != core.output_count(RouterId{0}) ||
        !(node.injection == last) || !(node.ejection == last)) {
      throw std::invalid_argument("a core has one node at each router, at the last port");
    }
  }
}

std::string concentrated_name(const std::string& core, const TileSizes& tile) {
  return core + " with " + to_text(tile) + " nodes each";
}

}  // namespace

Concentrated::Concentrated(std::string name, std::shared_ptr<const Topology> core,
                           std::vector<std::size_t> tile)
    : Topology(std::move(name)), core_(std::move(core)), tile_(std::move(tile)) {
  const TileSizes routers = core_->node_grid();
  const std::size_t concentration = bounded_product(tile_);
  if (core_->node_count() != core_->router_count() || tile_.size() != routers.size() ||
      concentration == 0) {
    throw std::invalid_argument("no tiles of nodes for this core");
  }
  check_core(*core_);
  const std::size_t local = core_->output_count(RouterId{0}) - 1;
  require_buildable(bounded_product({core_->router_count(), concentration}), 0);
  require_buildable(core_->router_count(), local + concentration);
  for (std::size_t r = 0; r < core_->router_count(); ++r) {
    add_router(local + concentration, local + concentration);
  }
  for (const Channel& channel : core_->channels()) add_channel(channel);
  for_each_point(node_grid(), [&](const TileSizes& point) {
    std::size_t router = 0;
    std::size_t place = 0;
    for (std::size_t d = point.size(); d-- > 0;) {
      router = router * routers[d] + point[d] / tile_[d];
      place = place * tile_[d] + point[d] % tile_[d];
    }
    const Endpoint end{to_id<RouterId>(router), to_id<PortId>(local + place)};
    add_node({end, end});
  });
}

std::vector<std::size_t> Concentrated::node_grid() const {
  TileSizes sizes = core_->node_grid();
  for (std::size_t d = 0; d < sizes.size(); ++d) sizes[d] *= tile_[d];
  return sizes;
}

std::optional<std::size_t> Concentrated::bisection_channels() const {
  const bool halved = router_count() % 2 == 0 || node_count() == router_count();
  return halved ? core_->bisection_channels() : std::nullopt;
}

Concentrated concentrated_mesh(const TileSizes& sizes, const TileSizes& tile) {
  return {concentrated_name("cmesh " + to_text(sizes), tile), std::make_shared<Grid>(mesh(sizes)),
          tile};
}

Concentrated flattened_butterfly(const TileSizes& sizes, const TileSizes& tile) {
  return {concentrated_name("flattened_butterfly " + to_text(sizes), tile),
          std::make_shared<GeneralisedHypercube>(sizes), tile};
}

std::unique_ptr<Topology> with_nodes_each(const std::string& name,
                                          std::shared_ptr<const Topology> core, std::size_t nodes) {
  TileSizes tile(core->node_grid().size(), 1);
  tile.front() = nodes;
  return std::make_unique<Concentrated>(concentrated_name(name, {nodes}), std::move(core),
                                        std::move(tile));
}

Concentrated full_crossbar(std::size_t nodes) {
  return {"crossbar " + std::to_string(nodes), std::make_shared<Complete>(1), {nodes}};
}

namespace {

/// The values of `sizes` and `tile`, checked against each other and the limits.
struct Tiling {
  TileSizes sizes;
  TileSizes tile;

  std::size_t routers() const { return bounded_product(sizes); }
  std::size_t concentration() const { return bounded_product(tile); }
};

/// @param nodes_key     Its value, or the product of its values, is the number of nodes of a
/// router.
/// @param router_ports  Returns the ports to other routers for routers along these dimensions.
Tiling tiling_of(const Section& section, std::size_t (*router_ports)(const TileSizes&),
                 const std::string& nodes_key = "tile") {
  Tiling tiling{counts_of(section, "sizes"), counts_of(section, nodes_key)};
  if (nodes_key != "tile") tiling.tile.resize(std::max<std::size_t>(tiling.sizes.size(), 1), 1);
  if (tiling.sizes.empty() || tiling.sizes.size() > Grid::kMaxDimensions) {
    section.fail("sizes", std::to_string(tiling.sizes.size()) + " dimensions",
                 "write 1 to " + std::to_string(Grid::kMaxDimensions) + " sizes");
  }
  if (tiling.tile.size() != tiling.sizes.size()) {
    section.fail("tile",
                 std::to_string(tiling.tile.size()) + " dimensions, but sizes has " +
                     std::to_string(tiling.sizes.size()),
                 "write a number for each dimension in both");
  }
  if (bounded_product({tiling.routers(), tiling.concentration()}) > kMaxRouters) {
    section.fail("sizes", "more than 2^24 nodes", "make the network smaller");
  }
  const std::size_t ports = router_ports(tiling.sizes) + tiling.concentration();
  if (ports > kMaxPorts) {
    section.fail(nodes_key, "a router would have " + std::to_string(ports) + " ports",
                 "keep links and nodes of a router to " + std::to_string(kMaxPorts));
  }
  return tiling;
}

std::size_t mesh_ports(const TileSizes& sizes) { return 2 * sizes.size(); }

std::size_t row_ports(const TileSizes& sizes) {
  return sum_of<std::size_t>(sizes, [](const std::size_t size) { return size - 1; });
}

TopologySize cmesh_size(const Section& section) {
  const Tiling tiling = tiling_of(section, mesh_ports);
  TopologySize size = mesh_size(tiling.sizes);
  size.nodes *= tiling.concentration();
  size.ports += tiling.concentration() - 1;
  return size;
}

TopologySize butterfly_size(const Tiling& tiling) {
  const std::size_t ports = row_ports(tiling.sizes);
  return {tiling.routers(), tiling.routers() * tiling.concentration(), tiling.routers() * ports,
          ports + tiling.concentration()};
}

Tiling hyperx_tiling(const Section& section) {
  return tiling_of(section, row_ports, "nodes_per_router");
}

std::vector<Param> tiling_params() {
  return {sizes_param("1 to 16 dimensions"),
          Param::integers("tile", "nodes",
                          "Nodes of a router along each dimension: [2, 2] are four, which form a "
                          "square of the grid of nodes.",
                          1, kMaxPorts)};
}

}  // namespace

std::vector<TopologyEntry> concentrated_topologies() {
  return {
      {{"crossbar",
        "One router for all nodes.",
        {Param::integer("nodes", "nodes", "Inputs, and as many outputs.", 1, kMaxPorts)},
        [](const Section& section) { return made(full_crossbar(section.count("nodes"))); },
        {"nodes: 5", "nodes: 1", "nodes: 8"}},
       [](const Section& section) -> TopologySize {
         return {1, section.count("nodes"), 0, section.count("nodes")};
       }},
      {{"cmesh",
        "Concentrated mesh: several nodes at each router, a tile of the grid of nodes.",
        tiling_params(),
        [](const Section& section) {
          const Tiling tiling = tiling_of(section, mesh_ports);
          return made(concentrated_mesh(tiling.sizes, tiling.tile));
        },
        {"sizes: [2, 2], tile: [2, 1]", "sizes: 1, tile: 3", "sizes: [3, 2], tile: [1, 2]"}},
       cmesh_size},
      {{"flattened_butterfly",
        "k-ary n-flat: every router is linked to all others of its row in each dimension; several "
        "nodes at each.",
        tiling_params(),
        [](const Section& section) {
          const Tiling tiling = tiling_of(section, row_ports);
          return made(flattened_butterfly(tiling.sizes, tiling.tile));
        },
        {"sizes: [3, 3], tile: [1, 2]", "sizes: 4, tile: 3", "sizes: [2, 3, 2], tile: [1, 1, 1]"}},
       [](const Section& section) { return butterfly_size(tiling_of(section, row_ports)); }},
      {{"hyperx",
        "HyperX: every router is linked to all others of its row in each dimension, by one link.",
        {sizes_param("1 to 16 dimensions"),
         Param::integer("nodes_per_router", "nodes", "Nodes of each router.", 1, kMaxPorts)
             .defaults_to(1)},
        [](const Section& section) {
          const Tiling tiling = hyperx_tiling(section);
          return with_nodes_each("hyperx " + to_text(tiling.sizes),
                                 std::make_shared<GeneralisedHypercube>(tiling.sizes),
                                 tiling.concentration());
        },
        {"sizes: [3, 2], nodes_per_router: 2", "sizes: 4", "sizes: [2, 3, 2]"}},
       [](const Section& section) { return butterfly_size(hyperx_tiling(section)); }}};
}

}  // namespace flitcast
