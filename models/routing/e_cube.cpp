// SPDX-License-Identifier: Apache-2.0
#include "routing/e_cube.h"

namespace flitcast {

// Routers are numbered like their nodes.
Route ECube::route(const RouteRequest& request) const {
  const std::uint32_t differing = index(request.router) ^ index(request.destination);
  if (differing == 0) return {local_, all_};
  const int bit = order_ == Order::kMostSignificantFirst ? 31 - __builtin_clz(differing)
                                                         : __builtin_ctz(differing);
  return {PortId{static_cast<std::uint16_t>(bit)}, all_};
}

}  // namespace flitcast
