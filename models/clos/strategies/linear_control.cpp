// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/linear_control.h"

#include "clos/strategies/residual.h"

namespace flitcast::clos {

void LinearControl::select(const ControlRequest& request, Selection& selection) {
  switch (request.busy.stride()) {
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
  const BitMatrix& busy = request.busy;
  const std::size_t words = known_words<kWords>(busy.stride());
  SetWord* rest = rest_.words();
  std::copy_n(request.wanted.words(), words, rest);
  selection.clear();
  bool left = true;
  while (left) {
    const std::size_t middle = least_residual<kWords>(request.candidates, busy, rest);
    bool progress = false;
    left = false;
    if (middle < busy.rows() && (pass_limit_ == 0 || selection.size() < pass_limit_)) {
      const SetWord* blocked = busy.row(middle);
      for (std::size_t w = 0; w < words; ++w) {
        const SetWord served = rest[w] & ~blocked[w];
        served_.words()[w] = served;
        rest[w] &= blocked[w];
        progress |= served != 0;
        left |= rest[w] != 0;
      }
    }
    if (!progress) {
      selection.set_passes(selection.size() + 1);
      return selection.block();
    }
    selection.add(MiddleId(middle), served_.words());
  }
  selection.set_passes(selection.size());
}

std::uint64_t linear_work(const ControlRequest& request, const Selection& selection) {
  const std::uint64_t candidates = request.candidates.count();
  std::uint64_t left = request.wanted.count();
  std::uint64_t operations = 0;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    operations += candidates * left;
    left -= selection.served_set(leg).count();
  }
  return operations;
}

}  // namespace flitcast::clos
