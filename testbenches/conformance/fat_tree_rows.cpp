// SPDX-License-Identifier: Apache-2.0
#include "conformance/fat_tree_rows.h"

#include <algorithm>
#include <stdexcept>

#include "conformance/text.h"
#include "routing/tree_ascent.h"
#include "routing/walk.h"
#include "topology/fat_tree.h"
#include "traffic/pattern.h"

namespace flitcast::conformance {
namespace {

// "4-ary 2-tree".
FatTree tree_named(const std::string& name) {
  const std::vector<std::string> words = split(name, ' ');
  const auto number = [&](std::size_t word, const std::string& unit) {
    const std::vector<std::string> parts = split(words.at(word), '-');
    if (parts.size() != 2 || parts[1] != unit) {
      throw std::invalid_argument("no tree \"" + name + "\"");
    }
    return to_count(parts[0]);
  };
  if (words.size() != 2) throw std::invalid_argument("no tree \"" + name + "\"");
  return k_ary_n_tree(number(0, "ary"), number(1, "tree"));
}

/// Packets on the busiest link towards the roots and towards the nodes.
struct BusiestLinks {
  std::size_t up = 0;
  std::size_t down = 0;
};

BusiestLinks busiest_links(const FatTree& tree, const DestinationTable& destinations) {
  const DModK routing(tree, 1);
  const Adjacency adjacency(tree);
  std::vector<std::size_t> loads(tree.channels().size(), 0);
  BusiestLinks busiest;
  for (std::uint32_t node = 0; node < destinations.size(); ++node) {
    for (const Hop& hop : walk(tree, adjacency, routing, NodeId{node}, destinations[node]).hops) {
      const std::uint32_t c = adjacency.leaving(hop.router, hop.output);
      const Channel& channel = tree.channels()[c];
      const bool up = index(channel.from.router) < index(channel.to.router);
      std::size_t& most = up ? busiest.up : busiest.down;
      most = std::max(most, ++loads[c]);
    }
  }
  return busiest;
}

std::string load_of_all_shifts(const FatTree& tree) {
  const auto nodes = static_cast<std::uint32_t>(tree.node_count());
  std::size_t most = 0;
  for (std::uint32_t shift = 1; shift < nodes; ++shift) {
    DestinationTable destinations;
    for (std::uint32_t i = 0; i < nodes; ++i) destinations.push_back(NodeId{(i + shift) % nodes});
    const BusiestLinks busiest = busiest_links(tree, destinations);
    most = std::max({most, busiest.up, busiest.down});
  }
  return std::to_string(most);
}

std::uint64_t seed_of(const std::string& instance) {
  const char* seed = after(instance, "perm(seed=");
  if (seed == nullptr || instance.back() != ')') {
    throw std::invalid_argument("no instance \"" + instance + "\"");
  }
  return to_count(std::string(seed, instance.data() + instance.size() - 1));
}

std::string compute_loads(const FatTree& tree, const Row& row) {
  const std::string& metric = row["metric"];
  if (row["instance"] == "all shifts i->i+s" && metric == "max link load") {
    return load_of_all_shifts(tree);
  }
  const DestinationTable table = random_permutation(seed_of(row["instance"]), tree.node_count());
  const BusiestLinks busiest = busiest_links(tree, table);
  if (metric == "up;down load") {
    return std::to_string(busiest.up) + ";" + std::to_string(busiest.down);
  }
  if (metric == "max link load") return std::to_string(std::max(busiest.up, busiest.down));
  throw std::invalid_argument("no metric \"" + metric + "\"");
}

}  // namespace

Verdict fat_tree_row(const Row& row, Level) {
  const std::string got = compute_loads(tree_named(row["topology"]), row);
  if (got == row["expected"]) return Verdict::of({});
  return Verdict::of({{row["metric"], row["expected"], got}});
}

}  // namespace flitcast::conformance
