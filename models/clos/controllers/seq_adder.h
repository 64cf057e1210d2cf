// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/controllers/minimum_search.h"

namespace flitcast::clos {

/// Sequential, adder: one tree of adders counts a whole destination set per clock, and the
/// comparator sees the count in the same clock.
///
///   m = 3               scan           | UPDATE
///   edge       1        2    3    4    | 5        6
///   looks at   LOAD     M_0  M_1  M_2  |          next pass
///   after it   U        best best best | beat, U
///
/// Clocks of a pass: m + 1. With w rows per clock, ceil(m / w) + 1: w trees of adders count w sets,
/// and w comparators take the least of their counts and the best one.
/// Registers: the index of the set, the best count and its index. Gates: O(w r), an adder tree
/// being r - popcount(r) full adders; depth O(log r + log w log log r).
/// Source: CS838 lecture notes (1999), "Seq./Adder"; w > 1 is not in it.
class SeqAdder : public MinimumSearch {
 public:
  /// @param rows_per_clock  w; more than m is as good as m, and 0 throws std::invalid_argument.
  explicit SeqAdder(std::size_t m, std::size_t rows_per_clock = 1);

  void begin() override;
  bool scan(const ControlRequest& pass) override;
  Choice choice(const ControlRequest& pass) const override;

 private:
  const std::size_t m_;
  const std::size_t rows_per_clock_;
  std::size_t j_ = 0;
  Choice best_;
};

}  // namespace flitcast::clos
