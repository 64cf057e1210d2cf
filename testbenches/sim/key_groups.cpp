// SPDX-License-Identifier: Apache-2.0
// Effects of the keys of an experiment on a network.
#include "key_groups.h"

#include <cstdlib>
#include <utility>

#include "clos/catalog.h"
#include "collective/forwarding/reduction.h"
#include "permutation/instance.h"
#include "routing/concentrated_routing.h"
#include "routing/dimension_order.h"
#include "routing/dragonfly_routing.h"
#include "routing/e_cube.h"
#include "routing/hierarchical.h"
#include "routing/minimal_adaptive.h"
#include "routing/multicast/hamiltonian_paths.h"
#include "routing/multicast/xy_multicast.h"
#include "routing/multistage_routing.h"
#include "routing/o1turn.h"
#include "routing/queue_priority.h"
#include "routing/shortest_path.h"
#include "routing/tree_ascent.h"
#include "routing/turn_model.h"
#include "routing/ugal.h"
#include "topology/butterfly.h"
#include "topology/concentrated.h"
#include "topology/dragonfly.h"
#include "topology/fat_tree.h"
#include "topology/faults.h"
#include "topology/grid.h"
#include "topology/hierarchy.h"
#include "topology/hypercube.h"
#include "topology/regular_graph.h"
#include "traffic/reduction_run.h"

