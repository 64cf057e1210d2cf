// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "clos/strategy.h"
#include "clos/structure.h"
#include "config/catalog.h"

namespace flitcast::clos {

class MinimumSearch;

/// What a strategy is made for.
struct StrategyContext {
  Structure structure;
  std::size_t pass_limit = 0;  ///< Most middle switches of a route; 0: as many as it takes.
  std::uint64_t seed = 1;      ///< Of the experiment; random strategies derive their own from it.
};
using StrategyMaker = std::unique_ptr<Strategy> (*)(const StrategyContext& context);

/// What the choice among routes depends on, besides the numbers of middle switches.
enum class Decides {
  kBySizes,    ///< On the sizes of sets: output switches may be renamed.
  kByOutputs,  ///< On the numbers of output switches, too.
  kAtRandom,   ///< On numbers drawn before.
};

struct StrategyEntry : CatalogEntry<StrategyMaker> {
  Decides decides = Decides::kByOutputs;
  std::size_t tables = 0;  ///< Of m rows of r2 bits, besides the state that all keep.
};

/// The strategies that a user can name.
Catalog<StrategyEntry>& strategies();

/// A StrategyMaker for a class whose constructor takes the context.
template <class Kind>
std::unique_ptr<Strategy> make_strategy(const StrategyContext& context) {
  return std::make_unique<Kind>(context);
}

/// A hardware design of the control algorithm: how long a pass takes, and the model that takes so
/// long. The time is good alone, for m and r of any size, without a model.
struct ControllerDesign {
  /// Clocks of a pass, the scan and its UPDATE, with m middle and r output switches.
  std::function<std::uint64_t(std::uint64_t m, std::uint64_t r)> pass_clocks;
  std::function<std::unique_ptr<MinimumSearch>(std::size_t m, std::size_t r)> make_search;
};
using ControllerEntry = CatalogEntry<ControllerDesign>;

/// The designs that a user can name.
Catalog<ControllerEntry>& controllers();

// Two designs that are in no listing.

/// A sequential counter that leaves a destination set as soon as it cannot win. Its `pass_clocks`
/// are the most that a pass takes; what it does take follows from the destination sets.
ControllerDesign pruned_seq_counter();
/// A sequential adder with that many rows per clock; std::invalid_argument for none.
ControllerDesign seq_adder_of(std::size_t rows_per_clock);

}  // namespace flitcast::clos
