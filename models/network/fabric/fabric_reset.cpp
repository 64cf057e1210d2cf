// SPDX-License-Identifier: Apache-2.0
// How a fabric follows somebody else's clock and reset; the rest of Fabric is in fabric.cpp.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "network/fabric/fabric.h"

namespace flitcast {

void Fabric::end_of_elaboration() {
  const bool clocked = clk_i.size() > 0;
  const bool resettable = rst_ni.size() > 0;
  if ((clocked || resettable) && !params_.lockstep) {
    SC_REPORT_ERROR(name(), "clk_i or rst_ni is bound, but the fabric does not run in lockstep");
  }
  if ((clocked || resettable) && !external_.empty()) {
    SC_REPORT_ERROR(name(),
                    "clk_i or rst_ni is bound, but external routers have a clock of their "
                    "own and cannot be reset");
  }
  if (resettable && params_.admission) {
    SC_REPORT_ERROR(name(), "rst_ni is bound, but a central control cannot be reset");
  }
  if (clocked) driver_->follow(clk_i->posedge_event());
  in_reset_ = resettable;  // Until it has been sampled high: nobody puts what would be lost.
  if (resettable) {
    driver_->gate([this] { return out_of_reset(); });
  }
}

bool Fabric::out_of_reset() {
  const bool low = !rst_ni->read();
  if (low && !in_reset_) reset();
  if (!low && in_reset_) {
    for (const auto& terminal : terminals_) terminal->notify_space();
  }
  in_reset_ = low;
  return !low;
}

void Fabric::reset() {
  if (!external_.empty()) throw std::logic_error("external routers cannot be reset");
  if (params_.admission) throw std::logic_error("a central control cannot be reset");
  audit();
  std::vector<std::uint64_t> flits;
  const auto for_each_output = [this](auto&& visit) {
    for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
      RouterNode& node = router_node(RouterId{r});
      for (unsigned port = 0; port < node.state->output_ports; ++port) visit(node.outputs[port]);
    }
  };
  for_each_output([&](const FlitOutput& end) { flits.push_back(end.flits); });
  lose_packets();
  build_links();
  auto counted = flits.begin();
  for_each_output([&](FlitOutput& end) { end.flits = *counted++; });
  for (const auto& terminal : terminals_) terminal->reset();
  carried_.clear();
  totals_at_reset_ = totals();
}

// By number, which does not depend on partitions.
void Fabric::lose_packets() {
  std::vector<Packet> lost;
  for (const auto& partition : partitions_) {
    partition->reset([&](const Packet& packet, std::uint32_t due) {
      if (due == packet.receivers) lost.push_back(packet);
    });
  }
  std::sort(lost.begin(), lost.end(), [](const Packet& a, const Packet& b) { return a.id < b.id; });
  wake_ups_.clear();
  for (const Packet& packet : lost) source_.dropped(packet, now(), wake_ups_);
  wake_nodes(now());
}

}  // namespace flitcast
