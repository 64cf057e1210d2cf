// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <utility>

#include "clos/bounds/bounds.h"
#include "network/circuit/circuit_run.h"
#include "network/circuit/multicasts.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// A network under random multicasts.
class Load {
 public:
  Load(const clos::MultistageStructure& structure, const CircuitParams& params,
       const RandomMulticasts::Params& traffic, const char* name = "network")
      : groups_(std::make_shared<DestinationGroups>(structure.levels.front().inputs())),
        run(name, structure, params, std::make_unique<RandomMulticasts>(groups_, traffic),
            groups_) {
    run.expected_packets = groups_->nodes() * traffic.packets_per_node;
  }

 private:
  std::shared_ptr<DestinationGroups> groups_;

 public:
  CircuitRun run;
};

std::uint64_t thm3(std::uint64_t n, std::uint64_t r) { return clos::theorem3(n, r).m; }

clos::MultistageStructure at_theorem3(std::uint32_t n, std::uint32_t r) {
  return symmetric(static_cast<std::uint32_t>(thm3(n, r)), n, r);
}

/// Checks that every packet arrives complete and once at each receiver, at all receivers in the
/// same cycle.
void check_deliveries(const CircuitRun& run) {
  std::map<PacketId, std::set<NodeId>> nodes;
  std::map<PacketId, Cycle> arrivals;
  for (const Delivery& delivery : run.probe.deliveries) {
    REQUIRE(nodes[delivery.packet.id].insert(delivery.node).second);
    REQUIRE(arrivals.emplace(delivery.packet.id, delivery.arrival).first->second ==
            delivery.arrival);
  }
  for (const Delivery& delivery : run.probe.deliveries) {
    REQUIRE(nodes[delivery.packet.id].size() == delivery.packet.receivers);
  }
}

/// Checks the times of all delivered packets, cycle by cycle of their lifetimes.
void check_times(const CircuitRun& run) {
  const CircuitParams& params = run.network.params();
  const CircuitTotals totals = run.network.circuit_totals();
  std::uint64_t stages = run.network.control().structure().stages();
  std::set<PacketId> seen;
  std::uint64_t latencies = 0;
  std::uint64_t streams = 0;
  for (const Delivery& delivery : run.probe.deliveries) {
    if (!seen.insert(delivery.packet.id).second) continue;
    latencies += delivery.arrival - delivery.packet.created;
    streams += delivery.packet.length - 1;
  }
  CHECK(totals.granted == seen.size());
  CHECK(latencies == totals.source_wait + totals.waits.controller + totals.waits.outputs +
                         totals.waits.path + totals.grant_cycles + streams +
                         seen.size() * (params.request_cycles + params.configuration_cycles +
                                        stages * params.stage_cycles));
}

CircuitParams odd_times() {
  CircuitParams params;
  params.request_cycles = 3;
  params.configuration_cycles = 2;
  params.stage_cycles = 3;
  params.teardown_cycles = 5;
  params.controller = "par_counter";
  return params;
}

}  // namespace

TEST_CASE("all accounts balance in every cycle of a loaded network", "[circuit]") {
  CircuitParams params = GENERATE(CircuitParams{}, odd_times());
  params.when_blocked = GENERATE(WhenBlocked::kRetry, WhenBlocked::kDrop);
  const auto structure = GENERATE(symmetric(3, 3, 3), symmetric(8, 3, 3), symmetric(70, 2, 3),
                                  five_stages(3, 2, 2, 2, 2));
  Load load(structure, params, {12, 7, 5, 4});
  for (int cycle = 0; cycle < 400; ++cycle) {
    load.run.network.run(1);
    REQUIRE_NOTHROW(load.run.network.audit());
  }
}

TEST_CASE("with m of Theorem 3 requests wait for the controller and for outputs only",
          "[circuit]") {
  CircuitParams params = GENERATE(CircuitParams{}, odd_times());
  const std::uint32_t n = GENERATE(1U, 2U, 4U, 5U);
  const std::uint32_t r = GENERATE(1U, 3U, 8U);
  const clos::Bound bound = clos::theorem3(n, r);
  params.control = {{static_cast<std::size_t>(bound.x)}};
  if (GENERATE(false, true)) params.control.front().candidates = clos::Candidates::kFirst;
  Load load(at_theorem3(n, r), params, {30, 5, 3, 6});
  load.run.drain();
  REQUIRE(load.run.drained());
  load.run.network.audit();
  check_deliveries(load.run);
  check_times(load.run);
  const CircuitTotals totals = load.run.network.circuit_totals();
  CHECK(totals.blocked == 0);
  CHECK(totals.waits.path == 0);
  if (n * r > 1) CHECK(totals.waits.controller > 0);
}

