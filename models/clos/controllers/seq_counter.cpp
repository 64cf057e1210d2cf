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
  if (++bit_ == r_ || (pruning_ && cannot_win(pass))) finish_set(pass);
  return true;
}

bool SeqCounter::cannot_win(const ControlRequest& pass) const {
  return !pass.candidates.test(j_) || count_ >= best_.left;
}

void SeqCounter::finish_set(const ControlRequest& pass) {
  if (pass.candidates.test(j_)) best_.consider(j_, count_);
  ++j_;
  bit_ = 0;
  count_ = 0;
}

Choice SeqCounter::choice(const ControlRequest&) const { return best_; }

}  // namespace flitcast::clos
