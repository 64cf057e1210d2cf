// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/blocking_sequence.h"

#include <stdexcept>

#include "clos/minimum/search_events.h"
#include "clos/network_state.h"

namespace flitcast::clos {
namespace {

Route route_of(RouteWord word, const Structure& structure) {
  Route route(structure.r2);
  for (std::uint32_t middle = 0; middle < structure.m; ++middle) {
    SetWord served = 0;
    for_each_link(word, [&](std::uint32_t by, std::uint32_t k) {
      if (by == middle) served |= SetWord{1} << k;
    });
    if (served != 0) route.add(MiddleId{middle}, &served);
  }
  return route;
}

/// A network that follows a path, with the names of ports and switches as they are.
class Follower {
 public:
  Follower(const Structure& structure, RoutingRule& rule, const CanonicalForm& canonical)
      : structure_(structure), rule_(rule), canonical_(canonical), network_(structure) {}

  std::vector<Event> follow(const std::vector<Configuration>& path) {
    for (std::size_t step = 1; step < path.size(); ++step) {
      if (!connect_towards(path[step]) && !disconnect_towards(path[step])) {
        throw std::logic_error("no event leads to the next configuration of a path");
      }
    }
    block();
    return std::move(events_);
  }

 private:
  bool connect_towards(const Configuration& target) {
    const LinkUse links(routes_, structure_);
    return !for_each_request(routes_, links, structure_, [&](auto input, SwitchMask wanted) {
      rule_.find_routes(links, input / structure_.n1, wanted, candidates_);
      for (const RouteWord route : candidates_) {
        Configuration next = routes_;
        next[input] = route;
        if (canonical_.of(next) != target) continue;
        connect(input, wanted, route);
        return false;
      }
      return true;
    });
  }

  bool disconnect_towards(const Configuration& target) {
    return !for_each_disconnect(routes_, structure_, [&](std::uint32_t input) {
      Configuration next = routes_;
      next[input] = 0;
      if (canonical_.of(next) != target) return true;
      routes_ = next;
      network_.disconnect(InputId{input});
      events_.emplace_back(DisconnectEvent{InputId{input}});
      return false;
    });
  }

  void block() {
    const LinkUse links(routes_, structure_);
    const bool routed =
        for_each_request(routes_, links, structure_, [&](std::uint32_t input, SwitchMask wanted) {
          rule_.find_routes(links, input / structure_.n1, wanted, candidates_);
          if (candidates_.empty()) connect(input, wanted, 0);
          return !candidates_.empty();
        });
    if (routed) throw std::logic_error("the last configuration of a path does not block");
  }

  void connect(std::uint32_t input, SwitchMask wanted, RouteWord word) {
    ConnectEvent event{InputId{input}, {}, route_of(word, structure_)};
    for_each_member(wanted,
                    [&](std::uint32_t k) { event.outputs.push_back(network_.lowest_idle(k)); });
    if (!event.blocked()) network_.connect(event.input, event.outputs, event.route);
    routes_[input] = word;
    events_.emplace_back(std::move(event));
  }

  const Structure& structure_;
  RoutingRule& rule_;
  const CanonicalForm& canonical_;
  NetworkState network_;
  Configuration routes_{};  // Of the network.
  std::vector<RouteWord> candidates_;
  std::vector<Event> events_;
};

}  // namespace

std::vector<Event> blocking_sequence(const std::vector<Configuration>& path,
                                     const Structure& structure, RoutingRule& rule,
                                     const CanonicalForm& canonical) {
  return Follower(structure, rule, canonical).follow(path);
}

}  // namespace flitcast::clos
