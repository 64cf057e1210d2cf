// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/round_demand.h"

namespace flitcast {

std::size_t RoundDemand::items() const {
  switch (operation) {
    case RoundOperation::kBroadcast:
    case RoundOperation::kMulticast:
      return 1;
    case RoundOperation::kAllToAllScatter:
      return nodes * nodes;
    default:
      return nodes;
  }
}

NodeId RoundDemand::origin(std::uint32_t item) const {
  switch (operation) {
    case RoundOperation::kBroadcast:
    case RoundOperation::kMulticast:
    case RoundOperation::kScatter:
      return source;
    default:
      return NodeId{static_cast<std::uint32_t>(item % nodes)};
  }
}

bool RoundDemand::wants(NodeId node, std::uint32_t item) const {
  switch (operation) {
    case RoundOperation::kMulticast:
      return (index(node) + nodes - index(source)) % nodes <= receivers;
    case RoundOperation::kScatter:
      return item == index(node);
    case RoundOperation::kAllToAllScatter:
      return item / nodes == index(node);
    case RoundOperation::kGather:
    case RoundOperation::kReduce:
      return node == source;
    case RoundOperation::kScan:
      return item <= index(node);
    default:
      return true;
  }
}

bool RoundDemand::combines() const {
  return operation == RoundOperation::kReduce || operation == RoundOperation::kAllReduce ||
         operation == RoundOperation::kScan || operation == RoundOperation::kBarrier;
}

bool RoundDemand::wants_nothing_else(NodeId node) const {
  return combines() && (operation != RoundOperation::kReduce || node == source);
}

bool has_source(RoundOperation operation) {
  switch (operation) {
    case RoundOperation::kBroadcast:
    case RoundOperation::kMulticast:
    case RoundOperation::kScatter:
    case RoundOperation::kGather:
    case RoundOperation::kReduce:
      return true;
    default:
      return false;
  }
}

}  // namespace flitcast
