// SPDX-License-Identifier: Apache-2.0
#include "routing/queue_priority.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/random.h"
#include "base/sequences.h"
#include "topology/adjacency.h"
#include "topology/hypercube.h"

namespace flitcast {
namespace {

NodeId node_at(RouterId router) { return NodeId{index(router)}; }  // Valid on grids and hypercubes.

/// The distance by which a coordinate must rise to become `there`, wrapping around if necessary.
std::size_t places_up(std::size_t here, std::size_t there, std::size_t size) {
  return there >= here ? there - here : there + size - here;
}

std::size_t grid_distance(const Grid& grid, NodeId from, NodeId to) {
  return sum_of<std::size_t>(numbers(grid.dimensions()), [&](std::size_t d) {
    const std::size_t here = grid.coordinate(from, d);
    const std::size_t there = grid.coordinate(to, d);
    const std::size_t straight = std::max(here, there) - std::min(here, there);
    return grid.wraps(d) ? std::min(straight, grid.size(d) - straight) : straight;
  });
}

constexpr std::uint32_t kFar = std::numeric_limits<std::uint16_t>::max();

bool has_closed_form(const Topology& topology) {
  return topology_as<Grid>(topology) != nullptr || topology_as<Hypercube>(topology) != nullptr;
}

}  // namespace

std::uint32_t FarthestFirst::distance(const QueueEntry& entry) const {
  const std::size_t d = index(entry.output) / 2;
  if (d >= grid_.dimensions()) return 0;
  const std::size_t here = grid_.coordinate(node_at(entry.at), d);
  const std::size_t there = grid_.coordinate(entry.destination, d);
  const bool plus = entry.output == Grid::plus(d);
  const std::size_t hops = grid_.wraps(d)
                               ? places_up(plus ? here : there, plus ? there : here, grid_.size(d))
                               : std::max(here, there) - std::min(here, there);
  return static_cast<std::uint32_t>(hops);
}

bool Farthest::accepts(const Topology& topology) {
  return has_closed_form(topology) ||
         topology.router_count() <= kMaxEntries / topology.node_count();
}

Farthest::Farthest(const Topology& topology)
    : grid_(topology_as<Grid>(topology)),
      is_hypercube_(topology_as<Hypercube>(topology) != nullptr),
      nodes_(topology.node_count()) {
  if (!accepts(topology)) throw std::invalid_argument("the table would exceed kMaxEntries");
  if (has_closed_form(topology)) return;
  table_.resize(topology.router_count() * nodes_);
  std::vector<std::vector<std::uint32_t>> before(topology.router_count());  // Routers one hop back.
  for (const Channel& channel : topology.channels()) {
    before[index(channel.to.router)].push_back(index(channel.from.router));
  }
  for (const NodeId node : topology.nodes()) {
    const std::uint32_t end = index(topology.attachment(node).ejection.router);
    const auto hops = count_steps({end}, before.size(), [&](std::uint32_t router, auto&& lead) {
      for (const std::uint32_t from : before[router]) lead(from);
    });
    for (std::size_t r = 0; r < hops.size(); ++r) {
      table_[r * nodes_ + index(node)] = static_cast<std::uint16_t>(std::min(hops[r], kFar));
    }
  }
}

std::uint32_t Farthest::distance(RouterId from, NodeId to) const {
  if (grid_ != nullptr) {
    return static_cast<std::uint32_t>(grid_distance(*grid_, node_at(from), to));
  }
  if (is_hypercube_) {
    return static_cast<std::uint32_t>(__builtin_popcount(index(from) ^ index(to)));
  }
  return table_[index(from) * nodes_ + index(to)];
}

std::uint32_t RandomOrder::rank(const QueueEntry& entry) const {
  const std::uint64_t of_packet = Random::stream(seed_, index(entry.packet)).next();
  return static_cast<std::uint32_t>(Random::stream(of_packet, index(entry.at)).next() >> 32);
}

namespace {

template <class Rule>
std::unique_ptr<QueuePriority> make_anywhere(const Section&, const QueuePriorityContext&) {
  return std::make_unique<Rule>();
}

// The entry of a rule that counts the hops left in the dimension of the output.
template <class Rule>
std::unique_ptr<QueuePriority> make_in_dimension(const Section& section,
                                                 const QueuePriorityContext& context) {
  if (const auto* grid = topology_as<Grid>(context.topology)) {
    return std::make_unique<Rule>(*grid);
  }
  // A dimension of a hypercube has one hop, so all packets are equally far.
  if (topology_as<Hypercube>(context.topology) != nullptr) return std::make_unique<Fifo>();
  section.fail(
      "priority", section.text("priority") + " does not work on " + context.topology.name(),
      "it works on mesh, torus, ring and hypercube; choose farthest, which works anywhere");
}

std::unique_ptr<QueuePriority> make_farthest(const Section& section,
                                             const QueuePriorityContext& context) {
  if (!Farthest::accepts(context.topology)) {
    section.fail("priority", "the table of farthest would have more than 2^27 entries",
                 "make routers times nodes at most 134217728, or choose fifo or random");
  }
  return std::make_unique<Farthest>(context.topology);
}

std::unique_ptr<QueuePriority> make_random(const Section&, const QueuePriorityContext& context) {
  return std::make_unique<RandomOrder>(context.seed);
}

}  // namespace

Catalog<QueuePriorityEntry>& queue_priorities() {
  static Catalog<QueuePriorityEntry> catalog{
      {{"fifo", "First in, first out.", {}, make_anywhere<Fifo>}},
      {{"farthest_first",
        "On mesh, torus, ring and hypercube: the most hops left in the dimension of the output.",
        {},
        make_in_dimension<FarthestFirst>},
       true},
      {{"farthest", "The most hops left in all.", {}, make_farthest}, true},
      {{"nearest_first",
        "On mesh, torus, ring and hypercube: the fewest hops left in the dimension of the output.",
        {},
        make_in_dimension<NearestFirst>},
       true},
      {{"lifo", "Last in, first out.", {}, make_anywhere<Lifo>}},
      {{"random", "In an order drawn anew for each packet and router.", {}, make_random}},
  };
  return catalog;
}

}  // namespace flitcast
