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

/// Checks the protocol on the wires of a channel. A violation is reported as an SC_ERROR, with the
/// module's name, the VC and the cycle. The rules:
///  - flits and credits belong to existing VCs;
///  - the flits of a VC are in the order of PacketOrder: a head first, counted down to the tail,
///    packet by packet;
///  - no flit is sent without a credit: at most `depth` credits of a VC are in use at once;
///  - credits are conserved: each belongs to a flit (or packet) that has taken it;
///  - flits are at least `cycles_per_flit` cycles apart;
///  - at the end of simulation (sc_stop), all credits have returned on a link that has rested for
///    more than `rest` cycles. Otherwise credits are lost, or flits are stuck behind the link.
/// At the sender's end of a link the monitor sees the same as the sender. At the receiver's end it
/// sees flits later and credits earlier, so it may miss violations but reports no false ones.
/// In reset the sender has all credits.
class LinkMonitor : public Clocked {
 public:
  /// A value of Params::rest with which credits are not checked at the end.
  static constexpr std::uint64_t kNeverChecked = ~std::uint64_t{0};

  struct Params {
    unsigned virtual_channels = 1;
    unsigned depth = 1;                   ///< Credits of a VC.
    BufferUnit unit = BufferUnit::kFlit;  ///< The unit of credits.
    std::uint32_t cycles_per_flit = 1;
    /// Cycles without a flit or a credit on the link after which flits that have used it are no
    /// longer in flight.
    std::uint64_t rest = 256;
  };

  sc_core::sc_in<bool> valid_i{"valid_i"};
  sc_core::sc_in<unsigned> vc_i{"vc_i"};
  sc_core::sc_in<Flit> flit_i{"flit_i"};
  sc_core::sc_in<bool> credit_valid_i{"credit_valid_i"};
  sc_core::sc_in<unsigned> credit_vc_i{"credit_vc_i"};

  /// A parameter of 0 is reported as an SC_ERROR.
  LinkMonitor(const sc_core::sc_module_name& name, const Params& params);

  void bind(ChannelWires& wires) {
    wires.bind_to(valid_i, vc_i, flit_i, credit_valid_i, credit_vc_i);
  }

  /// The number of flits seen so far, out of reset.
  std::uint64_t flits() const { return flits_; }
  std::uint64_t credits() const { return credits_; }

 private:
  void tick() override;
  void reset() override;
  void end_of_simulation() override;
  void watch_flit();
  void watch_credit();
  void report(const char* rule, const std::string& what, unsigned vc);

  const Params params_;
  PacketOrder order_;
  std::vector<unsigned> held_;  ///< Credits in use, per VC.
  std::uint64_t flits_ = 0;
  std::uint64_t credits_ = 0;
  std::uint64_t free_ = 0;  ///< The first cycle in which another flit may arrive.
  std::uint64_t last_ = 0;  ///< The cycle of the last flit or credit.
};

}  // namespace flitcast::pins
