// SPDX-License-Identifier: Apache-2.0
#include "network/pins/core_router.h"

namespace flitcast::pins {

template class CoreRouter<WormholeCore<1>>;
template class CoreRouter<WormholeCore<2>>;
template class CoreRouter<AdaptiveCore<1>>;
template class CoreRouter<AdaptiveCore<2>>;
template class CoreRouter<MulticastCore<1>>;
template class CoreRouter<MulticastCore<2>>;
template class CoreRouter<StoreForwardCore<1>>;
template class CoreRouter<StoreForwardCore<2>>;

}  // namespace flitcast::pins
