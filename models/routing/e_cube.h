// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/hypercube.h"

namespace flitcast {

/// e-cube (bit-fixing) routing on hypercubes: packets correct one differing bit after the other,
/// always in the same order. Minimal, deterministic, deadlock-free with one VC; uses any VC.
/// Source: Sullivan and Bashkow, "A Large Scale, Homogeneous, Fully Distributed Parallel Machine",
/// ISCA 1977.
class ECube : public OnAllVcs<Routing> {
 public:
  enum class Order { kMostSignificantFirst, kLeastSignificantFirst };

  ECube(const Hypercube& cube, Order order, std::size_t virtual_channels)
      : OnAllVcs(vc_range(0, virtual_channels)), local_(cube.local()), order_(order) {}

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }

 private:
  PortId local_;
  Order order_;
};

/// e-cube routing on generalised hypercubes: packets correct one differing digit after the other,
/// each in one hop; dimension order on flattened butterflies. Minimal, deterministic, deadlock-free
/// with one VC; uses any VC.
/// Source: Bhuyan and Agrawal, "Generalized Hypercube and Hyperbus Structures for a Computer
/// Network", IEEE Trans. Computers 33(4), 1984.
class DigitECube : public OnAllVcs<Routing> {
 public:
  /// @param order  The digit of the highest dimension is the most significant. `cube` need not
  ///               outlive the routing.
  DigitECube(const GeneralisedHypercube& cube, ECube::Order order, std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }

 private:
  struct Dimension {
    std::uint32_t size = 1;
    std::uint32_t first_port = 0;
  };

  std::vector<Dimension> order_;
  std::vector<std::uint32_t> digits_;  // Per node, its coordinates in the order of order_.
  PortId local_;
};

}  // namespace flitcast
