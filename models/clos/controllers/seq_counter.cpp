// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/seq_counter.h"

namespace flitcast::clos {

void SeqCounter::begin() {
  j_ = 0;
  bit_ = 0;
  count_ = 0;
  best_ = {};
}

bool SeqCounter::scan(const ControlRequest& pass) {
  if (j_ == m_) return false;
  count_ += pass.busy.test(j_, bit_) && pass.wanted.test(bit_) ? 1 : 0;
  if (++bit_ == r_) finish_set(pass);
  return true;
}

void SeqCounter::finish_set(const ControlRequest& pass) {
  if (pass.candidates.test(j_)) best_.consider(j_, count_);
  ++j_;
  bit_ = 0;
  count_ = 0;
}

Choice SeqCounter::choice(const ControlRequest&) const { return best_; }

}  // namespace flitcast::clos
