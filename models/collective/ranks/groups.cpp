// SPDX-License-Identifier: Apache-2.0
// Algorithms in two steps: within groups of consecutive ranks, and among the groups.
#include <algorithm>
#include <string>
#include <vector>

#include "collective/precondition.h"
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

/// p ranks, counted from the root, in groups of `size`, the last of which may be smaller; the first
/// rank of every group is its leader.
struct Groups {
  std::size_t ranks = 1;
  std::size_t size = 1;

  std::size_t count() const { return (ranks + size - 1) / size; }
  std::size_t largest() const { return std::min(size, ranks); }
};

/// Adds the rounds of a schedule between consecutive places: the ranks of a group, in all groups at
/// once, or the leaders. A group with fewer ranks omits messages. `item` replaces chunk 0.
void add_rounds(Schedule& schedule, const Demand& demand, const Groups& groups,
                const Schedule& between, bool leaders, ChunkId item = ChunkId{0}) {
  const std::size_t spread = leaders ? groups.size : 1;
  schedule.begin_phase(leaders ? "between leaders" : "within groups");
  for_rounds(schedule, between.rounds(), [&](std::size_t t) {
    for (std::size_t first = 0; first < (leaders ? 1 : groups.ranks); first += groups.size) {
      for (const Message& message : between.messages(t)) {
        const std::size_t from = first + index(message.from) * spread;
        const std::size_t to = first + index(message.to) * spread;
        if (std::max(from, to) >= groups.ranks) continue;
        schedule.add(demand.at_rank(from), demand.at_rank(to),
                     message.chunk == ChunkId{0} ? item : message.chunk);
      }
    }
  });
}

Schedule hierarchical(const Demand& demand, const Groups& groups) {
  const auto copies = [](std::size_t ranks) {
    return binomial_algorithm().schedule({Operation::kBroadcast, ranks});
  };
  const auto sums = [](std::size_t ranks) {
    return binomial_algorithm().schedule({Operation::kReduce, ranks});
  };
  Schedule schedule;
  if (demand.operation == Operation::kBroadcast) {
    add_rounds(schedule, demand, groups, copies(groups.count()), true);
    add_rounds(schedule, demand, groups, copies(groups.largest()), false);
    return schedule;
  }
  add_rounds(schedule, demand, groups, sums(groups.largest()), false);
  if (demand.operation == Operation::kReduce) {
    add_rounds(schedule, demand, groups, sums(groups.count()), true);
    return schedule;
  }
  add_rounds(schedule, demand, groups,
             doubling_algorithm().schedule({Operation::kAllReduce, groups.count()}), true);
  add_rounds(schedule, demand, groups, copies(groups.largest()), false, kResult);
  return schedule;
}

/// With groups of g, q = ceil(p / g) of them: broadcast and reduce take
/// ceil(log2 q) + ceil(log2 min(g, p)) rounds and p - 1 messages; an all-reduce is a reduction
/// within groups, recursive doubling among their leaders and a broadcast within groups. Sums
/// combine contiguous ranges of ranks, lower ranks left.
/// Source: N. T. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize
/// collective operation performance", International Parallel and Distributed Processing Symposium
/// (2000).
Claim hierarchical_claim(const Demand& demand, const Groups& groups) {
  const std::size_t within = ceil_log(2, groups.largest());
  if (demand.operation != Operation::kAllReduce) {
    const std::size_t rounds = within + ceil_log(2, groups.count());
    return {rounds, false, groups.ranks - 1, 0, rounds, groups.ranks - 1};
  }
  const Claim leaders = doubling_algorithm().claim({Operation::kAllReduce, groups.count()});
  const std::size_t rounds = 2 * within + leaders.rounds;
  const std::size_t messages = 2 * (groups.ranks - groups.count()) + *leaders.transmissions;
  return {rounds, false, messages, 0, rounds, messages};
}

/// A grid of ranks: rank r is in row r / columns and column r % columns.
struct RankGrid {
  std::size_t columns = 1;
  std::size_t rows = 1;

  std::size_t right(std::size_t v) const { return v / columns * columns + (v + 1) % columns; }
  std::size_t below(std::size_t v) const { return (v + columns) % (columns * rows); }
};

/// Adds rings of the rows and of the columns. In round t every rank sends, to the right or below,
/// the items of the column or row t + lead places before its own: blocks or chunks of a whole
/// column along rows, single ones along columns.
class RingsOfGrid {
 public:
  RingsOfGrid(Schedule& schedule, const RankGrid& grid) : schedule_(schedule), grid_(grid) {}

  /// Moves the items of a column along the rows: item(column + columns * j) for every row j.
  template <class MakeItem>
  void along_rows(std::size_t lead, MakeItem&& item) {
    for_ranks(schedule_, grid_.columns - 1, ranks(), [&](std::size_t t, std::size_t v) {
      const std::size_t column = back(v % grid_.columns, t + lead, grid_.columns);
      std::vector<ChunkId> items;
      for (std::size_t r = column; r < ranks(); r += grid_.columns) items.push_back(item(r));
      schedule_.add(rank(v), rank(grid_.right(v)), items);
    });
  }
  /// Moves single items along the columns.
  template <class MakeItem>
  void along_columns(std::size_t lead, MakeItem&& item) {
    for_ranks(schedule_, grid_.rows - 1, ranks(), [&](std::size_t t, std::size_t v) {
      const std::size_t row = back(v / grid_.columns, t + lead, grid_.rows);
      schedule_.add(rank(v), rank(grid_.below(v)), item(v % grid_.columns + grid_.columns * row));
    });
  }

