// SPDX-License-Identifier: Apache-2.0
#include "router/core_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr unsigned kTimedInput = 0;
constexpr unsigned kTimedOutput = 2;

RouterParams params_of_stages(unsigned route, unsigned vc_allocation) {
  RouterParams params;
  params.virtual_channels = 2;
  params.pipeline.route = route;
  params.pipeline.vc_allocation = vc_allocation;
  return params;
}

}  // namespace

TEST_CASE("a head wins the switch route + vc_allocation cycles after its arrival", "[router]") {
  const unsigned route = GENERATE(0U, 1U, 2U, 3U, 8U);
  const unsigned vc_allocation = GENERATE(0U, 1U, 2U, 3U, 8U);
  CoreBench<> bench(params_of_stages(route, vc_allocation), 3, 3);
  bench.ticks_until(10);
  bench.arrive(kTimedInput, 1, make_packet(7, kTimedOutput, 1).front());
  bench.ticks_until(60);
  REQUIRE(bench.departures.size() == 1);
  CHECK(bench.departures[0] == Departure{10 + route + vc_allocation, kTimedOutput, 0, 0, 7, 0});
}

TEST_CASE("the freed slot is reported in the cycle of the grant", "[router]") {
  const unsigned route = GENERATE(0U, 1U, 3U);
  CoreBench<> bench(params_of_stages(route, 1), 3, 3);
  bench.arrive(kTimedInput, 1, make_packet(0, kTimedOutput, 1).front());
  bench.ticks_until(20);
  CHECK(bench.freed == std::vector<Freed>{{route + 1, kTimedInput, 1}});
}

TEST_CASE("body flits follow their head one per cycle", "[router]") {
  const unsigned route = GENERATE(0U, 1U, 2U, 3U);
  const unsigned vc_allocation = GENERATE(0U, 1U, 2U, 3U);
  CoreBench<> bench(params_of_stages(route, vc_allocation), 3, 3);
  for (const Flit& flit : make_packet(0, kTimedOutput, 8)) {
    bench.arrive(kTimedInput, 0, flit);
    bench.tick();
  }
  bench.ticks_until(40);
  REQUIRE(bench.departures.size() == 8);
  for (unsigned f = 0; f < 8; ++f) {
    CHECK(bench.departures[f] ==
          Departure{route + vc_allocation + f, kTimedOutput, 0, 0, 0, 7 - f});
  }
}

TEST_CASE("a late body flit leaves in the cycle of its arrival", "[router]") {
  CoreBench<> bench(params_of_stages(3, 3), 3, 3);
  const std::vector<Flit> flits = make_packet(0, kTimedOutput, 2);
  bench.arrive(kTimedInput, 0, flits[0]);
  bench.ticks_until(30);
  bench.arrive(kTimedInput, 0, flits[1]);
  bench.tick();
  REQUIRE(bench.departures.size() == 2);
  CHECK(bench.departures[1].cycle == 30);
}

TEST_CASE("the next packet of a VC starts its route one cycle after the tail's grant", "[router]") {
  const unsigned route = GENERATE(0U, 1U, 2U, 3U);
  const unsigned vc_allocation = GENERATE(0U, 1U, 2U, 3U);
  CoreBench<> bench(params_of_stages(route, vc_allocation), 3, 3);
  bench.arrive(kTimedInput, 0, make_packet(0, kTimedOutput, 1).front());
  bench.tick();
  bench.arrive(kTimedInput, 0, make_packet(1, 1, 1).front());
  bench.ticks_until(40);
  REQUIRE(bench.departures.size() == 2);
  CHECK(bench.departures[1].cycle - bench.departures[0].cycle == 1 + route + vc_allocation);
}

TEST_CASE("a head counts one hop when it is routed", "[router]") {
  CoreBench<> bench(params_of_stages(2, 2), 3, 3);
  Flit head = make_packet(0, kTimedOutput, 1).front();
  head.hops = 4;
  bench.arrive(kTimedInput, 0, head);
  bench.ticks_until(20);
  CHECK(bench.core.packets[0].hops == 5);
}

TEST_CASE("a slow channel takes one flit in its period", "[router]") {
  const unsigned period = GENERATE(1U, 2U, 3U, 7U);
  CoreBench<> bench(params_of_stages(1, 1), 3, 3);
  bench.core.connect_output(kTimedOutput, {period});
  for (const Flit& flit : make_packet(0, kTimedOutput, 4)) {
    bench.arrive(kTimedInput, 0, flit);
    bench.tick();
  }
  bench.ticks_until(60);
  REQUIRE(bench.departures.size() == 4);
  for (unsigned f = 0; f < 4; ++f) CHECK(bench.departures[f].cycle == 2 + f * period);
}

TEST_CASE("channels of different rates do not change the times of each other", "[router]") {
  CoreBench<> bench(params_of_stages(1, 1), 3, 3);
  bench.core.connect_output(kTimedOutput, {9});
  const std::uint32_t other = GENERATE(1U, 2U);
  bench.core.connect_output(1, {other});
  const std::vector<Flit> slow = make_packet(0, kTimedOutput, 2);
  const std::vector<Flit> fast = make_packet(1, 1, 2);
  for (unsigned f = 0; f < 2; ++f) {
    bench.arrive(0, 0, slow[f]);
    bench.arrive(1, 0, fast[f]);
    bench.tick();
  }
  bench.ticks_until(30);
  REQUIRE(bench.departures.size() == 4);
  CHECK(bench.departures[2] == Departure{2 + other, 1, 0, 0, 1, 0});
  CHECK(bench.departures[3] == Departure{11, kTimedOutput, 0, 0, 0, 0});
}
