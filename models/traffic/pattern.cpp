// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "permutation/instance.h"
#include "routing/analysis/channel_loads.h"
#include "routing/analysis/worst_case.h"
#include "topology/channel_numbering.h"

namespace flitcast {

Uniform::Uniform(std::size_t node_count, bool include_self)
    : node_count_(node_count), include_self_(include_self) {
  if (node_count < (include_self ? 1 : 2)) {
    throw std::invalid_argument("uniform traffic needs a node to send to");
  }
}

NodeId Uniform::destination(NodeId source, Random& random) const {
  if (include_self_) return to_id<NodeId>(random.below(node_count_));
  const std::uint64_t other = random.below(node_count_ - 1);
  return to_id<NodeId>(other < index(source) ? other : other + 1);
}

std::optional<double> Uniform::share(NodeId source, NodeId destination) const {
  if (include_self_) return 1 / static_cast<double>(node_count_);
  return source == destination ? 0 : 1 / static_cast<double>(node_count_ - 1);
}

NodeId WeightedTable::destination(NodeId source, Random& random) const {
  const Row& row = rows_[index(source)];
  return row.destinations.empty() ? source : row.destinations[row.choice.draw(random)];
}

std::optional<double> WeightedTable::share(NodeId source, NodeId destination) const {
  const auto& [destinations, choice] = rows_[index(source)];
  if (destinations.empty()) return source == destination ? 1 : 0;
  const auto found = std::lower_bound(destinations.begin(), destinations.end(), destination);
  if (found == destinations.end() || *found != destination) return 0;
  return choice.share(static_cast<std::size_t>(found - destinations.begin()));
}

namespace {

std::unique_ptr<Pattern> make_uniform(const Section& workload, const Topology& topology) {
  const bool include_self = workload.boolean("include_self");
  if (!include_self && topology.node_count() < 2) {
    workload.fail("include_self",
                  "the only node of " + topology.name() + " has no other to send to",
                  "use at least 2 nodes or include_self: true");
  }
  return std::make_unique<Uniform>(topology.node_count(), include_self);
}

/// Uniform traffic with a fixed share for a few hot nodes, such as a memory controller or a lock.
/// Source: Pfister and Norton, "Hot Spot" Contention and Combining in Multistage Interconnection
/// Networks, IEEE Transactions on Computers 34 (1985).
class HotSpot : public Pattern {
 public:
  /// @param node_count    At least 1.
  /// @param hot_spots     At least one node; one that is listed twice gets twice the share.
  /// @param hot_fraction  Share of the packets for the hot nodes, 0 to 1. The uniform rest includes
  /// them: with share f, each of h hot nodes gets f / h + (1 - f) / N.
  HotSpot(std::size_t node_count, std::vector<NodeId> hot_spots, double hot_fraction)
      : background_(node_count), hot_spots_(std::move(hot_spots)), hot_fraction_(hot_fraction) {
    if (hot_spots_.empty()) throw std::invalid_argument("hot-spot traffic needs a hot node");
  }

  NodeId destination(NodeId source, Random& random) const override {
    if (random.uniform() >= hot_fraction_) return background_.destination(source, random);
    return hot_spots_[random.below(hot_spots_.size())];
  }
  std::optional<double> share(NodeId source, NodeId destination) const override {
    const auto hits = std::count(hot_spots_.begin(), hot_spots_.end(), destination);
    return hot_fraction_ * static_cast<double>(hits) / static_cast<double>(hot_spots_.size()) +
           (1 - hot_fraction_) * *background_.share(source, destination);
  }

