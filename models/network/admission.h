// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/packet.h"

namespace flitcast {

/// Who may enter the network? A central control that holds packets back in their source queues
/// until what they need is theirs.
///
/// A network with an admission is one region, whatever NetworkParams::threads says, because the
/// order of its questions counts: by cycle, then by node.
class Admission {
 public:
  virtual ~Admission() = default;

  /// Whether the packet at the front of its node's queue enters in `now`. If not, the node asks
  /// again after arrived() has named it.
  virtual bool admit(const Packet& packet, Cycle now) = 0;

  /// A copy of an admitted packet has arrived at one of its receivers. Appends the nodes that are
  /// to ask again in the next cycle.
  virtual void arrived(const Delivery& delivery, std::vector<NodeId>& ask_again) = 0;
};

}  // namespace flitcast
