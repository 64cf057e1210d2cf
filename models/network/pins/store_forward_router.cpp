// SPDX-License-Identifier: Apache-2.0
#include "network/pins/store_forward_router.h"

namespace flitcast::pins {

template class CoreRouter<StoreForwardCore<1>>;

}  // namespace flitcast::pins
