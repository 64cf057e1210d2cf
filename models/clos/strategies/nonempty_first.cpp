// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/nonempty_first.h"

#include <utility>

#include "clos/strategies/occupancy.h"

namespace flitcast::clos {

NonemptyFirst::NonemptyFirst(std::size_t middle_switches, std::unique_ptr<Strategy> inner)
    : inner_(std::move(inner)), nonempty_(middle_switches) {}

void NonemptyFirst::select(const ControlRequest& request, Selection& selection) {
  keep_nonempty(request, nonempty_);
  inner_->select({request.wanted, nonempty_, request.busy}, selection);
  if (!selection.blocked()) return;
  const std::size_t in_vain = selection.passes();
  inner_->select(request, selection);
  selection.set_passes(in_vain + selection.passes());
}

}  // namespace flitcast::clos
