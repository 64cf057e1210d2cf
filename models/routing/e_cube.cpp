// SPDX-License-Identifier: Apache-2.0
#include "routing/e_cube.h"

#include "routing/catalog.h"

namespace flitcast {

// Routers are numbered like their nodes.
Route ECube::route(const RouteRequest& request) const {
  const std::uint32_t differing = index(request.router) ^ index(request.destination);
  if (differing == 0) return {local_, all_};
  const int bit = order_ == Order::kMostSignificantFirst ? 31 - __builtin_clz(differing)
                                                         : __builtin_ctz(differing);
  return {PortId{static_cast<std::uint16_t>(bit)}, all_};
}

RoutingEntry e_cube_routing() {
  return {"e_cube",
          "On hypercubes: correct the differing bits in a fixed order. 1 VC.",
          {Param::choice("order", "The bit to correct first: most or least significant.",
                         {"msb", "lsb"})},
          accepts<Hypercube>(),
          [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
            const auto order = section.text("order") == "lsb" ? ECube::Order::kLeastSignificantFirst
                                                              : ECube::Order::kMostSignificantFirst;
            return std::make_unique<ECube>(dynamic_cast<const Hypercube&>(context.topology), order,
                                           context.virtual_channels);
          }};
}

}  // namespace flitcast
