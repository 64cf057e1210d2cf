// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "network/network.h"

namespace flitcast {

/// Looks at a network between two of its cycles, and changes nothing there. A run without any costs
/// nothing.
class Observer {
 public:
  virtual ~Observer() = default;

  /// The cycle before which it looks next; kNever: it has seen enough.
  virtual Cycle next() const = 0;
  /// When network.now() is next().
  virtual void look(const Network& network) = 0;
};

}  // namespace flitcast
