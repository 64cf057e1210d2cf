// SPDX-License-Identifier: Apache-2.0
// Broadcasts and multicasts as unicast messages: one port, wormhole.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/paths.h"

namespace flitcast {

namespace {

using Nodes = std::vector<NodeId>;
using MakePath = std::vector<PortId> (*)(const Topology& topology, NodeId from, NodeId to);

std::vector<PortId> mesh_path(const Topology& mesh, NodeId from, NodeId to) {
  return dimension_order_path(dynamic_cast<const Grid&>(mesh), from, to);
}

std::vector<PortId> cube_path(const Topology& cube, NodeId from, NodeId to) {
  return e_cube_path(dynamic_cast<const Hypercube&>(cube), from, to);
}

const Grid& mesh_of(const CollectiveContext& context) {
  const auto& grid = family_of<Grid>(context);
  require(on_mesh(grid, "the algorithm works"));
  return grid;
}

Nodes source_and_receivers(const CollectiveContext& context) {
  require(source_exists(context.topology, context.source));
  Nodes nodes = context.receivers;
  nodes.push_back(context.source);
  return nodes;
}

/// The nodes in lexicographic order of (x_0, x_1, ...).
Nodes mesh_chain(const Grid& mesh, Nodes nodes) {
  sort_by(nodes, [&](NodeId node) {
    std::size_t place = 0;
    for (const std::size_t d : numbers(mesh.dimensions())) {
      place = place * mesh.size(d) + mesh.coordinate(node, d);
    }
    return place;
  });
  return nodes;
}

/// Splits a segment in the middle; in a segment of odd size the lower half is the larger. The owner
/// sends to the nearest place of the other half.
Split split_at_middle(const Segment& segment) {
  const auto [first, last, owner] = segment;
  const std::int64_t middle = first + (last - first + 2) / 2;
  if (owner < middle) return {{first, middle - 1, owner}, {middle, last, middle}};
  return {{middle, last, owner}, {first, middle - 1, middle - 1}};
}

/// Splits a segment so that the owner's half is the larger one; the owner sends to the nearest
/// place of the other half.
Split split_for_owner(const Segment& segment) {
  const auto [first, last, owner] = segment;
  const std::int64_t half = (last - first + 2) / 2;
  if (owner < first + half) {
    return {{first, first + half - 1, owner}, {first + half, last, first + half}};
  }
  return {{last - half + 1, last, owner}, {first, last - half, last - half}};
}

/// The plan by which the source informs the nodes of a chain: in each round the rule splits every
/// part of the chain, and its owner sends to the owner of the other part.
Plan chain_plan(const CollectiveContext& context, const Nodes& chain, MakePath path,
                Split (*rule)(const Segment&)) {
  const auto start = std::find(chain.begin(), chain.end(), context.source) - chain.begin();
  const auto last = static_cast<std::int64_t>(chain.size()) - 1;
  Plan plan{{}, {ceil_log(2, chain.size()), false, chain.size() - 1, 0}};
  for (const auto& round : split_rounds({0, last, start}, rule)) {
    plan.schedule.begin_round();
    for (const auto& [from, to] : round) {
      const NodeId sender = chain[static_cast<std::size_t>(from)];
      const NodeId receiver = chain[static_cast<std::size_t>(to)];
      plan.schedule.add(sender, receiver, ChunkId{0}, path(context.topology, sender, receiver));
    }
  }
  return plan;
}

constexpr Discipline kOnePort{Switching::kWormhole, 1};

/// One-to-all wormhole broadcast on one-port meshes by chain halving (U-mesh).
///
/// All nodes form a chain in lexicographic order of (x_0, x_1, ...): the dimension that is routed
/// first is the most significant. Each round halves every segment of the chain; its owner sends to
/// the nearest node of the other half. The messages of a round then share no channel under
/// dimension-order routing with dimension 0 first (XY); with the last dimension as the most
/// significant they would.
///
/// Cost: ceil(log2 N) rounds, which is optimal for all sizes and sources; N - 1 sends, no
/// duplicates. O(hops) time. Throws PreconditionError: kTopology where a dimension of
/// size 2 or more wraps, kSource.
///
/// Source: McKinley, Xu, Esfahanian and Ni, "Unicast-Based Multicast Communication in
/// Wormhole-Routed Networks", IEEE TPDS 5(12), 1994, with all nodes as destinations.
Collective make_chain_halving(const Section&, const CollectiveContext& context) {
  const auto& mesh = family_of<Grid>(context);
  require(on_mesh(mesh, "chain halving is defined", ", or recursive doubling"));
  require(source_exists(mesh, context.source));
  const Nodes chain = mesh_chain(mesh, all_nodes(mesh.node_count()));
  return one_to_all(context, kOnePort, chain_plan(context, chain, mesh_path, split_at_middle));
}

/// Multicast by chain halving (U-mesh, U-cube): source and receivers form a chain in the order of
/// the dimensions in which packets are routed, the first the most significant. Each round halves
/// every part of the chain; its owner sends to the nearest node of the other half.
///
/// Cost: ceil(log2(d + 1)) rounds for d receivers, which is optimal for one port; d sends. Messages
/// of a round share no channel; of two messages that share one, the later depends on the earlier,
/// so that no message waits for a channel whatever the delays. Both hold only where routing takes
/// the dimensions in the order of the chain. Source: McKinley, Xu, Esfahanian and Ni,
/// "Unicast-Based Multicast Communication in Wormhole-Routed Networks", IEEE TPDS 5(12), 1994.
Collective make_umesh(const Section&, const CollectiveContext& context) {
  const Nodes chain = mesh_chain(mesh_of(context), source_and_receivers(context));
  return one_to_all(context, kOnePort, chain_plan(context, chain, mesh_path, split_for_owner));
}

Collective make_ucube(const Section&, const CollectiveContext& context) {
  family_of<Hypercube>(context);
  Nodes chain = source_and_receivers(context);
  sort_by(chain, [&](NodeId node) { return index(node) ^ index(context.source); });
  return one_to_all(context, kOnePort, chain_plan(context, chain, cube_path, split_for_owner));
}

/// In each round the source sends to one receiver.
Collective make_unicasts(const Section&, const CollectiveContext& context) {
  const bool cube = dynamic_cast<const Hypercube*>(&context.topology) != nullptr;
  if (!cube) mesh_of(context);
  require(source_exists(context.topology, context.source));
  Plan plan{{}, {context.receivers.size(), false, context.receivers.size(), 0}};
  for (const NodeId to : context.receivers) {
    plan.schedule.begin_round();
    plan.schedule.add(context.source, to, ChunkId{0},
                      (cube ? cube_path : mesh_path)(context.topology, context.source, to));
  }
  return one_to_all(context, kOnePort, std::move(plan));
}

}  // namespace

CollectiveEntry chain_halving_collective() {
  return {{"chain_halving",
           "Meshes, wormhole, one port (U-mesh): ceil(log2 N) rounds.",
           {},
           make_chain_halving},
          {Operation::kBroadcast}};
}

std::vector<CollectiveEntry> chain_multicast_collectives() {
  return {{{"umesh",
            "Meshes, wormhole, one port: chain halving in ceil(log2(d + 1)) rounds.",
            {},
            make_umesh},
           {Operation::kMulticast}},
          {{"ucube",
            "Hypercubes, wormhole, one port: chain halving in ceil(log2(d + 1)) rounds.",
            {},
            make_ucube},
           {Operation::kMulticast}},
          {{"separate_unicasts",
            "Meshes and hypercubes, wormhole, one port: the source sends to one after the other.",
            {},
            make_unicasts},
           {Operation::kMulticast}}};
}

}  // namespace flitcast
