// SPDX-License-Identifier: Apache-2.0
#include "network/pins/channel.h"

namespace flitcast::pins {

void sc_trace(sc_core::sc_trace_file* file, const ChannelWires& wires, const std::string& prefix) {
  sc_core::sc_trace(file, wires.valid, prefix + ".valid");
  sc_core::sc_trace(file, wires.vc, prefix + ".vc");
  sc_core::sc_trace(file, wires.flit, prefix + ".flit");
  sc_core::sc_trace(file, wires.credit_valid, prefix + ".credit_valid");
  sc_core::sc_trace(file, wires.credit_vc, prefix + ".credit_vc");
}

void FlitInput::bind(ChannelWires& wires) {
  valid_i(wires.valid);
  vc_i(wires.vc);
  flit_i(wires.flit);
  credit_valid_o(wires.credit_valid);
  credit_vc_o(wires.credit_vc);
}

void FlitOutput::bind(ChannelWires& wires) {
  valid_o(wires.valid);
  vc_o(wires.vc);
  flit_o(wires.flit);
  credit_valid_i(wires.credit_valid);
  credit_vc_i(wires.credit_vc);
}

void bind_input(Router& router, std::size_t input, ChannelWires& wires) {
  router.in_valid_i[input](wires.valid);
  router.in_vc_i[input](wires.vc);
  router.in_flit_i[input](wires.flit);
  router.in_credit_valid_o[input](wires.credit_valid);
  router.in_credit_vc_o[input](wires.credit_vc);
}

void bind_output(Router& router, std::size_t output, ChannelWires& wires) {
  router.out_valid_o[output](wires.valid);
  router.out_vc_o[output](wires.vc);
  router.out_flit_o[output](wires.flit);
  router.out_credit_valid_i[output](wires.credit_valid);
  router.out_credit_vc_i[output](wires.credit_vc);
}

}  // namespace flitcast::pins
