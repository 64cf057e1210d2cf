// SPDX-License-Identifier: Apache-2.0
// A program elsewhere that links flitcast and compiles with warnings of its own: the conversion
// below breaks flitcast's warnings, which must not reach it.
#include <flitcast/routing.h>
#include <flitcast/topology.h>

#include <iostream>

int main() {
  using namespace flitcast;
  const TopologyEntry& torus = *topologies().find("torus");
  const auto topology = torus.make(example_of(torus, "topology.kind", "sizes: [4, 4]"));
  const RoutingEntry& xy = *routings().find("dimension_order");
  const auto routing = make_routing(example_of(xy, "routing.kind", ""), {*topology, 2});
  const int ties = routing->tie_dimensions();
  std::cout << topology->name() << ", " << ties << " dimensions with ties\n";
}
