// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/pins/core_router.h"
#include "router/wormhole_core.h"

namespace flitcast::pins {

extern template class CoreRouter<WormholeCore<1>>;

/// The wormhole core, which also does virtual cut-through, behind pins. A credit stands for a flit.
class WormholeRouter : public CoreRouter<WormholeCore<1>> {
 public:
  using CoreRouter::CoreRouter;
};

}  // namespace flitcast::pins
