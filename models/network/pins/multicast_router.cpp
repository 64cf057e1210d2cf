// SPDX-License-Identifier: Apache-2.0
#include "network/pins/multicast_router.h"

namespace flitcast::pins {

template class CoreRouter<MulticastCore<1>>;

}  // namespace flitcast::pins
