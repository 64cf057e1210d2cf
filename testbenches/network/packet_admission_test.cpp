// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/packet_admission.h"

#include <map>
#include <memory>
#include <set>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "network/check/inspection.h"
#include "network/fabric/fabric.h"
#include "network/random_multicasts.h"
#include "network/sources.h"
#include "router/invariant.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

enum class Copies { kAsynchronous, kSynchronous, kStored };

NetworkParams params_of(Copies copies) {
  NetworkParams params;
  params.router.virtual_channels = 1;
  params.router.synchronous_copies = copies == Copies::kSynchronous;
  if (copies == Copies::kStored) params.cores = &packet_cores();
  params.router.buffer_depth = copies == Copies::kStored ? 2 : 8;
  params.stored_injection = copies == Copies::kStored;
  params.full_hierarchy = false;
  return params;
}

clos::StrategyFactory strategy(const std::string& name) {
  return [name](const clos::Structure& structure, unsigned) {
    return find(clos::strategies(), name)->make({structure, 0, 1});
  };
}

/// A Clos network under central control, with its traffic.
struct ClosRun {
  ClosRun(std::vector<Clos::Level> levels, std::size_t switches, NetworkParams network_params,
          const std::string& strategy_name = "S1")
      : topology(std::move(levels), switches),
        groups(topology.node_count()),
        control(std::make_shared<PacketAdmission>(topology, groups, strategy(strategy_name),
                                                  std::vector<clos::AdmissionParams>{},
                                                  network_params.router.virtual_channels)),
        script(topology.node_count()) {
    params = std::move(network_params);
    params.admission = control;
  }

  void build(PacketSource& source) {
    fabric = std::make_unique<Fabric>(sc_core::sc_gen_unique_name("fabric"), topology, *control,
                                      source, params, std::vector<Probe*>{&recorder});
  }
  /// Runs until this number of deliveries has been made, or for `most` cycles.
  void run(std::size_t deliveries, std::uint64_t most = 200000) {
    while (recorder.deliveries.size() < deliveries && index(fabric->now()) < most) fabric->run(50);
    fabric->run(50);  // The last credits return.
  }

  Clos topology;
  DestinationGroups groups;
  std::shared_ptr<PacketAdmission> control;
  ScriptSource script;
  NetworkParams params;
  Recorder recorder;
  std::unique_ptr<Fabric> fabric;
};

PacketRequest request(NodeId group, std::size_t receivers, std::uint32_t length) {
  PacketRequest request;
  request.destination = group;
  request.receivers = static_cast<std::uint32_t>(receivers);
  request.length = length;
  return request;
}

// Schedules one packet from every node to every set of nodes, one at a time and far apart; returns
// the number of deliveries.
std::size_t script_every_set(ClosRun& run, std::uint32_t length) {
  const std::size_t nodes = run.topology.node_count();
  std::uint64_t cycle = 0;
  std::size_t deliveries = 0;
  for (std::uint32_t source = 0; source < nodes; ++source) {
    for (std::uint32_t set = 1; set < 1U << nodes; ++set) {
      std::vector<NodeId> members;
      for (std::uint32_t node = 0; node < nodes; ++node) {
        if ((set >> node & 1) != 0) members.push_back(NodeId{node});
      }
      deliveries += members.size();
      const std::size_t receivers = members.size();
      const NodeId group = run.groups.add(std::move(members));
      run.script.add(Cycle{cycle += 100}, NodeId{source}, request(group, receivers, length));
    }
  }
  return deliveries;
}

}  // namespace

