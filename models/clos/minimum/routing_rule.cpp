// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/routing_rule.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace flitcast::clos {
namespace {

// Replaces each route by its extensions to output switch k.
void extend(const LinkUse& links, SwitchMask available, std::uint32_t k,
            std::vector<RouteWord>& routes) {
  const std::size_t shorter = routes.size();
  for (std::size_t route = 0; route < shorter; ++route) {
    for_each_member(available, [&](std::uint32_t middle) {
      if ((links.busy[middle] >> k & 1) == 0) {
        routes.push_back(routes[route] | leg_word(middle, k));
      }
    });
  }
  routes.erase(routes.begin(), routes.begin() + static_cast<std::ptrdiff_t>(shorter));
}

}  // namespace

void AnyRouteRule::find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                               std::vector<RouteWord>& routes) {
  routes.assign(1, 0);
  for_each_member(
      wanted, [&](std::uint32_t k) { extend(links, links.available[input_switch], k, routes); });
}

NamedMiddles::NamedMiddles(const Structure& structure, std::unique_ptr<Strategy> strategy)
    : strategy_(std::move(strategy)),
      names_(structure.m),
      wanted_(structure.r2),
      candidates_(structure.m),
      busy_(structure.m, structure.r2),
      selection_(structure.r2) {
  std::iota(names_.begin(), names_.end(), 0U);
}

const Selection& NamedMiddles::select(const LinkUse& links, std::uint32_t input_switch,
                                      SwitchMask wanted) {
  SetWord candidates = 0;
  for (std::size_t j = 0; j < names_.size(); ++j) {
    *busy_.row(j) = links.busy[names_[j]];
    candidates |= SetWord{links.available[input_switch] >> names_[j] & 1} << j;
  }
  *wanted_.words() = wanted;
  *candidates_.words() = candidates;
  strategy_->select({wanted_, candidates_, busy_}, selection_);
  return selection_;
}

RouteWord NamedMiddles::route() const {
  RouteWord route = 0;
  for (std::size_t leg = 0; leg < selection_.size(); ++leg) {
    const std::uint32_t middle = names_[index(selection_.middle(leg))];
    for_each_member(static_cast<SwitchMask>(*selection_.served(leg)),
                    [&](std::uint32_t k) { route |= leg_word(middle, k); });
  }
  return route;
}

void StrategyRule::find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                               std::vector<RouteWord>& routes) {
  routes.clear();
  if (ties_ == Ties::kByAdversary) {
    extend({links, input_switch, wanted}, 0, routes);
    std::sort(routes.begin(), routes.end());
    routes.erase(std::unique(routes.begin(), routes.end()), routes.end());
  } else if (!middles_.select(links, input_switch, wanted).blocked()) {
    routes.push_back(middles_.route());
  }
}

void StrategyRule::extend(const Request& request, std::uint32_t legs,
                          std::vector<RouteWord>& routes) {
  for (std::uint32_t next = legs; next < middles_.size(); ++next) {
    if ((request.links.available[request.input_switch] >> middles_.name(next) & 1) == 0) continue;
    middles_.swap(legs, next);
    const Selection& selection =
        middles_.select(request.links, request.input_switch, request.wanted);
    const bool taken = selection.size() > legs && index(selection.middle(legs)) == legs;
    if (taken && selection.size() == legs + 1) {
      routes.push_back(middles_.route());
    } else if (taken) {
      extend(request, legs + 1, routes);
    }
    middles_.swap(legs, next);
  }
}

}  // namespace flitcast::clos
