// SPDX-License-Identifier: Apache-2.0
#include "clos/catalog.h"

#include <utility>

#include "clos/strategies/empty_for_rest.h"
#include "clos/strategies/first_fit.h"
#include "clos/strategies/linear_control.h"
#include "clos/strategies/minimum_set.h"
#include "clos/strategies/most_used_fit.h"
#include "clos/strategies/nonempty_first.h"
#include "clos/strategies/random_fit.h"
#include "clos/strategies/spread.h"

namespace flitcast::clos {
namespace {

using StrategyPointer = std::unique_ptr<Strategy>;

StrategyPointer make_linear(const StrategyContext& context) {
  return std::make_unique<LinearControl>(context.structure.r2, context.pass_limit);
}

StrategyPointer make_minimum_set(const StrategyContext& context) {
  return std::make_unique<MinimumSet>(context.structure.m, context.structure.r2,
                                      context.pass_limit);
}

template <StrategyMaker make_inner>
StrategyPointer make_nonempty_first(const StrategyContext& context) {
  return std::make_unique<NonemptyFirst>(context.structure.m, make_inner(context));
}

StrategyPointer make_empty_for_rest(const StrategyContext& context) {
  return std::make_unique<EmptyForRest>(context.structure.m, context.structure.r2,
                                        context.pass_limit);
}

template <class Fit>
StrategyPointer make_fit(const StrategyContext& context) {
  return std::make_unique<Fit>(context.structure.r2, context.pass_limit);
}

StrategyPointer make_random_fit(const StrategyContext& context) {
  return std::make_unique<RandomFit>(context.structure.r2, context.pass_limit, context.seed);
}

StrategyPointer make_spread(const StrategyContext& context) {
  return std::make_unique<Spread>(context.structure.m, context.pass_limit);
}

}  // namespace

const Catalog<CatalogEntry<StrategyMaker>>& strategies() {
  static const Catalog<CatalogEntry<StrategyMaker>> catalog{
      {"S1", "fewest output switches left unserved: the linear control", {}, make_linear},
      {"S2", "fewest middle switches (exact, exponential time)", {}, make_minimum_set},
      {"S3",
       "S1 over nonempty middle switches; an empty one if they do not suffice",
       {},
       make_nonempty_first<make_linear>},
      {"S3m", "as S3 with S2 inside", {}, make_nonempty_first<make_minimum_set>},
      {"S3r", "as S3, but the empty one serves only the rest", {}, make_empty_for_rest},
      {"FF", "first fit: every middle switch that serves any of the rest", {}, make_fit<FirstFit>},
      {"RND", "first fit in random order", {}, make_random_fit},
      {"MU", "first fit, most used middle switch first", {}, make_fit<MostUsedFit>},
      {"SPREAD", "a middle switch for every output switch (worst case)", {}, make_spread},
  };
  return catalog;
}

}  // namespace flitcast::clos
