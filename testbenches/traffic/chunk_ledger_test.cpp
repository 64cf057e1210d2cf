// SPDX-License-Identifier: Apache-2.0
#include "traffic/chunk_ledger.h"

#include <set>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::uint32_t kNodes = 5;

Demand demand_of(Operation operation) {
  Demand demand;
  demand.operation = operation;
  demand.nodes = kNodes;
  demand.source = NodeId{2};
  demand.receivers = nodes_after(demand.source, kNodes - 1, kNodes);
  return demand;
}

ChunkLedger ledger_of(Operation operation) { return {demand_of(operation), 1}; }

/// Delivers to every node, except one, the chunks that it wants from their origins.
void deliver(ChunkLedger& ledger, const ChunkLedger& origins, std::uint32_t except) {
  const Demand& demand = ledger.demand();
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    const auto [begin, end] = demand.wanted(NodeId{node});
    for (std::size_t c = begin; c < end && node != except; ++c) {
      const ChunkId chunk{static_cast<std::uint32_t>(c)};
      if (demand.origin(chunk) == NodeId{node}) continue;
      const ChunkId carried = demand.adds_up() ? kPartialSum : chunk;
      ledger.receive(NodeId{node}, carried, origins.held(demand.origin(chunk), carried));
    }
  }
}

}  // namespace

TEST_CASE("a node that lacks what it wants is detected, whichever it is", "[traffic]") {
  const auto operation =
      GENERATE(Operation::kBroadcast, Operation::kGossip, Operation::kAllToAllScatter,
               Operation::kMulticast, Operation::kAllReduce, Operation::kBarrier);
  const ChunkLedger origins = ledger_of(operation);
  for (std::uint32_t lacking = 0; lacking < kNodes; ++lacking) {
    INFO(to_text(operation) << " without node " << lacking);
    ChunkLedger ledger = origins;
    deliver(ledger, origins, lacking);
    const bool begins = has_source(operation) && NodeId{lacking} == ledger.demand().source;
    CHECK((ledger.wrong() == 0) == begins);
  }
}

TEST_CASE("when all have what they want nothing is wrong, and a changed bit is", "[traffic]") {
  const auto operation = GENERATE(Operation::kBroadcast, Operation::kGossip, Operation::kAllReduce);
  const ChunkLedger origins = ledger_of(operation);
  ChunkLedger ledger = origins;
  deliver(ledger, origins, kNodes);
  CHECK(ledger.wrong() == 0);
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    ChunkLedger changed = ledger;
    const ChunkId carried = ledger.demand().adds_up() ? kPartialSum : ChunkId{0};
    if (ledger.demand().adds_up()) {
      changed.receive(NodeId{node}, carried, 1);
    } else {
      changed.receive(NodeId{node}, carried, ledger.held(NodeId{node}, carried) ^ 1U);
    }
    CHECK(changed.wrong() == 1);
  }
}

TEST_CASE("every contribution to every block has a value of its own", "[traffic]") {
  Demand demand = demand_of(Operation::kAllReduce);
  demand.cuts = 4;
  const ChunkLedger ledger(demand, 1);
  std::set<std::uint64_t> values;
  for (std::uint32_t node = 0; node < kNodes; ++node) {
    for (std::size_t block = 0; block < 4; ++block) {
      values.insert(ledger.held(NodeId{node}, partial_sum(block)));
    }
  }
  CHECK(values.size() == 4 * kNodes);
}

TEST_CASE("every sum that a node lacks or has in excess is counted", "[traffic]") {
  for (const Operation operation : {Operation::kReduceScatter, Operation::kScan, Operation::kReduce,
                                    Operation::kExclusiveScan, Operation::kAllReduce}) {
    INFO(to_text(operation));
    Demand demand = demand_of(operation);
    if (operation == Operation::kAllReduce) demand.cuts = 3;
    const ChunkLedger origins(demand, 1);
    ChunkLedger ledger = origins;
    std::uint64_t wanted = 0, served = 0;
    for (std::uint32_t node = 0; node < kNodes; ++node) {
      const auto [begin, end] = demand.wanted(NodeId{node});
      for (std::size_t c = begin; c < end; ++c) {
        const NodeId origin = demand.origin(ChunkId(c));
        const ChunkId sum = partial_sum(c / kNodes);
        if (origin == NodeId{node}) continue;
        ledger.receive(NodeId{node}, sum, origins.held(origin, sum));
      }
      const ChunkRange summed = demand.summed(NodeId{node});
      wanted += (summed.end - summed.begin) / kNodes;
      served += begin < end && end - begin == 1 && begin == node;
    }
    CHECK(ledger.wrong() == 0);
    CHECK(origins.wrong() == wanted - served);
  }
}