namespace flitcast::program {
namespace {

using nlohmann::json;

template <class Family, class Make>
Parts::MakeRouting routing_on(Make make) {
  return [make](const Topology& topology, std::size_t channels) -> std::unique_ptr<Routing> {
    return make(dynamic_cast<const Family&>(topology), channels);
  };
}

template <class Family, class Algorithm>
Parts::MakeRouting only() {
  return routing_on<Family>([](const Family& family, std::size_t channels) {
    return std::make_unique<Algorithm>(family, channels);
  });
}

Parts::MakeRouting dimension_order(const DimensionOrder::Params& given = {}) {
  return routing_on<Grid>([given](const Grid& grid, std::size_t channels) {
    DimensionOrder::Params params = given;
    params.virtual_channels = channels;
    return std::make_unique<DimensionOrder>(grid, params);
  });
}

Parts::MakeRouting e_cube(ECube::Order order) {
  return routing_on<Hypercube>([order](const Hypercube& cube, std::size_t channels) {
    return std::make_unique<ECube>(cube, order, channels);
  });
}

Parts::MakeRouting digit_e_cube(ECube::Order order) {
  return routing_on<GeneralisedHypercube>(
      [order](const GeneralisedHypercube& cube, std::size_t channels) {
        return std::make_unique<DigitECube>(cube, order, channels);
      });
}

Parts::MakeTopology clos(std::size_t ports, std::size_t middle_switches, std::size_t switches) {
  return topology_of(Clos({{ports, middle_switches}}, switches));
}

clos::StrategyMaker strategy(const char* name) { return find(clos::strategies(), name)->make; }

/// Returns a packet network with 4 VCs of 6 flits that runs for 300 cycles and is so busy that
/// packets often block each other.
KeyGroup packets(const std::string& topology, const std::string& routing,
                 Parts::MakeTopology make_topology, Parts::MakeRouting make_routing) {
  KeyGroup group{
      {topology, routing, "{kind: traffic, load: 0.4}", "{warmup: 0, window: 300, drain_limit: 0}",
       "router: {virtual_channels: 4, buffer_depth: 6}"},
      {},
      {}};
  group.parts.topology = std::move(make_topology);
  group.parts.routing = std::move(make_routing);
  group.parts.params.router.virtual_channels = 4;
  group.parts.params.router.buffer_depth = 6;
  return group;
}

KeyGroup torus_packets() {
  return packets("{kind: torus, sizes: [4, 4]}", "{kind: dimension_order}",
                 topology_of(torus({4, 4})), dimension_order());
}

KeyGroup mesh_packets() {
  return packets("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                 topology_of(mesh({4, 4})), dimension_order());
}

template <class Value>
void set_option(Parts& parts, Value RouterOptions::*option, Value value) {
  parts.params.router.options.*option = value;
  parts.params.cores = &flit_cores(parts.params.router.options);
}

/// A torus of 4x4 in which channels between some routers have a value of their own.
Parts::MakeTopology own_torus(bool (*is_other)(int from, int to), std::uint32_t Channel::*member,
                              std::uint32_t value) {
  Grid grid = torus({4, 4});
  for (std::size_t c = 0; c < grid.channels().size(); ++c) {
    Channel& channel = grid.channel(c);
    const auto from = static_cast<int>(index(channel.from.router));
    const auto to = static_cast<int>(index(channel.to.router));
    if (is_other(from, to)) channel.*member = value;
  }
  return topology_of(grid);
}

Parts::MakeTopology timed_torus(bool (*is_long)(int from, int to)) {
  return own_torus(is_long, &Channel::latency, 9);
}

Parts::MakeTopology shallow_torus(bool (*is_shallow)(int from, int to)) {
  return own_torus(is_shallow, &Channel::buffer_depth, 3);
}

/// Returns the keys of routers, links and nodes, without those of one kind only.
KeyGroup network_keys() {
  KeyGroup group = torus_packets();
  group.rows = {
      {"router.kind",
       {"router.kind=virtual_cut_through"},
       [](Parts& p) { p.params.router.whole_packet_credit = true; }},
      {"router.virtual_channels",
       {"router.virtual_channels=8"},
       [](Parts& p) { p.params.router.virtual_channels = 8; }},
      {"router.buffer_depth",
       {"router.buffer_depth=3"},
       [](Parts& p) { p.params.router.buffer_depth = 3; }},
      {"router.pipeline.route",
       {"router.pipeline.route=3"},
       [](Parts& p) { p.params.router.pipeline.route = 3; }},
      {"router.pipeline.vc_allocation",
       {"router.pipeline.vc_allocation=3"},
       [](Parts& p) { p.params.router.pipeline.vc_allocation = 3; }},
      {"router.pipeline.switch_allocation",
       {"router.pipeline.switch_allocation=3"},
       [](Parts& p) { p.params.router.pipeline.switch_allocation = 3; }},
      {"router.pipeline.traversal",
       {"router.pipeline.traversal=5"},
       [](Parts& p) { p.params.router.pipeline.traversal = 5; }},
      {"router.allocator",
       {"router.allocator=output_first"},
       [](Parts& p) { set_option(p, &RouterOptions::allocator, AllocatorKind::kOutputFirst); }},
      {"router.allocator",
       {"router.allocator=wavefront"},
       [](Parts& p) { set_option(p, &RouterOptions::allocator, AllocatorKind::kWavefront); }},
      {"router.iterations",
       {"router.iterations=2"},
       [](Parts& p) { set_option(p, &RouterOptions::iterations, 2U); }},
      {"router.speculation",
       {"router.speculation=true"},
       [](Parts& p) { set_option(p, &RouterOptions::speculation, true); }},
      {"router.input_speedup",
       {"router.input_speedup=2"},
       [](Parts& p) { set_option(p, &RouterOptions::input_speedup, 2U); }},
      {"router.vc_reuse",
       {"router.vc_reuse=tail_credit"},
       [](Parts& p) { set_option(p, &RouterOptions::vc_reuse, VcReuse::kTailCredit); }},
      {"router.arbitration",
       {"router.arbitration=age"},
       [](Parts& p) { set_option(p, &RouterOptions::arbitration, ArbitrationKind::kAge); }},
      {"router.arbitration",
       {"router.arbitration=hops"},
       [](Parts& p) { set_option(p, &RouterOptions::arbitration, ArbitrationKind::kHops); }},
      {"link.latency", {"link.latency=3"}, [](Parts& p) { p.params.link_latency = 3; }},
      {"link.credit_latency",
       {"link.credit_latency=3"},
       [](Parts& p) { p.params.credit_latency = 3; }},
      {"link.cycles_per_flit",
       {"link.cycles_per_flit=3"},
       [](Parts& p) { p.params.cycles_per_flit = 3; }},
      {"link.classes",
       {"link.classes={wrap: {latency: 9}}"},
       [](Parts& p) {
         p.topology = timed_torus([](int from, int to) { return std::abs(from - to) % 9 == 3; });
       }},
      {"link.exceptions",
       {"link.exceptions=[{from: 1, to: 2, latency: 9}]"},
       [](Parts& p) {
         p.topology = timed_torus([](int from, int to) { return from == 1 && to == 2; });
       }},
      {"link.classes.wrap.buffer_depth",
       {"link.classes.wrap.buffer_depth=3"},
       [](Parts& p) {
         p.topology = shallow_torus([](int from, int to) { return std::abs(from - to) % 9 == 3; });
       }},
      {"link.exceptions[0].buffer_depth",
       {"link.exceptions=[{from: 1, to: 2}]", "link.exceptions[0].buffer_depth=3"},
       [](Parts& p) {
         p.topology = shallow_torus([](int from, int to) { return from == 1 && to == 2; });
       }},
      {"link.exceptions[0].from",
       {"link.exceptions=[{from: 1, to: 2, latency: 9}]", "link.exceptions[0].from=3"},
       [](Parts& p) {
         p.topology = timed_torus([](int from, int to) { return from == 3 && to == 2; });
       }},
      {"link.exceptions[0].to",
       {"link.exceptions=[{from: 1, to: 2, latency: 9}]", "link.exceptions[0].to=0"},
       [](Parts& p) {
         p.topology = timed_torus([](int from, int to) { return from == 1 && to == 0; });
       }},
      {"node.ports", {"node.ports=3"}, [](Parts& p) { p.node_ports = 3; }},
      {"node.ports", {"node.ports=all"}, [](Parts& p) { p.node_ports = 4; }},
      {"node.startup", {"node.startup=3"}, [](Parts& p) { p.params.startup = 3; }},
      {"seed", {"seed=3"}, [](Parts& p) { p.seed = p.params.seed = 3; }},
  };
  return group;
}

DimensionOrder::Params classes(VcClasses classes) {
  DimensionOrder::Params params;
  params.classes = classes;
  return params;
}

struct Dies {
  std::vector<std::size_t> within{2, 2};
  std::vector<std::size_t> between{2, 2};
  std::vector<std::size_t> at{1, 0, 2, 3};
  bool descending_within = false;
  bool descending_between = false;
};

Hierarchical::Part ordered(const Topology& grid, bool descending) {
  DimensionOrder::Params params;
  params.descending = descending;
  params.classes = VcClasses::kNone;
  params.virtual_channels = 1;
  return {std::make_unique<DimensionOrder>(*topology_as<Grid>(grid), params), 1};
}

void set_dies(Parts& parts, const Dies& dies) {
  parts.topology = topology_of(Hierarchy(std::make_shared<Grid>(mesh(dies.within)),
                                         std::make_shared<Grid>(mesh(dies.between)), dies.at));
  parts.routing = routing_on<Hierarchy>([dies](const Hierarchy& made, std::size_t channels) {
    return std::make_unique<Hierarchical>(made, ordered(made.within(), dies.descending_within),
                                          ordered(made.between(), dies.descending_between),
                                          channels);
  });
}

KeyGroup dies_keys() {
  KeyGroup group = packets(
      "{kind: hierarchy, within: {kind: mesh, sizes: [2, 2]}, between: {kind: mesh, sizes: "
      "[2, 2]}, at: [1, 0, 2, 3]}",
      "{kind: hierarchical, within: {kind: dimension_order}, between: {kind: "
      "dimension_order}}",
      {}, {});
  group.experiment.more = "router: {virtual_channels: 5, buffer_depth: 6}";
  group.parts.params.router.virtual_channels = 5;
  set_dies(group.parts, {});
  group.rows = {
      {"topology.within",
       {"topology.within={kind: mesh, sizes: [4, 2]}"},
       [](Parts& p) {
         set_dies(p, {{4, 2}});
       }},
      {"topology.between",
       {"topology.between={kind: mesh, sizes: [4, 2]}"},
       [](Parts& p) {
         set_dies(p, {{2, 2}, {4, 2}});
       }},
      {"topology.at",
       {"topology.at=[1, 0, 2, 2]"},
       [](Parts& p) {
         set_dies(p, {{2, 2}, {2, 2}, {1, 0, 2, 2}});
       }},
      {"routing.within",
       {"routing.within={kind: dimension_order, order: descending}"},
       [](Parts& p) {
         set_dies(p, {{2, 2}, {2, 2}, {1, 0, 2, 3}, true});
       }},
      {"routing.between",
       {"routing.between={kind: dimension_order, order: descending}"},
       [](Parts& p) {
         set_dies(p, {{2, 2}, {2, 2}, {1, 0, 2, 3}, false, true});
       }},
  };
  return group;
}

KeyGroup torus_routing_keys() {
  DimensionOrder::Params descending;
  descending.descending = true;
  DimensionOrder::Params plus;
  plus.tie_by_coin = false;
  KeyGroup group = torus_packets();
  group.rows = {
      {"topology.kind",
       {"topology.kind=mesh"},
       [](Parts& p) {
         p.topology = topology_of(mesh({4, 4}));
       }},
      {"topology.sizes",
       {"topology.sizes=[8, 2]"},
       [](Parts& p) {
         p.topology = topology_of(torus({8, 2}));
       }},
      {"routing.order",
       {"routing.order=descending"},
       [=](Parts& p) { p.routing = dimension_order(descending); }},
      {"routing.tie", {"routing.tie=plus"}, [=](Parts& p) { p.routing = dimension_order(plus); }},
      {"routing.vc_classes",
       {"routing.vc_classes=dateline"},
       [](Parts& p) { p.routing = dimension_order(classes(VcClasses::kDateline)); }},
      {"routing.vc_classes",
       {"routing.vc_classes=dally_seitz"},
       [](Parts& p) { p.routing = dimension_order(classes(VcClasses::kDallySeitz)); }},
      {"routing.kind",
       {"routing.vc_classes=dateline", "routing.kind=o1turn"},
       [](Parts& p) {
         p.routing = routing_on<Grid>([](const Grid& grid, std::size_t channels) {
           return std::make_unique<O1Turn>(grid, VcClasses::kDateline, channels);
         });
       }},
  };
  return group;
}

KeyGroup mesh_keys() {
  KeyGroup group = mesh_packets();
  group.rows = {{"topology.sizes", {"topology.sizes=[8, 2]"}, [](Parts& p) {
                   p.topology = topology_of(mesh({8, 2}));
                 }}};
  return group;
}

/// Returns the keys of an adaptive routing on a mesh; `make` makes the routing for an output
/// selection.
template <class Make>
KeyGroup adaptive_keys(const std::string& kind, Make make) {
  const auto with = [make](OutputSelection selection) {
    return routing_on<Grid>([make, selection](const Grid& grid, std::size_t channels) {
      return make(grid, channels, selection);
    });
  };
  KeyGroup group = mesh_packets();
  group.experiment.routing = "{kind: " + kind + "}";
  group.parts.routing = with(OutputSelection::kFreeCredits);
  group.rows = {{"routing.selection",
                 {"routing.selection=random"},
                 [with](Parts& p) { p.routing = with(OutputSelection::kRandom); }},
                {"routing.selection", {"routing.selection=round_robin"}, [with](Parts& p) {
                   p.routing = with(OutputSelection::kRoundRobin);
                 }}};
  return group;
}

template <TurnRule rule>
KeyGroup turn_model_keys(const std::string& kind) {
  return adaptive_keys(kind, [](const Grid& grid, std::size_t channels, OutputSelection selection) {
    return std::make_unique<TurnModel>(grid, rule, channels, selection);
  });
}

KeyGroup planar_adaptive_keys() {
  return adaptive_keys("planar_adaptive",
                       [](const Grid& grid, std::size_t channels, OutputSelection selection) {
                         return std::make_unique<PlanarAdaptive>(grid, channels, selection);
                       });
}

MinimalAdaptive::Params adaptive_channels(std::size_t channels, OutputSelection selection) {
  MinimalAdaptive::Params params;
  params.virtual_channels = channels;
  params.selection = selection;
  return params;
}

// Returns the key that selects the ejection VCs that a packet may take.
template <class Make>
KeyGroup consumption_keys(const std::string& routing, Make make) {
  const auto consuming = [make](bool split) {
    return routing_on<Grid>([make, split](const Grid& grid, std::size_t channels) {
      return make(grid, channels, split);
    });
  };
  KeyGroup group = packets("{kind: mesh, sizes: [4, 4]}", "{kind: " + routing + "}",
                           topology_of(mesh({4, 4})), consuming(true));
  group.rows = {{"routing.consumption", {"routing.consumption=shared"}, [consuming](Parts& p) {
                   p.routing = consuming(false);
                 }}};
  return group;
}

template <HamiltonianPaths::Split split>
KeyGroup path_keys(const std::string& routing) {
  KeyGroup group =
      consumption_keys(routing, [](const Grid& grid, std::size_t channels, bool apart) {
        return std::make_unique<HamiltonianPaths>(grid, split, channels, apart);
      });
  group.rows.push_back({"routing.kind", {"routing.kind=xy_tree"}, [](Parts& p) {
                          p.routing = only<Grid, XyTree>();
                        }});
  return group;
}

// Packets for one node are routed XY, as in a tree.
KeyGroup column_path_keys() {
  return consumption_keys("column_path", [](const Grid& grid, std::size_t channels, bool apart) {
    return std::make_unique<ColumnPath>(grid, channels, apart);
  });
}

KeyGroup minimal_adaptive_keys() {
  KeyGroup group = adaptive_keys(
      "minimal_adaptive", [](const Grid& grid, std::size_t channels, OutputSelection selection) {
        return std::make_unique<MinimalAdaptive>(grid, adaptive_channels(channels, selection));
      });
  group.rows.push_back({"routing.escape", {"routing.escape=none"}, [](Parts& p) {
                          p.routing = routing_on<Grid>([](const Grid& grid, std::size_t channels) {
                            auto params =
                                adaptive_channels(channels, OutputSelection::kFreeCredits);
                            params.escape = false;
                            return std::make_unique<MinimalAdaptive>(grid, params);
                          });
                        }});
  return group;
}

Parts::MakeRouting up_down(std::uint32_t root) {
  return routing_on<Topology>([root](const Topology& topology, std::size_t channels) {
    return std::make_unique<UpDown>(topology, RouterId{root}, channels);
  });
}

template <class Fails>
Parts::MakeTopology faulty_torus(const Fails& fails) {
  const auto whole = std::make_shared<Grid>(torus({4, 4}));
  Faulty::Faults faults;
  for (std::size_t c = 0; c < whole->channels().size(); ++c) {
    const Channel& channel = whole->channels()[c];
    if (fails(index(channel.from.router), index(channel.to.router))) faults.channels.push_back(c);
  }
  return topology_of(Faulty(whole, faults));
}

KeyGroup up_down_keys() {
  KeyGroup group = torus_packets();
  group.experiment.routing = "{kind: up_down}";
  group.parts.routing = up_down(0);
  group.rows = {
      {"routing.root", {"routing.root=5"}, [](Parts& p) { p.routing = up_down(5); }},
      {"topology.faults",
       {"topology.faults=[link 4 5, link 9 5 oneway]"},
       [](Parts& p) {
         p.topology = faulty_torus([](std::uint32_t from, std::uint32_t to) {
           return (from == 4 && to == 5) || (from == 5 && to == 4) || (from == 9 && to == 5);
         });
       }},
      {"topology.faults", {"topology.faults=router 6"}, [](Parts& p) {
         p.topology =
             topology_of(Faulty(std::make_shared<Grid>(torus({4, 4})), {{}, {RouterId{6}}}));
       }}};
  return group;
}

KeyGroup ring_keys() {
  KeyGroup group = packets("{kind: ring, nodes: 6}", "{kind: dimension_order}",
                           topology_of(ring(6)), dimension_order());
  group.rows = {{"topology.nodes", {"topology.nodes=7"}, [](Parts& p) {
                   p.topology = topology_of(ring(7));
                 }}};
  return group;
}

KeyGroup cube_keys() {
  KeyGroup group = packets("{kind: hypercube, dimension: 4}", "{kind: e_cube}",
                           topology_of(Hypercube(4)), e_cube(ECube::Order::kMostSignificantFirst));
  group.rows = {{"topology.dimension",
                 {"topology.dimension=3"},
                 [](Parts& p) { p.topology = topology_of(Hypercube(3)); }},
                {"routing.order", {"routing.order=lsb"}, [](Parts& p) {
                   p.routing = e_cube(ECube::Order::kLeastSignificantFirst);
                 }}};
  return group;
}

KeyGroup complete_keys() {
  KeyGroup group = packets("{kind: complete, nodes: 5}", "{kind: shortest_path}",
                           topology_of(Complete(5)), only<Topology, ShortestPath>());
  group.rows = {{"topology.nodes", {"topology.nodes=7"}, [](Parts& p) {
                   p.topology = topology_of(Complete(7));
                 }}};
  return group;
}

KeyGroup butterfly_keys() {
  KeyGroup group = packets("{kind: butterfly, arity: 2, stages: 3}", "{kind: destination_tag}",
                           topology_of(Butterfly(2, 3)), only<Butterfly, DestinationTag>());
  group.rows = {{"topology.arity",
                 {"topology.arity=3"},
                 [](Parts& p) { p.topology = topology_of(Butterfly(3, 3)); }},
                {"topology.stages", {"topology.stages=2"}, [](Parts& p) {
                   p.topology = topology_of(Butterfly(2, 2));
                 }}};
  return group;
}

KeyGroup fat_tree_keys() {
  KeyGroup group = packets("{kind: fat_tree, arity: 2, levels: 3}", "{kind: d_mod_k}",
                           topology_of(k_ary_n_tree(2, 3)), only<FatTree, DModK>());
  group.rows = {{"topology.arity",
                 {"topology.arity=3"},
                 [](Parts& p) { p.topology = topology_of(k_ary_n_tree(3, 3)); }},
                {"topology.levels", {"topology.levels=2"}, [](Parts& p) {
                   p.topology = topology_of(k_ary_n_tree(2, 2));
                 }}};
  return group;
}

KeyGroup folded_clos_keys() {
  KeyGroup group = packets("{kind: folded_clos, nodes: 3, leaves: 3, spines: 2}", "{kind: d_mod_k}",
                           topology_of(folded_clos(3, 3, 2)), only<FatTree, DModK>());
  group.rows = {
      {"topology.nodes",
       {"topology.nodes=4"},
       [](Parts& p) { p.topology = topology_of(folded_clos(4, 3, 2)); }},
      {"topology.leaves",
       {"topology.leaves=4"},
       [](Parts& p) { p.topology = topology_of(folded_clos(3, 4, 2)); }},
      {"topology.spines",
       {"topology.spines=3"},
       [](Parts& p) { p.topology = topology_of(folded_clos(3, 3, 3)); }},
  };
  return group;
}

/// Applies dimension order to the routers of a concentrated network.
Parts::MakeRouting on_core(Parts::MakeRouting make) {
  return routing_on<Concentrated>([make](const Concentrated& topology, std::size_t channels) {
    return std::make_unique<ConcentratedRouting>(topology, make(topology.core(), channels));
  });
}

KeyGroup cmesh_keys() {
  KeyGroup group =
      packets("{kind: cmesh, sizes: [3, 2], tile: [1, 2]}", "{kind: dimension_order}",
              topology_of(concentrated_mesh({3, 2}, {1, 2})), on_core(dimension_order()));
  group.rows = {
      {"topology.sizes",
       {"topology.sizes=[4,2]"},
       [](Parts& p) {
         p.topology = topology_of(concentrated_mesh({4, 2}, {1, 2}));
       }},
      {"topology.tile",
       {"topology.tile=[2,2]"},
       [](Parts& p) {
         p.topology = topology_of(concentrated_mesh({3, 2}, {2, 2}));
       }},
  };
  return group;
}

KeyGroup flattened_butterfly_keys() {
  KeyGroup group = packets("{kind: flattened_butterfly, sizes: [3, 4], tile: [1, 2]}",
                           "{kind: e_cube}", topology_of(flattened_butterfly({3, 4}, {1, 2})),
                           on_core(digit_e_cube(ECube::Order::kMostSignificantFirst)));
  group.rows = {
      {"topology.sizes",
       {"topology.sizes=[4,4]"},
       [](Parts& p) {
         p.topology = topology_of(flattened_butterfly({4, 4}, {1, 2}));
       }},
      {"topology.tile",
       {"topology.tile=[2,2]"},
       [](Parts& p) {
         p.topology = topology_of(flattened_butterfly({3, 4}, {2, 2}));
       }},
      {"routing.order",
       {"routing.order=lsb"},
       [](Parts& p) { p.routing = on_core(digit_e_cube(ECube::Order::kLeastSignificantFirst)); }},
  };
  return group;
}

Parts::MakeTopology nodes_each(std::shared_ptr<const Topology> core, std::size_t nodes) {
  std::vector<std::size_t> tile(core->node_grid().size(), 1);
  tile.front() = nodes;
  return topology_of(Concentrated("core", std::move(core), std::move(tile)));
}

Parts::MakeTopology hyperx(std::vector<std::size_t> sizes, std::size_t nodes) {
  return nodes_each(std::make_shared<GeneralisedHypercube>(std::move(sizes)), nodes);
}

Parts::MakeTopology slim_fly_of(std::size_t q, std::size_t nodes) {
  return nodes_each(std::make_shared<RegularGraph>(slim_fly(q)), nodes);
}

Parts::MakeTopology jellyfish_of(std::size_t routers, std::size_t degree, std::size_t nodes,
                                 std::uint64_t seed) {
  return nodes_each(std::make_shared<RegularGraph>(jellyfish(routers, degree, seed)), nodes);
}

KeyGroup hyperx_keys() {
  KeyGroup group = packets("{kind: hyperx, sizes: [3, 4]}", "{kind: e_cube}", hyperx({3, 4}, 1),
                           on_core(digit_e_cube(ECube::Order::kMostSignificantFirst)));
  group.rows = {{"topology.sizes",
                 {"topology.sizes=[4, 4]"},
                 [](Parts& p) {
                   p.topology = hyperx({4, 4}, 1);
                 }},
                {"topology.nodes_per_router", {"topology.nodes_per_router=2"}, [](Parts& p) {
                   p.topology = hyperx({3, 4}, 2);
                 }}};
  return group;
}

KeyGroup slim_fly_keys() {
  KeyGroup group = packets("{kind: slim_fly, q: 3, nodes_per_router: 1}", "{kind: up_down}",
                           slim_fly_of(3, 1), up_down(0));
  group.rows = {{"topology.q", {"topology.q=5"}, [](Parts& p) { p.topology = slim_fly_of(5, 1); }},
                {"topology.nodes_per_router",
                 {"topology.nodes_per_router=2"},
                 [](Parts& p) { p.topology = slim_fly_of(3, 2); }},
                {"topology.nodes_per_router", {"topology.nodes_per_router=0"}, [](Parts& p) {
                   p.topology = slim_fly_of(3, 3);
                 }}};
  return group;
}

KeyGroup jellyfish_keys() {
  KeyGroup group = packets("{kind: jellyfish, routers: 10, degree: 3}", "{kind: up_down}",
                           jellyfish_of(10, 3, 1, 1), up_down(0));
  group.rows = {{"topology.routers",
                 {"topology.routers=12"},
                 [](Parts& p) { p.topology = jellyfish_of(12, 3, 1, 1); }},
                {"topology.degree",
                 {"topology.degree=5"},
                 [](Parts& p) { p.topology = jellyfish_of(10, 5, 1, 1); }},
                {"topology.nodes_per_router",
                 {"topology.nodes_per_router=2"},
                 [](Parts& p) { p.topology = jellyfish_of(10, 3, 2, 1); }},
                {"topology.seed", {"topology.seed=2"}, [](Parts& p) {
                   p.topology = jellyfish_of(10, 3, 1, 2);
                 }}};
  return group;
}

KeyGroup xpander_keys() {
  const auto of = [](std::size_t degree, std::size_t copies, std::size_t nodes,
                     std::uint64_t seed) {
    return nodes_each(std::make_shared<RegularGraph>(xpander(degree, copies, seed)), nodes);
  };
  KeyGroup group = packets("{kind: xpander, degree: 3, copies: 3}", "{kind: up_down}",
                           of(3, 3, 1, 1), up_down(0));
  group.rows = {
      {"topology.degree", {"topology.degree=4"}, [=](Parts& p) { p.topology = of(4, 3, 1, 1); }},
      {"topology.copies", {"topology.copies=4"}, [=](Parts& p) { p.topology = of(3, 4, 1, 1); }},
      {"topology.nodes_per_router",
       {"topology.nodes_per_router=2"},
       [=](Parts& p) { p.topology = of(3, 3, 2, 1); }},
      {"topology.seed", {"topology.seed=2"}, [=](Parts& p) { p.topology = of(3, 3, 1, 2); }}};
  return group;
}

KeyGroup shortest_path_keys() {
  const auto paths = [](bool by_distance, bool spread) {
    return routing_on<Topology>([=](const Topology& topology, std::size_t channels) {
      return std::make_unique<ShortestPath>(topology,
                                            ShortestPath::Params{channels, by_distance, spread});
    });
  };
  const auto adaptive = [](std::size_t escape_vcs, OutputSelection selection) {
    return routing_on<Topology>([=](const Topology& topology, std::size_t channels) {
      return std::make_unique<AdaptiveShortestPath>(
          topology, channels, std::make_unique<UpDown>(topology, RouterId{0}, escape_vcs),
          escape_vcs, selection);
    });
  };
  constexpr auto kCredits = OutputSelection::kFreeCredits;
  KeyGroup group = packets("{kind: hyperx, sizes: [3, 4]}", "{kind: shortest_path}",
                           hyperx({3, 4}, 1), paths(false, false));
  group.rows = {{"routing.vc_classes",
                 {"routing.vc_classes=by_distance"},
                 [=](Parts& p) { p.routing = paths(true, false); }},
                {"routing.tie",
                 {"routing.vc_classes=by_distance", "routing.tie=spread"},
                 [=](Parts& p) { p.routing = paths(true, true); }},
                {"routing.tie",
                 {"routing.tie=adaptive"},
                 [=](Parts& p) { p.routing = adaptive(1, kCredits); }},
                {"routing.escape_vcs",
                 {"routing.tie=adaptive", "routing.escape_vcs=2"},
                 [=](Parts& p) { p.routing = adaptive(2, kCredits); }},
                {"routing.selection",
                 {"routing.tie=adaptive", "routing.selection=random"},
                 [=](Parts& p) { p.routing = adaptive(1, OutputSelection::kRandom); }}};
  return group;
}

/// Offers, where a router decides at once, one of the alternatives of another routing.
class OnlyAlternative : public AdaptiveRouting {
 public:
  OnlyAlternative(std::unique_ptr<const Routing> routing, std::size_t which)
      : AdaptiveRouting(OutputSelection::kFreeCredits),
        routing_(std::move(routing)),
        which_(which) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    routing_->alternatives(request, alternatives);
    if (alternatives.drawn() == 0) return;
    const Alternative only = alternatives.begin()[which_];
    alternatives.clear();
    alternatives.add(only);
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_->injection_vcs(source, destination);
  }
  std::size_t tie_dimensions() const override { return routing_->tie_dimensions(); }
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return routing_->choices(source, destination);
  }
  std::uint32_t most_choices() const override { return routing_->most_choices(); }
  std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const override {
    return routing_->choice(source, destination, number);
  }

