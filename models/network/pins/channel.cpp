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

namespace {

/// Binds the five ports of a sender or of a receiver.
template <class Valid, class Vc, class Flits, class CreditValid, class CreditVc>
void bind_ports(ChannelWires& wires, Valid& valid, Vc& vc, Flits& flit, CreditValid& credit_valid,
                CreditVc& credit_vc) {
  valid(wires.valid);
  vc(wires.vc);
  flit(wires.flit);
  credit_valid(wires.credit_valid);
  credit_vc(wires.credit_vc);
}

}  // namespace

void FlitInput::bind(ChannelWires& wires) {
  bind_ports(wires, valid_i, vc_i, flit_i, credit_valid_o, credit_vc_o);
}

void FlitOutput::bind(ChannelWires& wires) {
  bind_ports(wires, valid_o, vc_o, flit_o, credit_valid_i, credit_vc_i);
}

void bind_input(Router& router, std::size_t input, ChannelWires& wires) {
  bind_ports(wires, router.in_valid_i[input], router.in_vc_i[input], router.in_flit_i[input],
             router.in_credit_valid_o[input], router.in_credit_vc_o[input]);
}

void bind_output(Router& router, std::size_t output, ChannelWires& wires) {
  bind_ports(wires, router.out_valid_o[output], router.out_vc_o[output], router.out_flit_o[output],
             router.out_credit_valid_i[output], router.out_credit_vc_i[output]);
}

}  // namespace flitcast::pins
