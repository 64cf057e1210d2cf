// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collective/demand.h"
#include "collective/discipline.h"
#include "collective/plan.h"
#include "collective/step_machine.h"
#include "support/test_catch.h"
#include "topology/topology.h"

namespace flitcast {

/// Judges a gossip under store-and-forward with all ports, against its own claim; whatever is wrong
/// fails the test.
inline Judgement judge_gossip(const Topology& topology, const Plan& plan,
                              std::size_t chunks_per_node) {
  const Demand demand{Operation::kGossip, topology.node_count(), NodeId{}, chunks_per_node};
  Judgement judgement =
      judge(topology, plan.schedule, demand, {Switching::kStoreAndForward, kAllPorts}, plan.claim);
  INFO(topology.name());
  INFO((judgement.legal() ? "legal" : judgement.violations.front().text));
  CHECK(judgement.legal());
  return judgement;
}

}  // namespace flitcast
