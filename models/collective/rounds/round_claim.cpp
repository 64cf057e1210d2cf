// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/round_claim.h"

#include <stdexcept>

namespace flitcast {

namespace {

RoundClaim to_some(std::size_t receivers, bool multicast) {
  if (multicast) return {1, 1, {1, "one message"}};
  const std::size_t rounds = ceil_log(2, receivers + 1);
  return {rounds, receivers, {rounds, "holders of the chunk at most double"}};
}

LowerBound port_bound(std::size_t nodes) { return {nodes - 1, "one chunk at a time at a node"}; }

}  // namespace

RoundClaim claim_of(const RoundDemand& demand, RoundMethod method) {
  const std::size_t nodes = demand.nodes;
  if (nodes == 1) return {0, 0, {0, "nobody else"}};
  const bool multicast = method == RoundMethod::kMulticast;
  const std::size_t doublings = ceil_log(2, nodes);
  const LowerBound knowledge{doublings, "what a node knows at most doubles"};
  switch (demand.operation) {
    case RoundOperation::kBroadcast:
      return to_some(nodes - 1, multicast);
    case RoundOperation::kMulticast:
      return to_some(demand.receivers, multicast);
    case RoundOperation::kScatter:
    case RoundOperation::kGather:
      return {nodes - 1, nodes - 1, port_bound(nodes)};
    case RoundOperation::kGossip:
      if (multicast) return {nodes, nodes, port_bound(nodes)};
      return {nodes - 1, nodes * (nodes - 1), port_bound(nodes)};
    case RoundOperation::kAllToAllScatter:
      return {nodes - 1, nodes * (nodes - 1), port_bound(nodes)};
    case RoundOperation::kReduce:
      return {doublings, nodes - 1, knowledge};
    case RoundOperation::kScan:
      return {doublings, nodes * doublings - ((std::size_t{1} << doublings) - 1), knowledge};
    case RoundOperation::kAllReduce:
    case RoundOperation::kBarrier:
      if (multicast) return {doublings + 1, nodes, knowledge};
      return {doublings, nodes * doublings, knowledge};
  }
  throw std::logic_error("an operation without a claim");
}

}  // namespace flitcast
