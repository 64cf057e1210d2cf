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

  /// 2^n: the 2^(n-1) links across one bit have two channels each. 0 for n = 0.
  std::optional<std::size_t> bisection_channels() const override;

 private:
  std::size_t dimension_;
};

}  // namespace flitcast
