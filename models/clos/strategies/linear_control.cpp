// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/linear_control.h"

namespace flitcast::clos {

void LinearControl::select(const ControlRequest& request, Selection& selection) {
  switch (request.wanted.word_count()) {
    case 1:
      return run<1>(request, selection);
    case 2:
      return run<2>(request, selection);
    default:
      return run<0>(request, selection);
  }
}

template <std::size_t kWords>
void LinearControl::run(const ControlRequest& request, Selection& selection) {
  selection.clear();
  rest_.start(request.wanted);
  std::size_t unserved = request.wanted.count();
  while (unserved > 0) {
    const auto best = rest_.least_residual<kWords>(request.candidates, request.busy);
    const bool progress = best.residual < unserved;
    if (!progress || (pass_limit_ != 0 && selection.size() == pass_limit_)) {
      selection.set_passes(selection.size() + 1);
      return selection.block();
    }
    rest_.serve<kWords>(best.middle, request.busy.row(best.middle), selection);
    unserved = best.residual;
  }
  selection.set_passes(selection.size());
}

std::uint64_t linear_work(const ControlRequest& request, const Selection& selection) {
  const std::uint64_t candidates = request.candidates.count();
  std::uint64_t unserved = request.wanted.count();
  std::uint64_t operations = 0;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    operations += candidates * unserved;
    unserved -= selection.served_set(leg).count();
  }
  return operations;
}

}  // namespace flitcast::clos
