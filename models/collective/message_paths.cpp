// SPDX-License-Identifier: Apache-2.0
#include "collective/message_paths.h"

#include <algorithm>
#include <utility>

#include "topology/adjacency.h"

namespace flitcast {

namespace {

class Follower {
 public:
  Follower(const Topology& topology, const Routing& routing)
      : topology_(topology), routing_(routing), adjacency_(topology) {}

  /// Puts the channels of the way into `channels`; false if it is not certain or leads nowhere.
  bool follow(NodeId from, NodeId to, std::vector<std::uint32_t>& channels) const {
    if (!follow_tied(from, to, 0, channels)) return false;
    std::vector<std::uint32_t> others;
    for (unsigned ties = 1; ties < 1U << routing_.tie_dimensions(); ++ties) {
      others.clear();
      if (!follow_tied(from, to, static_cast<std::uint8_t>(ties), others)) return false;
      if (others != channels) return false;
    }
    return true;
  }

 private:
  bool follow_tied(NodeId from, NodeId to, std::uint8_t ties,
                   std::vector<std::uint32_t>& channels) const {
    Endpoint at = topology_.attachment(from).injection;
    VcSet vcs = routing_.injection_vcs(from, to);
    while (channels.size() <= topology_.channels().size()) {
      const std::optional<Route> route = only_route({at.router, at.port, {}, to, ties}, vcs);
      if (!route || index(route->output) >= topology_.output_count(at.router)) return false;
      const std::uint32_t channel = adjacency_.leaving(at.router, route->output);
      if (channel == Adjacency::kNone) {
        return Endpoint{at.router, route->output} == topology_.attachment(to).ejection;
      }
      channels.push_back(channel);
      at = topology_.channels()[channel].to;
      vcs = route->vcs;
    }
    return false;  // Round in a cycle.
  }

  /// What the routing answers whichever of the VCs the packet waits in; nothing if that matters.
  std::optional<Route> only_route(RouteRequest request, VcSet vcs) const {
    std::optional<Route> only;
    for (; vcs != 0; vcs &= vcs - 1) {
      request.vc = VcId{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      const Route route = routing_.route(request);
      if (only && only->output != route.output) return std::nullopt;
      if (only) {
        only->vcs |= route.vcs;
      } else {
        only = route;
      }
      if (!routing_.reads_arrival()) break;
    }
    return only;
  }

  const Topology& topology_;
  const Routing& routing_;
  const Adjacency adjacency_;
};

bool has_one_way(const Routing& routing) {
  return !routing.adaptive() && !routing.multicast() && routing.most_choices() == 1;
}

/// Adds the messages of a round one by one.
class RoundLoads {
 public:
  explicit RoundLoads(std::size_t channels) : loads_(channels) {}

  void add(const std::vector<std::uint32_t>& channels) {
    for (const std::uint32_t channel : channels) {
      most_ = std::max(most_, ++loads_[channel]);
      used_.push_back(channel);
    }
  }
  /// The largest load; starts the next round.
  std::size_t finish() {
    for (const std::uint32_t channel : used_) loads_[channel] = 0;
    used_.clear();
    return std::exchange(most_, 0);
  }

 private:
  std::vector<std::size_t> loads_;
  std::vector<std::uint32_t> used_;
  std::size_t most_ = 0;
};

}  // namespace

std::optional<MessagePaths> paths_of(const Topology& topology, const Routing& routing,
                                     const Schedule& schedule, const Placement& placement) {
  if (!has_one_way(routing)) return std::nullopt;
  const Follower follower(topology, routing);
  RoundLoads loads(topology.channels().size());
  MessagePaths paths;
  std::vector<std::uint32_t> path;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    std::size_t longest = 0;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      if (schedule.receivers(m).size() != 1) return std::nullopt;
      const Message& message = schedule.message(m);
      path.clear();
      if (!follower.follow(placement.node(message.from), placement.node(message.to), path)) {
        return std::nullopt;
      }
      loads.add(path);
      paths.hops.push_back(static_cast<std::uint32_t>(path.size()));
      longest = std::max(longest, path.size());
    }
    paths.longest_per_round.push_back(longest);
    paths.load_per_round.push_back(loads.finish());
  }
  return paths;
}

}  // namespace flitcast
