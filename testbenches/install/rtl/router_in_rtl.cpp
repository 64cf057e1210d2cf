// SPDX-License-Identifier: Apache-2.0
// A mesh in which one router comes from RTL, beside the same mesh of models alone.
#include <Vrtl_router.h>  // Verilator's header does not compile after SystemC's.
#include <flitcast/fabric.h>
#include <flitcast/rtl.h>

#include <iostream>

int sc_main(int, char*[]) {
  using namespace flitcast;
  const Grid topology = mesh({4, 4});
  const DimensionOrder routing(topology, {});
  NetworkParams params;
  params.router.virtual_channels = 2;
  Fabric models("models", topology, routing, params);
  Fabric mixed("mixed", topology, routing, params, {},
               {pins::verilated_slot<Vrtl_router>(RouterId{5}, routing, {4, 4})});
  for (Fabric* fabric : {&models, &mixed}) {
    for (const NodeId node : topology.nodes()) fabric->terminal(node).listen();
    for (std::uint32_t packet = 0; packet < 240; ++packet) {
      fabric->terminal(NodeId{packet % 16}).send({NodeId{(packet + packet / 16 + 1) % 16}, 5});
    }
  }
  sc_core::sc_start(1000, sc_core::SC_NS);
  unsigned same = 0;
  Arrival one, other;
  for (const NodeId node : topology.nodes()) {
    while (models.terminal(node).nb_get(one) && mixed.terminal(node).nb_get(other)) {
      same += one.packet.id == other.packet.id && one.arrival == other.arrival;
    }
  }
  std::cout << same << " of 240 packets arrive at the same time\n";
  return 0;
}
