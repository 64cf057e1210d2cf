// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"

#include "clos/strategies/linear_control.h"

namespace flitcast::clos {
namespace {

std::unique_ptr<Strategy> make_linear(const StrategyContext& context) {
  return std::make_unique<LinearControl>(context.structure.r2, context.pass_limit);
}

}  // namespace

const Catalog<StrategyMaker>& strategies() {
  static const Catalog<StrategyMaker> catalog{
      {"S1", "fewest output switches left unserved (the linear control)", {}, make_linear},
  };
  return catalog;
}

}  // namespace flitcast::clos
