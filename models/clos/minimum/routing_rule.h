// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "clos/minimum/configuration.h"

namespace flitcast::clos {

/// Which routes can a request get? One under a deterministic strategy, all legal ones if nothing is
/// said about the strategy.
class RoutingRule {
 public:
  virtual ~RoutingRule() = default;

  /// Replaces `routes` by those of a request from an input switch to the output switches `wanted`,
  /// not none; empty if it is blocked. Depends on nothing but the arguments.
  virtual void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                           std::vector<RouteWord>& routes) = 0;
};

}  // namespace flitcast::clos
