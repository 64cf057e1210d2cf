// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "clos/controllers/controller_clocks.h"
#include "clos/controllers/minimum_search.h"
#include "config/catalog.h"

namespace flitcast::clos {

/// A hardware design of the control algorithm: how long a pass takes, and the model that takes so
/// long. The time is good alone, for m and r of any size, without a model.
struct ControllerDesign {
  PassClocks pass_clocks;
  std::unique_ptr<MinimumSearch> (*make_search)(std::size_t m, std::size_t r);
};

/// The designs that a user can name: seq_counter, seq_adder, par_counter, par_adder.
const Catalog<ControllerDesign>& controllers();

}  // namespace flitcast::clos
