// SPDX-License-Identifier: Apache-2.0
#include "network/catalog.h"

namespace flitcast {

Catalog<RouterEntry>& routers() {
  static Catalog<RouterEntry> catalog{wormhole_router(), virtual_cut_through_router(),
                                      store_and_forward_router(), circuit_router()};
  return catalog;
}

const RouterEntry& router_of(const Configuration& configuration) {
  return *find(routers(), configuration.section("router").text("kind"));
}

}  // namespace flitcast
