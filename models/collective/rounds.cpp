// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

NodeId node(std::size_t number) { return NodeId{static_cast<std::uint32_t>(number)}; }

ChunkId chunk(std::size_t number) { return ChunkId{static_cast<std::uint32_t>(number)}; }

std::vector<NodeId> ranks_up_to(const Demand& demand, std::size_t last) {
  std::vector<NodeId> nodes;
  for (std::size_t rank = 1; rank <= last; ++rank) nodes.push_back(demand.at_rank(rank));
  return nodes;
}

/// One round, one message: the network makes the copies. No round without a receiver.
Schedule one_multicast(const Demand& demand, std::size_t receivers) {
  Schedule schedule;
  if (receivers == 0) return schedule;
  schedule.begin_round();
  schedule.add(demand.source, ranks_up_to(demand, receivers), ChunkId{0});
  return schedule;
}

/// Along the binomial tree of the ranks 0 .. receivers. Steps halve, so messages go far while they
/// are few and their paths in grids stay apart; in which order steps come makes no difference to a
/// nonblocking network.
Schedule binomial_copies(const Demand& demand, std::size_t receivers) {
  Schedule schedule;
  for (std::size_t d = ceil_log(2, receivers + 1); d-- > 0;) {
    const std::size_t step = std::size_t{1} << d;
    schedule.begin_round();
    for (std::size_t rank = 0; rank + step <= receivers; rank += 2 * step) {
      schedule.add(demand.at_rank(rank), demand.at_rank(rank + step), ChunkId{0});
    }
  }
  return schedule;
}

/// All contributions to the source, along the same tree backwards. A node adds what it receives to
/// what it has.
Schedule binomial_reduction(const Demand& demand) {
  Schedule schedule;
  for (std::size_t step = 1; step < demand.nodes; step *= 2) {
    schedule.begin_round();
    for (std::size_t rank = step; rank < demand.nodes; rank += 2 * step) {
      schedule.add(demand.at_rank(rank), demand.at_rank(rank - step), kPartialSum);
    }
  }
  return schedule;
}

/// A reduction to the source, and one multicast of the result.
Schedule reduction_and_multicast(const Demand& demand) {
  Schedule schedule = binomial_reduction(demand);
  if (demand.nodes == 1) return schedule;
  schedule.begin_round();
  schedule.add(demand.source, ranks_up_to(demand, demand.nodes - 1), kResult);
  return schedule;
}

/// The source sends the chunk of node source + t, or the root receives it.
Schedule shifted_chunks(const Demand& demand, bool to_source) {
  Schedule schedule;
  for (std::size_t t = 1; t < demand.nodes; ++t) {
    const NodeId other = demand.at_rank(t);
    schedule.begin_round();
    schedule.add(to_source ? other : demand.source, to_source ? demand.source : other,
                 chunk(index(other)));
  }
  return schedule;
}

/// In round t every node q sends to node q + t its chunk, or the chunk for it: a permutation.
Schedule shifted_by_all(const Demand& demand) {
  const bool personal = demand.operation == Operation::kAllToAllScatter;
  Schedule schedule;
  for (std::size_t t = 1; t < demand.nodes; ++t) {
    schedule.begin_round();
    for (std::size_t q = 0; q < demand.nodes; ++q) {
      const std::size_t to = (q + t) % demand.nodes;
      schedule.add(node(q), node(to), chunk(personal ? q + demand.nodes * to : q));
    }
  }
  return schedule;
}

/// One node after the other sends its chunk to all others, as no node can receive two at a time.
Schedule multicasts_in_turn(const Demand& demand) {
  Schedule schedule;
  if (demand.nodes == 1) return schedule;
  std::vector<NodeId> others = ranks_up_to({demand.operation, demand.nodes}, demand.nodes - 1);
  for (std::size_t q = 0; q < demand.nodes; ++q) {
    schedule.begin_round();
    schedule.add(node(q), others, chunk(q));
    if (q < others.size()) others[q] = node(q);  // In the place of node q + 1, the next sender.
  }
  return schedule;
}