TEST_CASE("an unloaded packet reaches all of its receivers after three hops and its length",
          "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const std::uint32_t length = GENERATE(1U, 5U);
  const bool five_stages = GENERATE(false, true);
  ClosRun run(
      five_stages ? std::vector<Clos::Level>{{1, 3}, {2, 4}} : std::vector<Clos::Level>{{2, 3}}, 2,
      params_of(copies));
  const std::size_t deliveries = script_every_set(run, length);
  run.build(run.script);
  run.run(deliveries);
  REQUIRE(run.recorder.deliveries.size() == deliveries);
  const std::uint64_t hop = hop_cycles(run.params);
  const std::uint64_t stages = five_stages ? 5 : 3;
  const std::uint64_t expected =
      copies == Copies::kStored ? stages * (hop + length) + 1 : stages * hop + length + 1;
  for (const Delivery& delivery : run.recorder.deliveries) {
    REQUIRE(delivery.arrival - delivery.packet.created == expected);
    REQUIRE(delivery.hops == stages);
  }
}

TEST_CASE("every copy of every packet arrives once, whatever the switching and the strategy",
          "[network]") {
  const Copies copies = GENERATE(Copies::kAsynchronous, Copies::kSynchronous, Copies::kStored);
  const std::uint32_t middles = GENERATE(2U, 5U, 9U);  // Too few, and the number of Theorem 3.
  const std::string name = GENERATE("S1", "FF", "S3");
  NetworkParams params = params_of(copies);
  params.cycles_per_flit = GENERATE(1U, 3U);
  ClosRun run({{3, middles}}, 4, std::move(params), name);
  RandomMulticasts source(run.groups, {7, 30, 3, 9, 4});
  run.build(source);
  run.run(~std::size_t{0}, 20000);
  REQUIRE(run.recorder.deliveries.size() == source.deliveries());
  std::map<PacketId, std::set<NodeId>> served;
  for (const Delivery& delivery : run.recorder.deliveries) {
    CHECK(served[delivery.packet.id].insert(delivery.node).second);
    const auto& members = run.groups.members(delivery.packet.destination);
    CHECK(std::find(members.begin(), members.end(), delivery.node) != members.end());
  }
  CHECK(served.size() == 12 * 30);
  CHECK(run.control->totals().admitted == 12 * 30);
  CHECK(run.control->control().state().idle_inputs().count() == 12);
  CHECK_NOTHROW(audit(*run.fabric->inspection()));
  if (middles == 9 && name == "S1") CHECK(run.control->totals().waited_for_path == 0);
  if (middles == 2) CHECK(run.control->totals().waited_for_path > 0);
}

TEST_CASE("deliveries change with neither sleeping nor the number of threads", "[network]") {
  std::vector<std::unique_ptr<ClosRun>> runs;
  std::vector<std::unique_ptr<RandomMulticasts>> sources;
  for (const auto& [sleep, threads] : {std::pair(true, 1U), {false, 1U}, {true, 2U}}) {
    NetworkParams params = params_of(Copies::kAsynchronous);
    params.sleep = sleep;
    params.threads = threads;
    runs.push_back(std::make_unique<ClosRun>(std::vector<Clos::Level>{{3, 4}}, 3, params));
    sources.push_back(std::make_unique<RandomMulticasts>(
        runs.back()->groups, RandomMulticasts::Params{5, 20, 5, 6, 10}));
    runs.back()->build(*sources.back());
  }
  for (const auto& run : runs) run->fabric->run(20000);
  const std::vector<Delivery>& first = runs[0]->recorder.deliveries;
  REQUIRE(first.size() == sources[0]->deliveries());
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const std::vector<Delivery>& other = runs[r]->recorder.deliveries;
    REQUIRE(other.size() == first.size());
    for (std::size_t d = 0; d < first.size(); ++d) {
      REQUIRE(first[d].packet.id == other[d].packet.id);
      REQUIRE(first[d].node == other[d].node);
      REQUIRE(first[d].arrival == other[d].arrival);
    }
  }
}

TEST_CASE("a packet whose receivers are not its group's members stops the run", "[network]") {
  ClosRun run({{2, 3}}, 2, params_of(Copies::kAsynchronous));
  run.script.add(Cycle{0}, NodeId{0}, request(run.groups.add({NodeId{1}, NodeId{2}}), 3, 1));
  run.build(run.script);
  CHECK_THROWS_AS(run.fabric->run(10), InvariantError);
}