 private:
  static std::size_t back(std::size_t place, std::size_t steps, std::size_t size) {
    return (place + size - steps % size) % size;
  }
  std::size_t ranks() const { return grid_.columns * grid_.rows; }

  Schedule& schedule_;
  const RankGrid& grid_;
};

/// A ring of a reduce-scatter starts with the item of the place before, hence its lead of 1.
Schedule grid_ring(const Demand& demand, const RankGrid& grid) {
  Schedule schedule;
  schedule.begin_phase(demand.operation == Operation::kGossip ? "all-gather" : "reduce-scatter");
  RingsOfGrid rings(schedule, grid);
  if (demand.operation == Operation::kGossip) {
    rings.along_columns(0, chunk);
    rings.along_rows(0, chunk);
    return schedule;
  }
  rings.along_rows(1, partial_sum);
  rings.along_columns(1, partial_sum);
  if (demand.operation == Operation::kAllReduce) {
    schedule.begin_phase("all-gather");
    rings.along_columns(0, result_of);
    rings.along_rows(0, result_of);
  }
  return schedule;
}

/// On n columns and m rows, p = n m ranks: n + m - 2 rounds and p - 1 blocks one after another, p
/// times as many in all; an all-reduce is a reduce-scatter and an all-gather. As few blocks as
/// along one ring, and fewer rounds; where a row of ranks is a row of a mesh or a torus no two
/// messages of a round share a channel. The operator must be commutative. Source: E. Chan, M.
/// Heimlich, A. Purkayastha and R. van de Geijn, "Collective communication: theory, practice, and
/// experience", Concurrency and Computation 19 (2007), section 7.
Claim grid_ring_claim(const Demand& demand, const RankGrid& grid) {
  const std::size_t p = demand.nodes;
  const std::size_t times = demand.operation == Operation::kAllReduce ? 2 : 1;
  const std::size_t rounds = times * (grid.columns + grid.rows - 2);
  return {rounds, false, p * rounds, 0, times * (p - 1), times * p * (p - 1)};
}

/// The lengths of rows into which p ranks can be divided: "1, 2, 3 or 6".
std::string divisors_of(std::size_t p) {
  std::vector<std::string> divisors;
  for (std::size_t d = 1; d <= p; ++d) {
    if (p % d == 0) divisors.push_back(std::to_string(d));
  }
  return alternatives(divisors);
}

RankGrid grid_of(const Section& workload, std::size_t p) {
  const std::size_t given = workload.count("row");
  if (given > 0 && p % given != 0) {
    throw *violated(std::to_string(p) + " ranks do not fill rows of " + std::to_string(given),
                    "use a row of " + divisors_of(p));
  }
  std::size_t columns = given;
  for (std::size_t d = 1; given == 0 && d * d <= p; ++d) {
    if (p % d == 0) columns = p / d;
  }
  return {columns, p / columns};
}

Collective make_hierarchical(const Section& workload, const CollectiveContext& context) {
  const Demand demand = demand_of_ranks(context);
  const Groups groups{demand.nodes, workload.count("group")};
  return on_ranks(context, demand, hierarchical_claim(demand, groups),
                  [&](const Demand&) { return hierarchical(demand, groups); });
}

Collective make_grid_ring(const Section& workload, const CollectiveContext& context) {
  Demand demand = demand_of_ranks(context);
  if (demand.operation == Operation::kAllReduce) demand.cuts = demand.nodes;
  const RankGrid grid = grid_of(workload, demand.nodes);
  return on_ranks(context, demand, grid_ring_claim(demand, grid),
                  [&](const Demand&) { return grid_ring(demand, grid); });
}

constexpr double kMostInGroup = 1048576;

}  // namespace

CollectiveEntry hierarchical_collective() {
  return rank_entry(
      "hierarchical", "Any network: within groups of ranks, and among the first of each group.",
      {Operation::kBroadcast, Operation::kReduce, Operation::kAllReduce}, make_hierarchical,
      {Param::integer("group", "ranks", "That follow one another and make a group.", 1,
                      kMostInGroup)
           .defaults_to(8)});
}

CollectiveEntry grid_ring_collective() {
  return rank_entry(
      "grid_ring", "Any network: rings in the rows and in the columns of a grid of ranks.",
      {Operation::kGossip, Operation::kReduceScatter, Operation::kAllReduce}, make_grid_ring,
      {Param::integer(
           "row", "ranks",
           "Ranks of a row of the grid, a divisor of their number; 0: the least that makes no "
           "fewer columns than rows.",
           0, kMostInGroup)
           .defaults_to(0)});
}

}  // namespace flitcast
