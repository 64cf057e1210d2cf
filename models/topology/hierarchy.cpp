// SPDX-License-Identifier: Apache-2.0
#include "topology/hierarchy.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "topology/catalog.h"
#include "topology/grid.h"

namespace flitcast {
namespace {

bool has_node(const Topology& topology, RouterId router) {
  const auto& nodes = topology.attachments();
  return any_of(nodes, [&](const Attachment& node) {
    return node.injection.router == router && node.ejection.router == router;
  });
}

bool fits(const std::vector<std::size_t>& at, std::size_t ports) {
  return ports != 0 && !at.empty() && (at.size() == 1 || at.size() % ports == 0);
}

}  // namespace

std::size_t Hierarchy::ports_of_dies(const Topology& between) {
  return largest_of<std::size_t>(between.channels(), [](const Channel& channel) {
    return std::max(index(channel.from.port), index(channel.to.port)) + 1U;
  });
}

Hierarchy::Hierarchy(std::shared_ptr<const Topology> within,
                     std::shared_ptr<const Topology> between, const std::vector<std::size_t>& at)
    : Topology("hierarchy " + within->name() + " in " + between->name()),
      within_(std::move(within)),
      between_(std::move(between)),
      ports_(ports_of_dies(*between_)) {
  const std::size_t dies = between_->router_count();
  require_buildable(bounded_product({dies, within_->router_count()}), 0);
  require_buildable(bounded_product({dies, within_->node_count()}), 0);
  if (!fits(at, ports_) || !has_a_node_each(*between_)) {
    throw std::invalid_argument("no such dies, or no boundary router for each of their ports");
  }
  std::vector<std::size_t> added(within_->router_count(), 0);
  for (std::size_t gate = 0; gate < std::max(at.size(), ports_); ++gate) {
    const auto router = to_id<RouterId>(at.size() == 1 ? at[0] : at[gate]);
    if (index(router) >= within_->router_count() || !has_node(*within_, router)) {
      throw std::invalid_argument("a boundary router has a node");
    }
    const std::size_t rank = added[index(router)]++;
    gates_.push_back({router, to_id<PortId>(within_->output_count(router) + rank),
                      to_id<PortId>(within_->input_count(router) + rank)});
  }
  for (std::size_t die = 0; die < dies; ++die) add_die(die);
  for (const Channel& channel : between_->channels()) {
    for (std::size_t plane = 0; plane < planes(); ++plane) {
      const Gate& from = gate(plane, channel.from.port);
      const Gate& to = gate(plane, channel.to.port);
      add_channel({at_die(index(channel.from.router), {from.router, from.output}),
                   at_die(index(channel.to.router), {to.router, to.input}), channel.latency,
                   channel.cycles_per_flit});
    }
  }
}

void Hierarchy::add_die(std::size_t die) {
  for (const RouterId r : within_->routers()) {
    const auto gates = static_cast<std::size_t>(
        count_if(gates_, [&](const Gate& gate) { return gate.router == r; }));
    const std::size_t inputs = within_->input_count(r) + gates;
    const std::size_t outputs = within_->output_count(r) + gates;
    require_buildable(1, std::max(inputs, outputs));
    add_router(inputs, outputs);
  }
  for (const Channel& channel : within_->channels()) {
    add_channel({at_die(die, channel.from), at_die(die, channel.to), channel.latency,
                 channel.cycles_per_flit});
  }
  for (const Attachment& node : within_->attachments()) {
    add_node({at_die(die, node.injection), at_die(die, node.ejection)});
  }
}

std::size_t Hierarchy::port_behind(RouterId router, PortId input) const {
  const RouterId inside = in_die(router);
  const auto gate = std::find_if(gates_.begin(), gates_.end(), [&](const Gate& one) {
    return one.router == inside && one.input == input;
  });
  if (gate == gates_.end()) return ports_;
  return static_cast<std::size_t>(gate - gates_.begin()) % ports_;
}

std::vector<std::size_t> Hierarchy::node_grid() const {
  return concatenated({within_->node_grid(), between_->node_grid()});
}

std::string Hierarchy::channel_class(const Channel& channel) const {
  if (die(channel.from.router) != die(channel.to.router)) return "die_to_die";
  return within_->channel_class({{in_die(channel.from.router), channel.from.port},
                                 {in_die(channel.to.router), channel.to.port}});
}

Layout Hierarchy::layout() const {
  const Layout inside = within_->layout();
  double extent = 0;
  for (const Position& at : inside) extent = std::max({extent, at.x, at.y});
  Layout layout;
  for (const Position& die : between_->layout()) {
    for (const Position& at : inside) {
      layout.push_back({die.x * (extent + 2) + at.x, die.y * (extent + 2) + at.y});
    }
  }
  return layout;
}

namespace {

std::unique_ptr<Topology> make_hierarchy(const Section& section);

/// The keys of the topologies of which a hierarchy is made: all but hierarchies.
std::vector<Param> part_keys() {
  Catalog<TopologyEntry> parts(std::initializer_list<TopologyEntry>{});
  for (const TopologyEntry& entry : topologies()) {
    if (entry.make != make_hierarchy) parts.add(entry);
  }
  return catalog_params(Param::choice("kind", "Family of networks."), parts);
}

const TopologyEntry& part_entry(const Section& section, const char* part) {
  return *topologies().find(section.section(part).text("kind"));
}

std::shared_ptr<const Topology> make_part(const Section& section, const char* part) {
  return part_entry(section, part).make(section.section(part));
}

/// The grid of all routers of dies whose neighbours are joined by all routers at their borders;
/// null if these are no such dies.
std::unique_ptr<Topology> grid_of_dies(const Topology& within, const Topology& between) {
  const auto* die = topology_as<Grid>(within);
  const auto* dies = topology_as<Grid>(between);
  if (die == nullptr || dies == nullptr || die->dimensions() != dies->dimensions()) return nullptr;
  std::vector<GridDimension> dimensions;
  for (std::size_t d = 0; d < die->dimensions(); ++d) {
    if (die->wraps(d)) return nullptr;
    dimensions.push_back({bounded_product({die->size(d), dies->size(d)}), dies->wraps(d)});
  }
  return std::make_unique<Grid>("hierarchy " + within.name() + " in " + between.name() + ":",
                                std::move(dimensions), die->node_grid());
}

std::unique_ptr<Topology> make_grid_of_dies(const Section& section, const Topology& within,
                                            const Topology& between) {
  try {
    if (auto grid = grid_of_dies(within, between)) return grid;
  } catch (const std::invalid_argument& error) {
    section.fail("between", error.what(), "make the network smaller");
  }
  section.fail("at",
               within.name() + " in " + between.name() + " have no borders that fit each other",
               "list boundary routers of a die, or join meshes by a mesh or torus of as many "
               "dimensions");
}

void check_boundary(const Section& section, const Topology& within, const Topology& between) {
  const std::vector<std::size_t> at = counts_of(section, "at");
  const std::size_t ports = Hierarchy::ports_of_dies(between);
  ProblemList problems;
  if (!has_a_node_each(between) || ports == 0) {
    problems.add(section.section("between").problem(
        "kind", between.name() + " does not join routers of one node each, which are the dies",
        "use a mesh, torus, ring, hypercube or complete, or a graph with a terminal at each router "
        "in their order"));
  } else if (!fits(at, ports)) {
    problems.add(
        section.problem("at",
                        std::to_string(at.size()) + " boundary routers for " +
                            std::to_string(ports) + " ports of a die in " + between.name(),
                        "list one for all, or " + std::to_string(ports) +
                            " in the order of the ports, or a multiple for parallel channels"));
  }
  for (const std::size_t router : at) {
    if (router >= within.router_count()) {
      problems.add(
          section.problem("at", "router " + std::to_string(router) + " is not in " + within.name(),
                          "routers are 0 to " + std::to_string(within.router_count() - 1)));
    } else if (!has_node(within, to_id<RouterId>(router))) {
      problems.add(section.problem(
          "at", "router " + std::to_string(router) + " of " + within.name() + " has no node",
          "choose a router with a node, which routings within the die can lead to"));
    }
  }
  problems.throw_if_any();
}

/// The number of routers of a part, as far as it is known before the part is made.
std::size_t routers_of_part(const Section& section, const char* part) {
  const TopologyEntry& entry = part_entry(section, part);
  return entry.size == nullptr ? 1 : entry.size(section.section(part)).routers;
}

std::unique_ptr<Topology> make_hierarchy(const Section& section) {
  if (bounded_product({routers_of_part(section, "within"), routers_of_part(section, "between")}) >
      kMaxRouters) {
    section.fail("within", "more than 2^24 routers in all dies", "make the network smaller");
  }
  const std::shared_ptr<const Topology> within = make_part(section, "within");
  const std::shared_ptr<const Topology> between = make_part(section, "between");
  const std::vector<std::size_t> at = counts_of(section, "at");
  if (at.empty()) return make_grid_of_dies(section, *within, *between);
  check_boundary(section, *within, *between);
  try {
    return std::make_unique<Hierarchy>(within, between, at);
  } catch (const std::invalid_argument& error) {
    section.fail("within", error.what(), "make the network smaller");
  }
}

std::vector<Param> hierarchy_keys() {
  return {Param::section("within", "The network of every die.", part_keys()),
          Param::section("between",
                         "The network whose routers are the dies: it has one node at "
                         "each router.",
                         part_keys()),
          Param::integers("at", "routers",
                          "Boundary routers of a die, one for each port of a die in the order of "
                          "the ports, several times as many for parallel channels, or one for all. "
                          "Empty: meshes joined by a mesh or torus of as many dimensions, along "
                          "whole borders.",
                          0, kMaxRouters)
              .defaults_to(nlohmann::json::array())};
}

}  // namespace

TopologyEntry hierarchy_topology() {
  return {{"hierarchy",
           "Dies (chiplets) with equal networks, joined by channels of class die_to_die.",
           hierarchy_keys,
           make_hierarchy,
           {"within: {kind: mesh, sizes: [2, 2]}, between: {kind: mesh, sizes: [2, 2]}",
            "within: {kind: mesh, sizes: [2, 2]}, between: {kind: mesh, sizes: [3, 2]}, at: [1, 0, "
            "2, 3]",
            "within: {kind: mesh, sizes: [2, 2]}, between: {kind: ring, nodes: 4}, at: 3",
            "within: {kind: ring, nodes: 4}, between: {kind: complete, nodes: 3}, at: [0, 1, 2, "
            "3]"}}};
}

}  // namespace flitcast
