// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/multirate_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/random.h"
#include "clos/traffic.h"

namespace flitcast::clos {
namespace {

MultirateRequestParams completed(MultirateRequestParams params, const Structure& structure,
                                 const WeightRange& weights) {
  params.requests = completed(params.requests, structure);
  if (params.most_weight == 0) params.most_weight = weights.capacity;
  if (params.most_weight < weights.least || params.most_weight > weights.capacity) {
    throw std::invalid_argument(fmt::format("the largest weight is {}; take {} to {}",
                                            params.most_weight, weights.least, weights.capacity));
  }
  return params;
}

}  // namespace

MultirateRequestGenerator::MultirateRequestGenerator(const Structure& structure,
                                                     const WeightRange& weights,
                                                     const MultirateRequestParams& params)
    : random_(params.requests.seed),
      params_(completed(params, structure, weights)),
      weights_(weights),
      open_outputs_(structure.r2),
      drawn_switches_(structure.r2) {}

MultirateProposal MultirateRequestGenerator::next(const MultirateState& state) {
  const bool wants_one = draw(random_, 100) < params_.requests.connect_percent;
  request_.weight = weights_.least + draw(random_, params_.most_weight - weights_.least + 1);
  find_space(state);
  const auto& live = state.connections();
  const bool has_space = !open_inputs_.empty() && !open_switches_.empty();
  if ((wants_one && has_space) || live.empty()) {
    request_.input = open_inputs_[draw(random_, open_inputs_.size())];
    draw_outputs();
    return {true, request_, {}};
  }
  return {false, request_, live[draw(random_, live.size())].id};
}

void MultirateRequestGenerator::find_space(const MultirateState& state) {
  const Structure& structure = state.structure();
  open_inputs_.clear();
  for (std::uint32_t input = 0; input < structure.inputs(); ++input) {
    if (state.fits(InputId{input}, request_.weight)) open_inputs_.push_back(InputId{input});
  }
  open_switches_.clear();
  for (std::uint32_t k = 0; k < structure.r2; ++k) {
    for (std::uint32_t output = k * structure.n2; output < (k + 1) * structure.n2; ++output) {
      if (!state.fits(OutputId{output}, request_.weight)) continue;
      open_switches_.push_back(k);
      open_outputs_[k] = OutputId{output};
      break;
    }
  }
}

void MultirateRequestGenerator::draw_outputs() {
  draw_switches(random_, params_.requests.most_fan_out, open_switches_, drawn_switches_);
  request_.outputs.clear();
  drawn_switches_.for_each([&](std::size_t k) { request_.outputs.push_back(open_outputs_[k]); });
}

TrafficCounts run_multirate_traffic(MultirateAdmission& control,
                                    MultirateRequestGenerator& generator, std::uint64_t events) {
  TrafficCounts counts;
  for (std::uint64_t event = 0; event < events; ++event) {
    const MultirateProposal proposal = generator.next(control.state());
    if (!proposal.connects) {
      control.disconnect(proposal.ending);
      continue;
    }
    ++counts.requests;
    if (!control.connect(proposal.request)) ++counts.blocked;
    counts.most_passes = std::max(counts.most_passes, control.selection().size());
  }
  return counts;
}

}  // namespace flitcast::clos
