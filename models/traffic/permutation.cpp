// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/random.h"
#include "traffic/pattern.h"

namespace flitcast {

namespace {

// The table of a function from node number to node number.
template <class Destination>
DestinationTable tabulate(std::size_t node_count, Destination destination) {
  DestinationTable table;
  table.reserve(node_count);
  for (std::size_t node = 0; node < node_count; ++node) {
    table.push_back(NodeId{static_cast<std::uint32_t>(destination(node))});
  }
  return table;
}

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

/// With a note where the bits of a coordinate do not stay together.
std::unique_ptr<Pattern> bit_permutation(const Section& workload, const Topology& topology,
                                         DestinationTable table) {
  if (!mixes_coordinates(table, topology.node_grid())) return permutation(std::move(table));
  return std::make_unique<Permutation>(
      std::move(table),
      fmt::format("{} permutes the bits of the node number, with no heed to the coordinates of {}",
                  workload.text("pattern"), topology.name()));
}

template <class Shift>
DestinationTable shifted(const std::vector<std::size_t>& grid, Shift shift) {
  const std::size_t count =
      std::accumulate(grid.begin(), grid.end(), std::size_t{1}, std::multiplies<>());
  return tabulate(count, [&](std::size_t node) {
    std::size_t destination = 0;
    std::size_t stride = 1;
    for (const std::size_t size : grid) {
      destination += (node / stride + shift(size)) % size * stride;
      stride *= size;
    }
    return destination;
  });
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

bool mixes_coordinates(const DestinationTable& table, const std::vector<std::size_t>& grid) {
  std::vector<std::size_t> dimension_of;  // Per bit.
  for (std::size_t d = 0; d < grid.size(); ++d) {
    dimension_of.insert(dimension_of.end(), bit_count(grid[d]), d);
  }
  std::vector<std::optional<std::size_t>> source(grid.size());  // Per dimension of destinations.
  for (std::size_t bit = 0; bit < dimension_of.size(); ++bit) {
    const std::uint32_t moved = index(table[std::size_t{1} << bit]) ^ index(table[0]);
    std::optional<std::size_t>& from = source[dimension_of[bit_count(moved)]];
    if (from.value_or(dimension_of[bit]) != dimension_of[bit]) return true;
    from = dimension_of[bit];
  }
  return false;
}

DestinationTable tornado(const std::vector<std::size_t>& grid) {
  return shifted(grid, [](std::size_t size) { return (size + 1) / 2 - 1; });
}

DestinationTable neighbour(const std::vector<std::size_t>& grid) {
  return shifted(grid, [](std::size_t) { return std::size_t{1}; });
}

DestinationTable random_permutation(std::uint64_t seed, std::size_t node_count) {
  DestinationTable table = tabulate(node_count, [](std::size_t node) { return node; });
  Random random(seed);
  for (std::size_t i = node_count; i-- > 1;) std::swap(table[i], table[random.next() % (i + 1)]);
  return table;
}

namespace {

std::unique_ptr<Pattern> make_transpose(const Section& workload, const Topology& topology) {
  const std::vector<std::size_t> grid = topology.node_grid();
  if (grid.size() == 2 && grid[0] == grid[1]) return permutation(transpose_square(grid[0]));
  require_power(workload, topology, 2);
  return bit_permutation(workload, topology, transpose(topology.node_count()));
}

// The maker of a permutation of the bits of the node number.
template <DestinationTable (*permute)(std::size_t)>
PatternMaker of_bits() {
  return [](const Section& workload, const Topology& topology) {
    require_power(workload, topology, 1);
    return bit_permutation(workload, topology, permute(topology.node_count()));
  };
}

// The maker of a permutation of the coordinates, which exists on every topology.
template <DestinationTable (*permute)(const std::vector<std::size_t>&)>
PatternMaker of_grid() {
  return [](const Section&, const Topology& topology) {
    return permutation(permute(topology.node_grid()));
  };
}

}  // namespace

PatternEntry transpose_pattern() {
  return {"transpose",
          "(x, y) to (y, x), or the halves of the node number swapped",
          {},
          make_transpose};
}

PatternEntry bit_complement_pattern() {
  return {"bit_complement", "every bit of the node number inverted", {}, of_bits<bit_complement>()};
}

PatternEntry bit_reverse_pattern() {
  return {
      "bit_reverse", "the bits of the node number in reverse order", {}, of_bits<bit_reverse>()};
}

PatternEntry shuffle_pattern() {
  return {"shuffle", "the bits of the node number rotated left", {}, of_bits<shuffle>()};
}

PatternEntry tornado_pattern() {
  return {"tornado", "almost half-way round every dimension", {}, of_grid<tornado>()};
}

PatternEntry neighbour_pattern() {
  return {"neighbour", "one step up in every dimension", {}, of_grid<neighbour>()};
}

PatternEntry random_permutation_pattern() {
  return {"random_permutation",
          "one permutation drawn from its own seed",
          {Param::integer("permutation_seed", "", "Which permutation.", 0).defaults_to(1)},
          [](const Section& workload, const Topology& topology) {
            return permutation(
                random_permutation(workload.count("permutation_seed"), topology.node_count()));
          },
          {"", "permutation_seed: 9"}};
}

}  // namespace flitcast
