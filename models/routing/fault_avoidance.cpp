// SPDX-License-Identifier: Apache-2.0
#include "routing/fault_avoidance.h"

#include <set>
#include <tuple>

#include "routing/analysis/hop_finder.h"

namespace flitcast {
namespace {

/// Follows all ways that packets between two nodes may take.
class FaultSearch {
 public:
  FaultSearch(const Faulty& topology, const Routing& routing, std::size_t virtual_channels)
      : topology_(topology),
        routing_(routing),
        adjacency_(topology.whole()),
        finder_(topology.whole(), adjacency_, routing, virtual_channels) {}

  bool meets_fault(NodeId source, NodeId destination) {
    for (unsigned ties = 0; ties < 1U << routing_.tie_dimensions(); ++ties) {
      const Journey journey{destination, static_cast<std::uint8_t>(ties)};
      const std::uint32_t choices = routing_.choices(source, destination);
      for (std::uint32_t c = 0; c < choices; ++c) {
        const auto field = routing_.most_choices() == 1 ? std::uint16_t{0}
                                                        : routing_.choice(source, destination, c);
        if (meets_fault(source, journey, field)) return true;
      }
    }
    return false;
  }

 private:
  using Stop = std::tuple<std::uint32_t, unsigned, std::uint16_t>;  // Channel, VC, route field.

  bool meets_fault(NodeId source, const Journey& journey, std::uint16_t route_field) {
    seen_.clear();
    open_.clear();
    const Endpoint entry = topology_.whole().attachment(source).injection;
    const VcSet vcs = finder_.injection_vcs(source, journey.destination);
    for (VcSet left = vcs; left != 0; left &= left - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(left))};
      if (step(journey, entry, vc, route_field)) return true;
    }
    while (!open_.empty()) {
      const auto [channel, vc, field] = open_.back();
      open_.pop_back();
      const Endpoint at = topology_.whole().channels()[channel].to;
      if (step(journey, at, VcId{static_cast<std::uint8_t>(vc)}, field)) return true;
    }
    return false;
  }

  // Whether a way on from here is over a failed channel; the others are kept for later.
  bool step(const Journey& journey, Endpoint at, VcId vc, std::uint16_t route_field) {
    for (const Hop& hop : finder_.next_hops(journey, at, vc, route_field)) {
      if (topology_.failed()[hop.channel]) return true;
      for (VcSet left = hop.vcs; left != 0; left &= left - 1) {
        const Stop stop{hop.channel, static_cast<unsigned>(__builtin_ctz(left)), hop.route_field};
        if (seen_.insert(stop).second) open_.push_back(stop);
      }
    }
    return false;
  }

  const Faulty& topology_;
  const Routing& routing_;
  const Adjacency adjacency_;
  HopFinder finder_;
  std::set<Stop> seen_;
  std::vector<Stop> open_;
};

}  // namespace

std::vector<std::pair<NodeId, NodeId>> pairs_over_faults(const Faulty& topology,
                                                         const Routing& routing,
                                                         std::size_t virtual_channels) {
  FaultSearch search(topology, routing, virtual_channels);
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (std::uint32_t source = 0; source < topology.node_count(); ++source) {
    const NodeId from = topology.number_in_whole(NodeId{source});
    for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
      const NodeId to = topology.number_in_whole(NodeId{node});
      if (search.meets_fault(from, to)) pairs.emplace_back(NodeId{source}, NodeId{node});
      if (pairs.size() == kEnoughPairs) return pairs;
    }
  }
  return pairs;
}

}  // namespace flitcast
