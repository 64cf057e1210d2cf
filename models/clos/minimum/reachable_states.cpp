// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/sequences.h"
#include "clos/minimum/configuration.h"
#include "clos/minimum/routing_rule.h"
#include "clos/minimum/state_search.h"
#include "clos/minimum/state_set.h"
#include "clos/network_state.h"
#include "clos/trace.h"

namespace flitcast::clos {
namespace {

// Returns the most middle switches that cannot carry anything from i to k, over all i and k.
std::size_t most_unusable(const Configuration& routes, const Structure& structure) {
  const LinkUse links(routes, structure);
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      std::size_t count = 0;
      for (std::uint32_t j = 0; j < structure.m; ++j) {
        const bool usable = (links.available[i] >> j & 1) != 0 && (links.busy[j] >> k & 1) == 0;
        if (!usable) ++count;
      }
      most = std::max(most, count);
    }
  }
  return most;
}

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

/// An event of a search: an input gets a route. A request has `wanted`, and the route 0 if it is
/// blocked; without `wanted` a connection ends, or one of its members does.
struct Change {
  std::uint32_t input;
  SwitchMask wanted;
  RouteWord route;

  bool blocked() const { return wanted != 0 && route == 0; }
};

/// The events of the configurations of a network.
struct EventEnumerator {
  const Structure& structure;
  RoutingRule& rule;
  bool leave;
  std::vector<RouteWord> answers{};

  /// Calls visit(change) for all events until one returns false; returns whether none did.
  template <class Visit>
  bool for_each(const Configuration& routes, Visit&& visit) {
    const LinkUse links(routes, structure);
    const auto request = [&](std::uint32_t input, SwitchMask wanted) {
      rule.find_routes(links, input / structure.n1, wanted, answers);
      if (answers.empty()) answers.push_back(0);
      return all_of(answers, [&](RouteWord route) { return visit(Change{input, wanted, route}); });
    };
    const auto ending = [&](std::uint32_t input, RouteWord rest) {
      return visit(Change{input, 0, rest});
    };
    return for_each_request(routes, links, structure, request) &&
           for_each_ending(routes, structure, leave, ending);
  }
};

/// A network that follows a path with the original names of ports and switches.
struct Follower {
  const Structure& structure;
  EventEnumerator changes;
  Symmetry symmetry;
  NetworkState network{structure};
  Configuration routes{};  // Routes of the network.
  std::vector<Event> events{};

  std::vector<Event> follow(const std::vector<Configuration>& path) {
    for (std::size_t step = 1; step < path.size(); ++step) {
      const bool found = play_first([&](const Change& change) {
        Configuration next = routes;
        next[change.input] = change.route;
        return !change.blocked() && canonical_form(next, structure, symmetry) == path[step];
      });
      if (!found) throw std::logic_error("no event leads to the next configuration of a path");
    }
    if (!play_first([](const Change& change) { return change.blocked(); })) {
      throw std::logic_error("the last configuration of a path does not block");
    }
    return std::move(events);
  }

  // Plays the first event that fits; returns whether there is one.
  template <class Fits>
  bool play_first(Fits&& fits) {
    return !changes.for_each(routes, [&](const Change& change) {
      if (!fits(change)) return true;
      play(change);
      return false;
    });
  }

  void play(const Change& change) {
    const InputId input{change.input};
    routes[change.input] = change.route;
    if (change.wanted != 0) return connect(input, change.wanted, change.route);
    if (change.route != 0) return leave(input, change.route);
    network.disconnect(input);
    events.emplace_back(DisconnectEvent{input});
  }

  void connect(InputId input, SwitchMask wanted, RouteWord word) {
    ConnectEvent event{input, {}, route_of(word, structure)};
    for_each_member(wanted,
                    [&](std::uint32_t k) { event.outputs.push_back(network.lowest_idle(k)); });
    if (!event.blocked()) network.connect(event.input, event.outputs, event.route);
    events.emplace_back(std::move(event));
  }

  void leave(InputId input, RouteWord rest) {
    for (const OutputId output : std::vector<OutputId>(network.connection(input).outputs)) {
      if (leg_to(rest, structure.output_switch(output)) != 0) continue;
      events.emplace_back(LeaveEvent{input, output, network.leave(input, output)});
    }
  }
};

