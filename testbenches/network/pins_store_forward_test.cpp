// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "network/fabric_run.h"
#include "network/pins_bench.h"
#include "routing/queue_priority.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

/// A router of three ports, one of which is the node's where the test says so, with two packet
/// slots per VC.
class StoreBench : private ToPort, public PinsBench<pins::StoreForwardRouter> {
 public:
  explicit StoreBench(const pins::Site& place)
      : ToPort(place.core.virtual_channels), PinsBench(place, *this) {}

  void put_packet(unsigned input, unsigned vc, unsigned output, unsigned length) {
    for (unsigned f = 0; f < length; ++f) {
      put(input, vc, flit_to(output, length - 1 - f, f == 0));
      cycle();
      sent += out_valid[output].read() ? 1 : 0;
    }
  }
  unsigned sent = 0;  ///< Flits on the output while put_packet() ran.
};

pins::Site place_with(const Pipeline& pipeline = {}) {
  pins::Site place;
  place.core.virtual_channels = 2;
  place.core.buffer_depth = 2;
  place.unit = BufferUnit::kPacket;
  place.core.pipeline = pipeline;
  return place;
}

}  // namespace

TEST_CASE("a packet for a node is on the output R + V + S + T - 1 cycles after its head",
          "[network]") {
  const Pipeline pipeline =
      GENERATE(Pipeline{}, Pipeline{0, 1, 1, 1}, Pipeline{0, 0, 1, 0}, Pipeline{2, 3, 4, 3});
  pins::Site place = place_with(pipeline);
  place.channels = {{}, {}, {1, 1, true}};
  StoreBench bench(place);
  bench.put(0, 1, flit_to(2));
  CHECK(bench.cycles_until(bench.out_valid[2]) == pipeline.route + pipeline.vc_allocation +
                                                      pipeline.switch_allocation +
                                                      pipeline.traversal - 1);
  CHECK(bench.out_flit[2].read().packet == PacketSlot{77});
  CHECK(bench.out_flit[2].read().hops == 1);
}

TEST_CASE("a packet for another router first takes the time of its flits", "[network]") {
  const unsigned flit_time = GENERATE(1U, 3U);
  pins::Site place = place_with();
  place.core.flit_time = flit_time;
  place.from_node = {false, true, false};
  StoreBench bench(place);
  bench.put(0, 0, flit_to(2));
  CHECK(bench.cycles_until(bench.out_valid[2]) == flit_time + 3);  // R + V + S + T - 1 = 3.
  for (int c = 0; c < 10; ++c) bench.cycle();
  bench.put(1, 0, flit_to(2));  // Packets from a node stay in the packet store.
  CHECK(bench.cycles_until(bench.out_valid[2]) == 3);
}

TEST_CASE("credits count packets, on both sides", "[network]") {
  StoreBench bench(place_with());
  for (int packet = 0; packet < 3; ++packet) {  // Both VCs have two slots downstream.
    bench.put_packet(0, 0, 2, 5);
    bench.put_packet(1, 1, 2, 5);
    if (packet == 1) {
      for (int c = 0; c < 60; ++c) {
        bench.cycle();
        bench.sent += bench.out_valid[2].read() ? 1 : 0;
      }
      CHECK(bench.sent == 4 * 5);
    }
  }
  CHECK(bench.count(bench.out_valid[2], 60) == 0);
  bench.give_credit(2, 1);
  CHECK(bench.count(bench.out_valid[2], 60) == 5);
  bench.give_credit(2, 0);
  CHECK(bench.count(bench.in_credit_valid[1], 60) == 1);
}

TEST_CASE("the credit of a place is on its wires in the cycle of the tail's grant", "[network]") {
  const Pipeline pipeline = GENERATE(Pipeline{}, Pipeline{0, 0, 1, 0}, Pipeline{2, 1, 4, 3});
  pins::Site place = place_with(pipeline);
  place.channels = {{}, {}, {1, 1, true}};
  StoreBench bench(place);
  bench.put(1, 1, flit_to(2, 1));
  bench.cycle();
  bench.put(1, 1, flit_to(2, 0, false));
  CHECK(bench.cycles_until(bench.in_credit_valid[1]) == pipeline.route + pipeline.vc_allocation);
  CHECK(bench.in_credit_vc[1].read() == 1);
  bench.cycle();
  CHECK_FALSE(bench.in_credit_valid[1].read());
}

