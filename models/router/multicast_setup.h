// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory and pipeline registers of MulticastCore; only multicast_core.h, which declares them,
// includes this.
#include "router/multicast_core.h"

namespace flitcast {

template <int kWords>
struct MulticastCore<kWords>::Layout {
  Layout(std::byte* storage, const RouterParams& params, std::size_t input_ports,
         std::size_t output_ports)
      : carver(storage) {
    const std::size_t stride = std::size_t{1} << detail::log2_ceil(params.virtual_channels);
    inputs = carver.take<InputVc>(input_ports * stride);
    outputs = carver.take<OutputVc>(output_ports * stride);
    pointers = carver.take<SwitchPointers>(std::max(input_ports, output_ports));
    packets = carver.take<Packet>(input_ports * stride);
    branches = carver.take<BranchState>(input_ports * stride * output_ports);
    busy_until = carver.take<std::uint64_t>(output_ports);
    period = carver.take<std::uint32_t>(output_ports);
    route_stages = carver.take<Mask>(detail::extra_stages(params.pipeline.route));
    grant_stages = carver.take<Mask>(detail::extra_stages(params.pipeline.vc_allocation));
    slots = carver.take<Flit>(input_ports * stride * params.buffer_depth);
    wanted = carver.take<Branches>(1);
  }

  detail::Carver carver;
  InputVc* inputs;
  OutputVc* outputs;
  SwitchPointers* pointers;
  Packet* packets;
  BranchState* branches;
  std::uint64_t* busy_until;
  std::uint32_t* period;
  Mask* route_stages;
  Mask* grant_stages;
  Flit* slots;
  Branches* wanted;
};

template <int kWords>
std::size_t MulticastCore<kWords>::storage_bytes(const RouterParams& params, unsigned input_ports,
                                                 unsigned output_ports) {
  return Layout(nullptr, params, input_ports, output_ports).carver.used();
}

template <int kWords>
MulticastCore<kWords>::MulticastCore(const RouterParams& params, unsigned inputs_wanted,
                                     unsigned outputs_wanted, std::byte* storage)
    : pipeline_(params.pipeline),
      whole_packet_credit_(params.whole_packet_credit),
      synchronous_(params.synchronous_copies) {
  depth = static_cast<std::uint16_t>(params.buffer_depth);
  stride_log2 = static_cast<std::uint8_t>(detail::log2_ceil(params.virtual_channels));
  virtual_channels = static_cast<std::uint8_t>(params.virtual_channels);
  input_ports = static_cast<std::uint16_t>(inputs_wanted);
  output_ports = static_cast<std::uint16_t>(outputs_wanted);
  deep_ = pipeline_.route > 1 || pipeline_.vc_allocation > 1;
  const Layout layout(storage, params, inputs_wanted, outputs_wanted);
  inputs = layout.inputs;
  outputs = layout.outputs;
  pointers = layout.pointers;
  packets_ = layout.packets;
  branches = layout.branches;
  busy_until_ = layout.busy_until;
  period_ = layout.period;
  route_stages_ = layout.route_stages;
  grant_stages_ = layout.grant_stages;
  slots = layout.slots;
  wanted_ = layout.wanted;
  start();
}

// Every pointer starts as if the last member had been served, so the first choice is the lowest.
template <int kWords>
void MulticastCore<kWords>::start() {
  std::fill_n(period_, output_ports, 1U);
  for (unsigned i = 0; i < vc_index(input_ports, 0); ++i) {
    inputs[i].last_output = static_cast<std::uint16_t>(Mask::kBits - 1);
    inputs[i].port = static_cast<std::uint8_t>(port_of(i));
    inputs[i].vc = static_cast<std::uint8_t>(vc_of(i));
  }
  for (unsigned j = 0; j < vc_index(output_ports, 0); ++j) {
    outputs[j].last_input = static_cast<std::uint16_t>(Mask::kBits - 1);
  }
  for (unsigned p = 0; p < std::max(input_ports, output_ports); ++p) {
    pointers[p] = {BranchState::kNoVc, kMaxPorts - 1, kMaxPorts - 1};
  }
}

// Each stage beyond the first hands its members to the next.
template <int kWords>
void MulticastCore<kWords>::advance_deep_stages() {
  const auto shift = [](Mask* stages, unsigned count, const Mask& in, Mask& out) {
    out |= count == 0 ? in : stages[0];
    if (count == 0) return;
    std::copy(stages + 1, stages + count, stages);
    stages[count - 1] = in;
  };
  shift(route_stages_, detail::extra_stages(pipeline_.route), routing_, waiting_);
  shift(grant_stages_, detail::extra_stages(pipeline_.vc_allocation), granted_, active_);
  granted_ = Mask{};
}

template <int kWords>
bool MulticastCore<kWords>::deep_work() const {
  const auto busy = [](const Mask* stages, unsigned count) {
    return std::any_of(stages, stages + count, [](const Mask& stage) { return stage.any(); });
  };
  return busy(route_stages_, detail::extra_stages(pipeline_.route)) ||
         busy(grant_stages_, detail::extra_stages(pipeline_.vc_allocation));
}

}  // namespace flitcast
