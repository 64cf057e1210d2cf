// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "network/pins/router.h"
#include "routing/routing.h"

namespace flitcast {

/// A router of three ports on signals, which a test sets in the second half of a cycle.
/// @tparam Context  Second constructor argument of the module: a routing, which must outlive it,
///                  or the shape of an RTL router.
template <class Module, class Context = Routing>
class PinsBench {
 public:
  static constexpr unsigned kPorts = 3;
  template <class T>
  using Signals = sc_core::sc_vector<sc_core::sc_signal<T>>;

  /// Uses `place` with the ports of the bench.
  PinsBench(const pins::Site& place, const Context& context)
      : router("router", with_ports(place), context) {
    router.clk_i(clk);
    router.rst_ni(rst_n);
    router.in_valid_i(in_valid);
    router.in_vc_i(in_vc);
    router.in_flit_i(in_flit);
    router.in_credit_valid_o(in_credit_valid);
    router.in_credit_vc_o(in_credit_vc);
    router.out_valid_o(out_valid);
    router.out_vc_o(out_vc);
    router.out_flit_o(out_flit);
    router.out_credit_valid_i(out_credit_valid);
    router.out_credit_vc_i(out_credit_vc);
    rst_n = true;
  }

  /// Runs one cycle: inputs settle while the clock is low, the edge samples them, and then they
  /// return to idle.
  void cycle() {
    half(false);
    half(true);
    for (auto& valid : in_valid) valid = false;
    for (auto& valid : out_credit_valid) valid = false;
  }
  void half(bool level) {
    clk = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }
  void put(unsigned input, unsigned vc, const Flit& flit) {
    in_valid[input] = true;
    in_vc[input] = vc;
    in_flit[input] = flit;
  }
  void give_credit(unsigned output, unsigned vc) {
    out_credit_valid[output] = true;
    out_credit_vc[output] = vc;
  }
  /// Returns the number of cycles until `signal` is high, 0 for the cycle of the next edge; 100 if
  /// it stays low.
  template <class Signal>
  unsigned cycles_until(const Signal& signal) {
    for (unsigned c = 0; c < 100; ++c) {
      cycle();
      if (signal.read()) return c;
    }
    return 100;
  }
  /// Returns the number of the next cycles in which `signal` is high.
  template <class Signal>
  unsigned count(const Signal& signal, unsigned cycles) {
    unsigned high = 0;
    for (unsigned c = 0; c < cycles; ++c) {
      cycle();
      high += signal.read() ? 1 : 0;
    }
    return high;
  }

  sc_core::sc_signal<bool> clk{"clk"};
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  Signals<bool> in_valid{"in_valid", kPorts};
  Signals<unsigned> in_vc{"in_vc", kPorts};
  Signals<Flit> in_flit{"in_flit", kPorts};
  Signals<bool> in_credit_valid{"in_credit_valid", kPorts};
  Signals<unsigned> in_credit_vc{"in_credit_vc", kPorts};
  Signals<bool> out_valid{"out_valid", kPorts};
  Signals<unsigned> out_vc{"out_vc", kPorts};
  Signals<Flit> out_flit{"out_flit", kPorts};
  Signals<bool> out_credit_valid{"out_credit_valid", kPorts};
  Signals<unsigned> out_credit_vc{"out_credit_vc", kPorts};
  Module router;

 private:
  static pins::Site with_ports(pins::Site place) {
    place.inputs = kPorts;
    place.outputs = kPorts;
    return place;
  }
};

/// Routing in which node d is at output d.
class ToPort : public Routing {
 public:
  explicit ToPort(std::size_t virtual_channels) : all_(vc_range(0, virtual_channels)) {}
  Route route(const RouteRequest& request) const override {
    return {PortId{static_cast<std::uint16_t>(index(request.destination))}, all_};
  }
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  VcSet all_;
};

inline Flit flit_to(unsigned output, unsigned remaining = 0, bool head = true,
                    PacketSlot packet = PacketSlot{77}) {
  Flit flit;
  flit.destination = NodeId{output};
  flit.packet = packet;
  flit.remaining = static_cast<std::uint16_t>(remaining);
  flit.head = head;
  return flit;
}

}  // namespace flitcast