TEST_CASE("between packets that join together the packet number decides", "[network]") {
  const bool reversed = GENERATE(false, true);
  pins::Site place = place_with();
  if (reversed) {
    place.packet_id = [](const Flit& head) { return PacketId{1000U - index(head.packet)}; };
  }
  StoreBench bench(place);
  bench.put(0, 0, flit_to(2, 0, true, PacketSlot{6}));
  bench.put(1, 0, flit_to(2, 0, true, PacketSlot{5}));
  REQUIRE(bench.cycles_until(bench.out_valid[2]) < 100);
  CHECK(bench.out_flit[2].read().packet == (reversed ? PacketSlot{6} : PacketSlot{5}));
}

TEST_CASE("reset empties the stores and restores the credits", "[network]") {
  StoreBench bench(place_with());
  for (int packet = 0; packet < 2; ++packet) bench.put_packet(0, 0, 2, 3);
  bench.put(1, 1, flit_to(1, 3));  // A head whose tail never arrives.
  bench.cycle();
  bench.rst_n = false;
  bench.cycle();
  bench.rst_n = true;
  CHECK(bench.count(bench.out_valid[2], 50) == 0);
  bench.put(1, 1, flit_to(1));
  CHECK(bench.cycles_until(bench.out_valid[1]) == 4);
  for (int packet = 0; packet < 2; ++packet) {
    bench.put_packet(0, 0, 2, 3);
    bench.put_packet(0, 1, 2, 3);
  }
  CHECK(bench.sent + bench.count(bench.out_valid[2], 80) == 12);
}

namespace {

/// One setting per number: networks, VCs, depths, pipelines, node ports, priorities.
struct StoreSetting {
  explicit StoreSetting(unsigned number) {
    const auto makers = small_networks();
    const unsigned virtual_channels = std::vector<unsigned>{2, 3, 4}[number % 3];
    network = makers[number % makers.size()](virtual_channels);
    if (number % 4 != 0) network.topology->widen_nodes(1 + number % 3);
    params.cores = &packet_cores();
    params.router.virtual_channels = virtual_channels;
    params.router.buffer_depth = 1 + number % 3;
    params.router.pipeline = {number % 3, (number + 1) % 3, 1 + number % 2, number % 2};
    params.link_latency = 1 + number % 3;
    params.credit_latency = 1 + number % 2;
    params.cycles_per_flit = number % 5 == 4 ? 2 : 1;
    params.full_hierarchy = false;
    if (number % 3 == 2) params.priority = std::make_shared<RandomOrder>(number);
    traffic = {15, 5, number % 2 == 0 ? 1U : 15U};
  }

  RoutedNetwork network;
  NetworkParams params;
  FiniteTraffic::Params traffic;
};

}  // namespace

TEST_CASE("stores behind pins deliver like the native ones", "[network]") {
  const StoreSetting setting(GENERATE(range(0U, 16U)));
  const auto slot = [&](std::uint32_t router) { return pins_slot(setting.network, router); };
  FabricRun reference("reference", setting.network, setting.params, setting.traffic);
  FabricRun one("one", setting.network, setting.params, setting.traffic, {slot(1)});
  NetworkParams params = setting.params;
  params.threads = 2;
  FabricRun several("several", setting.network, params, setting.traffic,
                    {slot(0), slot(2), slot(3)});
  reference.drain();  // Lockstep fabrics advance with the kernel's time.
  REQUIRE(reference.drained());
  for (const FabricRun* run : {&one, &several}) {
    REQUIRE(run->drained());
    CHECK(run->checksum() == reference.checksum());
    CHECK(run->fabric->flit_hops() == reference.fabric->flit_hops());
  }
}
