// SPDX-License-Identifier: Apache-2.0
#include "router/store_forward_core.h"

#include "router/store_forward_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// Ports 0 and 1 lead to routers, port 2 to a node, on both sides.
constexpr unsigned kIn = 0;
constexpr unsigned kIn2 = 1;
constexpr unsigned kNodeIn = 2;
constexpr unsigned kOut = 0;
constexpr unsigned kOut2 = 1;
constexpr unsigned kNodeOut = 2;

RouterParams params_of(Pipeline pipeline = {}, unsigned flit_time = 1) {
  RouterParams params;
  params.virtual_channels = 2;
  params.buffer_depth = 4;
  params.pipeline = pipeline;
  params.flit_time = flit_time;
  return params;
}

StoreForwardBench<> bench_of(const RouterParams& params) {
  StoreForwardBench<> bench(params, 3, 3);
  bench.core.connect_output(kOut, {params.flit_time});
  bench.core.connect_output(kOut2, {params.flit_time});
  bench.core.connect_node_input(kNodeIn);
  bench.core.connect_output(kNodeOut, {1, 1, true});
  return bench;
}

Branch branch(unsigned output, VcSet vcs = 3, unsigned reach = 0) {
  return {PortId{static_cast<std::uint16_t>(output)}, vcs, static_cast<std::uint16_t>(reach)};
}

std::vector<std::uint64_t> cycles(const StoreForwardBench<>& bench, unsigned output) {
  std::vector<std::uint64_t> result;
  for (const CopyDeparture& departure : bench.departures) {
    if (departure.output == output) result.push_back(departure.cycle);
  }
  return result;
}

std::vector<unsigned> packets(const StoreForwardBench<>& bench) {
  std::vector<unsigned> result;
  for (const CopyDeparture& departure : bench.departures) result.push_back(departure.packet);
  return result;
}

}  // namespace

TEST_CASE("a packet from a router leaves one flit time and the pipeline after its tail",
          "[router]") {
  const Pipeline pipeline{GENERATE(0U, 1U, 3U), GENERATE(0U, 1U, 8U), 2, 1};
  const unsigned flit_time = GENERATE(1U, 2U, 5U);
  const unsigned length = GENERATE(1U, 2U, 7U);
  StoreForwardBench<> bench = bench_of(params_of(pipeline, flit_time));
  bench.ticks_until(10);
  bench.arrive_whole(kIn, 1, make_packet(7, kOut, length));
  bench.ticks_until(100);
  REQUIRE(bench.departures.size() == length);
  const std::uint64_t tail = 10 + length - 1;
  CHECK(bench.departures[0].cycle == tail + flit_time + pipeline.route + pipeline.vc_allocation);
}

TEST_CASE("a packet from a node, or to a node, leaves the pipeline latency after its head",
          "[router]") {
  const Pipeline pipeline{GENERATE(0U, 1U, 3U), GENERATE(0U, 1U, 8U), 1, 1};
  const unsigned input = GENERATE(kIn, kNodeIn);
  const unsigned output = input == kIn ? kNodeOut : GENERATE(kOut, kNodeOut);
  StoreForwardBench<> bench = bench_of(params_of(pipeline, 3));
  bench.arrive_whole(input, 0, make_packet(0, output, 5));
  bench.ticks_until(100);
  const unsigned visible = pipeline.route + pipeline.vc_allocation;
  const unsigned period = output == kOut ? 3 : 1;
  for (unsigned f = 0; f < 5; ++f) CHECK(bench.departures[f].cycle == visible + f * period);
  CHECK(bench.departures.size() == 5);
}

TEST_CASE("no flit leaves before it has arrived, and a late one leaves in the cycle of its arrival",
          "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  const std::vector<Flit> flits = make_packet(0, kNodeOut, 3);
  bench.lazy = true;
  bench.arrive(kIn, 0, flits[0]);
  bench.ticks_until(20);
  bench.arrive(kIn, 0, flits[1]);
  bench.ticks_until(30);
  bench.arrive(kIn, 0, flits[2]);
  bench.ticks_until(40);
  CHECK(cycles(bench, kNodeOut) == std::vector<std::uint64_t>{2, 20, 30});
  CHECK(bench.freed == std::vector<Freed>{{30, kIn, 0}});
}

