// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/extended_dependencies.h"

#include <cstdint>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include "routing/analysis/hop_finder.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

/// A packet in a VC of a channel.
struct Held {
  std::uint32_t channel = 0;
  VcId vc{};
  std::uint16_t route_field = 0;

  friend bool operator<(const Held& a, const Held& b) {
    return std::tuple(a.channel, index(a.vc), a.route_field) <
           std::tuple(b.channel, index(b.vc), b.route_field);
  }
};

/// Calls visit(held) for each VC of a way.
template <class Visit>
void for_each_vc(const Hop& hop, Visit&& visit) {
  for (VcSet vcs = hop.vcs; vcs != 0; vcs &= vcs - 1) {
    visit(Held{hop.channel, VcId{static_cast<std::uint8_t>(__builtin_ctz(vcs))}, hop.route_field});
  }
}

class Extension {
 public:
  Extension(const Topology& topology, const Routing& routing, std::size_t virtual_channels)
      : topology_(topology),
        adjacency_(topology),
        finder_(topology, adjacency_, routing, virtual_channels),
        virtual_channels_(virtual_channels),
        edges_(topology.channels().size() * virtual_channels) {}

  void explore(const Journey& journey) {
    for (const Held& escape : escapes_of(journey)) {
      used_.insert(number(escape));
      follow(escape, journey);
    }
  }

  ExtendedCheck check() const {
    ExtendedCheck check;
    check.escape_channels = used_.size();
    for (const auto& edges : edges_) check.dependencies += edges.size();
    check.acyclic = is_acyclic();
    return check;
  }

 private:
  std::size_t number(const Held& held) const {
    return held.channel * virtual_channels_ + index(held.vc);
  }

  const std::vector<Hop>& ways_from(const Held& held, const Journey& journey) {
    return finder_.next_hops(journey, topology_.channels()[held.channel].to, held.vc,
                             held.route_field);
  }

  /// The escape channels that packets on this journey may come to.
  std::set<Held> escapes_of(const Journey& journey) {
    std::set<Held> seen;
    std::set<Held> escapes;
    std::deque<Held> queue;
    const auto offer = [&](const std::vector<Hop>& next_hops) {
      for (const Hop& hop : next_hops) {
        for_each_vc(hop, [&](const Held& held) {
          if (seen.insert(held).second) queue.push_back(held);
          if (hop.waits) escapes.insert(held);
        });
      }
    };
    for (const auto& [route_field, sources] : finder_.sources_by_field(journey.destination)) {
      for (const NodeId source : sources) {
        const Endpoint entry = topology_.attachment(source).injection;
        VcSet vcs = finder_.injection_vcs(source, journey.destination);
        for (; vcs != 0; vcs &= vcs - 1) {
          const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
          offer(finder_.next_hops(journey, entry, vc, route_field));
        }
      }
    }
    for (; !queue.empty(); queue.pop_front()) offer(ways_from(queue.front(), journey));
    return escapes;
  }

  /// Adds an edge to every escape channel that is offered after adaptive hops alone.
  void follow(const Held& escape, const Journey& journey) {
    std::set<Held> seen{escape};
    std::deque<Held> queue{escape};
    for (; !queue.empty(); queue.pop_front()) {
      for (const Hop& hop : ways_from(queue.front(), journey)) {
        for_each_vc(hop, [&](const Held& held) {
          if (hop.waits) edges_[number(escape)].insert(number(held));
          if (!hop.waits && seen.insert(held).second) queue.push_back(held);
        });
      }
    }
  }

  // Takes out channels that nothing leads to until none is left, or only cycles and what is behind
  // them (Kahn, 1962).
  bool is_acyclic() const {
    std::vector<std::size_t> leading_to(edges_.size(), 0);
    for (const auto& edges : edges_) {
      for (const std::size_t to : edges) ++leading_to[to];
    }
    std::vector<std::size_t> free;
    for (std::size_t v = 0; v < edges_.size(); ++v) {
      if (leading_to[v] == 0) free.push_back(v);
    }
    for (std::size_t at = 0; at < free.size(); ++at) {
      for (const std::size_t to : edges_[free[at]]) {
        if (--leading_to[to] == 0) free.push_back(to);
      }
    }
    return free.size() == edges_.size();
  }

  const Topology& topology_;
  const Adjacency adjacency_;
  HopFinder finder_;
  const std::size_t virtual_channels_;
  std::set<std::size_t> used_;
  std::vector<std::set<std::size_t>> edges_;  // Per virtual channel.
};

}  // namespace

ExtendedCheck check_extended_dependencies(const Topology& topology, const Routing& routing,
                                          std::size_t virtual_channels) {
  Extension extension(topology, routing, virtual_channels);
  const unsigned tie_choices = 1U << routing.tie_dimensions();
  for (std::uint32_t destination = 0; destination < topology.node_count(); ++destination) {
    for (unsigned ties = 0; ties < tie_choices; ++ties) {
      extension.explore({NodeId{destination}, static_cast<std::uint8_t>(ties)});
    }
  }
  return extension.check();
}

}  // namespace flitcast