 private:
  const std::unique_ptr<const Routing> routing_;
  const std::size_t which_;
};

/// With the largest threshold all packets are minimal, with the smallest all make their detours.
template <class Make>
KeyGroup ugal_keys(const std::string& topology, Parts::MakeTopology make_topology, Make ugal) {
  const auto only_alternative = [ugal](std::size_t which) {
    return routing_on<Topology>([=](const Topology& on, std::size_t channels) {
      return std::make_unique<OnlyAlternative>(ugal(on, channels, 0), which);
    });
  };
  const auto with = [ugal](std::int32_t threshold) {
    return routing_on<Topology>(
        [=](const Topology& on, std::size_t channels) { return ugal(on, channels, threshold); });
  };
  KeyGroup group = packets(topology, "{kind: ugal}", std::move(make_topology), with(0));
  group.rows = {
      {"routing.threshold", {"routing.threshold=5"}, [=](Parts& p) { p.routing = with(5); }},
      {"routing.threshold",
       {"routing.threshold=65535"},
       [=](Parts& p) { p.routing = only_alternative(0); }},
      {"routing.threshold", {"routing.threshold=-65535"}, [=](Parts& p) {
         p.routing = only_alternative(1);
       }}};
  return group;
}

KeyGroup torus_ugal_keys() {
  return ugal_keys("{kind: torus, sizes: [4, 4]}", topology_of(torus({4, 4})),
                   [](const Topology& on, std::size_t channels, std::int32_t threshold) {
                     return std::make_unique<Ugal>(on, valiant_detour(on), phase_maker(on),
                                                   channels, threshold);
                   });
}

KeyGroup dragonfly_ugal_keys() {
  KeyGroup group = ugal_keys("{kind: dragonfly, nodes: 2}", topology_of(Dragonfly({2, 4, 2})),
                             [](const Topology& on, std::size_t channels, std::int32_t threshold) {
                               return std::make_unique<DragonflyUgal>(
                                   dynamic_cast<const Dragonfly&>(on), channels, threshold);
                             });
  group.rows.push_back({"routing.progressive", {"routing.progressive=true"}, [](Parts& p) {
                          p.routing =
                              routing_on<Dragonfly>([](const Dragonfly& on, std::size_t channels) {
                                return std::make_unique<DragonflyUgal>(on, channels, 0, true);
                              });
                        }});
  return group;
}

KeyGroup crossbar_keys() {
  KeyGroup group = packets("{kind: crossbar, nodes: 5}", "{kind: shortest_path}",
                           topology_of(full_crossbar(5)), only<Topology, ShortestPath>());
  group.rows = {{"topology.nodes", {"topology.nodes=7"}, [](Parts& p) {
                   p.topology = topology_of(full_crossbar(7));
                 }}};
  return group;
}

KeyGroup dragonfly_keys() {
  KeyGroup group = packets("{kind: dragonfly, nodes: 2}", "{kind: dragonfly_minimal}",
                           topology_of(Dragonfly({2, 4, 2})), only<Dragonfly, DragonflyMinimal>());
  group.rows = {
      {"topology.nodes",
       {"topology.nodes=1"},
       [](Parts& p) {
         p.topology = topology_of(Dragonfly({1, 2, 1}));
       }},
      {"topology.routers",
       {"topology.routers=3"},
       [](Parts& p) {
         p.topology = topology_of(Dragonfly({2, 3, 2}));
       }},
      {"topology.global_links",
       {"topology.global_links=1"},
       [](Parts& p) {
         p.topology = topology_of(Dragonfly({2, 4, 1}));
       }},
      {"topology.leaves",
       {"topology.leaves=3"},
       [](Parts& p) {
         p.topology = topology_of(Dragonfly({2, 3, 2, Dragonfly::Arrangement::kAbsolute, 3}));
       }},
      {"topology.arrangement",
       {"topology.arrangement=relative"},
       [](Parts& p) {
         p.topology = topology_of(Dragonfly({2, 4, 2, Dragonfly::Arrangement::kRelative}));
       }},
      {"topology.arrangement",
       {"topology.arrangement=circulant"},
       [](Parts& p) {
         p.topology = topology_of(Dragonfly({2, 4, 2, Dragonfly::Arrangement::kCirculant}));
       }},
  };
  return group;
}

KeyGroup clos_keys() {
  KeyGroup group = packets("{kind: clos, ports: 3, middle_switches: 3, switches: 3}",
                           "{kind: middle_spread}", clos(3, 3, 3), only<Clos, MiddleSpread>());
  group.rows = {
      {"topology.ports", {"topology.ports=4"}, [](Parts& p) { p.topology = clos(4, 3, 3); }},
      {"topology.middle_switches",
       {"topology.middle_switches=4"},
       [](Parts& p) { p.topology = clos(3, 4, 3); }},
      {"topology.switches", {"topology.switches=4"}, [](Parts& p) { p.topology = clos(3, 3, 4); }},
  };
  return group;
}

/// Returns the random order of queues, in routers that store whole packets.
KeyGroup stored_packets_keys() {
  KeyGroup group = mesh_packets();
  group.experiment.more = "router: {kind: store_and_forward, priority: random, buffer_depth: 2}";
  group.parts.params.cores = &packet_cores();
  group.parts.params.router.buffer_depth = 2;
  group.parts.params.priority = std::make_shared<RandomOrder>(1);
  group.rows = {
      {"router.priority",
       {"router.priority=farthest"},
       [](Parts& p) {
         static const Grid grid = mesh({4, 4});
         p.params.priority = std::make_shared<Farthest>(grid);
       }},
      {"router.priority",
       {"router.priority=fifo"},
       [](Parts& p) { p.params.priority = std::make_shared<Fifo>(); }},
      {"router.priority",
       {"router.priority=lifo"},
       [](Parts& p) { p.params.priority = std::make_shared<Lifo>(); }},
      {"router.priority",
       {"router.priority=nearest_first"},
       [](Parts& p) {
         static const Grid grid = mesh({4, 4});
         p.params.priority = std::make_shared<NearestFirst>(grid);
       }},
      {"router.buffer_depth",
       {"router.buffer_depth=1"},
       [](Parts& p) { p.params.router.buffer_depth = 1; }},
      {"seed",
       {"seed=3"},
       [](Parts& p) {
         p.seed = p.params.seed = 3;
         p.params.priority = std::make_shared<RandomOrder>(3);
       }},
  };
  return group;
}

/// Returns multicasts on a Clos network whose control chooses middle switches at random, one for
/// each request.
KeyGroup multicasts(const std::string& router, Parts::Control control) {
  KeyGroup group{{"{kind: clos, ports: 4, middle_switches: 5, switches: 4}",
                  "{kind: central_control, strategy: RND, pass_limit: 1}",
                  "{kind: clos_requests, load: 2, packet_length: 20}",
                  "{warmup: 0, window: 1000, drain_limit: 0}", "router: {" + router + "}"},
                 {},
                 {}};
  group.parts.topology = clos(4, 5, 4);
  group.parts.control = control;
  group.parts.traffic.fan_out = 4;
  group.parts.traffic.injection_keys = {{"load", 2.0}};
  group.parts.traffic.lengths = {20};
  group.parts.params.circuits.strategy = strategy("RND");
  group.parts.params.circuits.control = {{1}};
  group.parts.params.router.virtual_channels = 1;
  group.parts.params.router.buffer_depth = 4;
  return group;
}

/// Returns the keys of the central control, for circuits and for packets.
std::vector<KeyRow> control_rows() {
  return {
      {"seed", {"seed=3"}, [](Parts& p) { p.seed = p.params.seed = p.params.circuits.seed = 3; }},
      {"routing.strategy",
       {"routing.strategy=S1"},
       [](Parts& p) { p.params.circuits.strategy = strategy("S1"); }},
      {"routing.candidates",
       {"routing.candidates=first"},
       [](Parts& p) { p.params.circuits.control.front().candidates = clos::Candidates::kFirst; }},
  };
}

KeyGroup controlled_packets_keys() {
  KeyGroup group =
      multicasts("kind: wormhole, virtual_channels: 1, buffer_depth: 4", Parts::Control::kPackets);
  group.rows = control_rows();
  group.rows.push_back(
      {"workload.fan_out", {"workload.fan_out=2"}, [](Parts& p) { p.traffic.fan_out = 2; }});
  group.rows.push_back(
      {"workload.kind", {"workload.kind=traffic"}, [](Parts& p) { p.traffic.fan_out = 0; }});
  group.rows.push_back({"router.kind", {"router.kind=store_and_forward"}, [](Parts& p) {
                          p.params.cores = &packet_cores();
                          p.params.stored_injection = true;
                        }});
  return group;
}

/// Returns the keys that random multicasts share with other random packets.
KeyGroup multicast_load_keys() {
  KeyGroup group =
      multicasts("kind: wormhole, virtual_channels: 1, buffer_depth: 4", Parts::Control::kPackets);
  const auto in_bursts = [](double burst_length, double peak_load) {
    return [=](Parts& p) {
      p.traffic.injection = "on_off";
      p.traffic.injection_keys = {
          {"load", 0.5}, {"burst_length", burst_length}, {"peak_load", peak_load}};
    };
  };
  const std::string load = "workload.load=0.5";
  const std::string bursts = "workload.injection=on_off";
  group.rows = {
      {"workload.load",
       {load},
       [](Parts& p) {
         p.traffic.injection_keys = {{"load", 0.5}};
       }},
      {"workload.injection", {load, bursts}, in_bursts(100, 1)},
      {"workload.burst_length", {load, bursts, "workload.burst_length=40"}, in_bursts(40, 1)},
      {"workload.peak_load", {load, bursts, "workload.peak_load=0.8"}, in_bursts(100, 0.8)},
      {"workload.packet_length",
       {"workload.packet_length=[10, 30]"},
       [](Parts& p) {
         p.traffic.lengths = {10, 30};
         p.traffic.weights = {1, 1};
       }},
      {"workload.packet_weights",
       {"workload.packet_length=[10, 30]", "workload.packet_weights=[1, 4]"},
       [](Parts& p) {
         p.traffic.lengths = {10, 30};
         p.traffic.weights = {1, 4};
       }},
  };
  return group;
}

KeyGroup circuit_keys() {
  KeyGroup group = multicasts("kind: circuit", Parts::Control::kCircuits);
  group.rows = control_rows();
  const auto add = [&group](const char* key, const char* assignment,
                            std::function<void(CircuitParams&)> change) {
    group.rows.push_back({key, {assignment}, [change](Parts& p) { change(p.params.circuits); }});
  };
  group.rows.push_back({"routing.pass_limit",  // x is 2 for n = r = 4.
                        {"routing.pass_limit=theorem3"},
                        [](Parts& p) { p.params.circuits.control.front().pass_limit = 2; }});
  add("router.controller", "router.controller=seq_counter",
      [](CircuitParams& c) { c.controller = "seq_counter"; });
  add("router.when_blocked", "router.when_blocked=drop",
      [](CircuitParams& c) { c.when_blocked = WhenBlocked::kDrop; });
  add("router.request_cycles", "router.request_cycles=3",
      [](CircuitParams& c) { c.request_cycles = 3; });
  add("router.configuration_cycles", "router.configuration_cycles=3",
      [](CircuitParams& c) { c.configuration_cycles = 3; });
  add("router.stage_cycles", "router.stage_cycles=3", [](CircuitParams& c) { c.stage_cycles = 3; });
  add("router.teardown_cycles", "router.teardown_cycles=3",
      [](CircuitParams& c) { c.teardown_cycles = 3; });
  return group;
}

Parts::Traffic permutation(const DestinationTable& table) {
  Parts::Traffic traffic;
  traffic.pattern = [table](std::size_t) { return std::make_unique<Permutation>(table); };
  return traffic;
}

KeyGroup traffic_keys() {
  KeyGroup group = mesh_packets();
  group.rows = {
      {"workload.pattern",
       {"workload.pattern=transpose"},
       [](Parts& p) { p.traffic = permutation(transpose(16)); }},
      {"workload.pattern",
       {"workload.pattern=random_permutation"},
       [](Parts& p) { p.traffic = permutation(random_permutation(1, 16)); }},
      {"workload.permutation_seed",
       {"workload.pattern=random_permutation", "workload.permutation_seed=3"},
       [](Parts& p) { p.traffic = permutation(random_permutation(3, 16)); }},
      {"workload.include_self",
       {"workload.include_self=false"},
       [](Parts& p) {
         p.traffic.pattern = [](std::size_t nodes) {
           return std::make_unique<Uniform>(nodes, false);
         };
       }},
      {"workload.load",
       {"workload.load=0.2"},
       [](Parts& p) {
         p.traffic.injection_keys = {{"load", 0.2}};
       }},
      {"workload.injection",
       {"workload.injection=on_off"},
       [](Parts& p) {
         p.traffic.injection = "on_off";
         p.traffic.injection_keys = {{"load", 0.4}, {"burst_length", 100.0}, {"peak_load", 1.0}};
       }},
      {"workload.packet_length",
       {"workload.packet_length=[1, 3]"},
       [](Parts& p) {
         p.traffic.lengths = {1, 3};
         p.traffic.weights = {1, 1};
       }},
      {"workload.packet_weights",
       {"workload.packet_length=[1, 3]", "workload.packet_weights=[1, 4]"},
       [](Parts& p) {
         p.traffic.lengths = {1, 3};
         p.traffic.weights = {1, 4};
       }},
  };
  return group;
}

/// Returns an operation with chunks of 16 flits.
KeyGroup collective(KeyGroup group, const std::string& keys, Parts::Operation operation) {
  group.experiment.workload = "{kind: collective, length: 16, " + keys + "}";
  group.parts.operation = std::move(operation);
  return group;
}

/// Adds a node port for each of the `ports` channels at a router.
KeyGroup all_ports(KeyGroup group, std::size_t ports) {
  group.experiment.more += "\nnode: {ports: all}";
  group.parts.node_ports = ports;
  group.parts.operation.all_ports = true;
  return group;
}

Parts::Operation operation(const char* algorithm, std::map<std::string, json> keys = {},
                           Operation kind = Operation::kBroadcast) {
  Parts::Operation made;
  made.algorithm = algorithm;
  made.keys = std::move(keys);
  made.operation = kind;
  return made;
}

KeyGroup broadcast(const char* stop = "hop_counter") {
  return collective(torus_packets(), "operation: broadcast, algorithm: dimension_order",
                    operation("dimension_order", {{"rule", "farthest"}, {"stop", stop}}));
}

KeyGroup broadcast_keys() {
  KeyGroup group = broadcast();
  group.rows = {
      {"workload.rule",
       {"workload.rule=seed"},
       [](Parts& p) { p.operation.keys["rule"] = "seed"; }},
      {"workload.algorithm",
       {"workload.algorithm=unicast_rounds"},
       [](Parts& p) { p.operation.algorithm = "unicast_rounds"; }},
      {"workload.source", {"workload.source=3"}, [](Parts& p) { p.operation.source = 3; }},
      {"workload.length", {"workload.length=3"}, [](Parts& p) { p.operation.length = 3; }},
      {"workload.timing",
       {"workload.timing=self_timed"},
       [](Parts& p) { p.operation.timing = SchedulePlayer::Timing::kSelfTimed; }},
      {"node.startup", {"node.startup=30"}, [](Parts& p) { p.operation.startup = 30; }},
  };
  return group;
}

KeyGroup all_port_broadcast_keys() {
  KeyGroup group = all_ports(broadcast(), 4);
  group.rows = {
      {"workload.stop",
       {"workload.stop=never"},
       [](Parts& p) { p.operation.keys["stop"] = "never"; }},
      {"workload.forwarding",
       {"workload.forwarding=routers"},
       [](Parts& p) {
         p.forwarding = [](const Topology& topology, std::size_t channels) {
           return dimension_order_forwarding(dynamic_cast<const Grid&>(topology), NodeId{0},
                                             StopRule::kHopCounter, channels);
         };
       }},
  };
  return group;
}

/// Returns the forwarding of reductions to nodes 0 .. roots - 1, all of them at once.
template <std::size_t roots>
RouterForwarding up_the_trees(const Topology& topology, std::size_t channels) {
  const auto& grid = dynamic_cast<const Grid&>(topology);
  std::vector<Reduction> reductions;
  std::vector<RouterTree> trees;
  for (std::uint32_t r = 0; r < roots; ++r) {
    reductions.push_back({all_nodes(grid.node_count()), {NodeId{r}}});
    trees.push_back(broadcast_tree(
        grid, NodeId{r},
        dimension_order_forwarding(grid, NodeId{r}, StopRule::kSourceAddress, channels)));
  }
  return reduction_forwarding(grid, reductions, trees, channels);
}

KeyGroup reduction_keys() {
  KeyGroup group =
      all_ports(collective(torus_packets(), "operation: reduce, algorithm: reduction_tree",
                           operation("reduction_tree", {}, Operation::kReduce)),
                4);
  group.rows = {
      {"workload.forwarding",
       {"workload.forwarding=routers"},
       [](Parts& p) { p.forwarding = up_the_trees<1>; }},
      {"workload.at_once",
       {"workload.forwarding=routers", "workload.at_once=2"},
       [](Parts& p) { p.forwarding = up_the_trees<2>; }},
      {"router.combine",
       {"workload.forwarding=routers", "router.combine=3"},
       [](Parts& p) {
         p.forwarding = up_the_trees<1>;
         p.params.router.combine = 3;
       }},
      {"workload.algorithm",
       {"workload.algorithm=unicast_rounds"},
       [](Parts& p) { p.operation.algorithm = "unicast_rounds"; }},
  };
  return group;
}

/// The first channel between two routers.
std::uint32_t channel_between(const Topology& topology, std::uint32_t from, std::uint32_t to) {
  const std::vector<Channel>& channels = topology.channels();
  std::uint32_t c = 0;
  while (index(channels[c].from.router) != from || index(channels[c].to.router) != to) ++c;
  return c;
}

/// A tree of a folded Clos network of 3 leaves and 2 spines, which are routers 3 and 4: below spine
/// 3 or 4 all leaves; below leaf 0 both spines, and below spine 3 the other leaves.
RouterTree clos_tree(const Topology& clos, std::uint32_t root) {
  using Edges = std::vector<std::pair<std::uint32_t, std::size_t>>;  // Router, parent's place.
  const Edges edges =
      root == 0 ? Edges{{3, 0}, {4, 0}, {1, 1}, {2, 1}} : Edges{{0, 0}, {1, 0}, {2, 0}};
  RouterTree tree{{RouterId{root}}};
  for (const auto& [router, parent] : edges) {
    const TreeRouter above = tree[parent];
    tree.push_back({RouterId{router}, parent, above.depth + 1,
                    channel_between(clos, index(above.router), router),
                    channel_between(clos, router, index(above.router))});
  }
  return tree;
}

/// All-reduces of some nodes at once, along the trees of these roots.
Parts::MakeForwarding all_reduces(std::vector<std::uint32_t> roots, std::vector<NodeId> nodes) {
  return [roots, nodes](const Topology& clos, std::size_t channels) {
    std::vector<RouterTree> trees;
    for (const std::uint32_t root : roots) trees.push_back(clos_tree(clos, root));
    const std::vector<Reduction> reductions(roots.size(), Reduction{nodes, nodes});
    return reduction_forwarding(clos, reductions, trees, channels);
  };
}

KeyGroup switch_tree_keys() {
  const std::vector<NodeId> all = all_nodes(9);
  KeyGroup group = collective(
      packets("{kind: folded_clos, nodes: 3, leaves: 3, spines: 2}", "{kind: d_mod_k}",
              topology_of(folded_clos(3, 3, 2)), only<FatTree, DModK>()),
      "operation: all_reduce, algorithm: switch_tree",
      operation("switch_tree", {{"root", "centre"}, {"at_once", 1}}, Operation::kAllReduce));
  group.parts.forwarding = all_reduces({3}, all);
  group.rows = {
      {"workload.root",
       {"workload.root=0"},
       [all](Parts& p) { p.forwarding = all_reduces({0}, all); }},
      {"workload.at_once",
       {"workload.at_once=2"},
       [all](Parts& p) {
         p.forwarding = all_reduces({3, 4}, all);
       }},
      {"workload.nodes",
       {"workload.nodes=[8, 0, 3]"},
       [](Parts& p) {
         p.operation.nodes = {NodeId{8}, NodeId{0}, NodeId{3}};
         p.forwarding = all_reduces({3}, p.operation.nodes);
       }},
  };
  return group;
}

RouterForwarding round_cycles(const Topology& topology, std::size_t channels) {
  return hamiltonian_forwarding(dynamic_cast<const Grid&>(topology), channels);
}

KeyGroup gossip_keys() {
  KeyGroup group =
      all_ports(collective(torus_packets(), "operation: gossip, algorithm: hamiltonian_cycles",
                           operation("hamiltonian_cycles", {}, Operation::kGossip)),
                4);
  group.experiment.more = "router: {virtual_channels: 4, buffer_depth: 32}\nnode: {ports: all}";
  group.parts.params.router.buffer_depth = 32;
  group.rows = {
      {"workload.forwarding",
       {"workload.forwarding=routers"},
       [](Parts& p) { p.forwarding = round_cycles; }},
      {"router.copies",
       {"workload.forwarding=routers", "router.copies=synchronous"},
       [](Parts& p) {
         p.forwarding = round_cycles;
         p.params.router.synchronous_copies = true;
       }},
      {"workload.algorithm",
       {"workload.algorithm=unicast_rounds"},
       [](Parts& p) { p.operation.algorithm = "unicast_rounds"; }},
  };
  return group;
}

KeyGroup cube_operation_keys(const char* name, Operation kind, const char* algorithm) {
  KeyGroup group = all_ports(
      collective(packets("{kind: hypercube, dimension: 4}", "{kind: e_cube}",
                         topology_of(Hypercube(4)), e_cube(ECube::Order::kMostSignificantFirst)),
                 std::string("operation: ") + name + ", algorithm: " + algorithm,
                 operation(algorithm, {}, kind)),
      4);
  group.rows = {{"workload.algorithm", {"workload.algorithm=unicast_rounds"}, [](Parts& p) {
                   p.operation.algorithm = "unicast_rounds";
                 }}};
  return group;
}

/// Returns the keys of operations between ranks, on a 4-cube with one-port nodes.
KeyGroup rank_operation_keys(const char* name, Operation kind, const char* algorithm,
                             std::map<std::string, json> keys, std::vector<KeyRow> rows) {
  KeyGroup group =
      collective(packets("{kind: hypercube, dimension: 4}", "{kind: e_cube}",
                         topology_of(Hypercube(4)), e_cube(ECube::Order::kMostSignificantFirst)),
                 std::string("operation: ") + name + ", algorithm: " + algorithm,
                 operation(algorithm, std::move(keys), kind));
  group.rows = std::move(rows);
  return group;
}

KeyGroup other_algorithm_keys(const char* name, Operation kind, const char* algorithm,
                              const std::string& other) {
  return rank_operation_keys(
      name, kind, algorithm, {},
      {{"workload.algorithm", {"workload.algorithm=" + other}, [=](Parts& p) {
          p.operation.algorithm = other;
        }}});
}

/// 16 flits are sent in 3 segments, or in segments of 4 flits.
KeyGroup segment_keys_of(const char* name, Operation kind, const char* algorithm) {
  return rank_operation_keys(name, kind, algorithm, {{"segments", 8}},
                             {{"workload.segments",
                               {"workload.segments=3"},
                               [](Parts& p) { p.operation.keys["segments"] = 3; }},
                              {"workload.segment", {"workload.segment=4"}, [](Parts& p) {
                                 p.operation.keys["segments"] = 4;
                               }}});
}

/// Keys of an algorithm on a grid of 16 ranks, which is a square if the key does not say it.
std::map<std::string, json> on_square(std::map<std::string, json> keys) {
  keys["grid"] = {4, 4};
  return keys;
}

KeyRow grid_row() {
  return {"workload.grid", {"workload.grid=[2, 8]"}, [](Parts& p) {
            p.operation.keys["grid"] = {2, 8};
          }};
}

KeyRow parts_row() {
  return {"workload.parts", {"node.ports=all", "workload.parts=2"}, [](Parts& p) {
            p.node_ports = 4;
            p.operation.keys["parts"] = 2;
          }};
}

std::vector<KeyGroup> rank_operation_groups() {
  return {
      rank_operation_keys("broadcast", Operation::kBroadcast, "pipelined_chain", {{"segments", 8}},
                          {{"workload.segments",
                            {"workload.segments=3"},
                            [](Parts& p) { p.operation.keys["segments"] = 3; }},
                           {"workload.segment",
                            {"workload.segment=4"},
                            [](Parts& p) { p.operation.keys["segments"] = 4; }}}),
      segment_keys_of("reduce", Operation::kReduce, "pipelined_tree"),
      segment_keys_of("all_reduce", Operation::kAllReduce, "two_trees"),
      rank_operation_keys("broadcast", Operation::kBroadcast, "hierarchical", {{"group", 8}},
                          {{"workload.group",
                            {"workload.group=5"},
                            [](Parts& p) { p.operation.keys["group"] = 5; }}}),
      rank_operation_keys("all_reduce", Operation::kAllReduce, "ring", {}, {parts_row()}),
      rank_operation_keys(
          "all_reduce", Operation::kAllReduce, "two_trees", {{"segments", 8}},
          {{"workload.timing",
            {"workload.timing=self_timed"},
            [](Parts& p) { p.operation.timing = SchedulePlayer::Timing::kSelfTimed; }}}),
      rank_operation_keys("all_reduce", Operation::kAllReduce, "grid_ring", on_square({{"row", 0}}),
                          {{"workload.row",
                            {"workload.row=8"},
                            [](Parts& p) {
                              p.operation.keys["grid"] = json::array();
                              p.operation.keys["row"] = 8;
                            }},
                           grid_row(),
                           parts_row()}),
      rank_operation_keys("all_reduce", Operation::kAllReduce, "swing", on_square({}),
                          {grid_row(), parts_row()}),
      rank_operation_keys("all_gather", Operation::kGossip, "grid_ring", on_square({{"row", 0}}),
                          {grid_row()}),
      rank_operation_keys("reduce_scatter", Operation::kReduceScatter, "swing", on_square({}),
                          {grid_row()}),
      rank_operation_keys("all_to_all", Operation::kAllToAllScatter, "dimension_exchange",
                          on_square({}), {grid_row()}),
      rank_operation_keys("all_gather", Operation::kGossip, "ring", {},
                          {{"workload.mapping",
                            {"workload.mapping=gray"},
                            [](Parts& p) {
                              for (std::uint32_t r = 0; r < 16; ++r) {
                                p.operation.nodes.push_back(NodeId{r ^ r / 2});
                              }
                            }},
                           {"workload.mapping",
                            {"workload.mapping={random: 3}"},
                            [](Parts& p) { p.operation.nodes = random_permutation(3, 16); }},
                           {"workload.mapping",
                            {"workload.nodes=[1, 3, 4]", "workload.mapping=[4, 1, 3]"},
                            [](Parts& p) {
                              p.operation.nodes = {NodeId{4}, NodeId{1}, NodeId{3}};
                            }},
                           {"workload.nodes",
                            {"workload.nodes=[1, 2, 12]"},
                            [](Parts& p) {
                              p.operation.nodes = {NodeId{1}, NodeId{2}, NodeId{12}};
                            }}}),
      rank_operation_keys(
          "reduce_scatter", Operation::kReduceScatter, "ring", {},
          {{"workload.algorithm",
            {"workload.algorithm=recursive_halving"},
            [](Parts& p) { p.operation.algorithm = "recursive_halving"; }},
           {"workload.algorithm",
            {"workload.operation=exclusive_scan", "workload.algorithm=hillis_steele"},
            [](Parts& p) {
              p.operation.operation = Operation::kExclusiveScan;
              p.operation.algorithm = "hillis_steele";
            }}}),
      rank_operation_keys("gather", Operation::kGather, "binomial", {},
                          {{"workload.algorithm",
                            {"workload.algorithm=unicast_rounds"},
                            [](Parts& p) { p.operation.algorithm = "unicast_rounds"; }},
                           {"workload.algorithm",
                            {"workload.operation=scan", "workload.algorithm=hillis_steele"},
                            [](Parts& p) {
                              p.operation.operation = Operation::kScan;
                              p.operation.algorithm = "hillis_steele";
                            }}}),
      other_algorithm_keys("all_reduce", Operation::kAllReduce, "ring", "rabenseifner"),
      other_algorithm_keys("barrier", Operation::kBarrier, "binomial", "dissemination")};
}

template <class Algorithm>
std::function<void(Parts&)> copied_by(const char* algorithm, Algorithm make) {
  return [=](Parts& p) {
    p.operation.algorithm = algorithm;
    p.routing = routing_on<Grid>(make);
  };
}

// Multicasts on a mesh are sent between nodes or replicated by routers.
KeyGroup mesh_multicast_keys() {
  using Split = HamiltonianPaths::Split;
  KeyGroup group = collective(
      mesh_packets(), "operation: multicast, algorithm: umesh, destinations: [3, 15, 6, 8, 12]",
      operation("umesh", {}, Operation::kMulticast));
  group.parts.operation.receivers = {NodeId{3}, NodeId{15}, NodeId{6}, NodeId{8}, NodeId{12}};
  const auto paths = [](Split split) {
    return [split](const Grid& grid, std::size_t channels) {
      return std::make_unique<HamiltonianPaths>(grid, split, channels);
    };
  };
  const auto columns = [](const Grid& grid, std::size_t channels) {
    return std::make_unique<ColumnPath>(grid, channels);
  };
  const auto tree = [](const Grid& grid, std::size_t channels) {
    return std::make_unique<XyTree>(grid, channels);
  };
  const auto multi_path = copied_by("multi_path", paths(Split::kMulti));
  group.rows = {
      {"workload.algorithm",
       {"workload.algorithm=separate_unicasts"},
       [](Parts& p) { p.operation.algorithm = "separate_unicasts"; }},
      {"workload.algorithm",
       {"workload.algorithm=dual_path"},
       copied_by("dual_path", paths(Split::kDual))},
      {"workload.algorithm",
       {"workload.source=5", "workload.algorithm=multi_path"},
       [=](Parts& p) {
         p.operation.source = 5;
         multi_path(p);
       }},
      {"workload.algorithm", {"workload.algorithm=column_path"}, copied_by("column_path", columns)},
      {"workload.algorithm", {"workload.algorithm=xy_tree"}, copied_by("xy_tree", tree)},
  };
  return group;
}

KeyGroup clos_operation_keys() {
  KeyGroup group = multicasts("virtual_channels: 1, buffer_depth: 4", Parts::Control::kPackets);
  group = collective(std::move(group), "operation: multicast, algorithm: unicast_rounds",
                     operation("unicast_rounds", {}, Operation::kMulticast));
  group.parts.operation.receivers = nodes_after(NodeId{0}, 15, 16);
  group.rows = {
      {"workload.receivers",
       {"workload.receivers=9"},
       [](Parts& p) { p.operation.receivers = nodes_after(NodeId{0}, 9, 16); }},
      {"workload.destinations",
       {"workload.destinations=[5, 0, 5, 12]"},
       [](Parts& p) {
         p.operation.receivers = {NodeId{5}, NodeId{12}};
       }},
      {"workload.destinations",
       {"workload.receivers=3", "workload.destinations={random: 42}"},
       [](Parts& p) {
         p.operation.receivers = {NodeId{12}, NodeId{13}, NodeId{4}};
       }},
      {"workload.algorithm",
       {"workload.algorithm=multicast_rounds"},
       [](Parts& p) { p.operation.algorithm = "multicast_rounds"; }},
      {"workload.algorithm",
       {"workload.operation=scan", "workload.algorithm=multicast_rounds"},
       [](Parts& p) {
         p.operation.operation = Operation::kScan;
         p.operation.algorithm = "multicast_rounds";
       }},
      {"workload.operation",
       {"workload.operation=reduce"},
       [](Parts& p) { p.operation.operation = Operation::kReduce; }},
      {"workload.source",
       {"workload.source=3"},
       [](Parts& p) {
         p.operation.source = 3;
         p.operation.receivers = nodes_after(NodeId{3}, 15, 16);
       }},
      {"workload.length", {"workload.length=3"}, [](Parts& p) { p.operation.length = 3; }},
  };
  return group;
}

}  // namespace

