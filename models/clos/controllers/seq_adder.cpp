// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/seq_adder.h"

#include <algorithm>
#include <stdexcept>

#include "clos/controllers/adder_tree.h"

namespace flitcast::clos {

SeqAdder::SeqAdder(std::size_t m, std::size_t rows_per_clock)
    : m_(m), rows_per_clock_(rows_per_clock) {
  if (rows_per_clock == 0) {
    throw std::invalid_argument(
        "a sequential adder of no rows per clock never ends; take 1 or more");
  }
}

void SeqAdder::begin() {
  j_ = 0;
  best_ = {};
}

bool SeqAdder::scan(const ControlRequest& pass) {
  if (j_ == m_) return false;
  for (const std::size_t end = std::min(j_ + rows_per_clock_, m_); j_ < end; ++j_) {
    if (pass.candidates.test(j_)) best_.consider(j_, adder_tree(pass, j_));
  }
  return true;
}

Choice SeqAdder::choice(const ControlRequest&) const { return best_; }

}  // namespace flitcast::clos