// Copies arrive at nodes 1 and 4. In the cycle in which node 4 ends its packet, node 3 requests one
// of the outputs before the release is processed, and node 5 requests the other one after it.
TEST_CASE("outputs given back serve askers on both sides of the giver in the same cycle",
          "[network]") {
  ClosRun run({{3, 9}}, 3, params_of(Copies::kAsynchronous));
  const NodeId both = run.groups.add({NodeId{1}, NodeId{4}});
  constexpr std::uint64_t kTrials = 30;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const Cycle begin{100 * trial};
    const Cycle asked = begin + 1 + trial;
    run.script.add(begin, NodeId{4}, request(both, 2, 3));
    run.script.add(asked, NodeId{3}, request(NodeId{1}, 1, 3));
    run.script.add(asked, NodeId{5}, request(NodeId{4}, 1, 3));
  }
  run.build(run.script);
  run.run(4 * kTrials);
  REQUIRE(run.recorder.deliveries.size() == 4 * kTrials);
  std::map<std::pair<NodeId, std::uint64_t>, Cycle> entered;  // By source and trial.
  for (const Delivery& delivery : run.recorder.deliveries) {
    const Packet& packet = delivery.packet;
    entered[{packet.source, index(packet.created) / 100}] = packet.injected;
  }
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    CHECK(entered[{NodeId{3}, trial}] == entered[{NodeId{5}, trial}]);
  }
  const std::uint64_t waited = run.control->totals().waited_for_outputs;
  CHECK(waited > 10);
  CHECK(waited < 2 * kTrials);  // Some trials request after the end.
}

// All nodes share one middle switch. Node 3 waits for the output that node 0 holds; when it gets
// the output, node 2 still holds its link to the middle switch.
TEST_CASE("a packet that gets its outputs but no path yet has waited for both", "[network]") {
  ClosRun run({{2, 1}}, 2, params_of(Copies::kAsynchronous));
  run.script.add(Cycle{0}, NodeId{0}, request(NodeId{3}, 1, 5));
  run.script.add(Cycle{0}, NodeId{2}, request(NodeId{1}, 1, 60));
  run.script.add(Cycle{3}, NodeId{3}, request(NodeId{3}, 1, 1));
  run.build(run.script);
  run.run(3);
  REQUIRE(run.recorder.deliveries.size() == 3);
  CHECK(run.control->totals().waited_for_outputs == 1);
  CHECK(run.control->totals().waited_for_path == 1);
}

TEST_CASE("a packet to an unknown group stops the run", "[network]") {
  ClosRun run({{2, 3}}, 2, params_of(Copies::kAsynchronous));
  const NodeId removed = run.groups.add({NodeId{1}, NodeId{2}});
  run.groups.remove(removed);
  const NodeId unknown{index(removed) + GENERATE(0U, 1U)};  // Removed, or never assigned.
  run.script.add(Cycle{0}, NodeId{0}, request(unknown, 2, 1));
  run.build(run.script);
  CHECK_THROWS_WITH(run.fabric->run(10), Catch::Contains("unknown; add it"));
}

TEST_CASE("a copy at a node that none is on the way to stops the run", "[network]") {
  ClosRun run({{2, 3}}, 2, params_of(Copies::kAsynchronous));
  Delivery delivery;
  delivery.packet.source = NodeId{0};
  delivery.packet.destination = run.groups.add({NodeId{1}, NodeId{2}});
  delivery.packet.receivers = 2;
  REQUIRE(run.control->admit(delivery.packet));
  delivery.node = NodeId{3};
  CHECK_THROWS_WITH(run.control->arrived(delivery), Catch::Contains("copy too many, at node 3"));
  for (const std::uint32_t node : {1U, 2U}) {
    delivery.node = NodeId{node};
    CHECK_NOTHROW(run.control->arrived(delivery));
  }
  CHECK_THROWS_AS(run.control->arrived(delivery), InvariantError);  // Its last copy again.
}
