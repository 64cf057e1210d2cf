// SPDX-License-Identifier: Apache-2.0
#include <systemc>

#include "network/fabric/views.h"
#include "network/fabric_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

template <class Module>
Module* find_module(const char* name) {
  return dynamic_cast<Module*>(sc_core::sc_find_object(name));
}

}  // namespace

TEST_CASE("routers, buffers, crossbars, links and terminals have their names", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  const FabricRun run("fabric", network, params, {});
  CHECK(find_module<KernelDriver>("fabric.driver") != nullptr);
  CHECK(find_module<Router>("fabric.router_8") != nullptr);
  CHECK(find_module<FlitBuffer>("fabric.router_3.input_4") != nullptr);
  CHECK(find_module<Crossbar>("fabric.router_3.crossbar") != nullptr);
  CHECK(find_module<Link>("fabric.link_23") != nullptr);
  CHECK(find_module<Terminal>("fabric.terminal_8") != nullptr);
  CHECK(sc_core::sc_find_object("fabric.router_9") == nullptr);
  CHECK(sc_core::sc_find_object("fabric.link_24") == nullptr);
  CHECK(sc_core::sc_find_object("fabric.router_3.input_5") == nullptr);
}

TEST_CASE("the flat hierarchy has routers and terminals only", "[network]") {
  const RoutedNetwork network = mesh_network({2, 2}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.full_hierarchy = false;
  const FabricRun run("fabric", network, params, {});
  CHECK(find_module<Router>("fabric.router_3") != nullptr);
  CHECK(find_module<Terminal>("fabric.terminal_3") != nullptr);
  CHECK(sc_core::sc_find_object("fabric.router_3.crossbar") == nullptr);
  CHECK(sc_core::sc_find_object("fabric.link_0") == nullptr);
}

TEST_CASE("without modules there is the driver only, but terminals in lockstep", "[network]") {
  const RoutedNetwork network = mesh_network({2, 2}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.modules = false;
  const FabricRun run("fabric", network, params, {});
  CHECK(find_module<KernelDriver>("fabric.driver") != nullptr);
  CHECK(sc_core::sc_find_object("fabric.router_0") == nullptr);
  CHECK(sc_core::sc_find_object("fabric.terminal_0") == nullptr);
  CHECK(sc_core::sc_find_object("fabric.link_0") == nullptr);
  CHECK_THROWS_AS(run.fabric->terminal(NodeId{0}), std::logic_error);
  Fabric lockstep("lockstep", *network.topology, *network.routing, params);
  CHECK(lockstep.terminal(NodeId{3}).node() == NodeId{3});
}

TEST_CASE("a router behind pins keeps its place in the hierarchy", "[network]") {
  const RoutedNetwork network = mesh_network({2, 2}, 2);
  NetworkParams params;
  params.router.virtual_channels = 2;
  const FabricRun run("fabric", network, params, {}, {pins_slot(network, 2)});
  CHECK(find_module<pins::WormholeRouter>("fabric.bridge_2.router") != nullptr);
}

// A packet of 20 flits crosses one slow link: the views count the flits that have moved and those
// that wait.
TEST_CASE("views show what the arenas hold", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 1);
  NetworkParams params;
  params.router.virtual_channels = 1;
  params.router.buffer_depth = 6;
  params.cycles_per_flit = 50;
  ScriptSource source(2);
  source.add(Cycle{0}, NodeId{0}, {NodeId{1}, 20, 0});
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  fabric.run(40);  // The head has crossed; the other flits wait for the channel.
  const Router& first = *find_module<Router>("fabric.router_0");
  const auto& buffer = *find_module<FlitBuffer>("fabric.router_0.input_2");
  const auto& crossbar = *find_module<Crossbar>("fabric.router_0.crossbar");
  CHECK(first.occupancy() == 6);
  CHECK(buffer.capacity() == 6);
  CHECK(buffer.occupancy(VcId{0}) == 6);
  CHECK(buffer.front(VcId{0}).remaining == 18);
  CHECK(crossbar.held(PortId{0}, VcId{0}));
  CHECK_FALSE(crossbar.held(PortId{2}, VcId{0}));
  CHECK(first.credits(PortId{0}, VcId{0}) == 6);  // The head's credit has returned.
  CHECK(find_module<Link>("fabric.link_0")->flits() + find_module<Link>("fabric.link_1")->flits() ==
        1);
  CHECK(find_module<Terminal>("fabric.terminal_0")->flits_sent() == 7);
}
