// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/pins/core_router.h"
#include "router/multicast_core.h"

namespace flitcast::pins {

extern template class CoreRouter<MulticastCore<1>>;

/// The core that copies packets to several outputs, behind pins; Routing::branches() decides. A
/// credit stands for a flit, and goes back when the last copy of the flit is granted.
class MulticastRouter : public CoreRouter<MulticastCore<1>> {
 public:
  using CoreRouter::CoreRouter;
};

}  // namespace flitcast::pins