std::vector<KeyGroup> key_groups() {
  std::vector<KeyGroup> groups{
      network_keys(),
      torus_routing_keys(),
      mesh_keys(),
      turn_model_keys<west_first>("west_first"),
      turn_model_keys<north_last>("north_last"),
      turn_model_keys<negative_first>("negative_first"),
      turn_model_keys<odd_even>("odd_even"),
      planar_adaptive_keys(),
      minimal_adaptive_keys(),
      path_keys<HamiltonianPaths::Split::kDual>("dual_path"),
      path_keys<HamiltonianPaths::Split::kMulti>("multi_path"),
      column_path_keys(),
      up_down_keys(),
      ring_keys(),
      cube_keys(),
      complete_keys(),
      butterfly_keys(),
      crossbar_keys(),
      cmesh_keys(),
      flattened_butterfly_keys(),
      hyperx_keys(),
      slim_fly_keys(),
      jellyfish_keys(),
      xpander_keys(),
      shortest_path_keys(),
      torus_ugal_keys(),
      dragonfly_ugal_keys(),
      dragonfly_keys(),
      dies_keys(),
      fat_tree_keys(),
      folded_clos_keys(),
      clos_keys(),
      stored_packets_keys(),
      controlled_packets_keys(),
      multicast_load_keys(),
      circuit_keys(),
      traffic_keys(),
      broadcast_keys(),
      all_port_broadcast_keys(),
      gossip_keys(),
      reduction_keys(),
      switch_tree_keys(),
      cube_operation_keys("scatter", Operation::kScatter, "cube_classes"),
      cube_operation_keys("all_to_all_scatter", Operation::kAllToAllScatter, "cube_colouring"),
      mesh_multicast_keys(),
      clos_operation_keys()};
  for (KeyGroup& group : rank_operation_groups()) groups.push_back(std::move(group));
  return groups;
}

}  // namespace flitcast::program
