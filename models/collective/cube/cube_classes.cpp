// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/sequences.h"
#include "collective/catalog.h"
#include "collective/precondition.h"
#include "topology/hypercube.h"

namespace flitcast {

namespace {

std::uint32_t rotated(std::uint32_t address, std::size_t places, std::size_t n) {
  const std::uint32_t mask = (std::uint32_t{1} << n) - 1;
  return ((address << places) | (address >> (n - places))) & mask;
}

bool smallest_of_class(std::uint32_t address, std::size_t n) {
  return all_of(numbers(1, n),
                [&](std::size_t places) { return rotated(address, places, n) >= address; });
}

/// The member with which a class starts: for a run of ones, the run that begins at the due bit; for
/// another class, the first member in which the due bit is set.
std::uint32_t first_of_class(std::uint32_t smallest, std::size_t due, std::size_t n) {
  const bool is_run = (smallest & (smallest + 1)) == 0;
  if (is_run) return rotated(smallest, due, n);
  std::size_t places = 0;
  while ((rotated(smallest, places, n) >> due & 1U) == 0) ++places;
  return rotated(smallest, places, n);
}

void append_class(std::vector<std::uint32_t>& numbering, std::uint32_t smallest, std::size_t n) {
  const std::uint32_t first = first_of_class(smallest, numbering.size() % n, n);
  std::uint32_t member = first;
  do {
    numbering.push_back(member);
    member = rotated(member, 1, n);
  } while (member != first);
}

/// The non-zero addresses of the n-cube in the order in which the optimal all-to-all broadcast and
/// scatter serve them. An address is relative to a packet's origin: its set bits are those in which
/// a node differs from the origin.
///
/// Entry m has dimension m mod n, which is a set bit of its address, and its address without this
/// bit is in an earlier group of n entries. Therefore, if group g is served in round g and the last
/// hop to each entry crosses its dimension, every sender was served before, and no two entries of a
/// round share a dimension. Addresses are sorted by weight; those of equal weight are listed by
/// classes under rotation, each class beginning with a member in which the due bit is set.
///
/// Both properties were verified for n <= 20, the range of Hypercube.
/// @param n  Dimension of the cube, 0 to 20; 2^n - 1 entries, O(n 2^n) time.
/// Source: after Bertsekas, Ozveren, Stamoulis, Tseng and Tsitsiklis, "Optimal communication
/// algorithms for hypercubes", J. Parallel and Distributed Computing 11, 1991. The first member of
/// a class is flitcast's choice.
std::vector<std::uint32_t> cube_numbering(std::size_t n) {
  const std::uint32_t nodes = std::uint32_t{1} << n;
  // By weight: the smallest member of each class.
  std::vector<std::vector<std::uint32_t>> classes(n + 1);
  for (std::uint32_t address = 1; address < nodes; ++address) {
    if (!smallest_of_class(address, n)) continue;
    classes[static_cast<std::size_t>(__builtin_popcount(address))].push_back(address);
  }
  std::vector<std::uint32_t> numbering;
  numbering.reserve(nodes - 1);
  for (const auto& of_weight : classes) {
    for (const std::uint32_t smallest : of_weight) append_class(numbering, smallest, n);
  }
  return numbering;
}

Claim gossip_claim(std::size_t n) {
  const std::size_t others = (std::size_t{1} << n) - 1;
  return {n == 0 ? 0 : (others + n - 1) / n, false, gossip_sends(others + 1, 1), 0};
}

/// Adds the last hop of every source's chunk to the node at relative address `address`.
void add_translates(Schedule& schedule, std::uint32_t address, std::size_t dimension,
                    std::size_t nodes) {
  const std::uint32_t previous = address ^ std::uint32_t{1} << dimension;
  for (std::uint32_t source = 0; source < nodes; ++source) {
    schedule.add(NodeId{source ^ previous}, NodeId{source ^ address}, ChunkId{source},
                 to_id<PortId>(dimension));
  }
}

/// Optimal all-to-all broadcast (AAB) on a hypercube, store-and-forward, all-port, full-duplex.
///
/// One broadcast tree, translated to every source: in round g the nodes at the addresses of group g
/// of cube_numbering() relative to the source are informed, each through its own dimension. The
/// translates of one hop use every channel of that dimension once.
///
/// Cost on the n-cube: ceil((2^n - 1) / n) rounds and 2^n (2^n - 1) sends, both minimal, without
/// duplicates. n = 0: nothing. One chunk a node: the origin.
/// Throws PreconditionError for n >= 15, beyond kMostSends.
/// Source: CS838 lecture notes (1999), lemma of "An example of lower bound calculations", which
/// says that a matching algorithm exists but does not give it; the schedule is cube_numbering()'s.
Plan cube_gossip(const Hypercube& cube) {
  const std::size_t n = cube.dimension();
  Plan plan{{}, gossip_claim(n)};
  plan.theorems = {{"broadcast.lower_bounds.aab", "ceil((2^n - 1)/n)", plan.claim.rounds}};
  require(
      few_enough_sends(cube, *plan.claim.transmissions, "use a hypercube of dimension 14 or less"));
  plan.schedule.reserve(*plan.claim.transmissions);
  std::size_t entry = 0;
  for (const std::uint32_t address : cube_numbering(n)) {
    const std::size_t dimension = entry++ % n;
    if (dimension == 0) plan.schedule.begin_round();
    add_translates(plan.schedule, address, dimension, cube.node_count());
  }
  return plan;
}

/// A hop of a packet, with addresses relative to the source.
struct Hop {
  std::uint32_t from = 0;
  std::uint32_t address = 0;  ///< The destination of the packet.
  std::size_t dimension = 0;
};
using Round = std::vector<Hop>;

Claim scatter_claim(std::size_t n) {
  if (n == 0) return {0, false, 0, 0};
  const std::size_t nodes = std::size_t{1} << n;
  return {(nodes - 1 + n - 1) / n, false, n * (nodes / 2), 0};
}

/// Adds the hops of a packet that leaves through `port` in `round` and moves in every round.
void add_journey(std::vector<Round>& rounds, std::size_t round, std::uint32_t address,
                 std::size_t port, std::size_t n) {
  std::uint32_t at = 0;
  for (std::size_t step = 0; step < n; ++step) {
    const std::size_t dimension = (port + step) % n;
    if ((address >> dimension & 1U) == 0) continue;
    rounds[round++].push_back({at, address, dimension});
    at ^= std::uint32_t{1} << dimension;
  }
}

/// The hops of all packets by round. Entries are numbered by ascending weight, so the groups in
/// reverse order serve the farthest destinations first. A packet arrives in time because the weight
/// of an address in group g is at most g + 1.
std::vector<Round> journeys(std::size_t n, std::size_t round_count) {
  std::vector<Round> rounds(round_count);
  const std::vector<std::uint32_t> numbering = cube_numbering(n);
  for (std::size_t entry = 0; entry < numbering.size(); ++entry) {
    add_journey(rounds, round_count - 1 - entry / n, numbering[entry], entry % n, n);
  }
  return rounds;
}

/// Optimal scatter (OAS) from one node of a hypercube, store-and-forward, all-port, full-duplex.
///
/// The packet for the node at relative address v leaves through port j = (index of v in
/// cube_numbering()) mod n, then crosses the other set bits of v in cyclically ascending order.
/// Each port sends its packets farthest first, the last one in the last round; packets never wait.
/// Packets of different ports never share a channel: at the node with set bits A the next dimension
/// lies in the cyclic gap of A before the port's bit, and these gaps are disjoint.
///
/// Cost on the n-cube: ceil((2^n - 1) / n) rounds and n 2^(n-1) sends, both minimal, without
/// duplicates. n = 0: nothing. Chunk: the destination.
/// Throws PreconditionError for a source that is not in the cube.
/// Source: CS838 lecture notes (1999), lemma of "An example of lower bound calculations", which
/// says that a matching algorithm exists but does not give it; the ports are cube_numbering()'s.
Plan cube_scatter(const Hypercube& cube, NodeId source) {
  require(source_exists(cube, source));
  Plan plan{{}, scatter_claim(cube.dimension())};
  plan.theorems = {{"broadcast.lower_bounds.oas", "ceil((2^n - 1)/n)", plan.claim.rounds}};
  plan.schedule.reserve(*plan.claim.transmissions);
  for (const Round& round : journeys(cube.dimension(), plan.claim.rounds)) {
    plan.schedule.begin_round();
    for (const Hop& hop : round) {
      const std::uint32_t from = index(source) ^ hop.from;
      plan.schedule.add(NodeId{from}, NodeId{from ^ std::uint32_t{1} << hop.dimension},
                        ChunkId{index(source) ^ hop.address}, to_id<PortId>(hop.dimension));
    }
  }
  return plan;
}

Collective make_cube_classes(const Section& workload, const CollectiveContext& context) {
  if (context.operation == Operation::kGossip) {
    return make_gossip<Hypercube, cube_gossip, 1>(workload, context);
  }
  return make_broadcast<Hypercube, cube_scatter, Switching::kStoreAndForward, kAllPorts>(workload,
                                                                                         context);
}

}  // namespace

CollectiveEntry cube_classes_collective() {
  return {{"cube_classes",
           "Hypercubes: optimal, by classes of addresses under rotation; of a scatter the farthest "
           "packets first.",
           {},
           make_cube_classes},
          {Operation::kGossip, Operation::kScatter}};
}

}  // namespace flitcast
