// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/deliveries.h"

#include <algorithm>
#include <tuple>

#include "router/invariant.h"

namespace flitcast {

void Deliveries::report(const std::function<void(const Delivery&)>& visit) {
  reported_.clear();
  reported_.swap(due_);
  std::sort(reported_.begin(), reported_.end(), [](const Delivery& a, const Delivery& b) {
    return std::tie(a.node, a.port) < std::tie(b.node, b.port);
  });
  for (const Delivery& delivery : reported_) {
    if (visit) visit(delivery);
    if (!source_.wants_deliveries()) continue;
    wake_ups_.clear();
    source_.delivered(delivery, wake_ups_);
    wake(delivery.arrival + 1);
  }
}

void Deliveries::report_dropped(const Packet& packet, Cycle now, Cycle earliest) {
  wake_ups_.clear();
  source_.dropped(packet, now, wake_ups_);
  wake(earliest);
}

void Deliveries::wake(Cycle earliest) {
  for (const WakeUp& wake_up : wake_ups_) {
    if (wake_up.cycle < earliest) throw InvariantError("a source woke a node in the past");
    wake_(wake_up.node, wake_up.cycle);
  }
}

}  // namespace flitcast
