// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collective/check_claim.h"
#include "collective/demand.h"
#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast {

/// One run of a collective algorithm: the topology, the demand and the resulting plan.
struct Instance {
  std::string algorithm;
  std::shared_ptr<const Topology> topology;
  Demand demand;
  Discipline discipline;
  Plan plan;

  /// For example "ho_kao on hypercube 7 from 3".
  std::string name() const;
  /// Verifies this schedule, or a replacement, against the claim.
  Verification verified() const { return verified(plan.schedule); }
  Verification verified(const Schedule& schedule) const {
    return verify(*topology, schedule, demand, discipline, plan.claim);
  }
};

/// Small instances of every algorithm of models/collective, at most about a thousand sends each;
/// made once.
const std::vector<Instance>& collective_instances();

}  // namespace flitcast
