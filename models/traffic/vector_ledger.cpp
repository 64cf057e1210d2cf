// SPDX-License-Identifier: Apache-2.0
#include "traffic/vector_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "base/sequences.h"

namespace flitcast {

namespace {

std::uint64_t mixed(std::uint64_t digest, const Elements& elements) {
  for (const std::uint64_t bits : elements) digest = Random(digest ^ bits).next();
  return digest;
}

std::uint64_t unlike(const Elements& a, const Elements& b) {
  return sum_of<std::uint64_t>(numbers(a.size()), [&](std::size_t i) { return a[i] != b[i]; });
}

}  // namespace

std::uint64_t digest_of(const std::vector<VectorSum>& sums) {
  std::uint64_t digest = sums.size();
  for (const VectorSum& sum : sums) digest = mixed(digest ^ sum.first_rank, sum.elements);
  return digest;
}

VectorLedger::VectorLedger(const Demand& demand, const VectorData& data, std::size_t routers)
    : demand_(demand), data_(data) {
  if (!demand.adds_up() || demand.is_union()) {
    throw std::invalid_argument("the operation has no vectors to combine");
  }
  if (!has_space_for(demand, data)) {
    throw std::length_error("ranks have more than 2^26 elements together");
  }
  sums_.resize((demand.nodes + routers) * demand.blocks());
  if (demand.keeps_own_apart()) return;
  for (std::uint32_t rank = 0; rank < demand.nodes; ++rank) {
    for (std::size_t block = 0; block < demand.blocks(); ++block) {
      sums_[place(NodeId{rank}, block)] = own(NodeId{rank}, block);
    }
  }
}

VectorSum VectorLedger::own(NodeId rank, std::size_t block) const {
  const std::size_t from_root = index(rank) + demand_.nodes - index(demand_.source);
  return {static_cast<std::uint32_t>(from_root % demand_.nodes),
          data_.arithmetic.drawn(data_.seed, index(rank), data_.begin_of(demand_, block),
                                 data_.elements_of(demand_, partial_sum(block)))};
}

VectorSum VectorLedger::combined(VectorSum a, VectorSum b) const {
  if (b.first_rank < a.first_rank) std::swap(a, b);
  data_.arithmetic.combine(a.elements, b.elements);
  return {a.first_rank, std::move(b.elements)};
}

VectorSum VectorLedger::held(NodeId rank, ChunkId item) const {
  const std::optional<VectorSum>& known = sums_[place(rank, block_of(item))];
  if (!demand_.keeps_own_apart()) return *known;
  VectorSum mine = own(rank, block_of(item));
  return known ? combined(*known, std::move(mine)) : mine;
}

void VectorLedger::receive(NodeId rank, ChunkId item, VectorSum sum) {
  std::optional<VectorSum>& known = sums_[place(rank, block_of(item))];
  const bool adds = known && !is_result(item);
  known = adds ? combined(std::move(*known), std::move(sum)) : std::move(sum);
}

std::vector<VectorSum> VectorLedger::load(const Schedule& schedule, std::size_t message) const {
  return mapped(schedule.items(message),
                [&](const ChunkId item) { return held(schedule.message(message).from, item); });
}

void VectorLedger::receive(const Schedule& schedule, std::size_t round,
                           std::vector<std::vector<VectorSum>>& loads) {
  for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
    const Items items = schedule.items(m);
    for (const NodeId to : schedule.receivers(m)) {
      for (std::size_t i = 0; i < items.size(); ++i) receive(to, items[i], loads[m][i]);
    }
    std::vector<VectorSum>().swap(loads[m]);
  }
}

void VectorLedger::carry_out(const Schedule& schedule) {
  std::vector<std::vector<VectorSum>> loads(schedule.size());
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      loads[m] = load(schedule, m);
    }
    receive(schedule, round, loads);
  }
}

template <class Visit>
void VectorLedger::for_wanted(Visit&& visit) const {
  for (std::uint32_t rank = 0; rank < demand_.nodes; ++rank) {
    const auto [begin, end] = demand_.summed(NodeId{rank});
    for (std::size_t first = begin; first < end; first += demand_.nodes) {
      visit(NodeId{rank}, first / demand_.nodes);
    }
  }
}

std::uint64_t VectorLedger::differences(const VectorLedger& expected) const {
  std::uint64_t count = 0;
  for_wanted([&](NodeId rank, std::size_t block) {
    const std::optional<VectorSum>& mine = sums_[place(rank, block)];
    const std::optional<VectorSum>& other = expected.sums_[place(rank, block)];
    if (mine && other) {
      count += unlike(mine->elements, other->elements);
    } else if (mine || other) {
      count += data_.elements_of(demand_, partial_sum(block));
    }
  });
  return count;
}

// Ranks whose sums have the same contributions, or a prefix of them as in a scan, share the
// computation.
std::uint64_t VectorLedger::differences_from_rank_order() const {
  std::vector<std::pair<std::size_t, NodeId>> wanted;
  for_wanted([&](NodeId rank, std::size_t block) { wanted.emplace_back(block, rank); });
  std::sort(wanted.begin(), wanted.end());
  std::uint64_t count = 0;
  std::size_t summed = 0;  // Number of contributions summed into `expected` for the current block.
  VectorSum expected;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& [block, rank] = wanted[i];
    if (i > 0 && wanted[i - 1].first != block) summed = 0;
    const std::size_t end = demand_.wanted(rank).end - block * demand_.nodes;
    for (; summed < std::min(end, demand_.nodes); ++summed) {
      VectorSum next = own(demand_.at_rank(summed), block);
      expected = summed == 0 ? std::move(next) : combined(std::move(expected), std::move(next));
    }
    const std::optional<VectorSum>& mine = sums_[place(rank, block)];
    if (mine) count += unlike(mine->elements, expected.elements);
  }
  return count;
}

std::string VectorLedger::digest() const {
  std::uint64_t digest = 1;
  for_wanted([&](NodeId rank, std::size_t block) {
    const std::optional<VectorSum>& sum = sums_[place(rank, block)];
    if (sum) digest = mixed(digest, sum->elements);
  });
  return fmt::format("{:016x}", digest);
}

}  // namespace flitcast
