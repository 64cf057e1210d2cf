// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/packet_source.h"

namespace flitcast {

/// Reports deliveries and losses of packets from receivers to the packet source, and wakes the
/// nodes that the source names in return.
class Deliveries {
 public:
  using Wake = std::function<void(NodeId node, Cycle cycle)>;

  /// `source` must outlive this object.
  Deliveries(PacketSource& source, Wake wake) : source_(source), wake_(std::move(wake)) {}

  void add(const Delivery& delivery) { due_.push_back(delivery); }
  /// Reports to `visit` and to the source the deliveries added since the last report(), in the
  /// order of nodes and their ports. Each port receives at most one tail in a cycle, so the order
  /// is the same for any number of partitions. Throws InvariantError for a wake-up in the past.
  void report(const std::function<void(const Delivery&)>& visit = nullptr);
  /// Reports a packet that the network has given up; wake-ups from `earliest` on are accepted.
  void report_dropped(const Packet& packet, Cycle now, Cycle earliest);

 private:
  void wake(Cycle earliest);

  PacketSource& source_;
  const Wake wake_;
  std::vector<Delivery> due_;       // Deliveries that have not been reported.
  std::vector<Delivery> reported_;  // Deliveries that the last call has reported.
  std::vector<WakeUp> wake_ups_;
};

}  // namespace flitcast
