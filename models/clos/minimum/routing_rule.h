// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/minimum/configuration.h"
#include "clos/strategy.h"

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

/// Every legal route: each output switch through any available middle switch with a free link. Up
/// to m^r' routes for r' output switches.
class AnyRouteRule : public RoutingRule {
 public:
  void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                   std::vector<RouteWord>& routes) override;
};

/// The route that a strategy takes.
class StrategyRule : public RoutingRule {
 public:
  StrategyRule(const Structure& structure, std::unique_ptr<Strategy> strategy);

  void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                   std::vector<RouteWord>& routes) override;

 private:
  std::unique_ptr<Strategy> strategy_;
  BitSet wanted_;
  BitSet candidates_;
  BitMatrix busy_;
  Selection selection_;
};

}  // namespace flitcast::clos
