// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "network/router_entry.h"

namespace flitcast {

RouterEntry wormhole_router();

// Virtual cut-through uses the wormhole cores with heads that wait for credits for their whole
// packet.
RouterEntry virtual_cut_through_router() {
  RouterEntry entry = wormhole_router();
  entry.name = "virtual_cut_through";
  entry.summary = "A head moves on as soon as the next buffer has space for its whole packet.";
  entry.configure = [](const Section& router, const RouterContext& context, NetworkParams& params) {
    wormhole_router().configure(router, context, params);
    params.router.whole_packet_credit = true;
  };
  return entry;
}

}  // namespace flitcast
