// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "clos/traffic.h"
#include "network/circuit/circuit_run.h"
#include "support/test_catch.h"

namespace flitcast {

struct BlockedRequests {
  std::uint64_t blocked = 0;
  std::uint64_t requests = 0;

  friend bool operator==(const BlockedRequests& a, const BlockedRequests& b) {
    return a.blocked == b.blocked && a.requests == b.requests;
  }
};

/// Plays random connect and disconnect events; each is complete before the next one starts.
/// Terminals open the connections through the controller and hold them.
inline BlockedRequests play_events(CircuitRun& run, const clos::RequestParams& traffic,
                                   std::uint64_t events) {
  const clos::NetworkState& state = run.network.control().state();
  clos::RequestGenerator generator(state.structure(), traffic);
  BlockedRequests counts;
  for (std::uint64_t event = 0; event < events; ++event) {
    const clos::Proposal proposal = generator.next(state);
    const std::uint32_t node = index(proposal.input);
    if (!proposal.connects) {
      run.network.close(NodeId{node});
      REQUIRE(run.settle(node) == TerminalState::kIdle);
      continue;
    }
    std::vector<std::uint32_t> outputs;
    for (const clos::OutputId output : proposal.outputs) outputs.push_back(index(output));
    run.open(node, outputs);
    ++counts.requests;
    if (run.settle(node) != TerminalState::kConnected) ++counts.blocked;
  }
  run.network.audit();
  return counts;
}

/// Returns parameters under which blocked requests are dropped.
inline CircuitParams one_verdict_each() {
  CircuitParams params;
  params.when_blocked = WhenBlocked::kDrop;
  params.full_hierarchy = false;
  params.request_cycles = 0;
  params.configuration_cycles = 0;
  params.teardown_cycles = 0;
  return params;
}

}  // namespace flitcast
