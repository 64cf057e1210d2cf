// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/circuit_blocking.h"

#include "clos/catalog.h"
#include "clos/experiments/blocking_curve.h"

using namespace flitcast;

TEST_CASE("random requests are blocked on the network exactly as in theory", "[circuit]") {
  const std::string strategy = GENERATE(as<std::string>{}, "S1", "FF", "RND");
  const std::uint32_t m = GENERATE(4U, 5U, 6U, 7U);
  const clos::Structure structure = clos::Structure::symmetric(m, 4, 4);
  const clos::RequestParams traffic{42, 4, 75};
  CircuitParams params = one_verdict_each();
  params.strategy = find(clos::strategies(), strategy)->make;
  params.seed = traffic.seed;
  CircuitRun run("network", {{structure}}, params);
  const clos::TrafficCounts theory =
      clos::blocked_traffic(structure, params.strategy, traffic, 1500);
  CHECK(play_events(run, traffic, 1500) == BlockedRequests{theory.blocked, theory.requests});
  CHECK(run.network.circuit_totals().blocked == theory.blocked);
}

TEST_CASE("a refused request leaves the crossbars as they were", "[circuit]") {
  CircuitRun run("network", symmetric(4, 4, 4), one_verdict_each());
  const BlockedRequests counts = play_events(run, {7, 4, 75}, 300);
  REQUIRE(counts.blocked > 0);
  CHECK(run.network.circuit_totals().granted == counts.requests - counts.blocked);
}
