// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/catalog.h"
#include "clos/connection_admission.h"

namespace flitcast::clos {

/// The network and control that an adversary plays against, repeatedly from the empty state.
struct Opponent {
  StrategyContext context;
  StrategyMaker strategy = nullptr;  ///< An entry of strategies().
  AdmissionParams control{};

  ConnectionAdmission fresh() const {
    return ConnectionAdmission(context.structure, strategy(context), control);
  }
};

}  // namespace flitcast::clos
