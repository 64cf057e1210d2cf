// SPDX-License-Identifier: Apache-2.0
#include "network/pins/connection.h"

namespace flitcast::pins {

namespace {

LinkMonitor::Params paced(LinkMonitor::Params watched, const Link::Params& link) {
  watched.cycles_per_flit = link.cycles_per_flit;
  return watched;
}

}  // namespace

Connection::Connection(const sc_core::sc_module_name& name, const Link::Params& link,
                       const LinkMonitor::Params& watched, sc_core::sc_signal_in_if<bool>& clk,
                       sc_core::sc_signal_in_if<bool>& rst_n)
    : sc_module(name), link_("link", link), monitor_("monitor", paced(watched, link)) {
  for (sc_core::sc_in<bool>* port : {&link_.clk_i, &monitor_.clk_i}) port->bind(clk);
  for (sc_core::sc_in<bool>* port : {&link_.rst_ni, &monitor_.rst_ni}) port->bind(rst_n);
  link_.in.bind(sent);
  link_.out.bind(received);
  monitor_.bind(sent);
}

}  // namespace flitcast::pins
