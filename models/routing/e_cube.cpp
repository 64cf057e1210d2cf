// SPDX-License-Identifier: Apache-2.0
#include "routing/e_cube.h"

#include <algorithm>
#include <numeric>

#include "base/sequences.h"
#include "routing/catalog.h"

namespace flitcast {

// Routers are numbered like their nodes.
Route ECube::route(const RouteRequest& request) const {
  const std::uint32_t differing = index(request.router) ^ index(request.destination);
  if (differing == 0) return {local_, all_};
  const int bit = order_ == Order::kMostSignificantFirst ? 31 - __builtin_clz(differing)
                                                         : __builtin_ctz(differing);
  return {to_id<PortId>(bit), all_};
}

DigitECube::DigitECube(const GeneralisedHypercube& cube, ECube::Order order,
                       std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)), local_(cube.local()) {
  std::vector<std::size_t> dimensions = numbers(cube.dimensions());
  if (order == ECube::Order::kMostSignificantFirst) {
    std::reverse(dimensions.begin(), dimensions.end());
  }
  for (const std::size_t d : dimensions) {
    order_.push_back(
        {static_cast<std::uint32_t>(cube.size(d)), static_cast<std::uint32_t>(cube.first_port(d))});
  }
  for (std::size_t node = 0; node < cube.node_count(); ++node) {
    for (const std::size_t d : dimensions) {
      digits_.push_back(static_cast<std::uint32_t>(node / cube.stride(d) % cube.size(d)));
    }
  }
}

// Routers are numbered like their nodes.
Route DigitECube::route(const RouteRequest& request) const {
  const std::size_t dimensions = order_.size();
  const std::uint32_t* here = &digits_[index(request.router) * dimensions];
  const std::uint32_t* there = &digits_[index(request.destination) * dimensions];
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (here[i] == there[i]) continue;
    const std::uint32_t ahead = there[i] - here[i] + (there[i] < here[i] ? order_[i].size : 0);
    return {to_id<PortId>(order_[i].first_port + ahead - 1), all_};
  }
  return {local_, all_};
}

namespace {

std::unique_ptr<Routing> make_e_cube(const Section& section, const RoutingContext& context) {
  const auto order = section.text("order") == "lsb" ? ECube::Order::kLeastSignificantFirst
                                                    : ECube::Order::kMostSignificantFirst;
  const Topology& topology = context.topology;
  if (const auto* cube = topology_as<Hypercube>(topology)) {
    return std::make_unique<ECube>(*cube, order, context.virtual_channels);
  }
  return std::make_unique<DigitECube>(*topology_as<GeneralisedHypercube>(topology), order,
                                      context.virtual_channels);
}

}  // namespace

RoutingEntry e_cube_routing() {
  RoutingEntry entry{
      kECube,
      "On hypercubes and flattened butterflies: correct the differing bits or digits in a fixed "
      "order. 1 VC.",
      {Param::choice("order",
                     "The bit, or digit, to correct first: most or least significant, which is "
                     "that of the highest dimension or of dimension 0.",
                     {"msb", "lsb"})},
      accepts<Hypercube, GeneralisedHypercube>(),
      make_e_cube};
  entry.is_dimension_ordered = true;
  return entry;
}

}  // namespace flitcast
