// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// The binary n-cube: 2^n routers with a node each; two are neighbours when their numbers differ in
/// one bit. Output d leads to, and input d faces, the neighbour across bit d; port n is local.
class Hypercube : public Topology {
 public:
  static constexpr std::size_t kMaxDimension = 20;

  /// @param dimension  n, 0 to kMaxDimension; anything else throws std::invalid_argument.
  explicit Hypercube(std::size_t dimension);

  std::size_t dimension() const { return dimension_; }
  PortId local() const { return to_id<PortId>(dimension_); }

  /// n dimensions of size 2; one of size 1 for n = 0.
  std::vector<std::size_t> node_grid() const override;
  Layout layout() const override { return in_grid(node_grid()); }
  /// "dimension_d" for the channels across bit d.
  std::string channel_class(const Channel& channel) const override {
    return "dimension_" + std::to_string(index(channel.from.port));
  }

  /// 2^n: the 2^(n-1) links across one bit have two channels each. 0 for n = 0.
  std::optional<std::size_t> bisection_channels() const override {
    return dimension_ == 0 ? 0 : node_count();
  }

 private:
  std::size_t dimension_;
};

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
  PortId local() const { return to_id<PortId>(first_ports_.back()); }

  std::vector<std::size_t> node_grid() const override { return sizes_; }
  Layout layout() const override { return in_grid(sizes_); }
  /// "dimension_d" for the channels along dimension d.
  std::string channel_class(const Channel& channel) const override;

  /// The channels between the first half of the routers, counted with the largest dimension as the
  /// fastest, and the rest.
  /// Source: Lindsey, "Assignment of Numbers to Vertices", American Mathematical Monthly 71(5),
  /// 1964.
  std::optional<std::size_t> bisection_channels() const override;

 private:
  void connect(std::size_t router, std::size_t dimension);

  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> strides_;
  std::vector<std::size_t> first_ports_;  // Per dimension, then the local port.
};

/// The complete graph, a generalised hypercube of one dimension: all routers are neighbours. With n
/// routers of one node each, output p of router v leads to router v + p + 1 (mod n), and input p
/// faces the same router; port n - 1 is local.
class Complete : public Topology {
 public:
  static constexpr std::size_t kMaxNodes = kMaxPorts;

  /// @param nodes  n, 1 to kMaxNodes; other values throw std::invalid_argument.
  explicit Complete(std::size_t nodes);

  PortId local() const { return to_id<PortId>(node_count() - 1); }

  /// 2 * floor(n / 2) * ceil(n / 2): all channels between the halves.
  std::optional<std::size_t> bisection_channels() const override {
    return 2 * (node_count() / 2) * ((node_count() + 1) / 2);
  }
};

}  // namespace flitcast