TEST_CASE("an output to a router is free again one step after the start", "[router]") {
  const Pipeline pipeline{GENERATE(0U, 1U, 2U), GENERATE(0U, 1U, 2U), GENERATE(1U, 3U),
                          GENERATE(1U, 2U)};
  const unsigned flit_time = GENERATE(1U, 4U);
  const unsigned length = GENERATE(1U, 5U);
  const unsigned latency = GENERATE(1U, 6U);
  StoreForwardBench<> bench = bench_of(params_of(pipeline, flit_time));
  bench.core.connect_output(kOut, {flit_time, latency});
  for (unsigned packet = 0; packet < 3; ++packet) {
    bench.arrive_whole(kNodeIn, 0, make_packet(packet, kOut, length));
  }
  bench.ticks_until(300);
  const std::vector<std::uint64_t> left = cycles(bench, kOut);
  REQUIRE(left.size() == 3 * length);
  const unsigned td = pipeline.route + pipeline.vc_allocation + pipeline.switch_allocation +
                      pipeline.traversal + latency;
  CHECK(left[length] - left[0] == td + length * flit_time);
  CHECK(left[2 * length] - left[length] == td + length * flit_time);
  for (unsigned f = 1; f < length; ++f) CHECK(left[f] - left[f - 1] == flit_time);
}

TEST_CASE("an output to a node takes packets without a pause", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  bench.core.connect_output(kNodeOut, {2, 1, true});
  bench.arrive_whole(kNodeIn, 0, make_packet(0, kNodeOut, 3));
  bench.arrive_whole(kNodeIn, 0, make_packet(1, kNodeOut, 3));
  bench.ticks_until(40);
  CHECK(cycles(bench, kNodeOut) == std::vector<std::uint64_t>{2, 4, 6, 8, 10, 12});
}

TEST_CASE("the latency of the channel to a node causes no pause", "[router]") {
  StoreForwardBench<> bench(params_of(), 1, 1);
  bench.core.connect_output(0, {2, 7, true});
  bench.arrive_whole(0, 0, make_packet(0, 0, 1));
  bench.arrive_whole(0, 0, make_packet(1, 0, 1));
  bench.ticks_until(40);
  CHECK(cycles(bench, 0) == std::vector<std::uint64_t>{2, 4});
}

TEST_CASE("a copy for the node leaves while the packet arrives, the others when it is stored",
          "[router]") {
  StoreForwardBench<> bench = bench_of(params_of({}, 2));
  bench.plans[0].branches = {branch(kOut, 1, 5), branch(kNodeOut, 2, 6), branch(kOut2, 3, 7)};
  for (const Flit& flit : make_packet(0, 0, 3)) {
    bench.arrive(kIn, 0, flit);
    bench.tick();
    bench.tick();
  }
  bench.ticks_until(60);
  CHECK(cycles(bench, kNodeOut) == std::vector<std::uint64_t>{2, 3, 4});
  // The tail arrives in cycle 4, tm is 2, the pipeline takes 2.
  CHECK(cycles(bench, kOut) == std::vector<std::uint64_t>{8, 10, 12});
  CHECK(cycles(bench, kOut2) == std::vector<std::uint64_t>{8, 10, 12});
  for (const CopyDeparture& flit : bench.departures) {
    CHECK(flit.route_field == (flit.output == kOut ? 5 : flit.output == kNodeOut ? 6 : 7));
    CHECK(flit.vc == (flit.output == kNodeOut ? 1 : 0));
  }
}

TEST_CASE("only the first flit is a head, and it counts one hop per router", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  bench.plans[0].branches = {branch(kOut), branch(kOut2)};
  std::vector<Flit> flits = make_packet(0, 0, 3);
  flits[0].hops = 4;
  bench.arrive_whole(kIn, 0, flits);
  bench.ticks_until(40);
  REQUIRE(bench.departures.size() == 6);
  for (const CopyDeparture& flit : bench.departures) {
    CHECK(flit.head == (flit.remaining == 2));
    if (flit.head) CHECK(flit.hops == 5);
  }
}

TEST_CASE("a packet keeps its slot until the last flit of its last copy has left", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  bench.core.connect_output(kOut2, {10});
  bench.plans[0].branches = {branch(kOut), branch(kOut2), branch(kNodeOut)};
  bench.arrive_whole(kIn, 1, make_packet(0, 0, 3));
  CHECK(bench.core.inputs[bench.core.vc_index(kIn, 1)].count == 1);
  bench.ticks_until(24);
  CHECK(bench.freed.empty());
  CHECK(bench.core.stored_flits == 3);
  CHECK(bench.core.copies == 8);  // These are all but the last of 9 flits.
  bench.ticks_until(40);
  // The tail arrives in cycle 2, tm is 1, the pipeline takes 2, then 2 * 10.
  CHECK(bench.freed == std::vector<Freed>{{25, kIn, 1}});
  CHECK(bench.core.inputs[bench.core.vc_index(kIn, 1)].count == 0);
  CHECK(bench.core.stored_flits == 0);
  CHECK(bench.core.copies == 6);
}

