// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/ho_kao.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collective/broadcast/double_tree.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

/// The dimensions of a subcube as bits, lowest first.
std::vector<std::uint32_t> ascending_bits(std::uint32_t dimensions) {
  std::vector<std::uint32_t> bits;
  for (; dimensions != 0; dimensions &= dimensions - 1) {
    bits.push_back(dimensions & (~dimensions + 1));
  }
  return bits;
}

/// Halves the path from part `first` to part `last`; the path crosses from one half to the other in
/// one dimension, by which all their parts are told apart from now on.
void split(std::vector<Subcube>& parts, const std::vector<std::uint32_t>& bits, std::size_t first,
           std::size_t last) {
  if (first == last) return;
  const std::size_t middle = (first + last + 1) / 2;
  for (std::size_t j = first; j <= last; ++j) parts[j].dimensions &= ~bits[middle - 1];
  split(parts, bits, first, middle - 1);
  split(parts, bits, middle, last);
}

/// The nodes u_0 .. u_n of the ascending dimension-simple path, each as the root of its part.
std::vector<Subcube> partition(const Subcube& subcube) {
  const std::vector<std::uint32_t> bits = ascending_bits(subcube.dimensions);
  std::vector<Subcube> parts{subcube};
  for (const std::uint32_t bit : bits) {
    parts.push_back({NodeId{index(parts.back().root) ^ bit}, subcube.dimensions});
  }
  split(parts, bits, 0, bits.size());
  return parts;
}

/// Rounds with one step along the path; the halving splits some part off log2(n + 1) times,
/// rounded down, and that part is the largest.
std::size_t rounds_by_partition(std::size_t n) {
  std::size_t splits = 0;
  while (std::size_t{2} << splits <= n + 1) ++splits;
  return 1 + ho_kao_rounds(n - splits);
}

void add_broadcast(const Subcube& subcube, std::size_t first_round, CubeRounds& rounds) {
  const std::size_t n = ascending_bits(subcube.dimensions).size();
  if (double_tree_rounds(n) == ho_kao_rounds(n)) {
    add_double_tree(subcube, first_round, rounds);
    return;
  }
  for (const Subcube& part : partition(subcube)) {
    if (part.root != subcube.root) rounds[first_round].push_back({subcube.root, part.root});
    add_broadcast(part, first_round + 1, rounds);
  }
}

}  // namespace

std::size_t ho_kao_rounds(std::size_t n) {
  if (n == 0) return 0;
  return std::min(double_tree_rounds(n), rounds_by_partition(n));
}

Plan ho_kao_broadcast(const Hypercube& cube, NodeId source) {
  require_source(cube, source);
  const std::size_t needed = ho_kao_rounds(cube.dimension());
  const auto nodes = static_cast<std::uint32_t>(cube.node_count());
  CubeRounds rounds(needed);
  add_broadcast({source, nodes - 1}, 0, rounds);
  return {e_cube_schedule(cube, rounds), {needed, false, nodes - 1, 0}};
}

}  // namespace flitcast
