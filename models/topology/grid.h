// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "topology/topology.h"

namespace flitcast {

/// One dimension of a grid.
struct GridDimension {
  std::size_t size = 1;
  bool wraps = false;  ///< True if links join the last coordinate to the first.
};

/// Meshes, tori, rings and mixtures: one router and one node at each point of a box.
///
///   node = router = x_0 + size_0 * (x_1 + size_1 * (x_2 + ...))     dimension 0 is the fastest
///
/// Output 2i raises x_i, output 2i + 1 lowers it, the last port is local. Input p faces the
/// neighbour that output p leads to, so what leaves by 2i arrives at 2i + 1. Ports across a mesh
/// border or in a dimension of size 1 are unconnected. In a wrapped dimension of size 2 both ports
/// lead to the same neighbour over two parallel links.
class Grid : public Topology {
 public:
  /// Wrapped dimensions must be among the first 8, because Flit::ties has a bit for each.
  static constexpr std::size_t kMaxWrappedDimensions = 8;
  static constexpr std::size_t kMaxDimensions = 16;

  /// @param kind The first word of name(), such as "mesh".
  /// @param die  The sizes of the dies into which the grid is cut; the sizes of the grid are
  ///             multiples of them. Empty: the grid is in one piece.
  /// Throws std::invalid_argument outside the limits above and kMaxRouters and kMaxPorts.
  Grid(const std::string& kind, std::vector<GridDimension> dimensions,
       std::vector<std::size_t> die = {});

  std::size_t dimensions() const { return dimensions_.size(); }
  std::size_t size(std::size_t dimension) const { return dimensions_[dimension].size; }
  bool wraps(std::size_t dimension) const { return dimensions_[dimension].wraps; }
  /// True if it wraps in any dimension.
  bool wraps() const { return any_of(dimensions_, &GridDimension::wraps); }

  std::size_t coordinate(NodeId node, std::size_t dimension) const {
    return index(node) / strides_[dimension] % size(dimension);
  }

  static constexpr PortId plus(std::size_t dimension) { return to_id<PortId>(2 * dimension); }
  static constexpr PortId minus(std::size_t dimension) { return to_id<PortId>(2 * dimension + 1); }
  PortId local() const { return plus(dimensions()); }
  /// The difference between the numbers of neighbours in a dimension.
  std::size_t stride(std::size_t dimension) const { return strides_[dimension]; }

  std::vector<std::size_t> node_grid() const override;
  /// "die_to_die" for the channels from one die to the next, "wrap" for those that join the last
  /// coordinate of a dimension to the first, and "dimension_0", "dimension_1", ... for all others.
  std::string channel_class(const Channel& channel) const override;
  /// The grid positions; a ring is drawn as a circle.
  Layout layout() const override {
    return dimensions() == 1 && wraps(0) ? on_circle(router_count()) : in_grid(node_grid());
  }

  /// Known for grids that wrap everywhere or nowhere. Let z_1 >= z_2 >= ... be the sizes above 1,
  /// and z_a the first even size (the last size if none is even): the bisection has the sum over i
  /// <= a of z_(i+1) * z_(i+2) * ... links, twice as many if the grid wraps, each with two
  /// channels.
  /// Source: Aroca and Fernandez Anta, "Bisection (Band)Width of Product Networks with Application
  /// to Data Centers", 2014.
  std::optional<std::size_t> bisection_channels() const override;

 private:
  void connect(std::size_t node, std::size_t dimension);

  std::vector<GridDimension> dimensions_;
  std::vector<std::size_t> strides_;
  std::vector<std::size_t> die_;  // Per dimension; empty for a grid in one piece.
};

/// A grid without wrap-around links: "mesh 8x8".
Grid mesh(const std::vector<std::size_t>& sizes);

/// The size of a mesh. Grids that wrap have at least as many channels.
TopologySize mesh_size(const std::vector<std::size_t>& sizes);

/// A grid that wraps in every dimension, also known as k-ary n-cube: "torus 4x4x4".
Grid torus(const std::vector<std::size_t>& sizes);

/// A torus of one dimension: "ring 5".
Grid ring(std::size_t nodes);

}  // namespace flitcast
