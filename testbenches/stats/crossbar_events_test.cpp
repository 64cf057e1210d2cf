// SPDX-License-Identifier: Apache-2.0
// Compares the counted events of crossbars with the circuits over them.
#include "network/circuit/circuit_run.h"
#include "stats/router_events.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Monitors a network to its end, cycle by cycle.
std::vector<RouterEvents> monitored(CircuitRun& run, const FlitFormat& format) {
  EventCounter counter(run.network, format);
  for (int cycle = 0; cycle < 2000; ++cycle) {
    run.network.run(1);
    counter.observe();
  }
  REQUIRE(run.drained());
  return counter.events();
}

FlitFormat payload_alone(bool random) {
  FlitFormat format;
  format.destination_bits = format.remaining_bits = format.head_bits = 0;
  format.payload_is_random = random;
  return format;
}

}  // namespace

// The circuit leads from node 0 by input switch 0 and one middle switch to nodes 1 and 3, at two
// output switches. A stream of five flits changes valid twice and the payload six times, by half of
// its bits.
TEST_CASE("a multicast over circuits changes the wires of its tree, and no others", "[stats]") {
  const bool random = GENERATE(true, false);
  const FlitFormat format = payload_alone(random);
  CircuitRun run("circuits", symmetric(3, 2, 2), {});
  run.send(0, {1, 3}, 5);
  const std::vector<RouterEvents> events = monitored(run, format);
  const double stream = 2 + 6 * (random ? 17 : 0);

  const auto check = [&](std::size_t number, double copies, bool last) {
    INFO("switch " << number);
    const RouterEvents& seen = events[number];
    CHECK(seen.flits_in == 5);
    CHECK(seen.bits_in == stream);
    CHECK(seen.flits_out == 5 * copies);
    CHECK(seen.bits_out == stream * copies);
    CHECK(seen.source_changes == 2 * copies);
    CHECK(seen.link_bits == (last ? 0 : stream * copies));
    CHECK(seen.node_bits == (last ? stream : 0));
  };
  // Two input switches, two output switches, three middle switches, as the topology numbers them.
  std::size_t used = 0;
  for (std::size_t number = 0; number < events.size(); ++number) {
    if (events[number].flits_in == 0) {
      CHECK(events[number].bits_in + events[number].bits_out + events[number].source_changes == 0);
      continue;
    }
    ++used;
    check(number, events[number].flits_out / 5, events[number].node_bits > 0);
  }
  CHECK(used == 4);
}

TEST_CASE("flits of circuits are counted once in every crossbar that they cross", "[stats]") {
  CircuitRun run("circuits", five_stages(4, 2, 4, 2, 2), {});
  for (std::uint32_t node = 0; node < 8; ++node) {
    run.send(node, {node, (node + 3) % 8}, 3 + node);
    run.send(node, {(node + 1) % 8}, 1);
  }
  double flits_in = 0;
  double flits_out = 0;
  for (const RouterEvents& events : monitored(run, payload_alone(true))) {
    flits_in += events.flits_in;
    flits_out += events.flits_out;
  }
  const Totals totals = run.network.totals();
  CHECK(flits_out == static_cast<double>(run.network.flit_hops()));
  // Flits that enter a crossbar are those injected and those that leave a crossbar for another.
  CHECK(flits_in == static_cast<double>(totals.flits_injected) + flits_out -
                        static_cast<double>(totals.flits_ejected));
}
