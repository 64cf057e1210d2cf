// SPDX-License-Identifier: Apache-2.0
#include "routing/multistage_routing.h"

#include "routing/catalog.h"

namespace flitcast {

DestinationTag::DestinationTag(const Butterfly& butterfly, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)),
      stages_(butterfly.stages()),
      digits_(butterfly.node_count() * butterfly.stages()) {
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

MiddleSpread::MiddleSpread(const Clos& clos, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)), switches_(clos.router_count()) {
  enter(clos.network(), 1);
}

void MiddleSpread::enter(const Clos::Network& network, std::uint32_t divisor) {
  const std::uint32_t n = network.level().n1;
  const std::uint32_t m = network.level().m;
  for (std::uint32_t i = 0; i < network.level().r1; ++i) {
    switches_[index(network.input_switch(i))] = {Stage::kInput, i, m, divisor, n};
    switches_[index(network.output_switch(i))] = {Stage::kOutput, i, n, divisor, n};
  }
  for (std::uint32_t j = 0; j < m; ++j) {
    if (network.nested()) {
      enter(network.middle_network(j), divisor * n);
    } else {
      switches_[index(network.middle_switch(j))] = {Stage::kMiddle, j, 1, divisor, n};
    }
  }
}

Route MiddleSpread::route(const RouteRequest& request) const {
  const Switch& at = switches_[index(request.router)];
  const std::uint32_t port = index(request.destination) / at.divisor;
  std::uint32_t output = port % at.choices;
  if (at.stage == Stage::kMiddle) output = port / at.ports;
  if (at.stage == Stage::kInput) output = (index(request.input) + at.number + port) % at.choices;
  return {to_id<PortId>(output), all_};
}

std::vector<RoutingEntry> multistage_routings() {
  return {{kDestinationTag,
           "On butterflies: each stage follows one digit of the destination. 1 VC.",
           {},
           accepts<Butterfly>(),
           make_on<DestinationTag, Butterfly>},
          {"middle_spread",
           "On Clos networks: the middle switch follows from source port and destination. 1 VC.",
           {},
           accepts<Clos>(),
           make_on<MiddleSpread, Clos>}};
}

}  // namespace flitcast
