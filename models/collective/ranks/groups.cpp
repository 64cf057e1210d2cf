// SPDX-License-Identifier: Apache-2.0
// Algorithms in two steps: within groups of consecutive ranks, and among the groups.
#include <algorithm>
#include <vector>

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

/// The ranks between which a step of an algorithm runs: all groups at once, the leaders, or the
/// peers, which have the same place in their groups, in all places at once.
enum class Lines { kGroups, kLeaders, kPeers };

/// Adds the rounds of a schedule between the places of lines. A message of a place that the last
/// group does not have is left out. items(line, items) replaces the items of a message.
template <class MakeItems>
void add_rounds(Schedule& schedule, const Demand& demand, const Groups& groups, Lines lines,
                const Schedule& between, MakeItems&& items) {
  const bool within = lines == Lines::kGroups;
  const std::size_t count = within ? groups.count() : lines == Lines::kPeers ? groups.size : 1;
  for_rounds(schedule, between.rounds(), [&](std::size_t t) {
    for (std::size_t line = 0; line < count; ++line) {
      for (std::size_t m = between.begin(t); m < between.end(t); ++m) {
        const auto rank_of = [&](NodeId place) {
          return within ? line * groups.size + index(place) : line + index(place) * groups.size;
        };
        const Message& message = between.message(m);
        const std::size_t from = rank_of(message.from), to = rank_of(message.to);
        if (std::max(from, to) >= groups.ranks) continue;
        schedule.add(demand.at_rank(from), demand.at_rank(to), items(line, between.items(m)));
      }
    }
  });
}

Schedule binomial(Operation operation, std::size_t ranks) {
  return binomial_algorithm().schedule({operation, ranks});
}

/// Every message carries a whole chunk or sum, between leaders of groups.
Schedule by_leaders(const Demand& demand, const Groups& groups) {
  Schedule schedule;
  const auto add = [&](Lines lines, const Schedule& between, ChunkId item) {
    schedule.begin_phase(lines == Lines::kLeaders ? "between leaders" : "within groups");
    add_rounds(schedule, demand, groups, lines, between, [&](std::size_t, const Items& items) {
      return std::vector<ChunkId>{is_sum(items[0]) ? items[0] : item};
    });
  };
  if (demand.operation == Operation::kBroadcast) {
    add(Lines::kLeaders, binomial(Operation::kBroadcast, groups.count()), chunk(0));
    add(Lines::kGroups, binomial(Operation::kBroadcast, groups.largest()), chunk(0));
    return schedule;
  }
  add(Lines::kGroups, binomial(Operation::kReduce, groups.largest()), chunk(0));
  if (demand.operation == Operation::kReduce) {
    add(Lines::kLeaders, binomial(Operation::kReduce, groups.count()), chunk(0));
    return schedule;
  }
  add(Lines::kLeaders, doubling_algorithm().schedule({Operation::kAllReduce, groups.count()}),
      kResult);
  add(Lines::kGroups, binomial(Operation::kBroadcast, groups.largest()), kResult);
  return schedule;
}

