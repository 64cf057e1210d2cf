// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "base/sequences.h"
#include "collective/ranks/builders.h"
#include "permutation/instance.h"

namespace flitcast {

namespace {

// The table of a function from node number to node number.
template <class Destination>
DestinationTable tabulate(std::size_t node_count, Destination destination) {
  return tabulated(node_count, [&](std::size_t node) { return to_id<NodeId>(destination(node)); });
}

std::size_t checked_bits(std::size_t node_count, std::size_t step) {
  if (!is_power_of_two(node_count, step))
    throw std::invalid_argument("bit permutation of a wrong node count");
  return bit_count(node_count);
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

std::size_t bit_count(std::size_t count) { return floor_log2(count); }

bool is_power_of_two(std::size_t count, std::size_t step) {
  return count != 0 && count == std::size_t{1} << bit_count(count) && bit_count(count) % step == 0;
}

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

DestinationTable bit_rotation(std::size_t node_count) {
  const std::size_t bits = checked_bits(node_count, 1);
  if (bits == 0) return {NodeId{0}};
  return tabulate(node_count,
                  [=](std::size_t node) { return node >> 1 | (node & 1) << (bits - 1); });
}

DestinationTable transpose(std::size_t node_count) {
  const std::size_t bits = checked_bits(node_count, 1);
  const std::size_t half = bits / 2;
  const std::size_t low = (std::size_t{1} << half) - 1;
  return tabulate(node_count, [=](std::size_t node) {
    const std::size_t middle = node & ~(low | low << (bits - half));
    return (node & low) << (bits - half) | middle | node >> (bits - half);
  });
}

DestinationTable transpose_midflip(std::size_t node_count) {
  const std::size_t middle = std::size_t{1} << checked_bits(node_count, 1) / 2;
  DestinationTable table = transpose(node_count);
  for (NodeId& node : table) node = NodeId{index(node) ^ static_cast<std::uint32_t>(middle)};
  return table;
}

DestinationTable transpose_square(std::size_t side) {
  return tabulate(side * side, [=](std::size_t node) { return node % side * side + node / side; });
}

bool mixes_coordinates(const DestinationTable& table, const std::vector<std::size_t>& grid) {
  // By bit: the dimension to which it belongs.
  const auto dimension_of = concatenated(numbers(grid.size()), [&](std::size_t d) {
    return std::vector<std::size_t>(bit_count(grid[d]), d);
  });
  std::vector<std::optional<std::size_t>> source(grid.size());  // By dimension of destinations.
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

DestinationTable random_function(std::uint64_t seed, std::size_t node_count) {
  Random random(seed);
  return tabulate(node_count, [&](std::size_t) { return random.next() % node_count; });
}

}  // namespace flitcast
