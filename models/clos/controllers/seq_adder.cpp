// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/seq_adder.h"

#include "clos/controllers/adder_tree.h"

namespace flitcast::clos {

void SeqAdder::begin() {
  j_ = 0;
  best_ = {};
}

bool SeqAdder::scan(const ControlRequest& pass) {
  if (j_ == m_) return false;
  if (pass.candidates.test(j_)) best_.consider(j_, adder_tree(pass, j_));
  ++j_;
  return true;
}

Choice SeqAdder::choice(const ControlRequest&) const { return best_; }

}  // namespace flitcast::clos
