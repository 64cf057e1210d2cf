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

void bind_input(Router& router, std::size_t input, ChannelWires& wires) {
  wires.bind_to(router.in_valid_i[input], router.in_vc_i[input], router.in_flit_i[input],
                router.in_credit_valid_o[input], router.in_credit_vc_o[input]);
}

void bind_output(Router& router, std::size_t output, ChannelWires& wires) {
  wires.bind_to(router.out_valid_o[output], router.out_vc_o[output], router.out_flit_o[output],
                router.out_credit_valid_i[output], router.out_credit_vc_i[output]);
}

}  // namespace flitcast::pins
