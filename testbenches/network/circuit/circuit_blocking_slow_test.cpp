// SPDX-License-Identifier: Apache-2.0
#include <tuple>

#include "network/circuit/circuit_blocking.h"

using namespace flitcast;

TEST_CASE("the blocking curve of S1 appears on the network", "[circuit]") {
  const auto [m, blocked, requests] = GENERATE(table<std::uint32_t, std::uint64_t, std::uint64_t>(
      {{4, 12789, 26402}, {5, 2653, 21332}, {6, 119, 20065}, {7, 0, 20006}, {8, 0, 20006}}));
  CircuitRun run("network", symmetric(m, 4, 4), one_verdict_each());
  CHECK(play_events(run, {42, 4, 75}, 40000) == BlockedRequests{blocked, requests});
}
