// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "router/multicast_neighbours.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Outputs = std::vector<unsigned>;

RouterParams multicast_params(unsigned virtual_channels, unsigned depth, bool synchronous = false) {
  RouterParams params;
  params.virtual_channels = virtual_channels;
  params.buffer_depth = depth;
  params.synchronous_copies = synchronous;
  return params;
}

/// Takes the only credit of an output VC, so that it stays blocked until the credit returns.
void block(MulticastBench<>& bench, unsigned output) {
  const unsigned port = bench.core.input_ports - 1U;
  bench.arrive(port, 0, bench.packet({output}, 1).front());
  bench.ticks_until(bench.cycle + 10);
  REQUIRE(bench.departures.back().output == output);
}

/// The departures of one packet, output by output.
std::vector<Departure> of_packet(const MulticastBench<>& bench, unsigned packet) {
  std::vector<Departure> result;
  std::copy_if(bench.departures.begin(), bench.departures.end(), std::back_inserter(result),
               [&](const Departure& departure) { return departure.packet == packet; });
  return result;
}

}  // namespace

TEST_CASE("all copies of a head win the switch route + vc_allocation cycles after its arrival",
          "[router]") {
  RouterParams params = multicast_params(2, 4, GENERATE(false, true));
  params.pipeline.route = GENERATE(0U, 1U, 3U);
  params.pipeline.vc_allocation = GENERATE(0U, 1U, 3U);
  MulticastBench<> bench(params, 2, 5);
  bench.ticks_until(10);
  bench.arrive(1, 1, bench.packet({4, 0, 3}, 1).front());
  bench.ticks_until(30);
  const std::uint64_t grant = 10 + params.pipeline.route + params.pipeline.vc_allocation;
  CHECK(bench.departures == std::vector<Departure>{{grant, 0, 0, 0, 0, 0},
                                                   {grant, 3, 0, 0, 0, 0},
                                                   {grant, 4, 0, 0, 0, 0}});
  CHECK(bench.freed == std::vector<Freed>{{grant, 1, 1}});
}

TEST_CASE("a stream to several outputs carries one flit per cycle to each", "[router]") {
  MulticastNeighbours<> network(multicast_params(1, 4, GENERATE(false, true)), 2, 7);
  network.send(0, 0, {0, 2, 5, 6}, 100);
  network.run(1 + 1 + 50);  // Route and VC allocation come first.
  CHECK(network.bench.departures.size() == 4 * 50);
}

TEST_CASE("a head counts one hop regardless of the number of copies", "[router]") {
  MulticastBench<> bench(multicast_params(1, 4), 2, 3);
  Flit head = bench.packet({0, 1, 2}, 1).front();
  head.hops = 4;
  bench.arrive(0, 0, head);
  bench.ticks_until(10);
  REQUIRE(bench.flits.size() == 3);
  for (const Flit& flit : bench.flits) CHECK(flit.hops == 5);
}

TEST_CASE("a blocked output does not stop the copies of the front flit to the others", "[router]") {
  MulticastBench<> bench(multicast_params(1, 1), 3, 3);
  block(bench, 0);
  const std::vector<Flit> flits = bench.packet({0, 1, 2}, 2);
  bench.arrive(0, 0, flits[0]);
  bench.ticks_until(30);
  CHECK(of_packet(bench, 1).size() == 2);
  bench.credit(1, 0);
  bench.credit(2, 0);
  bench.ticks_until(40);
  CHECK(of_packet(bench, 1).size() == 2);  // No output is ever more than one flit ahead.
  bench.credit(0, 0);
  bench.tick();
  REQUIRE(of_packet(bench, 1).size() == 3);
  CHECK(of_packet(bench, 1)[2] == Departure{40, 0, 0, 0, 1, 1});
  CHECK(bench.freed.back() == Freed{40, 0, 0});
  bench.arrive(0, 0, flits[1]);
  bench.tick();
  CHECK(of_packet(bench, 1).size() == 5);  // The outputs with a credit continue.
}

TEST_CASE("synchronous copies wait for the last credit", "[router]") {
  MulticastBench<> bench(multicast_params(1, 1, true), 3, 3);
  block(bench, 0);
  bench.arrive(0, 0, bench.packet({0, 1, 2}, 1).front());
  bench.ticks_until(30);
  CHECK(of_packet(bench, 1).empty());
  bench.credit(0, 0);
  bench.tick();
  CHECK(of_packet(bench, 1).size() == 3);
}

