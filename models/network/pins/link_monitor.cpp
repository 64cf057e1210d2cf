// SPDX-License-Identifier: Apache-2.0
#include "network/pins/link_monitor.h"

#include <fmt/format.h>

namespace flitcast::pins {

LinkMonitor::LinkMonitor(const sc_core::sc_module_name& name, const Params& params)
    : Clocked(name), params_(params), order_(params.virtual_channels) {
  if (params.virtual_channels == 0 || params.depth == 0 || params.cycles_per_flit == 0) {
    report_error("pins/parameters", this->name(),
                 "virtual channels, depth and cycles per flit of a link are at least 1");
  }
  LinkMonitor::reset();
}

void LinkMonitor::reset() {
  order_ = PacketOrder(params_.virtual_channels);
  held_.assign(params_.virtual_channels, 0);
  free_ = 0;
}

// A credit that is on the wires together with a flit cannot be the credit of that flit.
void LinkMonitor::tick() {
  if (valid_i.read() || credit_valid_i.read()) last_ = cycle_;
  if (valid_i.read()) watch_flit();
  if (credit_valid_i.read()) watch_credit();
}

void LinkMonitor::end_of_simulation() {
  if (params_.rest == kNeverChecked || cycle_ - last_ <= params_.rest) return;
  std::string missing;
  for (unsigned vc = 0; vc < params_.virtual_channels; ++vc) {
    if (held_[vc] == 0) continue;
    missing += fmt::format("{}{} of {} (VC {})", missing.empty() ? "" : ", ", held_[vc],
                           params_.depth, vc);
  }
  if (missing.empty()) return;
  report_error("pins/lost_credit", name(),
               fmt::format("credits have not returned: {}, cycle {}", missing, cycle_));
}

void LinkMonitor::watch_flit() {
  const unsigned vc = vc_i.read();
  if (vc >= params_.virtual_channels)
    return report("pins/unknown_vc", "flit of no such virtual channel", vc);
  if (cycle_ < free_) {
    report("pins/pace",
           fmt::format("flit sooner than {} cycles after the one before", params_.cycles_per_flit),
           vc);
  }
  free_ = cycle_ + params_.cycles_per_flit;
  ++flits_;
  if (const char* const wrong = order_.take(vc, flit_i.read())) report("pins/order", wrong, vc);
  if (params_.unit == BufferUnit::kPacket && !flit_i.read().head) return;
  if (held_[vc] == params_.depth) return report("pins/no_credit", "flit without a credit", vc);
  ++held_[vc];
}

void LinkMonitor::watch_credit() {
  const unsigned vc = credit_vc_i.read();
  if (vc >= params_.virtual_channels)
    return report("pins/unknown_vc", "credit for no such virtual channel", vc);
  ++credits_;
  if (held_[vc] == 0) return report("pins/untaken_credit", "credit that no flit has taken", vc);
  --held_[vc];
}

void LinkMonitor::report(const char* rule, const std::string& what, unsigned vc) {
  report_error(rule, name(), fmt::format("{} (VC {}), cycle {}", what, vc, cycle_));
}

}  // namespace flitcast::pins
