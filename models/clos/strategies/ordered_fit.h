// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/selection.h"
#include "clos/strategies/remainder.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// Goes once through the candidates in some order and takes each that serves any of the rest. The
/// order is the whole difference between FirstFit, RandomFit and MostUsedFit.
///
/// A request may take as many middle switches as it has output switches where one would do:
/// Theorem 3 does not cover it. Blocked without a pass limit only if no route exists.
/// Time: O(candidates * ceil(r2 / 64)), plus the ordering.
class OrderedFit : public Strategy {
 public:
  /// @param output_switches  r2.
  /// @param pass_limit       Most middle switches of a route; 0: as many as it takes.
  OrderedFit(std::size_t output_switches, std::size_t pass_limit)
      : pass_limit_(pass_limit), rest_(output_switches) {}

  void select(const ControlRequest& request, Selection& selection) final;

 protected:
  /// Puts the candidates, given in rising order, into the order to try them in.
  virtual void arrange(const BitMatrix& busy, std::vector<std::uint32_t>& candidates) = 0;

 private:
  std::size_t pass_limit_;
  Remainder rest_;
  std::vector<std::uint32_t> order_;
};

}  // namespace flitcast::clos
