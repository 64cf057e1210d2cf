// SPDX-License-Identifier: Apache-2.0
#include "network/flight_times.h"

#include "network/networks.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Calls visit(least, alone) for all pairs of nodes and some lengths: FlightTimes::least() and the
/// latency of the packet alone over its route.
template <class Visit>
void for_each_flight(const RoutedNetwork& network, const NetworkParams& params, Visit&& visit) {
  FlightTimes times(*network.topology, params);
  const auto nodes = static_cast<std::uint32_t>(network.topology->node_count());
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      for (const std::uint32_t length : {1U, 5U, 40U}) {
        visit(times.least(NodeId{from}, NodeId{to}, length),
              zero_load_latency(network, params, NodeId{from}, NodeId{to}, length));
      }
    }
  }
}

}  // namespace

TEST_CASE("a packet alone takes its least time where channels are alike and routes are minimal",
          "[network]") {
  NetworkParams params;
  params.link_latency = 3;
  params.startup = 7;
  params.router.pipeline.route = 2;
  params.router.options.speculation = GENERATE(false, true);
  for_each_flight(mesh_network({3, 4}, 2), params,
                  [](auto least, auto alone) { CHECK(least == alone); });
}

TEST_CASE("in networks of every family the least time is at most that over the route",
          "[network]") {
  for (const RoutedNetworkMaker& make : small_networks()) {
    for_each_flight(make(4), {}, [](auto least, auto alone) { CHECK(least <= alone); });
  }
}