TEST_CASE("five and seven stages with m of Theorem 3 never wait for a path", "[circuit]") {
  const auto structure = GENERATE(clos::MultistageStructure{{clos::Structure::symmetric(6, 2, 4),
                                                             clos::Structure::symmetric(4, 2, 2)}},
                                  clos::MultistageStructure{{clos::Structure::symmetric(8, 3, 3),
                                                             clos::Structure::symmetric(5, 3, 1)}},
                                  clos::MultistageStructure{{clos::Structure::symmetric(10, 2, 8),
                                                             clos::Structure::symmetric(6, 2, 4),
                                                             clos::Structure::symmetric(4, 2, 2)}});
  Load load(structure, GENERATE(CircuitParams{}, odd_times()), {30, 5, 3, 6});
  load.run.drain();
  REQUIRE(load.run.drained());
  load.run.network.audit();
  check_deliveries(load.run);
  check_times(load.run);
  CHECK(load.run.network.circuit_totals().blocked == 0);
}

TEST_CASE("with too few middle switches blocked requests are retried until all have arrived",
          "[circuit]") {
  const auto structure = GENERATE(symmetric(1, 3, 3), symmetric(2, 3, 3), symmetric(3, 4, 4),
                                  five_stages(2, 2, 2, 2, 2));
  Load load(structure, GENERATE(CircuitParams{}, odd_times()), {30, 90, 3, 2});
  load.run.drain();
  REQUIRE(load.run.drained());
  load.run.network.audit();
  check_deliveries(load.run);
  check_times(load.run);
  const CircuitTotals totals = load.run.network.circuit_totals();
  CHECK(totals.blocked > 0);
  CHECK(totals.waits.path > 0);
  CHECK(totals.dropped == 0);
}

TEST_CASE("what is dropped and what is delivered is all that was created", "[circuit]") {
  CircuitParams params = GENERATE(CircuitParams{}, odd_times());
  params.when_blocked = WhenBlocked::kDrop;
  const auto structure = GENERATE(symmetric(2, 3, 3), five_stages(2, 2, 2, 2, 2));
  Load load(structure, params, {30, 90, 3, 2});
  load.run.drain();
  REQUIRE(load.run.drained());
  load.run.network.audit();
  check_deliveries(load.run);
  std::set<PacketId> packets;
  for (const Delivery& delivery : load.run.probe.deliveries) packets.insert(delivery.packet.id);
  std::uint64_t flits = 0;
  for (const Packet& packet : load.run.probe.lost) {
    CHECK(packets.insert(packet.id).second);
    flits += packet.length;
  }
  const CircuitTotals totals = load.run.network.circuit_totals();
  CHECK(totals.dropped > 0);
  CHECK(totals.dropped == totals.blocked);
  CHECK(totals.dropped == load.run.probe.lost.size());
  CHECK(totals.flits_dropped == flits);
  CHECK(packets.size() == load.run.network.totals().packets_created);
}

TEST_CASE("batches, lockstep and single cycles run the same", "[circuit]") {
  const auto structure = five_stages(4, 2, 3, 2, 2);
  const RandomMulticasts::Params traffic{10, 7, 5, 4};
  CircuitParams params = odd_times();
  Load batch(structure, params, traffic, "batch");
  Load cycles(structure, params, traffic, "cycles");
  params.full_hierarchy = false;
  params.lockstep = true;
  Load lockstep(structure, params, traffic, "lockstep");
  for (int cycle = 0; cycle < 3000; ++cycle) cycles.run.network.run(1);
  batch.run.network.run(3000);
  lockstep.run.drain();  // It advances with the kernel's time.
  for (const Load* load : {&batch, &cycles, &lockstep}) {
    REQUIRE(load->run.drained());
    CHECK(load->run.probe.checksum.value() == batch.run.probe.checksum.value());
    CHECK(load->run.network.circuit_totals().waits.controller ==
          batch.run.network.circuit_totals().waits.controller);
    load->run.network.audit();
  }
}
