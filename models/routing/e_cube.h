// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/routing.h"
#include "topology/hypercube.h"

namespace flitcast {

/// e-cube (bit-fixing) routing on hypercubes: correct one differing bit after the other, always in
/// the same order. Minimal, deterministic, deadlock-free with one VC; uses any VC.
/// Source: Sullivan and Bashkow, "A Large Scale, Homogeneous, Fully Distributed Parallel Machine",
/// ISCA 1977.
class ECube : public Routing {
 public:
  enum class Order { kMostSignificantFirst, kLeastSignificantFirst };

  ECube(const Hypercube& cube, Order order, std::size_t virtual_channels)
      : local_(cube.local()), order_(order), all_(vc_range(0, virtual_channels)) {}

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return false; }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  PortId local_;
  Order order_;
  VcSet all_;
};

}  // namespace flitcast
