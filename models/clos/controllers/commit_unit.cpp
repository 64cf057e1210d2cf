// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/commit_unit.h"

namespace flitcast::clos {

void CommitUnit::reset() {
  held_.clear();
  done_ = false;
}

void CommitUnit::edge(const Beat* beat, const Requester& requester, DestinationStore& store) {
  done_ = false;
  if (beat == nullptr) return;
  held_.push_back(*beat);
  if (!beat->last) return;
  if (!beat->fail) commit(requester, store);
  held_.clear();
}

void CommitUnit::commit(const Requester& requester, DestinationStore& store) {
  for (const Beat& beat : held_) {
    const bool with_link = !requester.held.test(index(beat.middle));
    store.take({requester.input_switch, beat.middle, beat.served}, with_link);
  }
  done_ = true;
}

}  // namespace flitcast::clos
