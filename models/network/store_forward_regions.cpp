// SPDX-License-Identifier: Apache-2.0
#include "network/make_regions.h"
#include "router/store_forward_core.h"

namespace flitcast {

RegionMaker store_forward_regions(unsigned words) { return maker_of<StoreForwardCore>(words); }

}  // namespace flitcast
