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

ItemRange RoundDemand::wanted(NodeId node) const {
  const std::size_t place = index(node);
  const ItemRange all{0, items()};
  switch (operation) {
    case RoundOperation::kMulticast:
      return (place + nodes - index(source)) % nodes <= receivers ? all : ItemRange{};
    case RoundOperation::kScatter:
      return {place, place + 1};
    case RoundOperation::kAllToAllScatter:
      return {nodes * place, nodes * (place + 1)};
    case RoundOperation::kGather:
    case RoundOperation::kReduce:
      return node == source ? all : ItemRange{};
    case RoundOperation::kScan:
      return {0, place + 1};
    default:
      return all;
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
