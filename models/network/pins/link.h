// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <systemc>

#include "network/pins/channel.h"
#include "network/pins/link_monitor.h"
#include "network/pins/process.h"

namespace flitcast::pins {

/// The delay of a channel: registers for flits in one direction and for credits in the other.
///
///   in_valid_i, in_vc_i, in_flit_i      --> [ latency registers ]        --> out_*_o
///   in_credit_valid_o, in_credit_vc_o   <-- [ credit_latency registers ] <-- out_credit_*_i
///
/// A value sampled at a rising clk_i edge is on the other side `latency` edges later (with 1: after
/// the edge that samples it). There is no back-pressure: senders use credits.
/// Reset drops everything in flight.
class Link : public Clocked {
 public:
  struct Params {
    std::uint32_t latency = 1;          ///< Latency of a flit in cycles, at least 1.
    std::uint32_t credit_latency = 1;   ///< Latency of a credit in cycles, at least 1.
    std::uint32_t cycles_per_flit = 1;  ///< Cycles from one flit to the next, at least 1.
  };

  FlitInput in{"in"};
  FlitOutput out{"out"};

  /// A parameter of 0, and later a flit that follows the previous one too soon, are reported as an
  /// SC_ERROR.
  Link(const sc_core::sc_module_name& name, const Params& params);

  /// The numbers of flits (or of heads) and of credits of a VC in the registers, output registers
  /// included.
  unsigned flits(unsigned vc, bool heads_only = false) const {
    return count(flits_, vc, heads_only);
  }
  unsigned credits(unsigned vc) const { return count(credits_, vc, false); }

 private:
  /// A shift register; its front is on the outputs.
  using Line = std::deque<Token>;

  static unsigned count(const Line& line, unsigned vc, bool heads_only);
  void tick() override;
  void reset() override;
  void drive_outputs() override;
  void require_pace();

  const Params params_;
  Line flits_;
  Line credits_;
  std::uint64_t free_ = 0;  ///< The first cycle in which another flit may arrive.
};

/// A link with the wires at both of its ends and a monitor at the sender's end:
///
///   sender -- sent --+-- link -- received -- receiver
///                    '-- monitor
class Connection : public sc_core::sc_module {
 public:
  /// @param watched  The parameters of the monitor; cycles_per_flit is replaced by that of the
  ///                 link, and the latencies of the link are added to `rest`.
  Connection(const sc_core::sc_module_name& name, const Link::Params& link,
             const LinkMonitor::Params& watched, sc_core::sc_signal_in_if<bool>& clk,
             sc_core::sc_signal_in_if<bool>& rst_n);

  ChannelWires sent{"sent"};
  ChannelWires received{"received"};

  /// Flits (or heads) between the sender's wires, inclusive, and the receiver's next edge.
  unsigned flits(unsigned vc, bool heads_only) const {
    return sent.flit_token().carries(vc, heads_only) + link_.flits(vc, heads_only);
  }
  /// Credits between the receiver's wires, inclusive, and the sender's next edge.
  unsigned credits(unsigned vc) const {
    return received.credit_token().carries(vc, false) + link_.credits(vc);
  }

  const LinkMonitor& monitor() const { return monitor_; }

 private:
  Link link_;
  LinkMonitor monitor_;
};

}  // namespace flitcast::pins
