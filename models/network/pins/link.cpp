// SPDX-License-Identifier: Apache-2.0
#include "network/pins/link.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitcast::pins {

void Link::Line::shift(const Token& token) {
  tokens_[oldest_] = token;
  oldest_ = oldest_ + 1 == tokens_.size() ? 0 : oldest_ + 1;
}

void Link::Line::clear() { std::fill(tokens_.begin(), tokens_.end(), Token{}); }

Link::Link(const sc_core::sc_module_name& name, const Params& params)
    : Clocked(name), params_(params), flits_(params.latency), credits_(params.credit_latency) {
  if (params.latency == 0 || params.credit_latency == 0 || params.cycles_per_flit == 0) {
    SC_REPORT_ERROR(this->name(), "latencies and cycles per flit of a link are at least 1");
  }
}

void Link::on_clock() {
  if (!rst_ni.read()) {
    flits_.clear();
    credits_.clear();
    free_ = 0;
  } else {
    if (in.valid_i.read()) require_pace();
    flits_.shift({in.valid_i.read(), in.vc_i.read(), in.flit_i.read()});
    credits_.shift({out.credit_valid_i.read(), out.credit_vc_i.read(), {}});
  }
  out.send(flits_.oldest().valid, flits_.oldest().vc, flits_.oldest().flit);
  in.give_credit(credits_.oldest().valid, credits_.oldest().vc);
  ++cycle_;
}

void Link::require_pace() {
  if (cycle_ < free_) {
    SC_REPORT_ERROR(name(), fmt::format("flit sooner than {} cycles after the one before (VC {}), "
                                        "cycle {}",
                                        params_.cycles_per_flit, in.vc_i.read(), cycle_)
                                .c_str());
  }
  free_ = cycle_ + params_.cycles_per_flit;
}

unsigned Link::Line::count(unsigned vc, bool heads_only) const {
  return static_cast<unsigned>(
      std::count_if(tokens_.begin(), tokens_.end(), [&](const Token& token) {
        return token.valid && token.vc == vc && (token.flit.head || !heads_only);
      }));
}

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
