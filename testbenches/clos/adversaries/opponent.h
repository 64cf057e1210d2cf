// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/catalog.h"
#include "clos/control.h"

namespace flitcast::clos {

/// The network and control that an adversary plays against, from empty as often as it likes.
struct Opponent {
  StrategyContext context;
  StrategyMaker strategy = nullptr;  ///< An entry of strategies().
  ControlParams control{};

  Control fresh() const { return Control(context.structure, strategy(context), control); }
};

}  // namespace flitcast::clos
