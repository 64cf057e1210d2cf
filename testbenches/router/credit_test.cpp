// SPDX-License-Identifier: Apache-2.0
#include "router/neighbours.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

RouterParams credit_params(unsigned virtual_channels, unsigned depth, bool cut_through = false) {
  RouterParams params;
  params.virtual_channels = virtual_channels;
  params.buffer_depth = depth;
  params.whole_packet_credit = cut_through;
  return params;
}

/// Two packets of 5 flits in one input VC, for an output VC of 8 slots that are never freed.
CoreBench<> bench_with_two_packets(bool cut_through) {
  CoreBench<> bench(credit_params(1, 8, cut_through), 2, 2);
  for (const unsigned packet : {0U, 1U}) {
    for (const Flit& flit : make_packet(packet, 1, 5)) {
      bench.arrive(0, 0, flit);
      bench.tick();
    }
  }
  bench.ticks_until(50);
  return bench;
}

}  // namespace

TEST_CASE("a blocked buffer holds exactly its depth", "[router]") {
  const unsigned depth = GENERATE(1U, 2U, 5U, 8U);
  Neighbours<> network(credit_params(2, depth), 2, 2);
  network.sink_willing = [] { return false; };
  network.send(0, 0, 1, 100);
  network.run(200);
  // These flits are in the buffer behind the output.
  CHECK(network.bench.departures.size() == depth);
  CHECK(network.flits_sent == 2 * depth);  // As many flits are in the core's buffer.
}

TEST_CASE("a flit for a full buffer stops the run", "[router]") {
  CoreBench<> bench(credit_params(2, 3), 2, 2);
  const std::vector<Flit> flits = make_packet(0, 1, 4);
  for (unsigned f = 0; f < 3; ++f) bench.arrive(1, 1, flits[f]);  // No tick runs between them.
  CHECK_THROWS_AS(bench.arrive(1, 1, flits[3]), InvariantError);
}

TEST_CASE("a credit for no flit stops the run", "[router]") {
  CoreBench<> bench(credit_params(2, 3), 2, 2);
  CHECK_THROWS_AS(bench.credit(1, 0), InvariantError);
  bench.arrive(0, 0, make_packet(0, 1, 1).front());
  bench.ticks_until(5);
  CHECK_NOTHROW(bench.credit(1, 0));
  CHECK_THROWS_AS(bench.credit(1, 0), InvariantError);
}

TEST_CASE("an output has as many credits as the buffer behind its channel has slots", "[router]") {
  const unsigned depth = GENERATE(1U, 2U, 3U, 7U);
  RouterParams params = credit_params(2, 3);
  params.deepest_buffer = 7;
  CoreBench<> bench(params, 2, 2);
  bench.core.connect_output(1, {1, 1, false, depth});
  CHECK_THROWS_AS(bench.credit(1, 0), InvariantError);
  for (const Flit& flit : make_packet(0, 1, 10)) {
    if (bench.core.inputs[bench.core.vc_index(0, 0)].count < 7) bench.arrive(0, 0, flit);
    bench.tick();
  }
  bench.ticks_until(30);
  CHECK(bench.departures.size() == depth);
  for (unsigned slot = 0; slot < depth; ++slot) bench.credit(1, 0);
  CHECK_THROWS_AS(bench.credit(1, 0), InvariantError);
}

TEST_CASE("wormhole switching sends as many flits as there are credits", "[router]") {
  CoreBench<> bench = bench_with_two_packets(false);
  CHECK(bench.departures.size() == 8);
}

TEST_CASE("virtual cut-through waits for the credits of the whole packet", "[router]") {
  CoreBench<> bench = bench_with_two_packets(true);
  CHECK(bench.departures.size() == 5);  // 3 credits are left.
  bench.credit(1, 0);
  bench.ticks_until(60);
  CHECK(bench.departures.size() == 5);
  bench.credit(1, 0);
  bench.ticks_until(80);
  REQUIRE(bench.departures.size() == 10);
  CHECK(bench.departures[5].cycle == 60);  // The packet holds its VC and only needs a credit.
  CHECK(bench.departures[9].cycle == 64);
}

TEST_CASE(
    "a long packet that waits for space under virtual cut-through is not starved by short ones",
    "[router]") {
  CoreBench<> bench(credit_params(1, 4, true), 3, 3);
  bench.arrive(0, 0, make_packet(0, 2, 1).front());
  bench.ticks_until(10);  // One of four slots downstream is occupied.
  for (const Flit& flit : make_packet(1, 2, 4)) {
    bench.arrive(0, 0, flit);
    bench.tick();
  }
  for (unsigned packet = 2; packet < 5; ++packet) {  // The buffer has space for these.
    bench.arrive(1, 0, make_packet(packet, 2, 1).front());
    bench.tick();
  }
  bench.ticks_until(30);
  CHECK(bench.departures.size() == 1);
  bench.credit(2, 0);
  bench.ticks_until(31);
  REQUIRE(bench.departures.size() == 2);
  CHECK(bench.departures[1].packet == 1);
}