/// With groups of g, q = ceil(p / g) of them: broadcast and reduce take
/// ceil(log2 q) + ceil(log2 min(g, p)) rounds and p - 1 messages. An all-reduce of groups of
/// different sizes is a reduction within groups, recursive doubling among their leaders and a
/// broadcast within groups. Sums combine contiguous ranges of ranks, lower ranks left.
/// Source: N. T. Karonis et al., "Exploiting hierarchy in parallel computer networks to optimize
/// collective operation performance", International Parallel and Distributed Processing Symposium
/// (2000).
Claim leaders_claim(const Demand& demand, const Groups& groups) {
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

/// An operation within a group: by halving or doubling where its ranks are a power of two,
/// otherwise in a ring.
RankAlgorithm within_group(Operation operation, const Groups& groups) {
  if ((groups.size & (groups.size - 1)) != 0) return ring_algorithm();
  return operation == Operation::kGossip ? doubling_algorithm() : halving_algorithm();
}

/// A reduce-scatter within groups, all-reduces between peers and an all-gather within groups.
Schedule by_peers(const Demand& demand, const Groups& groups) {
  const std::size_t blocks = rabenseifner_blocks(groups.count());  // In the share of a peer.
  const auto shares = [&](ChunkId (*item)(std::size_t)) {
    return [=](std::size_t, const Items& items) {
      std::vector<ChunkId> all;
      for (const ChunkId share : items) {
        const std::size_t first = (is_sum(share) ? block_of(share) : index(share)) * blocks;
        append(all, tabulated(blocks, [&](std::size_t b) { return item(first + b); }));
      }
      return all;
    };
  };
  const auto of_peers = [&](std::size_t line, const Items& items) {
    return mapped(items, [&](ChunkId item) {
      const std::size_t block = line * blocks + block_of(item);
      return is_result(item) ? result_of(block) : partial_sum(block);
    });
  };
  Schedule schedule;
  const auto add = [&](const char* phase, Lines lines, const Schedule& between, auto&& items) {
    schedule.begin_phase(phase);
    add_rounds(schedule, demand, groups, lines, between, items);
  };
  const auto within = [&](Operation operation) {
    return within_group(operation, groups).schedule({operation, groups.size});
  };
  add("reduce-scatter within groups", Lines::kGroups, within(Operation::kReduceScatter),
      shares(partial_sum));
  add("all-reduce between peers", Lines::kPeers,
      rabenseifner_algorithm().schedule({Operation::kAllReduce, groups.count()}), of_peers);
  add("all-gather within groups", Lines::kGroups, within(Operation::kGossip), shares(result_of));
  return schedule;
}

/// With q groups of g ranks each, and c = 2^floor(log2 q) blocks in each of g shares: both steps
/// within groups take g - 1 shares one after another, by halving in log2 g rounds, by a ring in
/// g - 1; between them Rabenseifner's algorithm runs between the q peers in every place. The
/// operator must be commutative. Source: as for the ring, and M. Cho, U. Finkler, M. Serrano, D.
/// Kung and H. Hunter, "BlueConnect: Decomposing all-reduce for deep learning on heterogeneous
/// network hierarchy", IBM Journal of Research and Development 63 (2019).
Claim peers_claim(const Groups& groups) {
  const std::size_t blocks = rabenseifner_blocks(groups.count());
  Claim claim = rabenseifner_algorithm().claim({Operation::kAllReduce, groups.count()});
  claim.transmissions = groups.size * *claim.transmissions;
  claim.total_blocks = groups.size * *claim.total_blocks;
  for (const Operation operation : {Operation::kReduceScatter, Operation::kGossip}) {
    const Claim step = within_group(operation, groups).claim({operation, groups.size});
    claim.rounds += step.rounds;
    *claim.transmissions += groups.count() * *step.transmissions;
    *claim.serial_blocks += blocks * *step.serial_blocks;
    *claim.total_blocks += groups.count() * blocks * *step.total_blocks;
  }
  return claim;
}

Collective make_hierarchical(const Section& workload, const CollectiveContext& context) {
  Demand demand = demand_of_ranks(context);
  const Groups groups{demand.nodes, workload.count("group")};
  if (demand.operation != Operation::kAllReduce || groups.ranks % groups.size != 0) {
    return on_ranks(context, demand, leaders_claim(demand, groups),
                    [&](const Demand&) { return by_leaders(demand, groups); });
  }
  demand.cuts = groups.size * rabenseifner_blocks(groups.count());
  return on_ranks(context, demand, peers_claim(groups),
                  [&](const Demand&) { return by_peers(demand, groups); });
}

constexpr double kMostInGroup = 1048576;

}  // namespace

CollectiveEntry hierarchical_collective() {
  return rank_entry(
      "hierarchical",
      "Any network: within groups of ranks, and among the first of each group or, for an "
      "all-reduce, all that have the same place in full groups.",
      {Operation::kBroadcast, Operation::kReduce, Operation::kAllReduce}, make_hierarchical,
      {Param::integer("group", "ranks", "That follow one another and make a group.", 1,
                      kMostInGroup)
           .defaults_to(8)});
}

}  // namespace flitcast
