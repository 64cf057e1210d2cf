// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/minimum/routing_rule.h"

namespace flitcast::clos {

/// Every legal route: each output switch through any available middle switch with a free link. Up
/// to m^r' routes for r' output switches.
class AnyRouteRule : public RoutingRule {
 public:
  void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                   std::vector<RouteWord>& routes) override;
};

}  // namespace flitcast::clos
