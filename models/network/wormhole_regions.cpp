// SPDX-License-Identifier: Apache-2.0
#include "network/make_regions.h"
#include "router/wormhole_core.h"

namespace flitcast {

RegionMaker wormhole_regions(unsigned words) { return maker_of<WormholeCore>(words); }

}  // namespace flitcast
