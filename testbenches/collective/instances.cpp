// SPDX-License-Identifier: Apache-2.0
#include "collective/instances.h"

#include <utility>

#include "collective/algorithms.h"
#include "collective/broadcast/dilated_diagonal.h"
#include "collective/broadcast/extended_dominating_nodes.h"

namespace flitcast {

namespace {

constexpr Discipline kOnePortPackets{Switching::kStoreAndForward, 1};
constexpr Discipline kAllPortPackets{Switching::kStoreAndForward, kAllPorts};
constexpr Discipline kOnePortMessages{Switching::kWormhole, 1};
constexpr Discipline kAllPortMessages{Switching::kWormhole, kAllPorts};

class Collection {
 public:
  template <class Network>
  void broadcast(const std::string& algorithm, const Network& network, std::uint32_t source,
                 const Discipline& discipline, Plan plan) {
    add(algorithm, network, {Operation::kBroadcast, network.node_count(), NodeId{source}, 1},
        discipline, std::move(plan));
  }

  /// Makes the instance of a broadcast whose maker takes only network and source.
  template <class Network>
  void broadcast(const std::string& algorithm, const Network& network, std::uint32_t source,
                 const Discipline& discipline, Plan (*make)(const Network&, NodeId)) {
    broadcast(algorithm, network, source, discipline, make(network, NodeId{source}));
  }

  template <class Network>
  void gossip(const std::string& algorithm, const Network& network, std::size_t chunks,
              Plan (*make)(const Network&)) {
    add(algorithm, network, {Operation::kGossip, network.node_count(), NodeId{0}, chunks},
        kAllPortPackets, make(network));
  }

  template <class Network>
  void add(const std::string& algorithm, const Network& network, const Demand& demand,
           const Discipline& discipline, Plan plan) {
    instances_.push_back(
        {algorithm, std::make_shared<Network>(network), demand, discipline, std::move(plan)});
  }

  std::vector<Instance> take() { return std::move(instances_); }

