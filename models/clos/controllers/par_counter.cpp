// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/par_counter.h"

#include <algorithm>

namespace flitcast::clos {

void ParCounter::begin() {
  bit_ = 0;
  std::fill(counts_.begin(), counts_.end(), 0);
}

bool ParCounter::scan(const ControlRequest& pass) {
  if (bit_ == r_) return false;
  const bool unsatisfied = pass.wanted.test(bit_);
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    counts_[j] += unsatisfied && pass.busy.test(j, bit_) ? 1 : 0;
  }
  ++bit_;
  return true;
}

Choice ParCounter::choice(const ControlRequest& pass) const {
  Choice best;
  pass.candidates.for_each([&](std::size_t j) { best.consider(j, counts_[j]); });
  return best;
}

}  // namespace flitcast::clos
