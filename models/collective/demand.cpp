// SPDX-License-Identifier: Apache-2.0
#include "collective/demand.h"

#include <algorithm>
#include <stdexcept>

#include "base/sequences.h"

namespace flitcast {

const std::vector<OperationName>& operations() {
  constexpr bool kSource = true;
  static const std::vector<OperationName> names{
      {"broadcast", Operation::kBroadcast, kSource},
      {"gossip", Operation::kGossip, false, "all_gather"},
      {"scatter", Operation::kScatter, kSource},
      {"all_to_all_scatter", Operation::kAllToAllScatter, false, "all_to_all"},
      {"multicast", Operation::kMulticast, kSource},
      {"gather", Operation::kGather, kSource},
      {"reduce", Operation::kReduce, kSource},
      {"all_reduce", Operation::kAllReduce},
      {"scan", Operation::kScan},
      {"barrier", Operation::kBarrier},
      {"reduce_scatter", Operation::kReduceScatter},
      {"exclusive_scan", Operation::kExclusiveScan},
  };
  return names;
}

namespace {

const OperationName& entry_of(Operation operation) {
  return *first_where(operations(),
                      [&](const OperationName& entry) { return entry.operation == operation; });
}

}  // namespace

Operation operation_named(const std::string& name) {
  for (const OperationName& entry : operations()) {
    if (name == entry.name || name == entry.also) return entry.operation;
  }
  throw std::invalid_argument("there is no collective operation \"" + name + "\"");
}

const char* to_text(Operation operation) { return entry_of(operation).name; }

bool has_source(Operation operation) { return entry_of(operation).has_source; }

std::optional<Bandwidth> bandwidth_of(Operation operation, std::size_t ranks) {
  const auto n = static_cast<double>(ranks);
  const double others = (n - 1) / n;
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
    case Operation::kReduce:
      return Bandwidth{1, 1};
    case Operation::kAllReduce:
      return Bandwidth{1, 2 * others};
    case Operation::kReduceScatter:
      return Bandwidth{1, others};
    case Operation::kGossip:
    case Operation::kAllToAllScatter:
    case Operation::kScatter:
    case Operation::kGather:
      return Bandwidth{n, others};
    default:
      return std::nullopt;
  }
}

std::size_t Demand::chunks() const {
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
      return blocks();
    case Operation::kGossip:
      return nodes * chunks_per_node;
    case Operation::kAllToAllScatter:
      return nodes * nodes;
    default:
      return nodes * blocks();
  }
}

NodeId Demand::origin(ChunkId chunk) const {
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
    case Operation::kScatter:
      return source;
    default:
      return to_id<NodeId>(index(chunk) % nodes);
  }
}

ChunkRange Demand::wanted(NodeId node) const {
  const std::size_t place = index(node);
  const ChunkRange all{0, chunks()};
  switch (operation) {
    case Operation::kMulticast:
      return node == source || contains(receivers, node) ? all : ChunkRange{};
    case Operation::kScatter:
      return {place, place + 1};
    case Operation::kAllToAllScatter:
    case Operation::kReduceScatter:
      return {nodes * place, nodes * (place + 1)};
    case Operation::kGather:
    case Operation::kReduce:
      return node == source ? all : ChunkRange{};
    case Operation::kScan:
      return {0, place + 1};
    case Operation::kExclusiveScan:
      return {0, place};
    default:
      return all;
  }
}

std::vector<NodeId> all_nodes(std::size_t count) { return NumberRange<NodeId>(count); }

std::vector<NodeId> nodes_after(NodeId source, std::size_t count, std::size_t nodes) {
  return tabulated(
      count, [&](std::size_t step) { return to_id<NodeId>((index(source) + step + 1) % nodes); });
}

ChunkRange Demand::summed(NodeId node) const {
  const ChunkRange range = wanted(node);
  if (!adds_up() || range.begin == range.end) return {};
  return {range.begin / nodes * nodes, (range.end + nodes - 1) / nodes * nodes};
}

}  // namespace flitcast
