// SPDX-License-Identifier: Apache-2.0
// Makes every topology and every routing of the catalogs by its public type: a line of JSON with
// their names. Links a fabric alone.
#include <flitcast/fabric.h>

#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using namespace flitcast;

template <class Made>
using Named = std::map<std::string, std::unique_ptr<Made>>;

template <class Made>
std::unique_ptr<Topology> keep(Made topology) {
  return std::make_unique<Made>(std::move(topology));
}

Named<Topology> all_topologies() {
  Named<Topology> made;
  made["mesh"] = keep(mesh({3, 3}));
  made["torus"] = keep(torus({4, 4}));
  made["ring"] = keep(ring(5));
  made["hypercube"] = keep(Hypercube(3));
  made["complete"] = keep(Complete(4));
  made["crossbar"] = keep(full_crossbar(4));
  made["cmesh"] = keep(concentrated_mesh({4, 4}, {2, 2}));
  made["flattened_butterfly"] = keep(flattened_butterfly({4, 4}, {2, 2}));
  made["hyperx"] = with_nodes_each(
      "hyperx 3x2", std::make_shared<GeneralisedHypercube>(std::vector<std::size_t>{3, 2}), 2);
  made["slim_fly"] = with_nodes_each("slim_fly 3", std::make_shared<RegularGraph>(slim_fly(3)), 2);
  made["jellyfish"] =
      with_nodes_each("jellyfish 8", std::make_shared<RegularGraph>(jellyfish(8, 3, 1)), 2);
  made["xpander"] =
      with_nodes_each("xpander 2", std::make_shared<RegularGraph>(xpander(3, 2, 1)), 2);
  made["dragonfly"] = keep(Dragonfly(Dragonfly::Params{}));
  made["butterfly"] = keep(Butterfly(2, 3));
  made["clos"] = keep(Clos({{2, 2, 2}}, 2));
  made["fat_tree"] = keep(k_ary_n_tree(2, 3));
  made["folded_clos"] = keep(folded_clos(8, 4, 2));
  made["custom"] = keep(Graph("two", 2, {{RouterId{0}, RouterId{1}}, {RouterId{1}, RouterId{0}}},
                              {RouterId{0}, RouterId{1}}));
  made["hierarchy"] = keep(Hierarchy(std::make_shared<Grid>(mesh({2, 2})),
                                     std::make_shared<Grid>(mesh({2, 2})), {1, 0, 2, 3}));
  return made;
}

Named<Routing> all_routings(const Named<Topology>& topologies) {
  const auto& mesh = dynamic_cast<const Grid&>(*topologies.at("mesh"));
  const auto& tree = dynamic_cast<const FatTree&>(*topologies.at("fat_tree"));
  const auto& dragonfly = dynamic_cast<const Dragonfly&>(*topologies.at("dragonfly"));
  const OutputSelection selection = OutputSelection::kFreeCredits;
  const auto phase = [&](std::size_t vcs) -> std::unique_ptr<const Routing> {
    DimensionOrder::Params params;
    params.classes = VcClasses::kNone;
    params.virtual_channels = vcs;
    return std::make_unique<DimensionOrder>(mesh, params);
  };
  Named<Routing> made;
  made["dimension_order"] = std::make_unique<DimensionOrder>(mesh, DimensionOrder::Params{});
  made["o1turn"] = std::make_unique<O1Turn>(mesh, VcClasses::kNone, 2);
  made["e_cube"] =
      std::make_unique<ECube>(dynamic_cast<const Hypercube&>(*topologies.at("hypercube")),
                              ECube::Order::kMostSignificantFirst, 1);
  made["destination_tag"] = std::make_unique<DestinationTag>(
      dynamic_cast<const Butterfly&>(*topologies.at("butterfly")), 1);
  made["middle_spread"] =
      std::make_unique<MiddleSpread>(dynamic_cast<const Clos&>(*topologies.at("clos")), 1);
  made["shortest_path"] = std::make_unique<ShortestPath>(mesh, 1);
  made["up_down"] = std::make_unique<UpDown>(mesh, RouterId{0}, 1);
  made["valiant"] = std::make_unique<TwoPhase>(mesh, valiant_detour(mesh), phase, 2);
  made["romm"] = std::make_unique<TwoPhase>(mesh, romm_detour(mesh), phase, 2);
  made["y_x_y"] = std::make_unique<TwoPhase>(mesh, y_x_y_detour(mesh), phase, 2);
  made["adaptive_xy_yx"] = std::make_unique<AdaptiveXyYx>(mesh, 2);
  made["west_first"] = std::make_unique<TurnModel>(mesh, west_first, 1, selection);
  made["north_last"] = std::make_unique<TurnModel>(mesh, north_last, 1, selection);
  made["negative_first"] = std::make_unique<TurnModel>(mesh, negative_first, 1, selection);
  made["odd_even"] = std::make_unique<TurnModel>(mesh, odd_even, 1, selection);
  made["planar_adaptive"] = std::make_unique<PlanarAdaptive>(mesh, 3, selection);
  made["minimal_adaptive"] = std::make_unique<MinimalAdaptive>(mesh, MinimalAdaptive::Params{});
  made["d_mod_k"] = std::make_unique<DModK>(tree, 1);
  made["nearest_common_ancestor"] = std::make_unique<NearestCommonAncestor>(tree, 1);
  made["adaptive_ascent"] = std::make_unique<AdaptiveAscent>(tree, 1);
  made["dragonfly_minimal"] = std::make_unique<DragonflyMinimal>(dragonfly, 2);
  made["dragonfly_valiant"] = std::make_unique<DragonflyValiant>(dragonfly, 3);
  made["ugal"] = std::make_unique<DragonflyUgal>(dragonfly, 3);
  const auto& dies = dynamic_cast<const Hierarchy&>(*topologies.at("hierarchy"));
  made["hierarchical"] = std::make_unique<Hierarchical>(
      dies, Hierarchical::Part{std::make_unique<ShortestPath>(dies.within(), 1), 1},
      Hierarchical::Part{std::make_unique<ShortestPath>(dies.between(), 1), 1}, 5);
  const std::vector<TableLine> lines{{RouterId{0}, {}, {}, {false, true}, {PortId{0}, 1}},
                                     {RouterId{1}, {}, {}, {true, false}, {PortId{0}, 1}}};
  made["table"] =
      std::make_unique<RoutingTable>(*topologies.at("custom"), lines, RoutingTable::Params{});
  made["dual_path"] = std::make_unique<HamiltonianPaths>(mesh, HamiltonianPaths::Split::kDual, 2);
  made["multi_path"] = std::make_unique<HamiltonianPaths>(mesh, HamiltonianPaths::Split::kMulti, 2);
  made["column_path"] = std::make_unique<ColumnPath>(mesh, 2);
  made["xy_tree"] = std::make_unique<XyTree>(mesh, 1);
  return made;
}

template <class Made>
nlohmann::json names_of(const Named<Made>& made) {
  nlohmann::json names = nlohmann::json::array();
  for (const auto& [name, object] : made) names.push_back(name);
  return names;
}

}  // namespace

int sc_main(int, char*[]) {
  const Named<Topology> made = all_topologies();
  std::cout << nlohmann::json{{"topologies", names_of(made)},
                              {"routings", names_of(all_routings(made))}}
            << "\n";
  return 0;
}
