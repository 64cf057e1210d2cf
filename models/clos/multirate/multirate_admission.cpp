// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/multirate_admission.h"

#include <utility>

#include "clos/bounds/bounds.h"

namespace flitcast::clos {

MultirateAdmission::MultirateAdmission(const Structure& structure, const WeightRange& weights,
                                       std::unique_ptr<Strategy> strategy,
                                       const AdmissionParams& params)
    : state_(structure, weights),
      strategy_(std::move(strategy)),
      params_(params),
      wanted_(structure.r2),
      candidates_(structure.m),
      destination_sets_(structure.m, structure.r2),
      selection_(structure.r2) {
  require_sound(strategy_.get(), params);
}

std::optional<ConnectionId> MultirateAdmission::connect(const MultirateRequest& request) {
  state_.require_valid(request);
  const Structure& structure = state_.structure();
  output_switches_of(structure, request.outputs, wanted_);
  state_.find_available(structure.input_switch(request.input), request.weight, candidates_);
  if (params_.candidates == Candidates::kFirst) {
    const std::uint64_t paths =
        std::uint64_t{state_.weights().connections_per_link()} * (structure.n2 - 1);
    keep_first(scaled_root(paths, wanted_.count(), params_.pass_limit) + 1, candidates_);
  }
  state_.find_destination_sets(request.weight, destination_sets_);
  strategy_->select({wanted_, candidates_, destination_sets_}, selection_);
  if (selection_.blocked()) return std::nullopt;
  return state_.connect(request, selection_);
}

}  // namespace flitcast::clos
