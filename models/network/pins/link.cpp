// SPDX-License-Identifier: Apache-2.0
#include "network/pins/link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"

namespace flitcast::pins {

Link::Link(const sc_core::sc_module_name& name, const Params& params)
    : Clocked(name), params_(params), flits_(params.latency), credits_(params.credit_latency) {
  if (params.latency == 0 || params.credit_latency == 0 || params.cycles_per_flit == 0) {
    report_error("pins/parameters", this->name(),
                 "latencies and cycles per flit of a link are at least 1");
  }
}

void Link::reset() {
  flits_.assign(flits_.size(), {});
  credits_.assign(credits_.size(), {});
  free_ = 0;
}

void Link::tick() {
  if (in.valid_i.read()) require_pace();
  flits_.pop_front();
  flits_.push_back(in.sampled());
  credits_.pop_front();
  credits_.push_back({out.credit_valid_i.read(), out.credit_vc_i.read(), {}});
}

void Link::drive_outputs() {
  out.send(flits_.front());
  in.give_credit(credits_.front().valid, credits_.front().vc);
}

void Link::require_pace() {
  if (cycle_ < free_) {
    report_error("pins/pace", name(),
                 fmt::format("flit sooner than {} cycles after the one before (VC {}), cycle {}",
                             params_.cycles_per_flit, in.vc_i.read(), cycle_));
  }
  free_ = cycle_ + params_.cycles_per_flit;
}

unsigned Link::count(const Line& line, unsigned vc, bool heads_only) {
  return static_cast<unsigned>(
      count_if(line, [&](const Token& token) { return token.carries(vc, heads_only); }));
}

namespace {

// The link itself reports flits that are too soon.
LinkMonitor::Params paced(LinkMonitor::Params watched, const Link::Params& link) {
  watched.cycles_per_flit = 1;
  if (watched.rest != LinkMonitor::kNeverChecked) {
    watched.rest += std::uint64_t{link.latency} + link.credit_latency;
  }
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
