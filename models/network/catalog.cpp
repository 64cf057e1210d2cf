// SPDX-License-Identifier: Apache-2.0
#include "network/router_entry.h"

namespace flitcast {

// Each kind of router is defined in the file of the same name.
RouterEntry wormhole_router();
RouterEntry virtual_cut_through_router();
RouterEntry store_and_forward_router();
RouterEntry circuit_router();

Catalog<RouterEntry>& routers() {
  static Catalog<RouterEntry> catalog{wormhole_router(), virtual_cut_through_router(),
                                      store_and_forward_router(), circuit_router()};
  return catalog;
}

const RouterEntry& router_of(const Configuration& configuration) {
  return *find(routers(), configuration.section("router").text("kind"));
}

}  // namespace flitcast
