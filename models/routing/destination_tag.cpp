// SPDX-License-Identifier: Apache-2.0
#include "routing/destination_tag.h"

#include "routing/catalog.h"

namespace flitcast {

DestinationTag::DestinationTag(const Butterfly& butterfly, std::size_t virtual_channels)
    : stages_(butterfly.stages()),
      digits_(butterfly.node_count() * butterfly.stages()),
      all_(vc_range(0, virtual_channels)) {
  for (std::size_t router = 0; router < butterfly.router_count(); ++router) {
    stage_of_.push_back(static_cast<std::uint8_t>(router / butterfly.routers_per_stage()));
  }
  for (std::size_t node = 0; node < butterfly.node_count(); ++node) {
    std::size_t digits = node;
    for (std::size_t stage = stages_; stage-- > 0; digits /= butterfly.arity()) {
      digits_[node * stages_ + stage] = static_cast<std::uint8_t>(digits % butterfly.arity());
    }
  }
}

Route DestinationTag::route(const RouteRequest& request) const {
  const std::size_t stage = stage_of_[index(request.router)];
  return {PortId{digits_[index(request.destination) * stages_ + stage]}, all_};
}

RoutingEntry destination_tag_routing() {
  return {"destination_tag",
          "On butterflies: each stage follows one digit of the destination. 1 VC.",
          {},
          accepts<Butterfly>(),
          [](const Section&, const RoutingContext& context) -> std::unique_ptr<Routing> {
            return std::make_unique<DestinationTag>(context.on<Butterfly>(),
                                                    context.virtual_channels);
          }};
}

}  // namespace flitcast
