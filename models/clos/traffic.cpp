// SPDX-License-Identifier: Apache-2.0
#include "clos/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "base/random.h"

namespace flitcast::clos {

RequestParams completed(RequestParams params, const Structure& structure) {
  if (params.connect_percent > 100) {
    throw std::invalid_argument(
        fmt::format("connect_percent is {}; take at most 100", params.connect_percent));
  }
  if (params.most_fan_out == 0) params.most_fan_out = structure.r2;
  return params;
}

RequestGenerator::RequestGenerator(const Structure& structure, const RequestParams& params)
    : random_(params.seed),
      params_(completed(params, structure)),
      all_inputs_(BitSet::full(structure.inputs())),
      live_inputs_(structure.inputs()),
      drawn_switches_(structure.r2) {
  open_switches_.reserve(structure.r2);
  outputs_.reserve(structure.r2);
}

Proposal RequestGenerator::next(const NetworkState& state) {
  const bool wants_one = draw(random_, 100) < params_.connect_percent;
  live_inputs_ = all_inputs_;
  live_inputs_ -= state.idle_inputs();
  const std::size_t live = live_inputs_.count();
  const std::size_t idle = all_inputs_.size() - live;
  const bool has_space = idle > 0 && state.open_output_switches().any();
  if ((wants_one && has_space) || live == 0) {
    const std::size_t input = state.idle_inputs().nth(draw(random_, idle));
    draw_outputs(state);
    return {true, InputId(static_cast<std::uint32_t>(input)), outputs_};
  }
  const std::size_t input = live_inputs_.nth(draw(random_, live));
  return {false, InputId(static_cast<std::uint32_t>(input)), outputs_};
}

void RequestGenerator::draw_outputs(const NetworkState& state) {
  open_switches_.clear();
  state.open_output_switches().for_each([&](std::size_t output_switch) {
    open_switches_.push_back(static_cast<std::uint32_t>(output_switch));
  });
  draw_switches(random_, params_.most_fan_out, open_switches_, drawn_switches_);
  outputs_.clear();
  drawn_switches_.for_each([&](std::size_t output_switch) {
    outputs_.push_back(state.lowest_idle(static_cast<std::uint32_t>(output_switch)));
  });
}

void draw_switches(Random& random, std::size_t most, std::vector<std::uint32_t>& open,
                   BitSet& drawn) {
  const std::size_t fan_out = 1 + draw(random, std::min(most, open.size()));
  drawn.clear();
  for (std::size_t t = 0; t < fan_out; ++t) {
    std::swap(open[t], open[t + draw(random, open.size() - t)]);
    drawn.set(open[t]);
  }
}

TrafficCounts run_traffic(ConnectionAdmission& control, RequestGenerator& generator,
                          std::uint64_t events, const EventSink& sink) {
  TrafficCounts counts;
  for (std::uint64_t event = 0; event < events; ++event) {
    const Proposal proposal = generator.next(control.state());
    if (!proposal.connects) {
      control.disconnect(proposal.input);
      if (sink) sink(DisconnectEvent{proposal.input});
      continue;
    }
    const Selection& selection = control.connect(proposal.input, proposal.outputs);
    ++counts.requests;
    if (selection.blocked()) ++counts.blocked;
    counts.most_passes = std::max(counts.most_passes, selection.size());
    if (sink) sink(ConnectEvent{proposal.input, proposal.outputs, selection});
  }
  return counts;
}

}  // namespace flitcast::clos
