// SPDX-License-Identifier: Apache-2.0
#include "network/network_counts.h"

#include <nlohmann/json.hpp>

#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"

using namespace flitcast;

TEST_CASE("figures of a fabric with terminals are the flits of its packets on their links",
          "[network]") {
  const RoutedNetwork network = mesh_network({4}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.cycles_per_flit = 2;
  Fabric fabric("fabric", *network.topology, *network.routing, params);
  const auto figures = [&](const NetworkCounts& before) {
    ordered_json result;
    write_network_figures(counts_of(fabric, *network.topology) - before, *network.topology, params,
                          result);
    return result;
  };
  fabric.terminal(NodeId{0}).send({NodeId{2}, 5});
  sc_core::sc_start(100, sc_core::SC_NS);
  const NetworkCounts first = counts_of(fabric, *network.topology);
  const ordered_json one = figures({});
  CHECK(one["cycles"] == 100);
  CHECK(one["packets"] == 1);
  CHECK(one["flit_hops"] == 3 * 5);
  CHECK_FALSE(one.contains("hops"));
  for (const ordered_json& link : one["links"]) {
    const bool used = link["to"] == link["from"].get<int>() + 1 && link["to"] <= 2;
    CHECK(link["flits"] == (used ? 5 : 0));
    CHECK(link["load"] == Approx(used ? 0.1 : 0));  // Each flit takes two cycles.
  }
  fabric.terminal(NodeId{3}).send({NodeId{0}, 1});
  sc_core::sc_start(50, sc_core::SC_NS);
  const ordered_json two = figures(first);
  CHECK(two["cycles"] == 50);
  CHECK(two["packets"] == 1);
  CHECK(two["flit_hops"] == 4);
}
