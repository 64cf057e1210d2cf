// SPDX-License-Identifier: Apache-2.0
#include "routing/catalog.h"

#include <array>
#include <string>

#include "routing/deadlock.h"
#include "routing/destination_tag.h"
#include "routing/dimension_order.h"
#include "routing/e_cube.h"
#include "routing/middle_spread.h"
#include "routing/o1turn.h"
#include "routing/shortest_path.h"

namespace flitcast {
namespace {

template <class Family>
bool is(const Topology& topology) {
  return dynamic_cast<const Family*>(&topology) != nullptr;
}

// Which algorithm works where: for refusals that name the alternatives.
struct Domain {
  const char* algorithm;
  const char* topologies;
  bool (*accepts)(const Topology&);
};

constexpr std::array<Domain, 6> kDomains{{
    {"dimension_order", "mesh, torus and ring", is<Grid>},
    {"o1turn", "mesh, torus and ring", is<Grid>},
    {"e_cube", "hypercube", is<Hypercube>},
    {"destination_tag", "butterfly", is<Butterfly>},
    {"middle_spread", "clos", is<Clos>},
    {"shortest_path", "every topology", [](const Topology&) { return true; }},
}};

std::string algorithms_for(const Topology& topology, const std::string& except = "") {
  std::string names;
  for (const Domain& domain : kDomains) {
    if (domain.accepts(topology) && domain.algorithm != except)
      names += (names.empty() ? "" : " or ") + std::string(domain.algorithm);
  }
  return names;
}

/// "choose dimension_order or o1turn, or another topology".
std::string instead_of_shortest_path(const Topology& topology) {
  const std::string others = algorithms_for(topology, "shortest_path");
  return "choose " + (others.empty() ? "" : others + ", or ") + "another topology";
}

// The topology as a member of the family that the algorithm is made for.
template <class Family>
const Family& require(const char* algorithm, const Section& section, const Topology& topology) {
  if (const auto* family = dynamic_cast<const Family*>(&topology)) return *family;
  std::string topologies;
  for (const Domain& domain : kDomains) {
    if (std::string(domain.algorithm) == algorithm) topologies = domain.topologies;
  }
  section.fail("kind", std::string(algorithm) + " does not work on " + topology.name(),
               "it works on " + topologies + "; for " + topology.name() + " choose " +
                   algorithms_for(topology));
}

bool needs_classes(const Grid& grid) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (grid.wraps(d) && grid.size(d) > 3) return true;
  }
  return false;
}

VcClasses vc_classes(const std::string& name) {
  if (name == "dally_seitz_fixed") return VcClasses::kDallySeitzFixed;
  if (name == "dally_seitz") return VcClasses::kDallySeitz;
  if (name == "dateline") return VcClasses::kDateline;
  return VcClasses::kNone;
}

// The rule for packets that have `channels` VCs to themselves; with one there are no classes.
VcClasses classes_for(const Section& section, const Grid& grid, std::size_t channels, bool unsafe) {
  const VcClasses classes = vc_classes(section.text("vc_classes"));
  if (channels > 1 || classes == VcClasses::kNone) return classes;
  if (needs_classes(grid) && !unsafe) {
    throw ConfigError(Problem{section.place("vc_classes"), "router.virtual_channels",
                              "one virtual channel cannot keep " + grid.name() +
                                  " from deadlock: packets would wait for each other in a circle",
                              "use 2 or more (o1turn: 4), or wrapped sizes of at most 3"});
  }
  return VcClasses::kNone;
}

std::unique_ptr<Routing> make_dimension_order(const Section& section,
                                              const RoutingContext& context) {
  const Grid& grid = require<Grid>("dimension_order", section, context.topology);
  DimensionOrder::Params params;
  params.descending = section.text("order") == "descending";
  params.tie_by_coin = section.text("tie") == "coin";
  params.classes = classes_for(section, grid, context.virtual_channels, context.unsafe);
  params.virtual_channels = context.virtual_channels;
  return std::make_unique<DimensionOrder>(grid, params);
}

std::unique_ptr<Routing> make_o1turn(const Section& section, const RoutingContext& context) {
  const Grid& grid = require<Grid>("o1turn", section, context.topology);
  if (grid.dimensions() > O1Turn::kMaxDimensions) {
    section.fail("kind", "o1turn has header bits for 7 dimensions", "use dimension_order");
  }
  if (context.virtual_channels < 2) {
    throw ConfigError(Problem{section.place("kind"), "router.virtual_channels",
                              "o1turn keeps virtual channels of its own for each of two orders",
                              "use 2 or more, 4 where a wrapped size exceeds 3"});
  }
  const std::size_t fewest = context.virtual_channels / 2;
  return std::make_unique<O1Turn>(grid, classes_for(section, grid, fewest, context.unsafe),
                                  context.virtual_channels);
}

