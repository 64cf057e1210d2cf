// SPDX-License-Identifier: Apache-2.0
// Settings that must not change any result.
#include "network/fabric_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// One setting per number, so that every network runs with several VC counts, depths and pipelines.
struct InvarianceSetting {
  explicit InvarianceSetting(unsigned number) {
    const auto makers = small_networks();
    virtual_channels = std::vector<unsigned>{2, 3, 5}[number % 3];
    network = makers[number % makers.size()](virtual_channels);
    params.router.virtual_channels = virtual_channels;
    params.router.buffer_depth = 5 + number % 4;
    params.router.whole_packet_credit = number / 2 % 2 == 1;
    params.router.pipeline.route = number % 4;
    params.router.pipeline.vc_allocation = (number + 1) % 3;
    params.router.pipeline.switch_allocation = 1 + number % 2;
    params.link_latency = 1 + number % 3;
    params.credit_latency = 1 + number % 2;
    params.cycles_per_flit = number % 5 == 4 ? 2 : 1;
    params.full_hierarchy = false;
    traffic.longest = 5;                             // Fits the smallest buffer.
    traffic.longest_gap = number % 2 == 0 ? 1 : 40;  // Saturating or moderate.
  }

  unsigned virtual_channels;
  RoutedNetwork network;
  NetworkParams params;
  FiniteTraffic::Params traffic;
};

void check_same(const FabricRun& run, const FabricRun& reference) {
  CAPTURE(run.fabric->name());
  REQUIRE(run.drained());
  CHECK(run.checksum() == reference.checksum());
  CHECK(run.fabric->flit_hops() == reference.fabric->flit_hops());
  for (const Channel& channel : reference.fabric->topology().channels()) {
    REQUIRE(run.fabric->flits_from(channel.from) == reference.fabric->flits_from(channel.from));
  }
}

}  // namespace

TEST_CASE("order, sleeping and the number of threads change no delivery", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 16U)));
  std::vector<std::unique_ptr<FabricRun>> runs;
  const auto add = [&](const char* name, const NetworkParams& params) {
    runs.push_back(std::make_unique<FabricRun>(name, setting.network, params, setting.traffic));
  };
  add("reference", setting.params);
  NetworkParams params = setting.params;
  params.shuffle_seed = 5;
  add("shuffled", params);
  params.sleep = false;
  add("shuffled_sleepless", params);
  params.shuffle_seed = 0;
  add("sleepless", params);
  params.threads = 2;
  add("sleepless_threads", params);
  for (const unsigned threads : {2U, 3U, 5U}) {
    params = setting.params;
    params.threads = threads;
    add(sc_core::sc_gen_unique_name("threads"), params);
  }
  for (auto& run : runs) run->drain();
  REQUIRE(runs[0]->drained());
  for (const auto& run : runs) check_same(*run, *runs[0]);
}

// Longer flights make longer windows.
TEST_CASE("windows of any length change no delivery", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 12U)));
  setting.params.link_latency = GENERATE(1U, 2U, 6U, 40U);
  setting.params.credit_latency = GENERATE(0U, 3U);
  FabricRun one("one", setting.network, setting.params, setting.traffic);
  std::vector<std::unique_ptr<FabricRun>> runs;
  for (const unsigned threads : {2U, 3U, 4U}) {
    setting.params.threads = threads;
    runs.push_back(std::make_unique<FabricRun>(sc_core::sc_gen_unique_name("threads"),
                                               setting.network, setting.params, setting.traffic));
  }
  one.drain();
  for (auto& run : runs) run->drain();
  for (const auto& run : runs) {
    check_same(*run, one);
    run->fabric->audit();
  }
}

TEST_CASE("sleeping saves most ticks of a quiet network", "[network]") {
  InvarianceSetting setting(0);
  setting.traffic.longest_gap = 2000;
  FabricRun run("fabric", setting.network, setting.params, setting.traffic);
  run.drain();
  const std::uint64_t all = index(run.fabric->now()) * setting.network.topology->router_count();
  CHECK(run.fabric->totals().router_ticks * 10 < all);
}

