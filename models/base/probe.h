// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/packet.h"

namespace flitcast {

/// Who is watching? The network reports to one probe per partition and never learns what it does.
///
/// A partition's calls come from one thread at a time, in an order that depends on the partition:
/// what a probe computes must not depend on the order (sums, histograms, sets sorted before
/// printing).
class Probe {
 public:
  virtual ~Probe() = default;

  /// A packet's tail has arrived at its destination.
  virtual void delivered(const Delivery& delivery) = 0;
  /// The network has given a packet up before any copy of it arrived.
  virtual void dropped(const Packet& packet) { static_cast<void>(packet); }
};

}  // namespace flitcast
