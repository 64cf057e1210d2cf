// SPDX-License-Identifier: Apache-2.0
#include "clos/strategies/ordered_fit.h"

namespace flitcast::clos {

void OrderedFit::select(const ControlRequest& request, Selection& selection) {
  order_.clear();
  request.candidates.for_each(
      [this](std::size_t j) { order_.push_back(static_cast<std::uint32_t>(j)); });
  arrange(request.busy, order_);

  selection.clear();
  rest_.start(request.wanted);
  for (const std::uint32_t j : order_) {
    if (rest_.empty() || (pass_limit_ != 0 && selection.size() == pass_limit_)) break;
    if (rest_.shrinks_by(request.busy.row(j))) rest_.serve(j, request.busy.row(j), selection);
  }
  if (!rest_.empty()) selection.block();
  selection.set_passes(selection.size());
}

}  // namespace flitcast::clos
