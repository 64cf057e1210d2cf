// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collective/demand.h"
#include "collective/judge.h"
#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast {

/// One run of a collective algorithm: what there is, what is asked for, what came out.
struct Instance {
  std::string algorithm;
  std::shared_ptr<const Topology> topology;
  Demand demand;
  Discipline discipline;
  Plan plan;

  /// "ho_kao on hypercube 7 from 3".
  std::string name() const;
  /// Judges this schedule, or another in its place, against the claim.
  Judgement judged() const { return judged(plan.schedule); }
  Judgement judged(const Schedule& schedule) const {
    return judge(*topology, schedule, demand, discipline, plan.claim);
  }
};

/// Small instances of every algorithm of the room, at most about a thousand sends each; made once.
const std::vector<Instance>& collective_instances();

}  // namespace flitcast