/// The states that an empty network can reach by the events of a plan, up to renaming.
class ReachableStates {
 public:
  /// @param rule  Commutes with the renamings of the plan's symmetry; must outlive this object.
  /// Throws std::invalid_argument for what require_searchable() refuses.
  ReachableStates(const Structure& structure, RoutingRule& rule, const SearchPlan& plan,
                  const SearchLimits& limits)
      : structure_((require_searchable(structure), structure)),
        changes_{structure_, rule, plan.leave},
        plan_(plan),
        limits_(limits),
        packing_(structure),
        states_(packing_.words(), limits.most_bytes),
        waiting_(structure.m + std::size_t{1}) {}

  SearchOutcome search() {
    reach({});
    if (!add_reached(StateSet::kNone)) return SearchOutcome::kNoVerdict;
    for (StateId done = 0; done < states_.size(); ++done) {
      const bool ask = done % kStatesBetweenStops == 0 && limits_.stop;
      if (ask && limits_.stop()) return SearchOutcome::kNoVerdict;
      const StateId id = plan_.order == SearchOrder::kShortestFirst ? done : waiting_.take();
      if (!expand(id)) {
        blocking_ = id;
        return SearchOutcome::kBlocks;
      }
      if (!add_reached(id)) return SearchOutcome::kNoVerdict;
    }
    return SearchOutcome::kNeverBlocks;
  }

  std::uint64_t size() const { return states_.size(); }
  /// After kBlocks: the events from an empty network to a blocked request.
  ///
  /// Canonical configurations have lost the names of ports and switches, so each event is found by
  /// trying all events for the first that leads to the next configuration. New connections take the
  /// lowest idle ports; legs are listed by ascending middle switch.
  std::vector<Event> blocking_sequence() const {
    std::vector<Configuration> path;
    for (StateId id = blocking_; id != StateSet::kNone; id = states_.parent(id)) {
      path.push_back(packing_.unpack(states_.key(id)));
    }
    std::reverse(path.begin(), path.end());
    return Follower{structure_, changes_, plan_.symmetry}.follow(path);
  }

 private:
  // Returns whether all requests have routes.
  bool expand(StateId id) {
    const Configuration routes = packing_.unpack(states_.key(id));
    Configuration next = routes;
    return changes_.for_each(routes, [&](const Change& change) {
      if (change.blocked()) return false;
      next[change.input] = change.route;
      reach(next);
      next[change.input] = routes[change.input];
      return true;
    });
  }

  void reach(const Configuration& routes) {
    const std::size_t used = reached_.size();
    reached_.resize(used + packing_.words());
    packing_.pack(canonical_form(routes, structure_, plan_.symmetry), &reached_[used]);
    states_.prefetch(&reached_[used]);
  }

  // Returns whether there was space.
  bool add_reached(StateId parent) {
    for (std::size_t at = 0; at < reached_.size(); at += packing_.words()) {
      const auto next = static_cast<StateId>(states_.size());
      const StateId id = states_.insert(&reached_[at], parent);
      if (id == StateSet::kNone || id >= limits_.most_states) return false;
      if (id != next || plan_.order == SearchOrder::kShortestFirst) continue;
      waiting_.add(id, most_unusable(packing_.unpack(&reached_[at]), structure_));
    }
    reached_.clear();
    return states_.bytes() + waiting_.bytes() <= limits_.most_bytes;
  }

  Structure structure_;
  EventEnumerator changes_;
  SearchPlan plan_;
  SearchLimits limits_;
  Packing packing_;
  StateSet states_;
  ScoredStack waiting_;  // Used with kFullestFirst; kShortestFirst proceeds by state number.
  StateId blocking_ = StateSet::kNone;
  std::vector<std::uint64_t> reached_;  // Keys reached from the current state.
};

}  // namespace

SearchResult search_reachable_states(const Structure& structure, RoutingRule& rule,
                                     const SearchPlan& plan, const SearchLimits& limits) {
  ReachableStates states(structure, rule, plan, limits);
  SearchResult result{states.search(), states.size(), {}};
  if (result.outcome == SearchOutcome::kBlocks) result.sequence = states.blocking_sequence();
  return result;
}

}  // namespace flitcast::clos
