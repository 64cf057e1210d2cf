// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
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

/// A strategy that chooses among middle switches in an order of their names that can be changed.
class NamedMiddles {
 public:
  NamedMiddles(const Structure& structure, std::unique_ptr<Strategy> strategy);

  /// What the strategy selects for a request if middle switch name(j) is number j. Good until the
  /// next call.
  const Selection& select(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted);
  /// What it has selected, in terms of the network.
  RouteWord route() const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }
  std::uint32_t name(std::uint32_t number) const { return names_[number]; }
  void swap(std::uint32_t a, std::uint32_t b) { std::swap(names_[a], names_[b]); }

 private:
  std::unique_ptr<Strategy> strategy_;
  std::vector<std::uint32_t> names_;
  BitSet wanted_;
  BitSet candidates_;
  BitMatrix busy_;
  Selection selection_;
};

/// The route that a strategy takes.
class StrategyRule : public RoutingRule {
 public:
  StrategyRule(const Structure& structure, std::unique_ptr<Strategy> strategy)
      : middles_(structure, std::move(strategy)) {}

  void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                   std::vector<RouteWord>& routes) override;

 private:
  NamedMiddles middles_;
};

/// All routes that a strategy may take if somebody else breaks its ties: if it takes not the lowest
/// of middle switches that are equally good, but any.
///
/// For strategies that go by sizes of sets and by the order of middle switches, which are a route
/// for every order. Derived: whoever wants some of them taken, one after the other, calls them the
/// first ones in this order, so that trying each switch as the next name finds all routes without
/// trying all orders. Time: the strategy's, up to m times for each leg of each route.
class AnyTieRule : public RoutingRule {
 public:
  AnyTieRule(const Structure& structure, std::unique_ptr<Strategy> strategy)
      : middles_(structure, std::move(strategy)) {}

  void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                   std::vector<RouteWord>& routes) override;

 private:
  struct Request {
    const LinkUse& links;
    std::uint32_t input_switch;
    SwitchMask wanted;
  };
  /// The routes whose first legs are on the first `legs` names.
  void extend(const Request& request, std::uint32_t legs, std::vector<RouteWord>& routes);

  NamedMiddles middles_;
};

}  // namespace flitcast::clos
