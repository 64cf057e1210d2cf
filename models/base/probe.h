// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "base/packet.h"

namespace flitcast {

class Network;

/// Receives the arrivals of one partition of a network.
///
/// A partition makes its calls from one thread at a time, in an order that depends on the
/// partition: the results of a probe must not depend on the order (sums, histograms, sets sorted
/// before printing).
class Probe {
 public:
  virtual ~Probe() = default;

  /// Called when a packet's tail has arrived at its destination.
  virtual void delivered(const Delivery& delivery) = 0;
  /// Called when the network drops a packet before any copy of it arrives.
  virtual void dropped(const Packet& packet) { static_cast<void>(packet); }
};

/// A read-only observer of a network, called between cycles. Runs without observers pay nothing.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The cycle before which to call look(); kNever if the observer is done.
  virtual Cycle next() const = 0;
  /// Called when network.now() is next().
  virtual void look(const Network& network) = 0;
};

}  // namespace flitcast
