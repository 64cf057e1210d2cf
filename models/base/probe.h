// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "base/packet.h"

namespace flitcast {

class Network;

/// Receives the arrivals of one partition of a network, which never learns what the probe does with
/// them.
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

/// A read-only observer of a network, called between cycles. Runs without observers pay nothing.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The cycle before which it looks next; kNever: it has seen enough.
  virtual Cycle next() const = 0;
  /// Called when network.now() is next().
  virtual void look(const Network& network) = 0;
};

}  // namespace flitcast
