// SPDX-License-Identifier: Apache-2.0
#include "router/random_run.h"
#include "support/test_catch.h"

using namespace flitcast;

// A lazy bench ticks only when something has arrived or the last tick reported work.
TEST_CASE("a tick without work changes nothing that follows", "[router]") {
  RandomRun run;
  run.seed = GENERATE(range(0U, 24U));
  run.params.virtual_channels = 1 + run.seed % 4;
  run.params.buffer_depth = 1 + run.seed % 6;
  run.params.pipeline.route = run.seed % 4;
  run.params.pipeline.vc_allocation = run.seed / 4 % 4;
  run.params.whole_packet_credit = run.seed % 3 == 0;
  run.inputs = run.outputs = 4;
  run.packets_per_vc = 3;
  run.slow_period = 1 + run.seed % 5 * 3;
  run.source_percent = 20;
  run.sink_percent = 20;
  const Neighbours<> eager = run.play<1>();
  run.lazy = true;
  const Neighbours<> lazy = run.play<1>();
  CHECK(eager.bench.departures.size() == eager.flits_sent);
  CHECK(lazy.bench.departures == eager.bench.departures);
  CHECK(lazy.bench.freed == eager.bench.freed);
  CHECK(2 * lazy.bench.ticks < eager.bench.ticks);
}
