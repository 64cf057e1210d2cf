// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <utility>

#include "permutation/tables.h"
#include "traffic/pattern.h"

namespace flitcast {

namespace {

/// Throws a ConfigError with the next smaller and larger valid node counts.
void check_node_count(const Section& workload, const Topology& topology, std::size_t step) {
  const std::size_t count = topology.node_count();
  if (is_power_of_two(count, step)) return;
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

/// Makes the pattern, with a note if the permutation mixes the bits of several coordinates.
std::unique_ptr<Pattern> bit_permutation(const Section& workload, const Topology& topology,
                                         DestinationTable table) {
  if (!mixes_coordinates(table, topology.node_grid())) return permutation(std::move(table));
  return std::make_unique<Permutation>(
      std::move(table),
      fmt::format("{} permutes the bits of the node number, regardless of the coordinates of {}",
                  workload.text("pattern"), topology.name()));
}

std::unique_ptr<Pattern> make_transpose(const Section& workload, const Topology& topology) {
  const std::vector<std::size_t> grid = topology.node_grid();
  if (grid.size() == 2 && grid[0] == grid[1]) return permutation(transpose_square(grid[0]));
  check_node_count(workload, topology, 2);
  return bit_permutation(workload, topology, transpose(topology.node_count()));
}

// The maker of a permutation of the bits of the node number.
template <DestinationTable (*permute)(std::size_t)>
PatternMaker of_bits() {
  return [](const Section& workload, const Topology& topology) {
    check_node_count(workload, topology, 1);
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
