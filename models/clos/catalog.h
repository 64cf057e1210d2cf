// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "clos/strategy.h"
#include "config/catalog.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

class MinimumSearch;

/// Parameters from which a strategy is made.
struct StrategyContext {
  Structure structure;
  std::size_t pass_limit = 0;  ///< Most middle switches of a route; 0: no limit.
  /// Seed of the experiment; random strategies derive their own from it.
  std::uint64_t seed = 1;
};
using StrategyMaker = std::unique_ptr<Strategy> (*)(const StrategyContext& context);

/// The inputs of a strategy's choice, besides the numbers of middle switches.
enum class Decides {
  kBySizes,    ///< The sizes of sets: output switches may be renamed.
  kByOutputs,  ///< The numbers of output switches, too.
  kAtRandom,   ///< Random numbers.
};

struct StrategyEntry : CatalogEntry<StrategyMaker> {
  Decides decides = Decides::kByOutputs;
  /// The number of tables of m rows of r2 bits that the strategy keeps in addition.
  std::size_t tables = 0;
};

/// The strategies that a user can name.
Catalog<StrategyEntry>& strategies();

/// A hardware design of the control algorithm: the time of a pass, and a model with this timing.
/// The time is valid for m and r of any size, even without a model.
struct ControllerDesign {
  /// Clocks of a pass (the scan and its UPDATE) with m middle and r output switches.
  std::function<std::uint64_t(std::uint64_t m, std::uint64_t r)> pass_clocks;
  std::function<std::unique_ptr<MinimumSearch>(std::size_t m, std::size_t r)> make_search;
};
using ControllerEntry = CatalogEntry<ControllerDesign>;

/// The designs that a user can name.
Catalog<ControllerEntry>& controllers();

// The following two designs are not in the catalog.

/// A sequential counter that leaves a destination set as soon as it cannot be the best.
/// `pass_clocks` is the maximum for a pass; the actual number depends on the destination sets.
ControllerDesign pruned_seq_counter();
/// A sequential adder with `rows_per_clock` rows per clock; std::invalid_argument for 0.
ControllerDesign seq_adder_of(std::size_t rows_per_clock);

}  // namespace flitcast::clos