// Input 2 holds the only VC of output 1 for its long packet.
TEST_CASE("a head keeps the output VCs that it was granted and waits for the others", "[router]") {
  MulticastBench<> bench(multicast_params(1, 8, GENERATE(false, true)), 3, 2);
  const std::vector<Flit> open = bench.packet({1}, 2);
  bench.arrive(2, 0, open[0]);
  bench.ticks_until(10);
  bench.arrive(0, 0, bench.packet({0, 1}, 1).front());
  bench.ticks_until(13);
  const unsigned early = bench.core.branch(0, 0).stage == BranchStage::kHolding ? 0 : 1;
  // For asynchronous copies: the copy that holds its VC.
  CHECK(of_packet(bench, 1).size() == early);
  CHECK(bench.core.branch(0, 0).stage ==
        (early == 1 ? BranchStage::kFinished : BranchStage::kHolding));
  CHECK(bench.core.branch(0, 1).stage == BranchStage::kAsking);
  bench.arrive(2, 0, open[1]);
  bench.ticks_until(20);
  CHECK(of_packet(bench, 1).size() == 2);
  CHECK(bench.core.branch(0, 0).stage == BranchStage::kNone);
}

TEST_CASE("the state shows what every branch waits for", "[router]") {
  MulticastBench<> bench(multicast_params(2, 1), 3, 3);
  block(bench, 0);  // VC 0 of output 0 has no credits.
  const Branch blocked{PortId{0}, 0b01, 7};
  const Branch going{PortId{2}, 0b10, 8};
  const std::vector<Flit> flits = bench.packet_by({blocked, going}, 2);
  bench.arrive(1, 1, flits[0]);
  bench.tick();
  const unsigned i = bench.core.vc_index(1, 1);
  CHECK(bench.core.branch(i, 0).stage == BranchStage::kAsking);
  CHECK(bench.core.branch(i, 0).vcs == 0b01);
  CHECK(bench.core.branch(i, 1).stage == BranchStage::kNone);
  CHECK(bench.core.inputs[i].output == InputVc::kNone);
  bench.ticks_until(30);
  CHECK(bench.core.branch(i, 0).stage == BranchStage::kHolding);
  CHECK(bench.core.output_of(i, 0) == bench.core.vc_index(0, 0));
  CHECK(bench.core.branch(i, 2).stage == BranchStage::kCopied);
  CHECK(bench.core.output_of(i, 2) == bench.core.vc_index(2, 1));
  CHECK(bench.core.outputs[bench.core.vc_index(2, 1)].owner == i);
  CHECK(bench.core.inputs[i].output != InputVc::kNone);
  CHECK(bench.core.copies == 1);
  bench.credit(0, 0);
  bench.tick();
  // The branch waits for the next flit.
  CHECK(bench.core.branch(i, 0).stage == BranchStage::kHolding);
  CHECK(bench.core.branch(i, 2).stage == BranchStage::kHolding);
}

TEST_CASE("a branch that a packet lacks starts from VC 0 the next time", "[router]") {
  MulticastNeighbours<> network(multicast_params(3, 8), 1, 3);
  network.send(0, 0, {0, 1}, 1);
  network.send(0, 0, {0}, 1);
  network.send(0, 0, {0, 1}, 1);
  network.run(40);
  const std::vector<Departure> last = of_packet(network.bench, 2);
  REQUIRE(last.size() == 2);
  CHECK(last[0].vc == 2);
  CHECK(last[1].vc == 0);
}

// The port picks outputs 0, 1 and 3 in turn. If its pointer moved to 3 whenever 0 and 3 are served
// together, it would never reach 1.
TEST_CASE("of two VCs of an input port, a branching one does not starve the other", "[router]") {
  MulticastNeighbours<> network(multicast_params(2, 8, GENERATE(false, true)), 1, 4);
  const unsigned wide = network.send(0, 0, {0, 3}, 1000);
  const unsigned narrow = network.send(0, 1, {1}, 1000);
  network.sink_willing = [](unsigned) { return false; };
  network.run(60);  // Both buffers fill up.
  const std::size_t before = network.copies_of(narrow);
  network.sink_willing = [](unsigned) { return true; };
  network.run(300);
  CHECK(network.copies_of(narrow) - before == 100);
  CHECK(network.copies_of(wide) >= 2 * 200);
}

TEST_CASE("the output that a port picks changes with every flit, even without a choice",
          "[router]") {
  MulticastBench<> bench(multicast_params(2, 8), 1, 4);
  const std::vector<Flit> wide = bench.packet({0, 3}, 3);
  const std::vector<Flit> narrow = bench.packet({1}, 1);
  bench.arrive(0, 0, wide[0]);  // It leaves in cycle 2, picked for output 0.
  bench.tick();
  bench.arrive(0, 0, wide[1]);  // It leaves in cycle 3, picked for output 3.
  bench.tick();
  bench.arrive(0, 1, narrow[0]);
  bench.ticks_until(4);
  bench.arrive(0, 0, wide[2]);  // It competes with the other VC; output 0 is next.
  bench.ticks_until(10);
  CHECK(of_packet(bench, 0).back().cycle == 4);
  CHECK(of_packet(bench, 1).back().cycle == 5);
}

TEST_CASE("overlapping sets share the outputs under saturation", "[router]") {
  const bool synchronous = GENERATE(false, true);
  MulticastNeighbours<> network(multicast_params(4, 8, synchronous), 4, 3);
  std::vector<unsigned> streams;
  for (unsigned input = 0; input < 3; ++input) {
    streams.push_back(network.send(input, input, {input, (input + 1) % 3}, 2000));
  }
  network.run(1000);  // Any two of the three sets have an output in common.
  for (const unsigned stream : streams) CHECK(network.copies_of(stream) >= 2 * 320);
}