TEST_CASE("the credits of packets that finish in one cycle follow each other on the wire",
          "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  bench.plans[0].branches = {branch(kOut)};
  bench.plans[1].branches = {branch(kOut2)};
  bench.plans[2].branches = {branch(kNodeOut)};
  bench.lazy = true;
  bench.arrive(kIn, 0, make_packet(0, 0, 1)[0]);
  bench.arrive(kIn2, 0, make_packet(3, kNodeOut, 1)[0]);
  bench.tick();
  bench.arrive(kIn, 0, make_packet(1, 0, 1)[0]);  // It departs together with the next packet.
  bench.tick();
  bench.arrive(kIn, 0, make_packet(2, 0, 1)[0]);
  bench.ticks_until(20);
  CHECK(cycles(bench, kOut2) == std::vector<std::uint64_t>{4});
  CHECK(cycles(bench, kNodeOut) == std::vector<std::uint64_t>{2, 4});
  CHECK(bench.freed == std::vector<Freed>{{2, kIn2, 0}, {3, kIn, 0}, {4, kIn, 0}, {5, kIn, 0}});
}

TEST_CASE("a queue is ordered by rank, then by the cycle of joining, then by packet id",
          "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  const std::vector<Branch> out{branch(kOut, 1)};
  bench.plans = {{0, {out, 9, 9}}, {1, {out, 5, 8}}, {2, {out, 5, 1}},
                 {3, {out, 5, 7}}, {4, {out, 2, 9}}, {5, {out, 5, 0}}};
  // This packet leaves first, alone, for a long time.
  bench.arrive(kNodeIn, 0, make_packet(0, 0, 9)[0]);
  bench.tick();
  for (unsigned f = 1; f < 9; ++f) {
    bench.arrive(kNodeIn, 0, make_packet(0, 0, 9)[f]);
    if (f == 4) bench.arrive(kIn, 0, make_packet(1, 0, 1)[0]);
    if (f == 5) bench.arrive(kIn, 0, make_packet(2, 0, 1)[0]);
    if (f == 5) bench.arrive(kIn2, 0, make_packet(5, 0, 1)[0]);
    if (f == 6) bench.arrive(kIn, 0, make_packet(3, 0, 1)[0]);
    if (f == 6) bench.arrive(kIn2, 0, make_packet(4, 0, 1)[0]);
    bench.tick();
  }
  for (; bench.cycle < 100; bench.tick()) {
    if (bench.cycle % 10 == 0 && bench.cycle < 60) bench.credit(kOut, 0);
  }
  const std::vector<unsigned> order{0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 5, 2, 3};
  CHECK(packets(bench) == order);
}

TEST_CASE("packets behind a packet without credit overtake it", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  for (unsigned packet = 0; packet < 5; ++packet) bench.plans[packet].branches = {branch(kOut, 1)};
  bench.plans[5].branches = {branch(kOut, 2)};
  bench.lazy = true;
  for (unsigned packet = 0; packet < 6; ++packet) {
    bench.arrive(packet < 4 ? kIn : kIn2, packet % 2, make_packet(packet, 0, 1)[0]);
    bench.tick();
  }
  bench.ticks_until(100);
  CHECK(packets(bench) == std::vector<unsigned>{0, 1, 2, 3, 5});  // VC 0 has four credits.
  const std::uint64_t ticks = bench.ticks;
  bench.ticks_until(200);
  CHECK(bench.ticks == ticks);  // The core sleeps without a credit.
  bench.credit(kOut, 0);
  bench.ticks_until(220);
  CHECK(packets(bench).back() == 4);
  CHECK(bench.departures.back().cycle == 200);
}

TEST_CASE("the VCs of an output that have credits are taken in turn", "[router]") {
  RouterParams params = params_of();
  params.virtual_channels = 3;
  params.buffer_depth = 2;
  StoreForwardBench<> bench = bench_of(params);
  for (unsigned packet = 0; packet < 6; ++packet) {
    if (packet == 3) bench.plans[packet].branches = {branch(kOut, 6)};
    bench.arrive(kNodeIn, packet / 2, make_packet(packet, kOut, 1)[0]);
    bench.tick();
  }
  bench.ticks_until(100);
  std::vector<unsigned> vcs;
  for (const CopyDeparture& departure : bench.departures) vcs.push_back(departure.vc);
  CHECK(vcs == std::vector<unsigned>{0, 1, 2, 1, 2, 0});  // Packet 3 may not take VC 0.
}

