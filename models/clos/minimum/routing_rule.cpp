// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/routing_rule.h"

#include <cstddef>
#include <utility>

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

RouteWord word_of(const Selection& selection) {
  RouteWord route = 0;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    for_each_member(static_cast<SwitchMask>(*selection.served(leg)),
                    [&](std::uint32_t k) { route |= leg_word(index(selection.middle(leg)), k); });
  }
  return route;
}

}  // namespace

void AnyRouteRule::find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                               std::vector<RouteWord>& routes) {
  routes.assign(1, 0);
  for_each_member(
      wanted, [&](std::uint32_t k) { extend(links, links.available[input_switch], k, routes); });
}

StrategyRule::StrategyRule(const Structure& structure, std::unique_ptr<Strategy> strategy)
    : strategy_(std::move(strategy)),
      wanted_(structure.r2),
      candidates_(structure.m),
      busy_(structure.m, structure.r2),
      selection_(structure.r2) {}

void StrategyRule::find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                               std::vector<RouteWord>& routes) {
  *wanted_.words() = wanted;
  *candidates_.words() = links.available[input_switch];
  for (std::size_t j = 0; j < busy_.rows(); ++j) *busy_.row(j) = links.busy[j];
  strategy_->select({wanted_, candidates_, busy_}, selection_);
  routes.clear();
  if (!selection_.blocked()) routes.push_back(word_of(selection_));
}

}  // namespace flitcast::clos
