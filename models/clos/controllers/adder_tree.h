// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "clos/strategy.h"

namespace flitcast::clos {

/// |M_j & U|, by an r-input tree of adders: r - popcount(r) full adders, depth O(log r).
inline std::size_t adder_tree(const ControlRequest& pass, std::size_t j) {
  const SetWord* busy = pass.busy.row(j);
  const SetWord* unsatisfied = pass.wanted.words();
  std::size_t count = 0;
  for (std::size_t w = 0; w < pass.busy.stride(); ++w) count += popcount(busy[w] & unsatisfied[w]);
  return count;
}

}  // namespace flitcast::clos
