// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "clos/controllers/minimum_search.h"

namespace flitcast::clos {

/// Sequential, counter: one counter looks at one bit of one destination set per clock, bit 0 first.
/// In the clock of a set's last bit the comparator sees the count, that bit included.
///
///   m = 2, r = 2        scan                        | UPDATE
///   edge       1        2      3      4      5      | 6        7
///   looks at   LOAD     M_0.0  M_0.1  M_1.0  M_1.1  |          next pass
///   after it   U        count  best   count  best   | beat, U
///
/// Clocks of a pass: m r + 1, however soon a count exceeds the best one.
///
/// With pruning the scan leaves a set in the first clock that shows that it cannot be selected: in
/// that of bit 0 if the middle switch is not available, else in that of the bit that makes the
/// count as large as the best one (bit 0 when that is 0). The next clock looks at bit 0 of the next
/// set. The selection is the same; a pass takes from m + 1 to m r + 1 clocks: 1, and for each set
/// 1 if not available, else the bits looked at.
/// Registers: indices of set and bit, a counter of ceil(log2(r + 1)) bits, the best count and its
/// index. Gates: O(log r), and O(log m + log r) with the indices that the lecture leaves out.
/// Source: CS838 lecture notes (1999), "Seq./Counter".
class SeqCounter : public MinimumSearch {
 public:
  SeqCounter(std::size_t m, std::size_t r, bool pruning = false)
      : m_(m), r_(r), pruning_(pruning) {}

  void begin() override;
  bool scan(const ControlRequest& pass) override;
  Choice choice(const ControlRequest& pass) const override;

 private:
  bool cannot_win(const ControlRequest& pass) const;
  void finish_set(const ControlRequest& pass);

  const std::size_t m_;
  const std::size_t r_;
  const bool pruning_;
  std::size_t j_ = 0;
  std::size_t bit_ = 0;
  std::size_t count_ = 0;
  Choice best_;
};

}  // namespace flitcast::clos
