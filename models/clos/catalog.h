// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "clos/strategy.h"
#include "clos/structure.h"
#include "config/catalog.h"

namespace flitcast::clos {

/// What a strategy is made for.
struct StrategyContext {
  Structure structure;
  std::size_t pass_limit = 0;  ///< Most middle switches of a route; 0: as many as it takes.
  std::uint64_t seed = 1;      ///< Of the experiment; random strategies derive their own from it.
};

using StrategyMaker = std::unique_ptr<Strategy> (*)(const StrategyContext& context);

/// The strategies that a user can name: S1, S2, S3, S3m, S3r, FF, RND, MU, SPREAD.
const Catalog<CatalogEntry<StrategyMaker>>& strategies();

}  // namespace flitcast::clos
