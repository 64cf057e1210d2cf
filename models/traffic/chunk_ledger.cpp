// SPDX-License-Identifier: Apache-2.0
#include "traffic/chunk_ledger.h"

#include <algorithm>
#include <stdexcept>

#include "base/random.h"
#include "base/sequences.h"

namespace flitcast {

ChunkLedger::Sum ChunkLedger::sum_for(const Demand& demand) {
  if (demand.is_union()) return [](std::uint64_t a, std::uint64_t b) { return a | b; };
  return [](std::uint64_t a, std::uint64_t b) { return a + b; };
}

bool ChunkLedger::has_space_for(const Demand& demand) {
  if (demand.adds_up()) return demand.blocks() <= kMostEntries / demand.nodes;
  if (demand.chunks() > 8 * kMostEntries / demand.nodes) return false;
  const auto wanted = sum_of<std::size_t>(NumberRange<NodeId>(demand.nodes), [&](NodeId node) {
    const ChunkRange range = demand.wanted(node);
    return range.end - range.begin;
  });
  return wanted <= kMostEntries;
}

ChunkLedger::ChunkLedger(const Demand& demand, std::uint64_t seed)
    : demand_(demand), seed_(seed), columns_(demand.adds_up() ? demand.blocks() : demand.chunks()) {
  if (!has_space_for(demand)) {
    throw std::length_error("nodes have to know more than the ledger's 2^28 entries");
  }
  if (columns_ <= kMostEntries / demand.nodes) entries_.assign(demand.nodes * columns_, kNothing);
  if (demand.keeps_own_apart()) return;
  for (std::uint32_t c = 0; c < demand.chunks(); ++c) {
    const ChunkId chunk{c};
    enter(demand.origin(chunk), demand.adds_up() ? partial_sum(c / demand.nodes) : chunk,
          contribution(chunk));
  }
}

std::uint64_t ChunkLedger::contribution(ChunkId chunk) const {
  if (demand_.is_union()) return std::uint64_t{1} << index(chunk) % 64;
  return Random::stream(seed_, index(chunk)).next() | 1;
}

std::uint64_t ChunkLedger::known(NodeId node, ChunkId carried) const {
  if (!entries_.empty()) return entries_[entry(node, carried)];
  const auto found = few_entries_.find(entry(node, carried));
  return found == few_entries_.end() ? kNothing : found->second;
}

std::uint64_t ChunkLedger::held(NodeId node, ChunkId carried) const {
  const std::uint64_t sum = known(node, carried);
  return demand_.keeps_own_apart() ? plus(sum, contribution(ChunkId{index(node)})) : sum;
}

bool ChunkLedger::receive(NodeId node, ChunkId carried, std::uint64_t payload) {
  const std::uint64_t own = known(node, carried);
  const bool adds = is_sum(carried) && !is_result(carried);
  enter(node, carried, adds ? plus(own, payload) : payload);
  return is_sum(carried) || own == kNothing;
}

std::uint64_t ChunkLedger::wrong_chunks() const {
  const auto contributions = mapped(NumberRange<ChunkId>(demand_.chunks()),
                                    [&](const ChunkId chunk) { return contribution(chunk); });
  return sum_of<std::uint64_t>(NumberRange<NodeId>(demand_.nodes), [&](const NodeId node) {
    const auto [begin, end] = demand_.wanted(node);
    return count_if(numbers(begin, end), [&, node](std::size_t c) {
      return known(node, to_id<ChunkId>(c)) != contributions[c];
    });
  });
}

// The sum that a node wants of a block is that of the first contributions to it, or of all.
std::uint64_t ChunkLedger::wrong_sums() const {
  std::uint64_t wrong = 0;
  for (std::size_t first = 0; first < demand_.chunks(); first += demand_.nodes) {
    std::vector<std::uint64_t> sums{0};
    for (const std::size_t c : numbers(first, first + demand_.nodes)) {
      sums.push_back(plus(sums.back(), contribution(to_id<ChunkId>(c))));
    }
    for (const NodeId node : NumberRange<NodeId>(demand_.nodes)) {
      const ChunkRange summed = demand_.summed(node);
      if (first < summed.begin || first >= summed.end) continue;
      const std::size_t count = std::min(demand_.wanted(node).end - first, demand_.nodes);
      wrong += known(node, partial_sum(first / demand_.nodes)) != sums[count];
    }
  }
  return wrong;
}

}  // namespace flitcast