 private:
  std::vector<Instance> instances_;
};

void add_packet_broadcasts(Collection& all) {
  const auto binomial = [&all](std::size_t n, std::uint32_t source, unsigned ports) {
    const Hypercube cube(n);
    all.broadcast("binomial_tree", cube, source, {Switching::kStoreAndForward, ports},
                  binomial_broadcast(cube, NodeId{source}, ports));
  };
  binomial(1, 1, 1);
  binomial(4, 5, 1);
  binomial(4, 0, kAllPorts);

  for (const std::size_t nodes : {2U, 8U, 13U}) {
    all.broadcast("doubling", Complete(nodes), 1, kOnePortPackets, doubling_broadcast);
  }

  const auto tree = [&all](const Grid& grid, std::uint32_t source, const DimensionOrderTree& rule) {
    all.broadcast("dimension_order_tree", grid, source, {Switching::kStoreAndForward, rule.ports},
                  dimension_order_broadcast(grid, NodeId{source}, rule));
  };
  tree(mesh({3, 3, 4}), 0, {1, DirectionRule::kFarthest, true});
  tree(mesh({5, 4}), 7, {1, DirectionRule::kSeed, true});
  tree(torus({2, 4}), 3, {1, DirectionRule::kFarthest, true});
  tree(torus({5, 3}), 0, {kAllPorts, DirectionRule::kFarthest, true});
  // This tree sends duplicates.
  tree(torus({4, 4}), 5, {kAllPorts, DirectionRule::kFarthest, false});

  const auto flood = [&all](const Grid& grid, std::uint32_t source) {
    all.broadcast("flooding", grid, source, kAllPortPackets,
                  flooding_broadcast(grid, NodeId{source}));
  };
  flood(mesh({4, 4}), 0);
  flood(torus({5, 5}), 0);
  flood(torus({2, 3}), 4);
}

void add_one_port_messages(Collection& all) {
  all.broadcast("recursive_doubling", mesh({7}), 3, kOnePortMessages, recursive_doubling_broadcast);
  all.broadcast("recursive_doubling", mesh({5, 5}), 12, kOnePortMessages,
                recursive_doubling_broadcast);
  all.broadcast("recursive_doubling", torus({6, 10}), 11, kOnePortMessages,
                recursive_doubling_broadcast);
  all.broadcast("chain_halving", mesh({4, 8}), 13, kOnePortMessages, chain_halving_broadcast);
  all.broadcast("chain_halving", mesh({5, 5}), 12, kOnePortMessages, chain_halving_broadcast);
}

void add_all_port_messages(Collection& all) {
  for (const std::size_t n : {2U, 3U, 5U}) {
    all.broadcast("double_tree", Hypercube(n), 1, kAllPortMessages, double_tree_broadcast);
  }
  for (const std::size_t n : {4U, 7U}) {
    all.broadcast("ho_kao", Hypercube(n), 3, kAllPortMessages, ho_kao_broadcast);
  }
  all.broadcast("recursive_tiling", torus({5, 5}), 0, kAllPortMessages, recursive_tiling_broadcast);
  all.broadcast("recursive_tiling", torus({25, 25}), 82, kAllPortMessages,
                recursive_tiling_broadcast);
  all.broadcast("extended_dominating_nodes", mesh({4, 4}), 6, kAllPortMessages,
                extended_dominating_nodes_broadcast);
  all.broadcast("extended_dominating_nodes", mesh({16, 16}), 105, kAllPortMessages,
                extended_dominating_nodes_broadcast);
  for (const auto& sizes : {std::vector<std::size_t>{8, 8}, {6, 10}, {2, 7}, {9, 1}}) {
    all.broadcast("dilated_diagonal", torus(sizes), 2, kAllPortMessages,
                  dilated_diagonal_broadcast);
  }
}

void add_gossips_and_scatters(Collection& all) {
  all.gossip("cube_gossip", Hypercube(3), 1, cube_gossip);
  all.gossip("cube_gossip", Hypercube(4), 1, cube_gossip);
  for (const std::size_t n : {2U, 4U, 5U}) {
    const Hypercube cube(n);
    all.add("cube_scatter", cube, {Operation::kScatter, cube.node_count(), NodeId{2}, 1},
            kAllPortPackets, cube_scatter(cube, NodeId{2}));
  }
  for (const std::size_t n : {2U, 4U}) {
    const Hypercube cube(n);
    all.add("cube_total_exchange", cube,
            {Operation::kAllToAllScatter, cube.node_count(), NodeId{0}, 1}, kAllPortPackets,
            cube_total_exchange(cube));
  }
  all.gossip("disjoint_tree_gossip", torus({3, 4}), 1, disjoint_tree_gossip);
  all.gossip("disjoint_tree_gossip", torus({5, 5}), 1, disjoint_tree_gossip);
  all.gossip("hamiltonian_gossip", torus({3, 3}), 2, hamiltonian_gossip);
  all.gossip("hamiltonian_gossip", torus({4, 5}), 2, hamiltonian_gossip);
  all.gossip("zigzag_cycle_gossip", torus({4, 4}), 2, zigzag_cycle_gossip);
  all.gossip("zigzag_cycle_gossip", torus({6, 3}), 2, zigzag_cycle_gossip);
  all.gossip("zigzag_trail_gossip", torus({3, 3}), 1, zigzag_trail_gossip);
  all.gossip("zigzag_trail_gossip", torus({4, 5}), 1, zigzag_trail_gossip);
  all.gossip("zigzag_trail_gossip", torus({3, 3, 3}), 1, zigzag_trail_gossip);
}

}  // namespace

std::string Instance::name() const {
  return algorithm + " on " + topology->name() + " from " + std::to_string(index(demand.source));
}

const std::vector<Instance>& collective_instances() {
  static const std::vector<Instance> instances = [] {
    Collection all;
    add_packet_broadcasts(all);
    add_one_port_messages(all);
    add_all_port_messages(all);
    add_gossips_and_scatters(all);
    return all.take();
  }();
  return instances;
}

}  // namespace flitcast
