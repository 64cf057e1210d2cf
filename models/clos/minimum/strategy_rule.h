// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/minimum/routing_rule.h"
#include "clos/selection.h"
#include "clos/strategy.h"

namespace flitcast::clos {

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
