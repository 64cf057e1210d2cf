// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/any_route_rule.h"

#include <cstddef>

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

}  // namespace flitcast::clos
