// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// Nodes on a grid, all at one router and without channels: as much as traffic looks at.
class Grid : public Topology {
 public:
  explicit Grid(std::vector<std::size_t> sizes) : Topology("grid"), sizes_(std::move(sizes)) {
    std::size_t nodes = 1;
    for (const std::size_t size : sizes_) nodes *= size;
    for (std::size_t node = 0; node < nodes; ++node) add_node({});
  }

  std::vector<std::size_t> node_grid() const override { return sizes_; }

 private:
  std::vector<std::size_t> sizes_;
};

}  // namespace flitcast