/// In round d every node tells one other its sum: that `partner(q, 2^d)` names, unless it is none.
template <class Partner>
Schedule doubling_sums(const Demand& demand, Partner&& partner) {
  Schedule schedule;
  for (std::size_t step = 1; step < demand.nodes; step *= 2) {
    schedule.begin_round();
    for (std::size_t q = 0; q < demand.nodes; ++q) {
      const std::size_t to = partner(q, step);
      if (to < demand.nodes) schedule.add(node(q), node(to), kPartialSum);
    }
  }
  return schedule;
}

void require_power_of_two(std::size_t nodes) {
  const std::size_t above = std::size_t{1} << ceil_log(2, nodes);
  if (above == nodes) return;
  throw PreconditionError(
      PreconditionError::Subject::kTopology,
      "recursive doubling is defined on 2^k nodes only, not on " + std::to_string(nodes),
      "use " + std::to_string(above / 2) + " or " + std::to_string(above) +
          " nodes, or multicast_rounds on a Clos network");
}

Schedule recursive_doubling(const Demand& demand) {
  require_power_of_two(demand.nodes);
  return doubling_sums(demand, [](std::size_t q, std::size_t step) { return q ^ step; });
}

/// Who has come: for every N, where a sum would count some contributions twice.
Schedule dissemination(const Demand& demand) {
  return doubling_sums(demand,
                       [&](std::size_t q, std::size_t step) { return (q + step) % demand.nodes; });
}

/// Every node sends the sum of the nodes q - 2^d + 1 .. q.
Schedule doubling_scan(const Demand& demand) {
  return doubling_sums(demand, [](std::size_t q, std::size_t step) { return q + step; });
}

Schedule schedule_of(const Demand& demand, bool multicast) {
  switch (demand.operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
      return multicast ? one_multicast(demand, demand.informed())
                       : binomial_copies(demand, demand.informed());
    case Operation::kScatter:
    case Operation::kGather:
      return shifted_chunks(demand, demand.operation == Operation::kGather);
    case Operation::kGossip:
      return multicast ? multicasts_in_turn(demand) : shifted_by_all(demand);
    case Operation::kAllToAllScatter:
      return shifted_by_all(demand);
    case Operation::kReduce:
      return binomial_reduction(demand);
    case Operation::kAllReduce:
      return multicast ? reduction_and_multicast(demand) : recursive_doubling(demand);
    case Operation::kScan:
      return doubling_scan(demand);
    case Operation::kBarrier:
      return multicast ? reduction_and_multicast(demand) : dissemination(demand);
  }
  throw std::logic_error("an operation without rounds");
}

Claim claim_of(const Demand& demand, bool multicast) {
  const std::size_t nodes = demand.nodes;
  if (nodes == 1) return {0, false, 0, 0};
  const std::size_t doublings = ceil_log(2, nodes);
  const std::size_t receivers = demand.informed();
  switch (demand.operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
      if (multicast) return {1, false, 1, 0};
      return {ceil_log(2, receivers + 1), false, receivers, 0};
    case Operation::kScatter:
    case Operation::kGather:
      return {nodes - 1, false, nodes - 1, 0};
    case Operation::kGossip:
      if (multicast) return {nodes, false, nodes, 0};
      return {nodes - 1, false, nodes * (nodes - 1), 0};
    case Operation::kAllToAllScatter:
      return {nodes - 1, false, nodes * (nodes - 1), 0};
    case Operation::kReduce:
      return {doublings, false, nodes - 1, 0};
    case Operation::kScan:
      return {doublings, false, nodes * doublings - ((std::size_t{1} << doublings) - 1), 0};
    case Operation::kAllReduce:
    case Operation::kBarrier:
      if (multicast) return {doublings + 1, false, nodes, 0};
      return {doublings, false, nodes * doublings, 0};
  }
  throw std::logic_error("an operation without a claim");
}

