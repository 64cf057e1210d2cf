// SPDX-License-Identifier: Apache-2.0
#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "router/invariant.h"
#include "support/test_catch.h"

namespace {

using namespace flitcast;

NetworkParams params_with(unsigned threads, bool whole_packets) {
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 6;
  params.router.whole_packet_credit = whole_packets;
  params.threads = threads;
  return params;
}

/// Returns a network in the middle of a run, with flits and credits everywhere.
FabricRun busy_run(const RoutedNetwork& network, const NetworkParams& params) {
  FabricRun run("fabric", network, params, {200, 5, 3});
  run.fabric->run(150);
  return run;
}

/// Returns the first input VC that holds a flit.
InputVc& occupied_vc(Fabric& fabric) {
  for (std::uint32_t r = 0;; ++r) {
    RouterState& state = *fabric.router_node(RouterId{r}).state;
    for (unsigned i = 0; i < state.vc_index(state.input_ports, 0); ++i) {
      if (state.inputs[i].count > 0) return state.inputs[i];
    }
  }
}

/// Checks that the audit finds one credit too few and one too many, and nothing else.
void check_accounts(const Inspection& inspection, std::uint16_t& credits) {
  const std::uint16_t right = credits;
  for (const int change : {-1, 1}) {
    credits = static_cast<std::uint16_t>(right + change);
    CHECK_THROWS_AS(audit(inspection), InvariantError);
  }
  credits = right;
  CHECK_NOTHROW(audit(inspection));
}

}  // namespace

TEST_CASE("the accounts of a sound network balance in every cycle", "[network]") {
  const RoutedNetwork network = mesh_network({3, 4}, 2);
  const unsigned threads = GENERATE(1U, 3U);
  const bool whole_packets = GENERATE(false, true);
  FabricRun run("fabric", network, params_with(threads, whole_packets), {40, 5, 3});
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  for (int cycle = 0; cycle < 300; ++cycle) {
    run.fabric->run(1);
    REQUIRE_NOTHROW(audit(inspection));
  }
}

TEST_CASE("a lost flit, a lost credit and a credit too many do not pass the audit", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const FabricRun run = busy_run(network, params_with(1, false));
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  REQUIRE_NOTHROW(audit(inspection));

  InputVc& vc = occupied_vc(*run.fabric);
  --vc.count;
  CHECK_THROWS_AS(audit(inspection), InvariantError);
  ++vc.count;
  RouterState& state = *run.fabric->router_node(RouterId{4}).state;
  check_accounts(inspection, state.outputs[state.vc_index(0, 1)].credits);
  CHECK_NOTHROW(audit(inspection));
}

TEST_CASE("a credit too few or too many between a router and a node does not pass the audit",
          "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const FabricRun run = busy_run(network, params_with(1, false));
  const auto inspected = run.fabric->inspection();
  const Inspection& inspection = *inspected;
  REQUIRE_NOTHROW(audit(inspection));
  for (std::uint32_t node = 0; node < 9; ++node) {
    const Endpoint ejection = network.topology->attachment(NodeId{node}).ejection;
    RouterState& state = *run.fabric->router_node(ejection.router).state;
    for (unsigned vc = 0; vc < 2; ++vc) {
      INFO("node " << node << ", VC " << vc);
      check_accounts(inspection, state.outputs[state.vc_index(index(ejection.port), vc)].credits);
      check_accounts(inspection, run.fabric->node_interface(NodeId{node}).outputs[vc].credits);
    }
  }
}

TEST_CASE("a packet whose record is gone does not pass the audit", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 2);
  const FabricRun run = busy_run(network, params_with(1, false));
  PacketStore& packets = run.fabric->partitions().all().front()->packets();
  packets.arrived(packets.add({}));
  CHECK_NOTHROW(audit(*run.fabric->inspection()));
  packets.add({});
  CHECK_THROWS_AS(audit(*run.fabric->inspection()), InvariantError);
}
