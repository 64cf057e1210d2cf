// SPDX-License-Identifier: Apache-2.0
#include "network/pins/wormhole_router.h"

#include <algorithm>
#include <stdexcept>

namespace flitcast::pins {

struct WormholeRouter::Surroundings {
  WormholeRouter& router;

  Route route(unsigned input_port, unsigned vc, const Flit& head) const {
    return router.routing_.route(
        {router.params_.router, PortId{static_cast<std::uint16_t>(input_port)},
         VcId{static_cast<std::uint8_t>(vc)}, head.destination, head.ties});
  }
  void depart(unsigned output_port, unsigned vc, unsigned slot, const Flit& flit) const {
    static_cast<void>(slot);  // The receiver counts its own ring positions.
    router.traversal_.back()[output_port] = {true, vc, flit};
  }
  void return_credit(unsigned input_port, unsigned vc) const {
    router.credits_[input_port] = {true, vc, {}};
  }
};

WormholeRouter::WormholeRouter(const sc_core::sc_module_name& name, const Params& params,
                               const Routing& routing)
    : Router(name, params.inputs, params.outputs), params_(params), routing_(routing) {
  const unsigned ports = std::max(params.inputs, params.outputs);
  if ((ports << detail::log2_ceil(params.core.virtual_channels)) > Core::Mask::kBits) {
    throw std::invalid_argument("a router with pins has at most 64 virtual channels a side");
  }
  reset();
  SC_HAS_PROCESS(WormholeRouter);
  SC_METHOD(on_clock);
  sensitive << clk_i.pos();
  dont_initialize();
}

void WormholeRouter::reset() {
  storage_.assign(Core::storage_bytes(params_.core, params_.inputs, params_.outputs), std::byte{});
  core_ = std::make_unique<Core>(params_.core, params_.inputs, params_.outputs, storage_.data());
  for (unsigned output = 0; output < params_.outputs; ++output) {
    if (params_.connected.empty() || params_.connected[output]) core_->connect_output(output);
    if (!params_.channel_periods.empty()) {
      core_->set_channel_period(output, params_.channel_periods[output]);
    }
  }
  traversal_.assign(params_.core.pipeline.departure() - 1, std::vector<Departure>(params_.outputs));
  credits_.assign(params_.inputs, {});
}

void WormholeRouter::on_clock() {
  if (!rst_ni.read()) {
    reset();
  }
  traversal_.emplace_back(params_.outputs);
  credits_.assign(params_.inputs, {});
  if (rst_ni.read()) {
    sample_inputs();
    Surroundings around{*this};
    core_->tick(around, cycle_);
  }
  drive_outputs();
  traversal_.pop_front();
  ++cycle_;
}

void WormholeRouter::sample_inputs() {
  for (unsigned port = 0; port < params_.outputs; ++port) {
    if (!out_credit_valid_i[port].read()) continue;
    core_->credit(Core::Mask::of(core_->vc_index(port, out_credit_vc_i[port].read())));
  }
  for (unsigned port = 0; port < params_.inputs; ++port) {
    if (!in_valid_i[port].read()) continue;
    const unsigned i = core_->vc_index(port, in_vc_i[port].read());
    core_->slots[i * core_->depth + core_->tail_slot(i)] = in_flit_i[port].read();
    core_->accept(Core::Mask::of(i));
  }
}

void WormholeRouter::drive_outputs() {
  for (unsigned port = 0; port < params_.outputs; ++port) {
    const Departure& departure = traversal_.front()[port];
    out_valid_o[port].write(departure.valid);
    out_vc_o[port].write(departure.vc);
    out_flit_o[port].write(departure.flit);
  }
  for (unsigned port = 0; port < params_.inputs; ++port) {
    in_credit_valid_o[port].write(credits_[port].valid);
    in_credit_vc_o[port].write(credits_[port].vc);
  }
}

}  // namespace flitcast::pins
