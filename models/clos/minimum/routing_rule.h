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

/// The routes that a request can get: one under a deterministic strategy, all legal ones without a
/// strategy.
class RoutingRule {
 public:
  virtual ~RoutingRule() = default;

  /// Replaces `routes` by those of a request from an input switch to the non-empty set `wanted` of
  /// output switches; empty if it is blocked. Depends only on the arguments.
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

/// A strategy that tries middle switches in an order that can be changed.
class NamedMiddles {
 public:
  NamedMiddles(const Structure& structure, std::unique_ptr<Strategy> strategy);

  /// The selection of the strategy if middle switch name(j) has the number j. Valid until the next
  /// call.
  const Selection& select(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted);
  /// The last selection in terms of the network.
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

/// How ties between equally good middle switches are broken.
enum class Ties {
  kByIndex,      ///< The strategy breaks them and takes the lowest.
  kByAdversary,  ///< An adversary breaks them. Only for strategies that use only the sizes of sets.
};

/// The route that a strategy takes; if an adversary breaks its ties, all routes that it may take,
/// any of the equally good middle switches rather than the lowest.
///
/// Strategies that use only the sizes of sets and the order of middle switches have one route per
/// order. Derived: to have some switches taken one after the other, the adversary puts them first
/// in this order, so trying each switch as the next name finds all routes without trying all
/// orders. Time: the strategy's; with an adversary up to m times for each leg of each route.
class StrategyRule : public RoutingRule {
 public:
  StrategyRule(const Structure& structure, std::unique_ptr<Strategy> strategy,
               Ties ties = Ties::kByIndex)
      : middles_(structure, std::move(strategy)), ties_(ties) {}

  void find_routes(const LinkUse& links, std::uint32_t input_switch, SwitchMask wanted,
                   std::vector<RouteWord>& routes) override;

 private:
  struct Request {
    const LinkUse& links;
    std::uint32_t input_switch;
    SwitchMask wanted;
  };
  /// Enumerates the routes whose first legs are on the first `legs` names.
  void extend(const Request& request, std::uint32_t legs, std::vector<RouteWord>& routes);

  NamedMiddles middles_;
  Ties ties_;
};

}  // namespace flitcast::clos
