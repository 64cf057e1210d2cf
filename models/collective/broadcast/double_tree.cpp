// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/double_tree.h"

#include <utility>

#include "collective/paths.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

NodeId across(NodeId node, std::uint32_t bits) { return NodeId{index(node) ^ bits}; }

std::uint32_t lowest_bit(std::uint32_t bits) { return bits & (~bits + 1); }

std::uint32_t without_lowest_bit(std::uint32_t bits) { return bits & (bits - 1); }

std::uint32_t highest_bit(std::uint32_t bits) {
  while (without_lowest_bit(bits) != 0) bits = without_lowest_bit(bits);
  return bits;
}

std::size_t count_bits(std::uint32_t bits) {
  std::size_t count = 0;
  for (; bits != 0; bits = without_lowest_bit(bits)) ++count;
  return count;
}

/// A node of a binomial tree, and the dimensions across which its children lie.
struct Branch {
  NodeId node{};
  std::uint32_t dimensions = 0;
};

/// Adds the first `depth` levels below `root`, a level each round. A child reached across one
/// dimension has its own children across the higher ones of the subcube.
void add_binomial_tree(Branch root, std::uint32_t dimensions, std::size_t depth,
                       std::size_t first_round, CubeRounds& rounds) {
  std::vector<Branch> level{root};
  for (std::size_t round = first_round; round < first_round + depth; ++round) {
    std::vector<Branch> next;
    for (const Branch& parent : level) {
      for (std::uint32_t left = parent.dimensions; left != 0; left = without_lowest_bit(left)) {
        const std::uint32_t bit = lowest_bit(left);
        const NodeId child = across(parent.node, bit);
        rounds[round].push_back({parent.node, child});
        next.push_back({child, dimensions & ~(bit | (bit - 1))});
      }
    }
    level = std::move(next);
  }
}

}  // namespace

std::size_t double_tree_rounds(std::size_t n) { return n == 2 ? 2 : (n + 1) / 2; }

void add_double_tree(const Subcube& subcube, std::size_t first_round, CubeRounds& rounds) {
  const auto [root, dimensions] = subcube;
  const std::size_t n = count_bits(dimensions);
  if (n == 0) return;
  const NodeId opposite = across(root, dimensions);
  rounds[first_round].push_back({root, opposite});
  if (n == 1) return;
  const std::uint32_t taken = highest_bit(dimensions);  // The long path leaves the root by it.
  add_binomial_tree({root, dimensions & ~taken}, dimensions, n / 2, first_round, rounds);
  rounds[first_round + 1].push_back({root, across(root, taken)});
  add_binomial_tree({opposite, dimensions}, dimensions, n - 1 - n / 2, first_round + 1, rounds);
}

Schedule e_cube_schedule(const Hypercube& cube, const CubeRounds& rounds) {
  Schedule schedule;
  schedule.reserve(cube.node_count() - 1);
  for (const std::vector<CubeMessage>& round : rounds) {
    schedule.begin_round();
    for (const auto [from, to] : round) {
      schedule.add(from, to, ChunkId{0}, e_cube_path(cube, from, to));
    }
  }
  return schedule;
}

Plan double_tree_broadcast(const Hypercube& cube, NodeId source) {
  require_source(cube, source);
  const std::size_t needed = double_tree_rounds(cube.dimension());
  const auto nodes = static_cast<std::uint32_t>(cube.node_count());
  CubeRounds rounds(needed);
  add_double_tree({source, nodes - 1}, 0, rounds);
  return {e_cube_schedule(cube, rounds), {needed, false, nodes - 1, 0}};
}

}  // namespace flitcast
