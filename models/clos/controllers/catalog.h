// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "clos/controllers/controller_clocks.h"
#include "clos/controllers/minimum_search.h"
#include "clos/controllers/seq_adder.h"
#include "config/catalog.h"

namespace flitcast::clos {

/// A hardware design of the control algorithm: how long a pass takes, and the model that takes so
/// long. The time is good alone, for m and r of any size, without a model.
struct ControllerDesign {
  PassClocks pass_clocks;
  std::unique_ptr<MinimumSearch> (*make_search)(std::size_t m, std::size_t r);
};

/// The designs that a user can name: seq_counter, seq_adder, par_counter, par_adder, par_thermo.
/// The last two differ in gates alone, so here they are one model under two names.
const Catalog<CatalogEntry<ControllerDesign>>& controllers();

/// seq_counter with pruning. Not in the menu: its `pass_clocks` are the most that a pass takes, and
/// what it does take follows from the destination sets.
const ControllerDesign& seq_counter_pruned();

/// A sequential adder with that many rows per clock.
template <std::size_t Rows>
ControllerDesign seq_adder_rows() {
  static_assert(Rows > 0);
  return {seq_adder_rows_pass<Rows>, [](std::size_t m, std::size_t /*r*/) {
            return std::unique_ptr<MinimumSearch>(std::make_unique<SeqAdder>(m, Rows));
          }};
}

}  // namespace flitcast::clos
