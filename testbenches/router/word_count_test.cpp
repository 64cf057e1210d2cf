// SPDX-License-Identifier: Apache-2.0
#include "router/random_run.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

RandomRun run_of(unsigned virtual_channels, unsigned ports, unsigned seed) {
  RandomRun run;
  run.params.virtual_channels = virtual_channels;
  run.params.buffer_depth = 1 + seed % 5;
  run.params.pipeline.route = seed % 3;
  run.params.pipeline.vc_allocation = 1 + seed % 2;
  run.params.whole_packet_credit = seed % 4 == 3;
  run.inputs = run.outputs = ports;
  run.seed = seed;
  run.packets_per_vc = 4;
  return run;
}

template <int kNarrow, int kWide>
void check_same(const RandomRun& run) {
  const Neighbours<kNarrow> narrow = run.play<kNarrow>();
  const Neighbours<kWide> wide = run.play<kWide>();
  REQUIRE(narrow.bench.departures.size() == narrow.flits_sent);
  CHECK(narrow.bench.departures == wide.bench.departures);
  CHECK(narrow.bench.freed == wide.bench.freed);
}

}  // namespace

TEST_CASE("routers of one word and of several behave alike, cycle by cycle", "[router]") {
  const unsigned seed = GENERATE(range(0U, 8U));
  const RandomRun run = run_of(1 + seed % 4, 3 + seed, seed);
  check_same<1, 2>(run);
  check_same<1, 4>(run);
}

TEST_CASE("if the VCs do not fit in one word, the number of spare words has no effect",
          "[router]") {
  const unsigned seed = GENERATE(0U, 1U, 2U, 3U);
  check_same<2, 4>(run_of(8, 9 + seed, seed));
  check_same<4, 8>(run_of(5, 20 + seed, seed));
}
