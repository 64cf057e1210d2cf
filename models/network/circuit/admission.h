// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/packet.h"

namespace flitcast {

/// Who may enter the network? A central control that holds packets back in their source queues
/// until what they need is theirs.
///
/// A network with an admission is one partition, whatever NetworkParams::threads says, because the
/// order of its questions counts: by cycle, then by node.
class Admission {
 public:
  virtual ~Admission() = default;

  /// Whether the packet at the front of its node's queue enters in this cycle. If not, the node
  /// asks again after end_cycle() has named it.
  virtual bool admit(const Packet& packet) = 0;

  /// A copy of an admitted packet has arrived at one of its receivers. What the packet held must
  /// not serve anybody before end_cycle(): half of the nodes have already asked.
  virtual void arrived(const Delivery& delivery) = 0;

  /// All nodes have had their cycle, and the sources have yet to learn what arrived in it. Appends
  /// the nodes that are to ask again in the next one.
  virtual void end_cycle(std::vector<NodeId>& ask_again) = 0;
};

}  // namespace flitcast
