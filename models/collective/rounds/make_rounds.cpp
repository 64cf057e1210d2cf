// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/make_rounds.h"

#include <stdexcept>
#include <string>

#include "collective/precondition.h"
#include "collective/rounds/reductions.h"
#include "collective/rounds/shifts.h"
#include "collective/rounds/trees.h"

namespace flitcast {

namespace {

void require_sound(const RoundDemand& demand) {
  if (demand.nodes == 0) throw std::invalid_argument("a collective operation needs a node");
  if (index(demand.source) >= demand.nodes) {
    throw PreconditionError(PreconditionError::Subject::kSource,
                            "there is no node " + std::to_string(index(demand.source)) + " among " +
                                std::to_string(demand.nodes),
                            "use a source from 0 to " + std::to_string(demand.nodes - 1));
  }
  if (demand.operation != RoundOperation::kMulticast) return;
  if (demand.receivers >= demand.nodes || (demand.receivers == 0 && demand.nodes > 1)) {
    throw std::invalid_argument("a multicast to " + std::to_string(demand.receivers) + " of " +
                                std::to_string(demand.nodes - 1) + " other nodes");
  }
}

RoundPlan one_to_many(const RoundDemand& demand, bool multicast) {
  const std::size_t receivers =
      demand.operation == RoundOperation::kMulticast ? demand.receivers : demand.nodes - 1;
  return multicast ? one_multicast(demand, receivers) : binomial_copies(demand, receivers);
}

}  // namespace

RoundPlan make_rounds(const RoundDemand& demand, RoundMethod method) {
  require_sound(demand);
  const bool multicast = method == RoundMethod::kMulticast;
  switch (demand.operation) {
    case RoundOperation::kBroadcast:
    case RoundOperation::kMulticast:
      return one_to_many(demand, multicast);
    case RoundOperation::kScatter:
      return shifted_scatter(demand);
    case RoundOperation::kGather:
      return shifted_gather(demand);
    case RoundOperation::kGossip:
      return multicast ? multicasts_in_turn(demand) : shifted_gossip(demand);
    case RoundOperation::kAllToAllScatter:
      return shifted_exchange(demand);
    case RoundOperation::kReduce:
      return binomial_reduction(demand);
    case RoundOperation::kAllReduce:
      return multicast ? reduce_and_multicast(demand) : recursive_doubling_rounds(demand);
    case RoundOperation::kScan:
      return doubling_scan(demand);
    case RoundOperation::kBarrier:
      return multicast ? reduce_and_multicast(demand) : dissemination(demand);
  }
  throw std::logic_error("an operation without rounds");
}

}  // namespace flitcast
