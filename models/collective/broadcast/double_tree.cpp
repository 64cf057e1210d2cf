// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/double_tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "collective/schedule.h"
#include "topology/hypercube.h"

namespace flitcast {

namespace {

/// By round: messages that follow their e-cube paths.
using CubeRounds = std::vector<std::vector<NodePair>>;

NodeId across(NodeId node, std::uint32_t bits) { return NodeId{index(node) ^ bits}; }

/// The dimensions of a subcube as bits, lowest first.
std::vector<std::uint32_t> ascending_bits(std::uint32_t dimensions) {
  std::vector<std::uint32_t> bits;
  for (; dimensions != 0; dimensions &= dimensions - 1)
    bits.push_back(dimensions & (~dimensions + 1));
  return bits;
}

/// Adds the first `depth` levels below `root`, whose dimensions lead to its children, one level a
/// round. A child reached across one dimension has its own children across the higher dimensions of
/// the subcube.
void add_binomial_tree(Subcube root, std::uint32_t dimensions, std::size_t depth,
                       std::size_t first_round, CubeRounds& rounds) {
  std::vector<Subcube> level{root};
  for (std::size_t round = first_round; round < first_round + depth; ++round) {
    std::vector<Subcube> next;
    for (const Subcube& parent : level) {
      for (const std::uint32_t bit : ascending_bits(parent.dimensions)) {
        const NodeId child = across(parent.root, bit);
        rounds[round].push_back({parent.root, child});
        next.push_back({child, dimensions & ~(bit | (bit - 1))});
      }
    }
    level = std::move(next);
  }
}

/// Adds the double tree of a subcube's root to `rounds`, from `first_round` on;
/// double_tree_rounds() rounds must exist from there on.
void add_double_tree(const Subcube& subcube, std::size_t first_round, CubeRounds& rounds) {
  const auto [root, dimensions] = subcube;
  const std::vector<std::uint32_t> bits = ascending_bits(dimensions);
  const std::size_t n = bits.size();
  if (n == 0) return;
  const NodeId opposite = across(root, dimensions);
  rounds[first_round].push_back({root, opposite});
  if (n == 1) return;
  const std::uint32_t taken = bits.back();  // The long path leaves the root across this dimension.
  add_binomial_tree({root, dimensions & ~taken}, dimensions, n / 2, first_round, rounds);
  rounds[first_round + 1].push_back({root, across(root, taken)});
  add_binomial_tree({opposite, dimensions}, dimensions, n - 1 - n / 2, first_round + 1, rounds);
}

/// Halves the path from part `first` to part `last`. The path crosses from one half to the other in
/// one dimension, which from now on distinguishes the parts of one half from those of the other.
void split(std::vector<Subcube>& parts, const std::vector<std::uint32_t>& bits, std::size_t first,
           std::size_t last) {
  if (first == last) return;
  const std::size_t middle = (first + last + 1) / 2;
  for (std::size_t j = first; j <= last; ++j) parts[j].dimensions &= ~bits[middle - 1];
  split(parts, bits, first, middle - 1);
  split(parts, bits, middle, last);
}

}  // namespace

std::vector<Subcube> parts_along_path(const Subcube& subcube) {
  const std::vector<std::uint32_t> bits = ascending_bits(subcube.dimensions);
  std::vector<Subcube> parts{subcube};
  for (const std::uint32_t bit : bits) {
    parts.push_back({across(parts.back().root, bit), subcube.dimensions});
  }
  split(parts, bits, 0, bits.size());
  return parts;
}

std::size_t double_tree_rounds(std::size_t n) { return n == 2 ? 2 : (n + 1) / 2; }

std::size_t ho_kao_rounds(std::size_t n) {
  if (n == 0) return 0;
  // One step along the path. The largest part is the one that is split least often, floor(log2(n +
  // 1)) times.
  std::size_t splits = 0;
  while (std::size_t{2} << splits <= n + 1) ++splits;
  return std::min(double_tree_rounds(n), 1 + ho_kao_rounds(n - splits));
}

namespace {

void add_broadcast(const Subcube& subcube, std::size_t first_round, CubeRounds& rounds) {
  const std::size_t n = ascending_bits(subcube.dimensions).size();
  if (double_tree_rounds(n) == ho_kao_rounds(n)) {
    add_double_tree(subcube, first_round, rounds);
    return;
  }
  for (const Subcube& part : parts_along_path(subcube)) {
    if (part.root != subcube.root) rounds[first_round].push_back({subcube.root, part.root});
    add_broadcast(part, first_round + 1, rounds);
  }
}

/// The plan of a broadcast that `add` adds to the whole cube, in the given number of rounds: chunk
/// 0 goes along the e-cube paths of the messages.
Plan broadcast_by(void (*add)(const Subcube&, std::size_t, CubeRounds&), std::size_t needed,
                  const Hypercube& cube, NodeId source) {
  require(source_exists(cube, source));
  const auto nodes = static_cast<std::uint32_t>(cube.node_count());
  CubeRounds rounds(needed);
  add({source, nodes - 1}, 0, rounds);
  Plan plan{{}, {needed, false, nodes - 1, 0}};
  plan.schedule.reserve(nodes - 1);
  for (const std::vector<NodePair>& round : rounds) {
    plan.schedule.begin_round();
    for (const auto [from, to] : round) {
      plan.schedule.add(from, to, ChunkId{0}, e_cube_path(cube, from, to));
    }
  }
  return plan;
}

/// One-to-all wormhole broadcast on an all-port hypercube by the double tree algorithm (DTA).
///
/// In round 1 the source sends to the opposite corner, n hops away, and to all neighbours except
/// the one on that long path. After that both corners grow spanning binomial trees, which meet half
/// way: the nodes at distance up to floor(n/2) belong to the source's tree. The omitted neighbour
/// is a leaf of that tree and is served in round 2.
///
/// Cost: ceil(n/2) rounds, but 2 for n = 2; 2^n - 1 sends, no duplicates. All messages but the one
/// to the opposite corner go one hop. Paths are e-cube, most significant bit first. Optimal for
/// n <= 6, though for n = 5 the counting bound says 2 and only a search shows that 3 are needed.
/// O(2^n) time. Throws PreconditionError (kSource).
///
/// Source: CS838 lecture notes (1999), section 11, "Hypercube" under wormhole switching. It claims
/// ceil(n/2) for all n, which for n = 2 is below the lower bound, and does not say how the omitted
/// neighbour is served.
Plan double_tree_broadcast(const Hypercube& cube, NodeId source) {
  const std::size_t n = cube.dimension();
  Plan plan = broadcast_by(add_double_tree, double_tree_rounds(n), cube, source);
  plan.theorems = {{"broadcast.dta.rounds", "ceil(n/2)", (n + 1) / 2}};
  return plan;
}

/// One-to-all wormhole broadcast on an all-port hypercube by the Ho-Kao algorithm (HKA).
///
/// In one round the source sends to all n nodes of an ascending dimension-simple path u_1 .. u_n,
/// u_j = u_(j-1) with the j-th lowest dimension complemented, over node-disjoint e-cube paths. The
/// cube is split into n + 1 subcubes of nearly equal size with one u_j in each, and the algorithm
/// continues in all of them at once. Where the double tree takes no more rounds, it is used
/// instead.
///
/// Cost: ho_kao_rounds(n) rounds, 2^n - 1 sends, no duplicates. Optimal for n <= 7; at most two
/// above the lower bound up to n = 20. Paths are e-cube, most significant bit first. O(n 2^n) time.
/// Throws PreconditionError (kSource).
///
/// Source: CS838 lecture notes (1999), section 11, "Hypercube" under wormhole switching, after Ho
/// and Kao. Its dimension-simple paths have at most n - 1 dimensions, which is a slip: n are needed
/// for n + 1 subcubes. The splitting rule was in a figure that is lost; halving the path is
/// flitcast's.
Plan ho_kao_broadcast(const Hypercube& cube, NodeId source) {
  const std::size_t n = cube.dimension();
  Plan plan = broadcast_by(add_broadcast, ho_kao_rounds(n), cube, source);
  if (n < 7) return plan;
  plan.theorems = {{"broadcast.hka.near_optimal", "ceil(n / log2(n+1)) + 2",
                    ceil_log(n + 1, cube.node_count()) + 2}};
  return plan;
}

}  // namespace

std::vector<CollectiveEntry> double_tree_collectives() {
  return {broadcast_entry<Hypercube, double_tree_broadcast, Switching::kWormhole, kAllPorts>(
              "double_tree",
              "Hypercubes, wormhole, all ports: trees from the source and from its opposite."),
          broadcast_entry<Hypercube, ho_kao_broadcast, Switching::kWormhole, kAllPorts>(
              "ho_kao",
              "Hypercubes, wormhole, all ports: partition along a path; never more rounds than "
              "double_tree.")};
}

}  // namespace flitcast
