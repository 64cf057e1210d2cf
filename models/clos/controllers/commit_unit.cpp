// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/commit_unit.h"

namespace flitcast::clos {

void CommitUnit::reset() {
  held_.clear();
  done_ = false;
}

void CommitUnit::edge(const Beat* beat, std::size_t input_switch, DestinationStore& store) {
  done_ = false;
  if (beat == nullptr) return;
  if (!beat->last) {
    held_.push_back(*beat);
    return;
  }
  if (!beat->fail) commit(*beat, input_switch, store);
  held_.clear();
}

void CommitUnit::commit(const Beat& last, std::size_t input_switch, DestinationStore& store) {
  for (const Beat& beat : held_) store.take({input_switch, beat.middle, beat.served});
  store.take({input_switch, last.middle, last.served});
  done_ = true;
}

}  // namespace flitcast::clos
