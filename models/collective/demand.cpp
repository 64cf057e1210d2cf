// SPDX-License-Identifier: Apache-2.0
#include "collective/demand.h"

#include <algorithm>
#include <stdexcept>

namespace flitcast {

const std::vector<OperationName>& operations() {
  constexpr bool kSource = true;
  static const std::vector<OperationName> names{
      {"broadcast", Operation::kBroadcast, kSource},
      {"gossip", Operation::kGossip},
      {"scatter", Operation::kScatter, kSource},
      {"all_to_all_scatter", Operation::kAllToAllScatter},
      {"multicast", Operation::kMulticast, kSource},
      {"gather", Operation::kGather, kSource},
      {"reduce", Operation::kReduce, kSource},
      {"all_reduce", Operation::kAllReduce},
      {"scan", Operation::kScan},
      {"barrier", Operation::kBarrier},
  };
  return names;
}

namespace {

const OperationName& entry_of(Operation operation) {
  return *std::find_if(operations().begin(), operations().end(),
                       [&](const OperationName& entry) { return entry.operation == operation; });
}

}  // namespace

Operation operation_named(const std::string& name) {
  for (const OperationName& entry : operations()) {
    if (name == entry.name) return entry.operation;
  }
  throw std::invalid_argument("there is no collective operation \"" + name + "\"");
}

const char* to_text(Operation operation) { return entry_of(operation).name; }

bool has_source(Operation operation) { return entry_of(operation).has_source; }

std::size_t Demand::chunks() const {
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
      return 1;
    case Operation::kGossip:
      return nodes * chunks_per_node;
    case Operation::kAllToAllScatter:
      return nodes * nodes;
    default:
      return nodes;
  }
}

NodeId Demand::origin(ChunkId chunk) const {
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
    case Operation::kScatter:
      return source;
    default:
      return NodeId{static_cast<std::uint32_t>(index(chunk) % nodes)};
  }
}

ChunkRange Demand::wanted(NodeId node) const {
  const std::size_t place = index(node);
  const ChunkRange all{0, chunks()};
  switch (operation) {
    case Operation::kMulticast:
      return (place + nodes - index(source)) % nodes <= receivers ? all : ChunkRange{};
    case Operation::kScatter:
      return {place, place + 1};
    case Operation::kAllToAllScatter:
      return {nodes * place, nodes * (place + 1)};
    case Operation::kGather:
    case Operation::kReduce:
      return node == source ? all : ChunkRange{};
    case Operation::kScan:
      return {0, place + 1};
    default:
      return all;
  }
}

bool Demand::adds_up() const {
  return operation == Operation::kReduce || operation == Operation::kAllReduce ||
         operation == Operation::kScan || operation == Operation::kBarrier;
}

bool Demand::wants_nothing_else(NodeId node) const {
  return adds_up() && (operation != Operation::kReduce || node == source);
}

}  // namespace flitcast
