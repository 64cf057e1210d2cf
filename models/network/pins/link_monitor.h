// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "network/pins/channel.h"
#include "network/pins/process.h"
#include "router/packet_order.h"
#include "router/router_params.h"

namespace flitcast::pins {

/// Watches the wires of a channel and changes nothing. A breach of a rule is reported as an
/// SC_ERROR, with the module's name, the VC and the cycle:
///  - flits and credits are of VCs that there are;
///  - the flits of a VC are in the order of PacketOrder: a head first, counted down to the tail,
///    packet by packet;
///  - nobody sends without a credit: at most `depth` flits (or packets) of a VC are on their way
///    there and back at once;
///  - credits are conserved: none comes that no flit (or packet) has taken;
///  - flits are `cycles_per_flit` cycles apart at least.
/// It knows what the sender knows where it watches the sender's end of a link; at the receiver's
/// end it sees flits later and credits sooner, and accuses nobody wrongly, either.
/// In reset all credits are with the sender.
class LinkMonitor : public Clocked {
 public:
  struct Params {
    unsigned virtual_channels = 1;
    unsigned depth = 1;                   ///< Credits of a VC.
    BufferUnit unit = BufferUnit::kFlit;  ///< What a credit stands for.
    std::uint32_t cycles_per_flit = 1;
  };

  sc_core::sc_in<bool> valid_i{"valid_i"};
  sc_core::sc_in<unsigned> vc_i{"vc_i"};
  sc_core::sc_in<Flit> flit_i{"flit_i"};
  sc_core::sc_in<bool> credit_valid_i{"credit_valid_i"};
  sc_core::sc_in<unsigned> credit_vc_i{"credit_vc_i"};

  /// A parameter of 0 is reported as an SC_ERROR.
  LinkMonitor(const sc_core::sc_module_name& name, const Params& params);

  void bind(ChannelWires& wires);

  /// Seen so far, out of reset.
  std::uint64_t flits() const { return flits_; }
  std::uint64_t credits() const { return credits_; }

 private:
  void on_clock() override;
  void reset();
  void watch_flit();
  void watch_credit();
  void report(const std::string& what, unsigned vc);

  const Params params_;
  PacketOrder order_;
  std::vector<unsigned> held_;  ///< Credits in use, per VC.
  std::uint64_t flits_ = 0;
  std::uint64_t credits_ = 0;
  std::uint64_t cycle_ = 0;
  std::uint64_t free_ = 0;  ///< The first cycle in which another flit may come.
};

}  // namespace flitcast::pins
