// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/packet.h"

namespace flitcast {

/// A central control that decides which packets enter the network: it keeps them in their source
/// queues until the links and outputs that they need are reserved for them.
///
/// A network with an admission has one partition for any NetworkParams::threads, because the
/// order of its calls matters: by cycle, then by node.
class Admission {
 public:
  virtual ~Admission() = default;

  /// Returns whether the packet at the front of its node's queue enters in this cycle. If not, the
  /// node asks again after end_cycle() has listed it.
  virtual bool admit(const Packet& packet) = 0;

  /// Reports that a copy of an admitted packet has arrived at one of its receivers. The links and
  /// outputs of the packet must not be reused before end_cycle(), because some nodes have already
  /// asked in this cycle.
  virtual void arrived(const Delivery& delivery) = 0;

  /// Called after all nodes have had their cycle, and before the sources learn of its arrivals.
  /// Appends the nodes that ask again in the next cycle.
  virtual void end_cycle(std::vector<NodeId>& ask_again) = 0;
};

}  // namespace flitcast