TEST_CASE("max_queue counts the head of the queue and max_held does not", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  bench.arrive(kIn, 0, make_packet(0, kOut, 1)[0]);
  bench.ticks_until(20);
  CHECK(bench.core.max_queue == 1);  // It joined an empty queue and left at once.
  CHECK(bench.core.max_held == 0);
  bench.arrive(kIn, 0, make_packet(1, kOut, 1)[0]);
  bench.arrive(kIn2, 0, make_packet(2, kOut, 1)[0]);
  bench.arrive(kNodeIn, 0, make_packet(3, kNodeOut, 1)[0]);
  bench.tick();
  bench.arrive(kIn, 0, make_packet(4, kNodeOut, 1)[0]);
  bench.arrive(kIn2, 0, make_packet(5, kNodeOut, 1)[0]);
  bench.arrive(kNodeIn, 0, make_packet(6, kNodeOut, 1)[0]);
  bench.ticks_until(40);
  CHECK(bench.core.max_queue == 2);  // Packets for the node do not count.
  CHECK(bench.core.max_held == 1);
}

TEST_CASE("max_held is the sum over the outputs at one moment", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  for (unsigned packet = 0; packet < 6; ++packet) {
    bench.plans[packet].branches = {branch(kOut), branch(kOut2)};
  }
  for (unsigned packet = 0; packet < 3; ++packet) {
    bench.arrive(packet, 0, make_packet(packet, 0, 1)[0]);
  }
  bench.ticks_until(60);
  // The node's packet joins first and leaves; the other two are in both queues at the same time.
  CHECK(bench.core.max_queue == 2);
  CHECK(bench.core.max_held == 2);
}

TEST_CASE("a broken rule stops the run at once", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  const std::vector<Flit> flits = make_packet(0, kOut, 3);
  SECTION("a body flit without a head") {
    bench.arrive(kIn, 0, flits[1]);
    CHECK_THROWS_AS(bench.tick(), InvariantError);
  }
  SECTION("a missing flit") {
    bench.arrive_whole(kIn, 0, {flits[0]});
    bench.arrive(kIn, 0, flits[2]);
    CHECK_THROWS_AS(bench.tick(), InvariantError);
  }
  SECTION("a flit of another packet") {
    bench.arrive_whole(kIn, 0, {flits[0]});
    bench.arrive(kIn, 0, make_packet(1, kOut, 3)[1]);
    CHECK_THROWS_AS(bench.tick(), InvariantError);
  }
  SECTION("a head inside a packet") {
    bench.arrive_whole(kIn, 0, {flits[0], flits[1]});
    bench.arrive(kIn, 0, make_packet(1, kOut, 1)[0]);
    CHECK_THROWS_AS(bench.tick(), InvariantError);
  }
  SECTION("a packet without a slot") {
    bench.plans[9].branches = {branch(kOut, 4)};  // VC 2 does not exist.
    for (unsigned packet = 0; packet < 4; ++packet) {
      bench.arrive_whole(kIn, 0, make_packet(9, 0, 1));
    }
    bench.arrive(kIn, 0, flits[0]);
    CHECK_THROWS_AS(bench.tick(), InvariantError);
  }
  SECTION("a credit for no packet") { CHECK_THROWS_AS(bench.credit(kOut, 0), InvariantError); }
  SECTION("a packet without a branch, or one that leads nowhere") {
    bench.plans[0].branches = GENERATE(std::vector<Branch>{}, std::vector<Branch>{branch(3)},
                                       std::vector<Branch>{branch(kOut, 0)});
    bench.arrive(kIn, 0, flits[0]);
    CHECK_THROWS_AS(bench.tick(), InvariantError);
  }
}

TEST_CASE("a router that does not multicast refuses a second branch", "[router]") {
  RouterParams params = params_of();
  params.multicast = false;
  StoreForwardBench<> bench = bench_of(params);
  bench.arrive_whole(kIn, 0, make_packet(0, kOut, 1));
  bench.plans[1].branches = {branch(kOut), branch(kOut2)};
  bench.arrive(kIn, 0, make_packet(1, 0, 1)[0]);
  CHECK_THROWS_AS(bench.tick(), InvariantError);
}

TEST_CASE("the copies in the queues can be read in order of departure", "[router]") {
  StoreForwardBench<> bench = bench_of(params_of());
  for (unsigned packet = 0; packet < 3; ++packet) {
    bench.plans[packet] = {{branch(kOut, packet + 1)}, 3 - packet, 0};
  }
  bench.arrive_whole(kIn, 1, make_packet(0, 0, 1));
  bench.arrive_whole(kIn, 1, make_packet(1, 0, 1));
  bench.arrive_whole(kIn, 0, make_packet(2, 0, 1));
  bench.ticks_until(7);
  std::vector<unsigned> queued;
  bench.core.for_each_queued([&](unsigned input, unsigned output, VcSet vcs, const Flit& head) {
    CHECK(output == kOut);
    CHECK(vcs == index(head.packet) + 1);
    CHECK(input == bench.core.vc_index(kIn, index(head.packet) == 2 ? 0 : 1));
    queued.push_back(index(head.packet));
  });
  CHECK(queued == std::vector<unsigned>{2, 1});  // Packet 0 joined and left before the others came.
}
