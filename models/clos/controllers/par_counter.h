// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "clos/controllers/minimum_search.h"

namespace flitcast::clos {

/// Parallel, counter: one counter per middle switch; all of them look at the same bit of their
/// sets, bit 0 first. A tree of comparators finds the least count in the UPDATE clock.
///
///   r = 3               scan                 | UPDATE
///   edge       1        2      3      4      | 5        6
///   looks at   LOAD     M_*.0  M_*.1  M_*.2  | counts   next pass
///   after it   U        counts counts counts | beat, U
///
/// Clocks of a pass: r + 1.
/// Registers: m counters of ceil(log2(r + 1)) bits, the index of the bit. Gates: O(m log r). The
/// minimum has no clock of its own: its depth, O(log m log log r), is in the period of the clock.
/// Source: CS838 lecture notes (1999), "Parall./Counter", which leaves the minimum's depth out.
class ParCounter : public MinimumSearch {
 public:
  ParCounter(std::size_t m, std::size_t r) : r_(r), counts_(m, 0) {}

  void begin() override;
  bool scan(const ControlRequest& pass) override;
  Choice choice(const ControlRequest& pass) const override;

 private:
  const std::size_t r_;
  std::size_t bit_ = 0;
  std::vector<std::size_t> counts_;
};

}  // namespace flitcast::clos
