// SPDX-License-Identifier: Apache-2.0
#include "network/pins/wormhole_router.h"

namespace flitcast::pins {

template class CoreRouter<WormholeCore<1>>;

}  // namespace flitcast::pins
