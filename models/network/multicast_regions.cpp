// SPDX-License-Identifier: Apache-2.0
#include "network/make_regions.h"
#include "router/multicast_core.h"

namespace flitcast {

RegionMaker multicast_regions(unsigned words) { return maker_of<MulticastCore>(words); }

}  // namespace flitcast
