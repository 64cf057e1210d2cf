// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "traffic/pattern.h"
#include "traffic/uniform.h"

namespace flitcast {

/// Uniform traffic of which a fixed share goes to a few hot nodes instead, as to a memory
/// controller or a lock.
/// Source: Pfister and Norton, "Hot Spot" Contention and Combining in Multistage Interconnection
/// Networks, IEEE Transactions on Computers 34 (1985).
class HotSpot : public Pattern {
 public:
  /// @param node_count    At least 1.
  /// @param hot_spots     At least one node; one that is listed twice is twice as hot.
  /// @param hot_fraction  Share of the packets for the hot nodes, 0 to 1. The uniform rest reaches
  ///                      them too: with share f, each of h hot nodes gets f / h + (1 - f) / N.
  HotSpot(std::size_t node_count, std::vector<NodeId> hot_spots, double hot_fraction);

  NodeId destination(NodeId source, Random& random) const override;

 private:
  const Uniform background_;
  const std::vector<NodeId> hot_spots_;
  const double hot_fraction_;
};

/// Reads `hot_spots` and `hot_fraction`.
std::unique_ptr<Pattern> make_hot_spot(const Section& workload, const Topology& topology);

}  // namespace flitcast
