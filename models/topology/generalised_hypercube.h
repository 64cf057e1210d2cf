// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// The generalised hypercube: one router and one node at each point of a box; routers that differ
/// in one coordinate are linked. With several nodes at each router it is a flattened butterfly.
///
///   node = router = x_0 + size_0 * (x_1 + size_1 * (x_2 + ...))     dimension 0 is the fastest
///
/// The outputs of dimension 0 come first, size_0 - 1 of them, then those of dimension 1, and so on;
/// output q of dimension d leads to the router whose x_d is q + 1 higher, modulo size_d. The last
/// port is local. Input p faces the neighbour that output p leads to.
/// Source: Bhuyan and Agrawal, "Generalized Hypercube and Hyperbus Structures for a Computer
/// Network", IEEE Trans. Computers 33(4), 1984.
class GeneralisedHypercube : public Topology {
 public:
  /// Throws std::invalid_argument without a dimension, for a size of 0, and beyond kMaxRouters and
  /// kMaxPorts.
  explicit GeneralisedHypercube(std::vector<std::size_t> sizes);

  std::size_t dimensions() const { return sizes_.size(); }
  std::size_t size(std::size_t dimension) const { return sizes_[dimension]; }
  /// The difference between the numbers of two routers that are 1 apart in the dimension.
  std::size_t stride(std::size_t dimension) const { return strides_[dimension]; }
  /// The first output of the dimension; the outputs of lower dimensions precede it.
  std::size_t first_port(std::size_t dimension) const { return first_ports_[dimension]; }
  PortId local() const { return PortId{static_cast<std::uint16_t>(first_ports_.back())}; }

  std::vector<std::size_t> node_grid() const override { return sizes_; }
  Layout layout() const override { return in_grid(sizes_); }

  /// The channels between the first half of the routers, counted with the largest dimension as the
  /// fastest, and the rest.
  /// Source: Lindsey, "Assignment of Numbers to Vertices", American Mathematical Monthly 71(5),
  /// 1964.
  std::optional<std::size_t> bisection_channels() const override;

 private:
  void connect(std::size_t router, std::size_t dimension);

  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> strides_;
  std::vector<std::size_t> first_ports_;  // One entry more than there are dimensions.
};

}  // namespace flitcast
