// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/router_broadcast.h"

#include <stdexcept>

namespace flitcast {
namespace {

VcSet all_of(std::size_t virtual_channels) {
  if (virtual_channels < 1 || virtual_channels > kMaxVirtualChannels) {
    throw std::invalid_argument("a port has 1 to kMaxVirtualChannels virtual channels");
  }
  return vc_range(0, virtual_channels);
}

}  // namespace

RouterBroadcast::RouterBroadcast(PortId local, std::size_t virtual_channels)
    : local_(local), all_(all_of(virtual_channels)) {}

void RouterBroadcast::branches(const RouteRequest& request, Branches& branches) const {
  RouteRequest at = request;
  if (index(at.input) >= index(local_)) {
    at.input = local_;
  } else {
    branches.add({local_, all_, 0});
  }
  pass_on(at, branches);
}

Route RouterBroadcast::route(const RouteRequest&) const {
  throw std::logic_error("a broadcast by routers gives sets of outputs: ask branches()");
}

}  // namespace flitcast
