// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <systemc>

#include "base/flit.h"
#include "network/pins/router.h"
#include "network/pins/signals.h"

namespace flitcast::pins {

/// The wires of a channel: flits in one direction, credits in the other. One call of bind() for
/// either end, or for a monitor, connects all five wires.
///
///   sender    valid, vc, flit          -->  receiver
///             credit_valid, credit_vc  <--
///
/// A flit moves at a rising clock edge where valid is high, a credit where credit_valid is high.
/// There is no register in between: the values that a module drives in a cycle are sampled by the
/// other module at the end of that cycle.
class ChannelWires : public sc_core::sc_module {
 public:
  explicit ChannelWires(const sc_core::sc_module_name& name) : sc_module(name) {}

  sc_core::sc_signal<bool> valid{"valid"};
  sc_core::sc_signal<unsigned> vc{"vc"};
  sc_core::sc_signal<Flit> flit{"flit"};
  sc_core::sc_signal<bool> credit_valid{"credit_valid"};
  sc_core::sc_signal<unsigned> credit_vc{"credit_vc"};

  /// The values on the flit wires.
  Token flit_token() const { return {valid.read(), vc.read(), flit.read()}; }
  /// The values on the credit wires.
  Token credit_token() const { return {credit_valid.read(), credit_vc.read(), {}}; }

  /// Binds the five ports of a sender, of a receiver or of a monitor.
  template <class Valid, class Vc, class Flits, class CreditValid, class CreditVc>
  void bind_to(Valid& valid_port, Vc& vc_port, Flits& flit_port, CreditValid& credit_valid_port,
               CreditVc& credit_vc_port) {
    valid_port(valid);
    vc_port(vc);
    flit_port(flit);
    credit_valid_port(credit_valid);
    credit_vc_port(credit_vc);
  }
};

/// Adds all wires of a channel to a waveform, as "prefix.valid" and so on.
inline void sc_trace(sc_core::sc_trace_file* file, const ChannelWires& wires,
                     const std::string& prefix) {
  sc_core::sc_trace(file, wires.valid, prefix + ".valid");
  sc_core::sc_trace(file, wires.vc, prefix + ".vc");
  sc_core::sc_trace(file, wires.flit, prefix + ".flit");
  sc_core::sc_trace(file, wires.credit_valid, prefix + ".credit_valid");
  sc_core::sc_trace(file, wires.credit_vc, prefix + ".credit_vc");
}

/// The ports of a module that receives flits; with the prefix "in" they are in_valid_i, in_vc_i,
/// in_flit_i, in_credit_valid_o and in_credit_vc_o.
class FlitInput {
 public:
  explicit FlitInput(const std::string& prefix)
      : valid_i((prefix + "_valid_i").c_str()),
        vc_i((prefix + "_vc_i").c_str()),
        flit_i((prefix + "_flit_i").c_str()),
        credit_valid_o((prefix + "_credit_valid_o").c_str()),
        credit_vc_o((prefix + "_credit_vc_o").c_str()) {}

  void bind(ChannelWires& wires) {
    wires.bind_to(valid_i, vc_i, flit_i, credit_valid_o, credit_vc_o);
  }
  Token sampled() const { return {valid_i.read(), vc_i.read(), flit_i.read()}; }
  void give_credit(bool valid, unsigned vc) {
    credit_valid_o.write(valid);
    credit_vc_o.write(vc);
  }

  sc_core::sc_in<bool> valid_i;
  sc_core::sc_in<unsigned> vc_i;
  sc_core::sc_in<Flit> flit_i;
  sc_core::sc_out<bool> credit_valid_o;
  sc_core::sc_out<unsigned> credit_vc_o;
};

/// The ports of a module that sends flits; with the prefix "out" they are out_valid_o, out_vc_o,
/// out_flit_o, out_credit_valid_i and out_credit_vc_i.
class FlitOutput {
 public:
  explicit FlitOutput(const std::string& prefix)
      : valid_o((prefix + "_valid_o").c_str()),
        vc_o((prefix + "_vc_o").c_str()),
        flit_o((prefix + "_flit_o").c_str()),
        credit_valid_i((prefix + "_credit_valid_i").c_str()),
        credit_vc_i((prefix + "_credit_vc_i").c_str()) {}

  void bind(ChannelWires& wires) {
    wires.bind_to(valid_o, vc_o, flit_o, credit_valid_i, credit_vc_i);
  }
  void send(const Token& token) {
    valid_o.write(token.valid);
    vc_o.write(token.vc);
    flit_o.write(token.flit);
  }

  sc_core::sc_out<bool> valid_o;
  sc_core::sc_out<unsigned> vc_o;
  sc_core::sc_out<Flit> flit_o;
  sc_core::sc_in<bool> credit_valid_i;
  sc_core::sc_in<unsigned> credit_vc_i;
};

/// Connects an input port of a router to a channel.
inline void bind_input(Router& router, std::size_t input, ChannelWires& wires) {
  wires.bind_to(router.in_valid_i[input], router.in_vc_i[input], router.in_flit_i[input],
                router.in_credit_valid_o[input], router.in_credit_vc_o[input]);
}

/// Connects an output port of a router to a channel.
inline void bind_output(Router& router, std::size_t output, ChannelWires& wires) {
  wires.bind_to(router.out_valid_o[output], router.out_vc_o[output], router.out_flit_o[output],
                router.out_credit_valid_i[output], router.out_credit_vc_i[output]);
}

/// Wires for ports of routers to which nothing is connected, where no flit and no credit comes. It
/// must outlive the simulation.
class TieOff {
 public:
  /// Ties off every port of a router that is not bound yet. A port that is bound to a port of the
  /// module around it, and not to a signal, counts as not bound.
  void rest(Router& router) {
    for (std::size_t port = 0; port < router.in_valid_i.size(); ++port) {
      if (router.in_valid_i[port].get_interface() == nullptr) bind_input(router, port, wires());
    }
    for (std::size_t port = 0; port < router.out_valid_o.size(); ++port) {
      if (router.out_valid_o[port].get_interface() == nullptr) bind_output(router, port, wires());
    }
  }

 private:
  ChannelWires& wires() { return wires_.emplace_back(sc_core::sc_gen_unique_name("open")); }

  std::deque<ChannelWires> wires_;
};

}  // namespace flitcast::pins