// The two others overlap with the third only. If the turn passed to the port that moved last, these
// two would exchange it for ever, from one of the two starting states.
TEST_CASE("a stream that overlaps with two others moves as often as they do", "[router]") {
  const unsigned place = GENERATE(0U, 1U, 2U);
  const unsigned head_start = GENERATE(0U, 1U, 6U, 7U);
  MulticastNeighbours<> network(multicast_params(4, 8, GENERATE(false, true)), 3, 5);
  const unsigned first = network.send((place + 1) % 3, 0, {0, 3}, 2000);
  const unsigned second = network.send((place + 2) % 3, 1, {1, 4}, 2000);
  network.run(head_start);
  const unsigned both = network.send(place, 2, {0, 1}, 2000);
  network.run(1000);
  CAPTURE(place, head_start);
  CHECK(network.copies_of(both) >= 640);
  CHECK(network.copies_of(first) >= 640);
  CHECK(network.copies_of(second) >= 640);
}

TEST_CASE("two inputs that request the same set take turns", "[router]") {
  MulticastNeighbours<> network(multicast_params(2, 8, GENERATE(false, true)), 2, 3);
  const unsigned first = network.send(0, 0, {0, 1, 2}, 2000);
  const unsigned second = network.send(1, 1, {0, 1, 2}, 2000);
  network.run(1000);
  CHECK(network.copies_of(first) >= 3 * 490);
  CHECK(network.copies_of(second) >= 3 * 490);
}

TEST_CASE("synchronous copies do not starve unicast packets", "[router]") {
  MulticastNeighbours<> network(multicast_params(4, 8, true), 4, 4);
  for (unsigned input = 0; input < 3; ++input) {
    network.send(input, input, {0, 1 + input}, 2000);
  }
  const unsigned unicast = network.send(3, 3, {0}, 2000);
  network.run(1000);
  CHECK(network.copies_of(unicast) >= 240);  // A quarter of the flits of output 0.
}

TEST_CASE("sets that do not overlap move in the same cycle", "[router]") {
  MulticastNeighbours<> network(multicast_params(1, 8, true), 3, 6);
  network.send(0, 0, {0, 3}, 200);
  network.send(1, 0, {1, 4}, 200);
  network.send(2, 0, {2, 5}, 200);
  network.run(102);
  CHECK(network.bench.departures.size() == 600);
}

// Two streams occupy the channels of outputs 0 and 1 alternately, so that both channels are never
// idle in the same cycle without a reservation.
TEST_CASE("synchronous copies get slow channels that other packets keep busy", "[router]") {
  MulticastNeighbours<> network(multicast_params(2, 8, true), 3, 2);
  network.bench.core.connect_output(0, {2});
  network.bench.core.connect_output(1, {2});
  const unsigned even = network.send(0, 0, {0}, 2000);
  network.run(1);
  const unsigned odd = network.send(1, 0, {1}, 2000);
  network.run(49);
  REQUIRE(network.bench.departures.back().cycle != (network.bench.departures.end() - 2)->cycle);
  const unsigned both = network.send(2, 1, {0, 1}, 2000);
  network.run(900);
  CHECK(network.copies_of(both) >= 2 * 100);
  CHECK(network.copies_of(even) >= 100);
  CHECK(network.copies_of(odd) >= 100);
}

TEST_CASE(
    "slow channels carry a synchronous copy whenever they are idle, beside other packets, too",
    "[router]") {
  MulticastNeighbours<> network(multicast_params(1, 8, true), 2, 4);
  for (unsigned output = 0; output < 4; ++output) network.bench.core.connect_output(output, {2});
  const unsigned low = network.send(0, 0, {0, 1}, 1000);
  const unsigned high = network.send(1, 0, {2, 3}, 1000);
  network.run(2 + 200);  // Route and VC allocation come first.
  CHECK(network.copies_of(low) == 2 * 100);
  CHECK(network.copies_of(high) == 2 * 100);
}

TEST_CASE("a packet without a branch, or with two at one output, stops the run", "[router]") {
  const Outputs outputs = GENERATE(Outputs{}, Outputs{1, 1}, Outputs{3});
  MulticastBench<> bench(multicast_params(1, 4), 2, 3);
  bench.arrive(0, 0, bench.packet(outputs, 1).front());
  CHECK_THROWS_AS(bench.tick(), InvariantError);
}

TEST_CASE("a flit too many and a credit too many stop the run", "[router]") {
  MulticastBench<> bench(multicast_params(1, 1), 2, 3);
  CHECK_THROWS_AS(bench.credit(1, 0), InvariantError);
  const std::vector<Flit> flits = bench.packet({0, 1}, 2);
  bench.arrive(0, 0, flits[0]);
  CHECK_THROWS_AS(bench.arrive(0, 0, flits[1]), InvariantError);
}