 private:
  const Uniform background_;
  const std::vector<NodeId> hot_spots_;
  const double hot_fraction_;
};

std::unique_ptr<Pattern> make_hot_spot(const Section& workload, const Topology& topology) {
  std::vector<NodeId> hot_spots;
  for (const std::int64_t node : workload.integers("hot_spots")) {
    if (node < 0 || static_cast<std::uint64_t>(node) >= topology.node_count()) {
      workload.fail("hot_spots", fmt::format("there is no node {} in {}", node, topology.name()),
                    fmt::format("use nodes from 0 to {}", topology.node_count() - 1));
    }
    hot_spots.push_back(to_id<NodeId>(node));
  }
  if (hot_spots.empty()) workload.fail("hot_spots", "the list is empty", "name at least one node");
  return std::make_unique<HotSpot>(topology.node_count(), std::move(hot_spots),
                                   workload.number("hot_fraction"));
}

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

std::unique_ptr<Pattern> make_random_permutation(const Section& workload,
                                                 const Topology& topology) {
  return permutation(random_permutation(workload.count("permutation_seed"), topology.node_count()));
}

/// Every node chooses between two destinations, the first with weights[0], the second with
/// weights[1].
/// @param ends  The two destinations of a node.
template <class Ends>
std::unique_ptr<Pattern> between_two(std::size_t nodes, const std::vector<double>& weights,
                                     Ends ends) {
  std::vector<WeightedTable::Row> rows(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto [first, second] = ends(node);
    if (first == second) {  // Only in a network of one node.
      rows[node] = {{to_id<NodeId>(first)}, WeightedChoice({1})};
      continue;
    }
    const bool ascending = first <= second;
    rows[node].destinations = {to_id<NodeId>(ascending ? first : second),
                               to_id<NodeId>(ascending ? second : first)};
    rows[node].choice = WeightedChoice({weights[ascending ? 0 : 1], weights[ascending ? 1 : 0]});
  }
  return std::make_unique<WeightedTable>(std::move(rows));
}

std::unique_ptr<Pattern> make_diagonal(const Section&, const Topology& topology) {
  const std::size_t nodes = topology.node_count();
  return between_two(nodes, {2, 1}, [=](std::size_t node) {
    return std::pair<std::size_t, std::size_t>(node, (node + 1) % nodes);
  });
}

std::unique_ptr<Pattern> make_asymmetric(const Section& workload, const Topology& topology) {
  const std::size_t nodes = topology.node_count();
  if (nodes % 2 != 0) {
    workload.fail(
        "pattern",
        fmt::format("asymmetric has two halves, but {} has {} nodes", topology.name(), nodes),
        "use an even number of nodes");
  }
  return between_two(nodes, {1, 1}, [half = nodes / 2](std::size_t node) {
    return std::pair<std::size_t, std::size_t>(node % half, node % half + half);
  });
}

std::unique_ptr<Pattern> refuse_worst_case(const Section& workload, const Topology&) {
  workload.fail("pattern", "worst_case needs the paths of packets, which are not known here",
                "use it in a workload without classes, on a network with a routing");
}

std::unique_ptr<Pattern> make_worst_case(const Section& workload, const Topology& topology,
                                         const Routing& routing) {
  try {
    const WorstCase worst = worst_case(topology, routing);
    return std::make_unique<Permutation>(
        worst.destinations,
        fmt::format("worst_case loads {} with {:.6g} flits for each that a node sends: no "
                    "permutation loads a link more",
                    ChannelNumbering(topology).name(worst.channel), worst.load));
  } catch (const UnknownLoads& reason) {
    workload.fail("pattern", fmt::format("worst_case is not known: {}", reason.what()),
                  "use an oblivious routing and at most some hundred nodes");
  }
}

// The permutation of a workload of kind `permutation`, as traffic without an end.
std::unique_ptr<Pattern> make_permutation(const Section& workload, const Topology& topology) {
  const std::vector<std::size_t> grid = topology.node_grid();
  const bool is_cube = all_of(grid, [](std::size_t size) { return size <= 2; });
  DestinationTable table;
  for (const Transfer& packet : make_instance(workload, {grid, topology.name(), is_cube})) {
    if (index(packet.from) != table.size()) break;
    table.push_back(packet.to);
  }
  if (table.size() != topology.node_count()) {
    workload.fail("permutation", fmt::format("node {} has not one destination", table.size()),
                  "give every node one, or write the flows as a matrix");
  }
  return permutation(std::move(table));
}

}  // namespace

PatternEntry matrix_pattern();  // In matrix.cpp.
PatternEntry mix_pattern();     // In mix.cpp.

std::vector<Param> pattern_params(const Catalog<PatternEntry>& catalog) {
  return catalog_params(Param::choice("pattern", "Destinations of the packets of a node.")
                            .defaults_to(catalog[0].name),
                        catalog);
}

std::unique_ptr<Pattern> make_pattern(const Section& workload, const Topology& topology,
                                      const Routing* routing) {
  const PatternEntry& entry = *find(patterns(), workload.text("pattern"));
  if (entry.make_for_paths == nullptr || routing == nullptr) return entry.make(workload, topology);
  return entry.make_for_paths(workload, topology, *routing);
}

Catalog<PatternEntry>& patterns() {
  static Catalog<PatternEntry> catalog{
      {{"uniform",
        "every node equally likely",
        {Param::boolean("include_self", true, "A node may draw itself as destination.")},
        make_uniform,
        {"", "include_self: false"}}},
      {{"transpose",
        "(x, y) to (y, x), or the halves of the node number swapped",
        {},
        make_transpose}},
      {{"bit_complement", "every bit of the node number inverted", {}, of_bits<bit_complement>()}},
      {{"bit_reverse", "the bits of the node number in reverse order", {}, of_bits<bit_reverse>()}},
      {{"shuffle", "the bits of the node number rotated left", {}, of_bits<shuffle>()}},
      {{"bit_rotation", "the bits of the node number rotated right", {}, of_bits<bit_rotation>()}},
      {{"tornado", "almost half-way round every dimension", {}, of_grid<tornado>()}},
      {{"neighbour", "one step up in every dimension", {}, of_grid<neighbour>()}},
      {{"hot_spot",
        "uniform, with a share for a few hot nodes",
        {Param::integers("hot_spots", "nodes", "The hot nodes.", 0)
             .defaults_to(nlohmann::json::array({0})),
         Param::number("hot_fraction", "",
                       "Share of the packets that go to a hot node; the rest is uniform.", 0, 1)
             .defaults_to(0.2)},
        make_hot_spot,
        {"", "hot_spots: [3, 1], hot_fraction: 1"}}},
      {{"random_permutation",
        "one permutation drawn from its own seed",
        {Param::integer("permutation_seed", "", "Which permutation.", 0).defaults_to(1)},
        make_random_permutation,
        {"", "permutation_seed: 9"}}},
      {{"permutation",
        "a permutation of one's own, or by name",
        {permutation_param()},
        make_permutation,
        {"permutation: {random: 3}", "permutation: [1, 2, 3, 0]"}}},
      {{"diagonal", "two thirds to the node itself, a third to the next", {}, make_diagonal}},
      {{"asymmetric",
        "to either half of the nodes, at one's own place in one's half",
        {},
        make_asymmetric}},
      {{"worst_case",
        "the permutation that loads a link most under the routing",
        {},
        refuse_worst_case},
       false,
       make_worst_case},
      mix_pattern(),
      matrix_pattern(),
  };
  return catalog;
}

}  // namespace flitcast
