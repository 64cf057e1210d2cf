// SPDX-License-Identifier: Apache-2.0
#include "traffic/hot_spot.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace flitcast {

HotSpot::HotSpot(std::size_t node_count, std::vector<NodeId> hot_spots, double hot_fraction)
    : background_(node_count), hot_spots_(std::move(hot_spots)), hot_fraction_(hot_fraction) {
  if (hot_spots_.empty()) throw std::invalid_argument("hot-spot traffic needs a hot node");
}

NodeId HotSpot::destination(NodeId source, Random& random) const {
  if (random.uniform() >= hot_fraction_) return background_.destination(source, random);
  return hot_spots_[random.below(hot_spots_.size())];
}

std::unique_ptr<Pattern> make_hot_spot(const Section& workload, const Topology& topology) {
  std::vector<NodeId> hot_spots;
  for (const std::int64_t node : workload.integers("hot_spots")) {
    if (node < 0 || static_cast<std::uint64_t>(node) >= topology.node_count()) {
      workload.fail("hot_spots", fmt::format("there is no node {} in {}", node, topology.name()),
                    fmt::format("use nodes from 0 to {}", topology.node_count() - 1));
    }
    hot_spots.push_back(NodeId{static_cast<std::uint32_t>(node)});
  }
  if (hot_spots.empty()) workload.fail("hot_spots", "the list is empty", "name at least one node");
  return std::make_unique<HotSpot>(topology.node_count(), std::move(hot_spots),
                                   workload.number("hot_fraction"));
}

}  // namespace flitcast
