// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// A topology made from a core topology, with several nodes at each router instead of one:
/// concentrated meshes, flattened butterflies, HyperX, Slim Fly, Jellyfish, a single crossbar.
///
/// The nodes form a grid that is cut into tiles, one per router: with a core of node grid 4x4 and
/// tiles of 2x2, the node at (x, y) of 8x8 belongs to the router at (x / 2, y / 2). So neighbours
/// stay neighbours, and traffic patterns keep their meaning. The core's local port belongs to the
/// first node; the ports of the others follow, dimension 0 of the tile the fastest.
/// Source: Balfour and Dally, "Design Tradeoffs for Tiled CMP On-Chip Networks", ICS 2006.
class Concentrated : public Topology {
 public:
  /// @param core  Has one node at each router, with the number of the router, whose ports are the
  ///              last input and the last output.
  /// @param tile  Nodes along each dimension of the core's node grid, at least 1.
  /// Throws std::invalid_argument for other cores and tiles, and beyond kMaxRouters and kMaxPorts.
  Concentrated(std::string name, std::shared_ptr<const Topology> core,
               std::vector<std::size_t> tile);

  const Topology& core() const { return *core_; }
  const std::vector<std::size_t>& tile() const { return tile_; }

  std::vector<std::size_t> node_grid() const override;
  std::string channel_class(const Channel& channel) const override {
    return core_->channel_class(channel);
  }
  Layout layout() const override { return core_->layout(); }

  /// The bisection channels of the core, if the nodes can be halved without dividing the nodes of a
  /// router.
  std::optional<std::size_t> bisection_channels() const override;

 private:
  std::shared_ptr<const Topology> core_;
  std::vector<std::size_t> tile_;
};

/// "cmesh 4x4 with 2x2 nodes each"; the core is a Grid without wrap-around links.
Concentrated concentrated_mesh(const std::vector<std::size_t>& sizes,
                               const std::vector<std::size_t>& tile);

/// "flattened_butterfly 4x4 with 2x2 nodes each"; the core is a GeneralisedHypercube.
/// Source: Kim, Dally and Abts, "Flattened Butterfly: A Cost-Efficient Topology for High-Radix
/// Networks", ISCA 2007.
Concentrated flattened_butterfly(const std::vector<std::size_t>& sizes,
                                 const std::vector<std::size_t>& tile);

/// Any core with several nodes at each router, numbered router by router. With a
/// GeneralisedHypercube the result is a HyperX whose routers have one link to every other router of
/// their row.
/// Source: Ahn, Binkert, Davis, McLaren and Schreiber, "HyperX: Topology, Routing, and Packaging of
/// Efficient Large-Scale Networks", SC 2009.
/// @param name  "hyperx 4x4" results in the name "hyperx 4x4 with 3 nodes each".
/// @param core  As for Concentrated.
std::unique_ptr<Topology> with_nodes_each(const std::string& name,
                                          std::shared_ptr<const Topology> core, std::size_t nodes);

/// "crossbar 16": one router for all nodes.
Concentrated full_crossbar(std::size_t nodes);

}  // namespace flitcast