TEST_CASE("lockstep and batches of any size change no delivery", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 8U)));
  FabricRun reference("reference", setting.network, setting.params, setting.traffic);
  FabricRun small_batches("small_batches", setting.network, setting.params, setting.traffic);
  NetworkParams params = setting.params;
  params.lockstep = true;
  params.threads = 2;
  FabricRun lockstep("lockstep", setting.network, params, setting.traffic);
  reference.drain();
  while (!small_batches.drained() && small_batches.fabric->now() < Cycle{50000}) {
    small_batches.fabric->run(1 + index(small_batches.fabric->now()) % 3);
  }
  check_same(lockstep, reference);  // It advances with the kernel's time.
  check_same(small_batches, reference);
}

// Partitions run two cycles of a router per visit if asked to.
TEST_CASE("one cycle of a router at a visit and two give the same deliveries", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 16U)));
  FabricRun two("two", setting.network, setting.params, setting.traffic);
  FabricRun one("one", setting.network, setting.params, setting.traffic);
  two.drain();
  while (!one.drained() && one.fabric->now() < Cycle{50000}) one.fabric->run(1);
  check_same(one, two);
}

// In lockstep mode every credit travels. With so few slots beyond those of the credit loop every
// cycle of credit delay matters, because buffers are always full.
TEST_CASE("credits that are given back at once change no delivery", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 6U)));
  setting.params.router.whole_packet_credit = false;
  setting.params.router.buffer_depth = GENERATE(range(5U, 13U));
  setting.traffic.longest_gap = 1;
  setting.traffic.longest = 12;
  NetworkParams params = setting.params;
  params.lockstep = true;
  FabricRun travelling("travelling", setting.network, params, setting.traffic);
  FabricRun at_once("at_once", setting.network, setting.params, setting.traffic);
  at_once.drain();
  check_same(travelling, at_once);  // It advances with the kernel's time.
  at_once.fabric->audit();
}

TEST_CASE("what buffers keep of packets changes no delivery", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 12U)));
  setting.params.router.whole_packet_credit = false;
  setting.params.router.buffer_depth = GENERATE(1U, 2U, 6U, 9U);
  setting.traffic.shortest = GENERATE(2U, 4U, 5U);
  NetworkParams params = setting.params;
  params.router.shortest_packet = setting.traffic.shortest;
  FabricRun every_flit("every_flit", setting.network, setting.params, setting.traffic);
  FabricRun few("few", setting.network, params, setting.traffic);
  params.threads = 2;
  FabricRun threads("threads", setting.network, params, setting.traffic);
  every_flit.drain();
  few.drain();
  threads.drain();
  check_same(few, every_flit);
  check_same(threads, every_flit);
}

TEST_CASE("routers behind pins deliver like the native ones", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 16U)));
  setting.traffic.packets_per_node = 15;
  const auto slot = [&](std::uint32_t router) { return pins_slot(setting.network, router); };
  FabricRun reference("reference", setting.network, setting.params, setting.traffic);
  FabricRun one("one", setting.network, setting.params, setting.traffic, {slot(1)});
  NetworkParams params = setting.params;
  params.threads = 2;
  FabricRun several("several", setting.network, params, setting.traffic,
                    {slot(0), slot(2), slot(3)});
  reference.drain();  // Lockstep fabrics advance with the kernel's time.
  REQUIRE(reference.drained());
  check_same(one, reference);
  check_same(several, reference);
}

namespace {

/// Packets between all pairs of nodes, in bursts that are `gap` cycles apart.
std::unique_ptr<ScriptSource> bursts(std::size_t nodes, std::uint64_t gap) {
  auto source = std::make_unique<ScriptSource>(nodes);
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t turn = 0; turn < nodes; ++turn) {
      const auto to = static_cast<std::uint32_t>((from + turn) % nodes);
      PacketRequest request;
      request.destination = NodeId{to};
      request.length = 1 + (from + to) % 4;
      source->add(Cycle{3 * turn / nodes * gap + from + 50 * turn}, NodeId{from}, request);
    }
  }
  return source;
}

