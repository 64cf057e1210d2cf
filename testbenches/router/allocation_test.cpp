// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "router/neighbours.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

RouterParams allocation_params(unsigned virtual_channels, unsigned depth = 16) {
  RouterParams params;
  params.virtual_channels = virtual_channels;
  params.buffer_depth = depth;
  return params;
}

/// Packet numbers of the flits that left by an output.
template <class Bench>
std::vector<unsigned> order_at(const Bench& bench, unsigned output, std::uint64_t from = 0) {
  std::vector<unsigned> order;
  for (const Departure& departure : bench.departures) {
    if (departure.output == output && departure.cycle >= from) order.push_back(departure.packet);
  }
  return order;
}

}  // namespace

TEST_CASE("an output VC that a tail frees is not granted in the same cycle", "[router]") {
  Neighbours<> network(allocation_params(1), 2, 1);
  for (unsigned packet = 0; packet < 20; ++packet) network.send(packet % 2, 0, 0, 1);
  network.run(100);
  REQUIRE(network.bench.departures.size() == 20);
  // The tail is in cycle t, VC allocation in t + 1, the switch in t + 2.
  for (unsigned d = 1; d < 20; ++d) {
    CHECK(network.bench.departures[d].cycle == network.bench.departures[d - 1].cycle + 2);
  }
}

TEST_CASE("input VCs get a contended output VC in turn", "[router]") {
  Neighbours<> network(allocation_params(1), 3, 1);
  std::vector<unsigned> expected;
  for (unsigned packet = 0; packet < 30; ++packet) {
    expected.push_back(network.send(packet % 3, 0, 0, 3));
  }
  network.run(200);
  std::vector<unsigned> order;
  for (const Departure& departure : network.bench.departures) {
    if (departure.remaining == 0) order.push_back(departure.packet);
  }
  CHECK(order == expected);
}

TEST_CASE("a packet stream takes the output VCs in turn", "[router]") {
  Neighbours<> network(allocation_params(3), 2, 2);
  for (unsigned packet = 0; packet < 9; ++packet) network.send(0, 0, 1, 1);
  network.run(100);
  REQUIRE(network.bench.departures.size() == 9);
  for (unsigned d = 0; d < 9; ++d) CHECK(network.bench.departures[d].vc == d % 3);
}

TEST_CASE("a stream that changes to another output starts from its VC 0", "[router]") {
  Neighbours<> network(allocation_params(3), 2, 2);
  network.send(0, 0, 0, 1);
  network.send(0, 0, 0, 1);
  network.send(0, 0, 1, 1);
  network.run(50);
  REQUIRE(network.bench.departures.size() == 3);
  CHECK(network.bench.departures[1].vc == 1);
  CHECK(network.bench.departures[2].vc == 0);
}

TEST_CASE("a packet takes only the VCs that its route offers", "[router]") {
  Neighbours<> network(allocation_params(4), 2, 2);
  network.bench.offered = 0b1010;
  for (unsigned packet = 0; packet < 8; ++packet) network.send(0, packet % 4, 1, 2);
  network.run(100);
  REQUIRE(network.bench.departures.size() == 16);
  std::set<unsigned> taken;
  for (const Departure& departure : network.bench.departures) taken.insert(departure.vc);
  CHECK(taken == std::set<unsigned>{1, 3});
}

// Input 2 requests VC 0 in vain, then VC 1, and the third time VC 0 is free again. If its pointer
// had moved, it would now request VC 2.
TEST_CASE("the pointer over output VCs does not move on a request in vain", "[router]") {
  CoreBench<> bench(allocation_params(4), 3, 1);
  bench.arrive(0, 0, make_packet(0, 0, 1).front());
  bench.arrive(1, 0, make_packet(1, 0, 2).front());
  bench.arrive(2, 0, make_packet(2, 0, 2).front());
  bench.ticks_until(10);
  REQUIRE(bench.departures.size() == 3);
  CHECK(bench.departures[0] == Departure{2, 0, 0, 0, 0, 0});
  CHECK(bench.departures[1] == Departure{3, 0, 1, 0, 1, 1});
  CHECK(bench.departures[2] == Departure{4, 0, 0, 1, 2, 1});
}

TEST_CASE("inputs get a contended output in turn, flit by flit", "[router]") {
  Neighbours<> network(allocation_params(3), 3, 2);
  for (unsigned input = 0; input < 3; ++input) network.send(input, 0, 1, 300);
  network.run(20);
  network.run(300);
  const std::vector<unsigned> order = order_at(network.bench, 1, 20);
  REQUIRE(order.size() == 300);
  for (unsigned f = 1; f < order.size(); ++f) REQUIRE(order[f] == (order[f - 1] + 1) % 3);
}

// Output 0 serves inputs 0, 1, 2 in turn. Input 0 loses there in one cycle of three; if its pointer
// over outputs had moved then, it would request output 1 when its turn comes, and miss it.
TEST_CASE("an input that loses asks for the same output again", "[router]") {
  Neighbours<> network(allocation_params(3, 64), 3, 2);
  const unsigned a = network.send(0, 0, 0, 500);
  network.send(0, 1, 1, 500);
  network.send(1, 0, 0, 500);
  network.send(2, 0, 0, 500);
  network.run(350);
  std::map<unsigned, unsigned> flits;
  for (const unsigned packet : order_at(network.bench, 0, 50)) ++flits[packet];
  CHECK(flits[a] == 100);  // A third of 300 cycles.
}

TEST_CASE("VCs of one input that want the same output are served in turn", "[router]") {
  Neighbours<> network(allocation_params(4), 2, 2);
  for (const unsigned vc : {0U, 1U, 3U}) network.send(0, vc, 1, 300);
  network.run(320);
  const std::vector<unsigned> order = order_at(network.bench, 1, 20);
  REQUIRE(order.size() == 300);
  for (unsigned f = 1; f < order.size(); ++f) REQUIRE(order[f] == (order[f - 1] + 1) % 3);
}

TEST_CASE("an input serves the outputs that it has flits for in turn", "[router]") {
  Neighbours<> network(allocation_params(3), 2, 3);
  for (unsigned vc = 0; vc < 3; ++vc) network.send(0, vc, vc, 300);
  bool willing = false;  // False until the input has a backlog for each output.
  network.sink_willing = [&] { return willing; };
  network.run(100);
  willing = true;
  const std::size_t before = network.bench.departures.size();
  REQUIRE(network.count(100) == 100);
  const std::vector<Departure>& departures = network.bench.departures;
  for (std::size_t d = before + 3; d < departures.size(); ++d) {
    REQUIRE(departures[d].output == departures[d - 3].output);
    REQUIRE(departures[d].output != departures[d - 1].output);
  }
}
