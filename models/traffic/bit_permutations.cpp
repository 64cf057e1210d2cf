// SPDX-License-Identifier: Apache-2.0
#include "traffic/bit_permutations.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace flitcast {
namespace {

/// floor(log2(count)) for count >= 1.
std::size_t bit_count(std::size_t count) {
  std::size_t bits = 0;
  while (count >>= 1) ++bits;
  return bits;
}

/// Whether count = 2^b with b a multiple of `step`.
bool fits(std::size_t count, std::size_t step) {
  return count != 0 && count == std::size_t{1} << bit_count(count) && bit_count(count) % step == 0;
}

std::size_t checked_bits(std::size_t node_count, std::size_t step) {
  if (!fits(node_count, step)) throw std::invalid_argument("bit permutation of a wrong node count");
  return bit_count(node_count);
}

/// For the user's file, with the next smaller and larger counts that would do.
void require_power(const Section& workload, const Topology& topology, std::size_t step) {
  const std::size_t count = topology.node_count();
  if (fits(count, step)) return;
  const std::size_t bits = bit_count(count) / step * step;
  workload.fail(
      "pattern",
      fmt::format("{} permutes the {} of the node number, but {} has {} nodes",
                  workload.text("pattern"), step == 1 ? "bits" : "halves of the bits",
                  topology.name(), count),
      fmt::format("use {} or {} nodes", std::size_t{1} << bits, std::size_t{1} << (bits + step)));
}

std::unique_ptr<Pattern> permutation(DestinationTable table) {
  return std::make_unique<Permutation>(std::move(table));
}

}  // namespace

DestinationTable bit_complement(std::size_t node_count) {
  checked_bits(node_count, 1);
  return tabulate(node_count, [=](std::size_t node) { return node_count - 1 - node; });
}

DestinationTable bit_reverse(std::size_t node_count) {
  const std::size_t bits = checked_bits(node_count, 1);
  return tabulate(node_count, [=](std::size_t node) {
    std::size_t reversed = 0;
    for (std::size_t bit = 0; bit < bits; ++bit) reversed = reversed << 1 | (node >> bit & 1);
    return reversed;
  });
}

DestinationTable shuffle(std::size_t node_count) {
  const std::size_t bits = checked_bits(node_count, 1);
  if (bits == 0) return {NodeId{0}};
  return tabulate(node_count, [=](std::size_t node) {
    return (node << 1 & (node_count - 1)) | node >> (bits - 1);
  });
}

DestinationTable transpose(std::size_t node_count) {
  return transpose_square(std::size_t{1} << checked_bits(node_count, 2) / 2);
}

DestinationTable transpose_square(std::size_t side) {
  return tabulate(side * side, [=](std::size_t node) { return node % side * side + node / side; });
}

std::unique_ptr<Pattern> make_bit_complement(const Section& workload, const Topology& topology) {
  require_power(workload, topology, 1);
  return permutation(bit_complement(topology.node_count()));
}

std::unique_ptr<Pattern> make_bit_reverse(const Section& workload, const Topology& topology) {
  require_power(workload, topology, 1);
  return permutation(bit_reverse(topology.node_count()));
}

std::unique_ptr<Pattern> make_shuffle(const Section& workload, const Topology& topology) {
  require_power(workload, topology, 1);
  return permutation(shuffle(topology.node_count()));
}

std::unique_ptr<Pattern> make_transpose(const Section& workload, const Topology& topology) {
  const std::vector<std::size_t> grid = topology.node_grid();
  if (grid.size() == 2 && grid[0] == grid[1]) return permutation(transpose_square(grid[0]));
  require_power(workload, topology, 2);
  return permutation(transpose(topology.node_count()));
}

}  // namespace flitcast