void require_receivers(const Demand& demand) {
  if (demand.operation != Operation::kMulticast) return;
  if (demand.receivers < demand.nodes && (demand.receivers > 0 || demand.nodes == 1)) return;
  throw std::invalid_argument("a multicast to " + std::to_string(demand.receivers) + " of " +
                              std::to_string(demand.nodes - 1) + " other nodes");
}

/// A collective operation as rounds of messages between nodes, whatever network joins them: each
/// node sends at most one message and receives at most one. With `multicast` a message may go to
/// several nodes: the network makes the copies.
///
/// Rounds, with D = ceil(log2 N); nothing for N = 1:
///
///   operation            multicast   unicast              messages (unicast where they differ)
///   broadcast            1           D                    1 (N - 1)
///   multicast to g       1           ceil(log2(g + 1))    1 (g)
///   scatter, gather      N - 1       N - 1                N - 1
///   gossip               N           N - 1                N (N (N - 1))
///   all-to-all scatter   N - 1       N - 1                N (N - 1)
///   reduce               D           D                    N - 1
///   scan                 D           D                    N D - (2^D - 1)
///   all-reduce, barrier  D + 1       D                    N (N D)
///
/// Ranks count from the source upwards. Broadcasts and reductions go along the binomial tree of the
/// ranks; in round t = 1 .. N - 1 of the others chunks go t nodes further. With multicast one node
/// after the other tells all others, and a reduction to the source is followed by one multicast.
/// All-reduce by recursive doubling needs N a power of two: others would count contributions twice.
/// Contributions may be of any kind with an associative and commutative sum; of a scan the sums are
/// in the order of the nodes, so associative is enough.
///
/// Throws PreconditionError where the operation is not defined (unicast all-reduce) and for a
/// source that is no node, and beyond kMostSends; std::invalid_argument for a multicast to none or
/// to more than the N - 1 others (N > 1).
/// @param topology  For messages; its paths do not matter.
/// Source: CS838 lecture notes (1999), "A wide-sense nonblocking multicast network", names the
/// operations; the plans and their rounds are chosen here. Barrier by dissemination: D. Hensgen, R.
/// Finkel and U. Manber, "Two algorithms for barrier synchronization", International Journal of
/// Parallel Programming 17 (1988). Scan: W. D. Hillis and G. L. Steele, "Data parallel algorithms",
/// Communications of the ACM 29 (1986).
Plan plan_in_rounds(const Topology& topology, const Demand& demand, bool multicast) {
  require_source(topology, demand.source);
  require_receivers(demand);
  Claim claim = claim_of(demand, multicast);
  require_sends(topology, *claim.transmissions, "use a smaller network");
  return {schedule_of(demand, multicast), claim};
}

template <bool multicast>
Collective make_rounds(const Section&, const CollectiveContext& context) {
  Demand demand{context.operation, context.topology.node_count()};
  demand.source = context.source;
  demand.receivers = context.receivers;
  return {demand,
          {Switching::kAnyNetwork, 1, multicast},
          plan_in_rounds(context.topology, demand, multicast)};
}

std::vector<Operation> all_operations() {
  std::vector<Operation> all;
  for (const OperationName& entry : operations()) all.push_back(entry.operation);
  return all;
}

}  // namespace

CollectiveEntry multicast_rounds_collective() {
  return {{"multicast_rounds",
           "Clos networks under central control: rounds of multicasts that the network copies.",
           {},
           make_rounds<true>},
          all_operations(),
          false};
}

CollectiveEntry unicast_rounds_collective() {
  return {{"unicast_rounds",
           "Any network: rounds of messages from one node to one node.",
           {},
           make_rounds<false>},
          all_operations(),
          false};
}

}  // namespace flitcast
