// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/precondition.h"
#include "collective/ranks/builders.h"

namespace flitcast {

namespace {

std::vector<NodeId> ranks_up_to(const Demand& demand, std::size_t last) {
  return mapped(numbers(1, last + 1), [&](std::size_t rank) { return demand.at_rank(rank); });
}

/// One round with one message, which the network copies; no round if there is no receiver.
Schedule one_multicast(const Demand& demand) {
  Schedule schedule;
  if (demand.informed() == 0) return schedule;
  schedule.begin_round();
  schedule.add(demand.source, ranks_up_to(demand, demand.informed()), ChunkId{0});
  return schedule;
}

/// A reduction to the source, then one multicast of the result.
Schedule reduction_and_multicast(const Demand& demand) {
  Demand reduce{Operation::kReduce, demand.nodes, demand.source};
  Schedule schedule = binomial_algorithm().schedule(reduce);
  if (demand.nodes == 1) return schedule;
  schedule.begin_phase("multicast");
  schedule.begin_round();
  schedule.add(demand.source, ranks_up_to(demand, demand.nodes - 1), kResult);
  return schedule;
}

/// In round t the source sends the chunk of node source + t to that node; in a gather the root
/// receives it from there.
Schedule chunks_in_turn(const Demand& demand) {
  const bool to_source = demand.operation == Operation::kGather;
  Schedule schedule;
  for (std::size_t t = 1; t < demand.nodes; ++t) {
    const NodeId other = demand.at_rank(t);
    schedule.begin_round();
    schedule.add(to_source ? other : demand.source, to_source ? demand.source : other,
                 chunk(index(other)));
  }
  return schedule;
}

/// One node after the other sends its chunk to all others, because no node can receive two messages
/// at a time.
Schedule multicasts_in_turn(const Demand& demand) {
  Schedule schedule;
  if (demand.nodes == 1) return schedule;
  std::vector<NodeId> others = ranks_up_to({demand.operation, demand.nodes}, demand.nodes - 1);
  for (std::size_t q = 0; q < demand.nodes; ++q) {
    schedule.begin_round();
    schedule.add(rank(q), others, chunk(q));
    if (q < others.size()) others[q] = rank(q);  // Rank q + 1, the next sender, is replaced by q.
  }
  return schedule;
}

Claim claim_in_turn(const Demand& demand) {
  const std::size_t others = demand.nodes - 1;
  return {others, false, others, 0, others, others};
}

/// The simplest algorithm of an operation: each message carries one chunk or sum.
RankAlgorithm plainest(Operation operation) {
  switch (operation) {
    case Operation::kScatter:
    case Operation::kGather:
      return {claim_in_turn, chunks_in_turn};
    case Operation::kGossip:
    case Operation::kAllToAllScatter:
      return shift_algorithm();
    case Operation::kAllReduce:
      return doubling_algorithm();
    case Operation::kScan:
      return scan_algorithm();
    case Operation::kBarrier:
      return dissemination_algorithm();
    default:
      return binomial_algorithm();
  }
}

Claim claim_of_one_multicast(const Demand& demand) {
  const std::size_t messages = demand.informed() == 0 ? 0 : 1;
  return {messages, false, messages, 0, messages, messages};
}

Claim claim_of_multicasts_in_turn(const Demand& demand) {
  const std::size_t messages = demand.nodes == 1 ? 0 : demand.nodes;
  return {messages, false, messages, 0, messages, messages};
}

/// The reduction and the multicast take D + 1 rounds and N messages.
Claim claim_of_reduction_and_multicast(const Demand& demand) {
  if (demand.nodes == 1) return {0, false, 0, 0, 0, 0};
  const std::size_t rounds = ceil_log(2, demand.nodes) + 1;
  return {rounds, false, demand.nodes, 0, rounds, demand.nodes};
}

/// The algorithm of an operation with multicasts where they save rounds.
RankAlgorithm by_multicasts(Operation operation) {
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kMulticast:
      return {claim_of_one_multicast, one_multicast};
    case Operation::kGossip:
      return {claim_of_multicasts_in_turn, multicasts_in_turn};
    case Operation::kAllReduce:
    case Operation::kBarrier:
      return {claim_of_reduction_and_multicast, reduction_and_multicast};
    default:
      return plainest(operation);
  }
}

/// A collective operation as rounds of messages between nodes of any network: in a round each node
/// sends at most one message and receives at most one. With `multicast` a message may go to several
/// nodes, and the network copies it.
///
/// Rounds, with D = ceil(log2 N); none for N = 1:
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
/// Without multicast the algorithms are binomial, shift_exchange, recursive_doubling (two rounds
/// more where N is no power of two), hillis_steele and dissemination; scatters and gathers move one
/// chunk after another. With multicast, in a gossip one node after the other sends to all others,
/// and a reduction to the source is followed by one multicast. The sum must be associative and
/// commutative; in a scan sums are in the order of the nodes, so associative is enough.
///
/// Throws PreconditionError for a source that is not a node, and beyond kMostSends.
/// Source: CS838 lecture notes (1999), "A wide-sense nonblocking multicast network", names the
/// operations; the plans and their rounds are flitcast's.
template <bool multicast>
Collective make_rounds(const Section&, const CollectiveContext& context) {
  const Demand demand = demand_of_ranks(context);
  const RankAlgorithm algorithm = (multicast ? by_multicasts : plainest)(demand.operation);
  const Claim claim = algorithm.claim(demand);
  require(few_enough_sends(context, claim));
  return {demand, {Switching::kAnyNetwork, 1, multicast}, {algorithm.schedule(demand), claim}};
}

std::vector<Operation> operations_in_rounds() {
  return {Operation::kBroadcast,       Operation::kGossip,    Operation::kScatter,
          Operation::kAllToAllScatter, Operation::kMulticast, Operation::kGather,
          Operation::kReduce,          Operation::kAllReduce, Operation::kScan,
          Operation::kBarrier};
}

}  // namespace

CollectiveEntry multicast_rounds_collective() {
  return {{"multicast_rounds",
           "Clos networks under central control: rounds of multicasts that the network copies.",
           {},
           make_rounds<true>},
          operations_in_rounds(),
          false};
}

CollectiveEntry unicast_rounds_collective() {
  CollectiveEntry entry{{"unicast_rounds",
                         "Any network: the plainest algorithm of every operation, one chunk or sum "
                         "in a message.",
                         {},
                         make_rounds<false>},
                        operations_in_rounds(),
                        false};
  entry.on_ranks = entry.operations;
  return entry;
}

}  // namespace flitcast
