// SPDX-License-Identifier: Apache-2.0
#include "clos/control.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace flitcast::clos {

Control::Control(const Structure& structure, std::unique_ptr<Strategy> strategy,
                 const ControlParams& params)
    : state_(structure),
      strategy_(std::move(strategy)),
      params_(params),
      wanted_(structure.r2),
      candidates_(structure.m),
      selection_(structure.r2) {
  if (!strategy_) throw std::invalid_argument("control without a strategy; pass one");
}

const Selection& Control::connect(InputId input, const std::vector<OutputId>& outputs) {
  state_.require_valid(input, outputs);
  state_.output_switches_of(outputs, wanted_);
  const BitMatrix& available = state_.available();
  std::copy_n(available.row(state_.structure().input_switch(input)), available.stride(),
              candidates_.words());
  strategy_->select({wanted_, candidates_, state_.destination_sets()}, selection_);
  if (!selection_.blocked()) state_.connect(input, outputs, selection_);
  return selection_;
}

}  // namespace flitcast::clos
