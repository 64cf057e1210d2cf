// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "topology/grid.h"

namespace flitcast {

/// A closed walk over all nodes: nodes[i] reaches nodes[i + 1] by forward[i], and nodes[i - 1] by
/// backward[i]; the last node and the first are neighbours.
struct HamiltonianCycle {
  std::vector<NodeId> nodes{};
  std::vector<PortId> forward{};
  std::vector<PortId> backward{};
};

/// A torus of d dimensions whose links have d colours, two links of each colour at every node, so
/// that each colour is a set of disjoint cycles that covers all nodes. At first the colours are the
/// dimensions; flips of squares keep the property.
class ColouredTorus {
 public:
  /// Four links: from `corner` one step up in each of two different dimensions, and the two links
  /// opposite to them.
  struct Square {
    NodeId corner{};
    std::size_t first = 0;   ///< One dimension.
    std::size_t second = 0;  ///< The other dimension.
  };

  /// @param torus  Must wrap in every dimension, with sizes of 3 or more.
  explicit ColouredTorus(const Grid& torus);

  /// The number of cycles of all colours.
  std::size_t cycle_count() const { return cycle_count_; }

  /// True if opposite links are coloured alike, and adjacent ones differently.
  bool can_flip(const Square& square) const;
  /// The change of the cycle count if a square that can_flip() is flipped: -2 to 2.
  int change_by_flip(const Square& square) const;
  /// Exchanges the two colours of a square that can_flip(). O(nodes) time.
  void flip(const Square& square);

  /// The cycle of a colour that contains node 0, whether or not it contains all nodes.
  HamiltonianCycle cycle(std::size_t colour) const;

 private:
  /// A node's position on its cycle of a colour.
  struct Place {
    std::uint32_t cycle = 0;  ///< The cycle's name; later names are larger.
    PortId forward{};         ///< The output in the direction in which the cycle was last walked.
  };
  using Corners = std::array<NodeId, 4>;

  std::size_t port_index(NodeId node, PortId port) const {
    return index(node) * 2 * colour_count_ + index(port);
  }
  NodeId next(NodeId node, PortId port) const { return next_[port_index(node, port)]; }
  Corners corners(const Square& square) const;
  PortId first_port(NodeId node, std::size_t colour) const;
  PortId other_port(NodeId node, PortId port) const;

  std::size_t colour(NodeId node, std::size_t dimension) const {
    return colours_[port_index(node, Grid::plus(dimension))];
  }
  void paint(NodeId node, std::size_t dimension, std::size_t colour);

  const Place& place(NodeId node, std::size_t colour) const {
    return places_[index(node) * colour_count_ + colour];
  }
  int change(NodeId a, NodeId b, std::size_t dimension) const;
  void name_cycle(NodeId start, std::size_t colour);
  void rename_cycles(const Corners& corners, std::size_t colour);

  std::size_t colour_count_;
  std::vector<NodeId> next_;           // By node and port: the neighbour.
  std::vector<std::uint8_t> colours_;  // By node and port: both ends of a link have its colour.
  std::vector<Place> places_;          // By node and colour: the position.
  std::uint32_t next_name_ = 0;
  std::size_t cycle_count_ = 0;
};

/// Returns one Hamiltonian cycle for each dimension of the torus; no two share a link, and together
/// they use every link. The same torus always gives the same cycles.
///
/// The links, coloured by dimension at first, are recoloured by flips of squares (ColouredTorus)
/// until each colour is one cycle. In two dimensions the squares follow from the sizes; verified
/// for sizes of 3 to 64. In three and more dimensions squares are tried at random (fixed seeds),
/// and a flip is kept unless it increases the number of cycles. The search succeeded for all 3-D
/// sizes of 3 to 12, all 4-D sizes of 3 to 6 and samples up to 9000 nodes and 7 dimensions: in well
/// under a second up to 1000 nodes, in seconds up to 9000, in minutes for 3x3x1000, the most
/// elongated.
///
/// Throws PreconditionError unless all dimensions wrap and have sizes of 3 or more, and if the
/// search fails.
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori", refer to constructions by
/// others (Foregger; Aubert and Schneider) and give none; the flips are flitcast's.
std::vector<HamiltonianCycle> hamiltonian_cycles(const Grid& torus);

}  // namespace flitcast
