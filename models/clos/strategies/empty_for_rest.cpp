// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/empty_for_rest.h"

#include "clos/strategies/occupancy.h"

namespace flitcast::clos {

void EmptyForRest::select(const ControlRequest& request, Selection& selection) {
  const BitMatrix& busy = request.busy;
  keep_nonempty(request, nonempty_);
  empty_ = request.candidates;
  empty_ -= nonempty_;

  selection.clear();
  rest_.start(request.wanted);
  std::size_t unserved = request.wanted.count();
  while (unserved > 0 && (pass_limit_ == 0 || selection.size() < pass_limit_)) {
    auto best = rest_.least_residual(nonempty_, busy);
    if (best.residual >= unserved) best = {empty_.first(), 0};
    if (best.middle == empty_.size()) break;
    rest_.serve(best.middle, busy.row(best.middle), selection);
    unserved = best.residual;
  }
  if (unserved > 0) selection.block();
  selection.set_passes(selection.size());
}

}  // namespace flitcast::clos
