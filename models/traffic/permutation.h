// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "traffic/pattern.h"

namespace flitcast {

/// The destination of every node, by source.
using DestinationTable = std::vector<NodeId>;

/// Every node sends all its packets to one fixed node; no two nodes to the same.
class Permutation : public Pattern {
 public:
  explicit Permutation(DestinationTable destinations) : destinations_(std::move(destinations)) {}

  NodeId destination(NodeId source, Random&) const override { return destinations_[index(source)]; }

 private:
  const DestinationTable destinations_;
};

/// The table of a function from node number to node number.
template <class Destination>
DestinationTable tabulate(std::size_t node_count, Destination destination) {
  DestinationTable table;
  table.reserve(node_count);
  for (std::size_t node = 0; node < node_count; ++node) {
    table.push_back(NodeId{static_cast<std::uint32_t>(destination(node))});
  }
  return table;
}

}  // namespace flitcast