std::unique_ptr<Routing> make_e_cube(const Section& section, const RoutingContext& context) {
  const Hypercube& cube = require<Hypercube>("e_cube", section, context.topology);
  const auto order = section.text("order") == "lsb" ? ECube::Order::kLeastSignificantFirst
                                                    : ECube::Order::kMostSignificantFirst;
  return std::make_unique<ECube>(cube, order, context.virtual_channels);
}

std::unique_ptr<Routing> make_destination_tag(const Section& section,
                                              const RoutingContext& context) {
  const Butterfly& butterfly = require<Butterfly>("destination_tag", section, context.topology);
  return std::make_unique<DestinationTag>(butterfly, context.virtual_channels);
}

std::unique_ptr<Routing> make_middle_spread(const Section& section, const RoutingContext& context) {
  const Clos& clos = require<Clos>("middle_spread", section, context.topology);
  return std::make_unique<MiddleSpread>(clos, context.virtual_channels);
}

// The paths use all VCs alike, so one VC shows whether they can deadlock with any number.
void require_acyclic_paths(const Section& section, const Topology& topology) {
  const DependencyCheck check = check_dependencies(topology, ShortestPath(topology, 1), 1);
  if (check.acyclic()) return;
  section.fail("kind",
               "shortest_path can deadlock on " + topology.name() + ": " +
                   std::to_string(check.cycle.size()) + " channels, one of them from router " +
                   std::to_string(index(check.cycle.front().from)) + " to router " +
                   std::to_string(index(check.cycle.front().to)) +
                   ", wait for each other in a circle",
               instead_of_shortest_path(topology) + ", or watch it happen with --unsafe");
}

std::unique_ptr<Routing> make_shortest_path(const Section& section, const RoutingContext& context) {
  const Topology& topology = context.topology;
  if (topology.router_count() > ShortestPath::kMaxEntries / topology.node_count()) {
    section.fail(
        "kind", "the table of shortest_path would have more than 2^28 entries",
        instead_of_shortest_path(topology) + " with routers times nodes of at most 268435456");
  }
  if (!context.unsafe) require_acyclic_paths(section, topology);
  return std::make_unique<ShortestPath>(topology, context.virtual_channels);
}

Param choice(std::string key, std::string help, std::vector<std::string> choices) {
  Param param;
  param.key = std::move(key);
  param.type = Param::Type::kChoice;
  param.fallback = choices.front();
  param.help = std::move(help);
  param.choices = std::move(choices);
  return param;
}

Param vc_classes_param() {
  return choice(
      "vc_classes",
      "Use of the lower and upper half of the VCs in wrapped dimensions. dally_seitz_fixed: "
      "upper through the whole dimension if the way will wrap; dally_seitz: upper while the "
      "way ahead wraps; dateline: upper from the wrap-around hop on; none: any VC, which can "
      "deadlock where a wrapped size exceeds 3.",
      {"dally_seitz_fixed", "dally_seitz", "dateline", "none"});
}

std::vector<Param> dimension_order_params() {
  return {
      choice("order", "Which dimension a packet finishes first: ascending from 0, or descending.",
             {"ascending", "descending"}),
      choice("tie", "At exactly half way round a wrapped dimension: a fair coin, or always plus.",
             {"coin", "plus"}),
      vc_classes_param(),
  };
}

}  // namespace

const Catalog<CatalogEntry<RoutingMaker>>& routings() {
  static const Catalog<CatalogEntry<RoutingMaker>> catalog{
      {"dimension_order",
       "On mesh, torus and ring: one dimension after the other. 1 VC; 2 where a wrapped size "
       "exceeds 3.",
       dimension_order_params(), make_dimension_order},
      {"o1turn",
       "On mesh, torus and ring: XY or YX for each packet, by a coin. 2 VCs; 4 where a wrapped "
       "size "
       "exceeds 3.",
       {vc_classes_param()},
       make_o1turn},
      {"e_cube",
       "On hypercubes: correct the differing bits in a fixed order. 1 VC.",
       {choice("order", "The bit to correct first: most or least significant.", {"msb", "lsb"})},
       make_e_cube},
      {"destination_tag",
       "On butterflies: each stage follows one digit of the destination. 1 VC.",
       {},
       make_destination_tag},
      {"middle_spread",
       "On Clos networks: the middle switch follows from source port and destination. 1 VC.",
       {},
       make_middle_spread},
      {"shortest_path",
       "On any topology whose table of shortest paths cannot deadlock: lowest output first. 1 VC.",
       {},
       make_shortest_path},
  };
  return catalog;
}

}  // namespace flitcast
