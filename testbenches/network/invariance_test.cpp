// SPDX-License-Identifier: Apache-2.0
// What must not change any result.
#include "network/fabric_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// One setting per number, so that every network meets several VC counts, depths and pipelines.
struct Setting {
  explicit Setting(unsigned number) {
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
  Setting setting(GENERATE(range(0U, 16U)));
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

TEST_CASE("sleeping saves most ticks of a quiet network", "[network]") {
  Setting setting(0);
  setting.traffic.longest_gap = 2000;
  FabricRun run("fabric", setting.network, setting.params, setting.traffic);
  run.drain();
  const std::uint64_t all = index(run.fabric->now()) * setting.network.topology->router_count();
  CHECK(run.fabric->totals().router_ticks * 10 < all);
}

TEST_CASE("lockstep and batches of any size change no delivery", "[network]") {
  Setting setting(GENERATE(range(0U, 8U)));
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
  check_same(lockstep, reference);  // The kernel's time has moved it along.
  check_same(small_batches, reference);
}

TEST_CASE("routers behind pins deliver like the native ones", "[network]") {
  Setting setting(GENERATE(range(0U, 16U)));
  setting.traffic.packets_per_node = 15;
  const auto slot = [&](std::uint32_t router) { return pins_slot(setting.network, router); };
  FabricRun reference("reference", setting.network, setting.params, setting.traffic);
  FabricRun one("one", setting.network, setting.params, setting.traffic, {slot(1)});
  NetworkParams params = setting.params;
  params.threads = 2;
  FabricRun several("several", setting.network, params, setting.traffic,
                    {slot(0), slot(2), slot(3)});
  reference.drain();  // Lockstep fabrics follow the kernel's time.
  REQUIRE(reference.drained());
  check_same(one, reference);
  check_same(several, reference);
}
