// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "network/pins/channel.h"
#include "network/pins/link.h"
#include "network/pins/link_monitor.h"

namespace flitcast::pins {

/// A link with the wires at both of its ends and a monitor at the sender's end:
///
///   sender -- sent --+-- link -- received -- receiver
///                    '-- monitor
class Connection : public sc_core::sc_module {
 public:
  /// @param watched  The parameters of the monitor; its cycles_per_flit is replaced by the link's.
  Connection(const sc_core::sc_module_name& name, const Link::Params& link,
             const LinkMonitor::Params& watched, sc_core::sc_signal_in_if<bool>& clk,
             sc_core::sc_signal_in_if<bool>& rst_n);

  ChannelWires sent{"sent"};
  ChannelWires received{"received"};

  /// Flits and heads between the sender's wires, inclusive, and the receiver's next edge.
  unsigned flits(unsigned vc) const { return sent.carries_flit(vc) + link_.flits(vc); }
  unsigned heads(unsigned vc) const { return sent.carries_head(vc) + link_.heads(vc); }
  /// Credits between the receiver's wires, inclusive, and the sender's next edge.
  unsigned credits(unsigned vc) const { return received.carries_credit(vc) + link_.credits(vc); }

  const LinkMonitor& monitor() const { return monitor_; }

 private:
  Link link_;
  LinkMonitor monitor_;
};

}  // namespace flitcast::pins
