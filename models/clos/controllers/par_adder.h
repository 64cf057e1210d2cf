// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/controllers/minimum_search.h"

namespace flitcast::clos {

/// Parallel, adder: one tree of adders per middle switch and a tree of comparators behind them, all
/// in the UPDATE clock. There is no scan and no register of its own.
///
///   edge       1        2        3
///   looks at   LOAD     UPDATE   UPDATE
///   after it   U        beat, U  beat, U
///
/// Clocks of a pass: 1. Gates: O(m r). Depth of a pass: O(log r + log m log log r), which the
/// lecture counts as gate delays instead of clocks.
/// Source: CS838 lecture notes (1999), "Parall./Adder".
class ParAdder : public MinimumSearch {
 public:
  void begin() override {}
  bool scan(const ControlRequest& pass) override;
  Choice choice(const ControlRequest& pass) const override;
};

}  // namespace flitcast::clos