/// Runs to the end in steps of `step` cycles, skipping idle cycles; returns the number of steps.
std::size_t run_and_skip(FabricRun& run, std::uint64_t step) {
  std::size_t steps = 0;
  for (; !run.drained() && steps < 100000; ++steps) {
    const std::uint64_t idle = run.fabric->idle_cycles();
    if (idle == 0) {
      run.fabric->run(step);
    } else {
      run.fabric->skip(idle);
    }
  }
  return steps;
}

}  // namespace

TEST_CASE("cycles that are skipped while nothing is in flight change no delivery", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 16U)));
  const std::size_t nodes = setting.network.topology->node_count();
  const std::uint64_t gap = 3000;
  std::vector<std::unique_ptr<FabricRun>> runs;
  for (const unsigned threads : {1U, 1U, 2U}) {
    setting.params.threads = threads;
    runs.push_back(std::make_unique<FabricRun>("run_" + std::to_string(runs.size()),
                                               setting.network, setting.params, bursts(nodes, gap),
                                               nodes * nodes));
  }
  runs[0]->drain(4 * gap);
  const std::uint64_t step = 1 + setting.virtual_channels;
  CHECK(run_and_skip(*runs[1], step) < 2 * gap / step);
  run_and_skip(*runs[2], step);
  check_same(*runs[1], *runs[0]);
  check_same(*runs[2], *runs[0]);
}

TEST_CASE("a gap of any length is one step, and a network that is never used is idle for ever",
          "[network]") {
  const InvarianceSetting setting(0);
  const std::size_t nodes = setting.network.topology->node_count();
  const std::uint64_t gap = 1'000'000'000'000;
  FabricRun run("run", setting.network, setting.params, bursts(nodes, gap), nodes * nodes);
  FabricRun silent("silent", setting.network, setting.params, std::make_unique<SilentSource>(), 0);
  CHECK(run_and_skip(run, 64) < 200);
  CHECK(run.drained());
  CHECK(index(run.fabric->now()) > 2 * gap);
  run.fabric->run(50);
  CHECK(run.fabric->idle_cycles() == Network::kNoLimit);
  CHECK(silent.fabric->idle_cycles() == Network::kNoLimit);
}

TEST_CASE("credits that are still in flight when all has arrived are not skipped", "[network]") {
  const RoutedNetwork network = mesh_network({2}, 1);
  NetworkParams params;
  params.router.virtual_channels = 1;
  params.router.buffer_depth = 1;
  params.credit_latency = 20;
  params.full_hierarchy = false;
  std::vector<std::unique_ptr<FabricRun>> runs;
  for (const char* const name : {"whole", "skipped"}) {
    auto source = std::make_unique<ScriptSource>(2);
    for (const std::uint64_t cycle : {0U, 517U, 1027U, 2050U}) {
      source->add(Cycle{cycle}, NodeId{0}, {NodeId{1}, 1});
    }
    runs.push_back(std::make_unique<FabricRun>(name, network, params, std::move(source), 4));
  }
  runs[0]->drain(3000);
  CHECK(run_and_skip(*runs[1], 1) < 300);
  check_same(*runs[1], *runs[0]);
}

TEST_CASE("a network with a packet in flight is not idle in any cycle", "[network]") {
  InvarianceSetting setting(GENERATE(range(0U, 6U)));
  FabricRun run("run", setting.network, setting.params, setting.traffic);
  while (!run.drained()) {
    const Totals totals = run.fabric->totals();
    const bool in_flight = totals.packets_created != totals.packets_delivered;
    REQUIRE((!in_flight || run.fabric->idle_cycles() == 0));
    run.fabric->run(1);
  }
}
