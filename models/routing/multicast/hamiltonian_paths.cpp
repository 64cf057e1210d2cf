// SPDX-License-Identifier: Apache-2.0
#include "routing/multicast/hamiltonian_paths.h"

#include <algorithm>
#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {

HamiltonianPaths::HamiltonianPaths(const Grid& mesh, Split split, std::size_t virtual_channels,
                                   bool split_consumption)
    : MulticastRouting(mesh, virtual_channels),
      split_(split),
      consumption_(consumption_vcs(virtual_channels, split_consumption)),
      local_(mesh.local()),
      columns_(static_cast<std::uint32_t>(mesh.size(0))) {
  for (std::uint32_t node = 0; node < mesh.node_count(); ++node) {
    const std::uint32_t x = node % columns_;
    const std::uint32_t y = node / columns_;
    labels_.push_back(y * columns_ + (y % 2 == 0 ? x : columns_ - 1 - x));
  }
}

std::optional<NodeId> HamiltonianPaths::neighbour(NodeId node, unsigned output) const {
  const bool in_row = output < 2;
  const bool rises = output % 2 == 0;
  const std::uint32_t stride = in_row ? 1 : columns_;
  const std::size_t place = in_row ? index(node) % columns_ : index(node) / columns_;
  const std::size_t places = in_row ? columns_ : labels_.size() / columns_;
  if (place == (rises ? places - 1 : 0)) return std::nullopt;
  return NodeId{rises ? index(node) + stride : index(node) - stride};
}

// The neighbour in the same row that has the next label.
std::optional<PortId> HamiltonianPaths::along_row(NodeId from, bool high) const {
  for (unsigned output = 0; output < 2; ++output) {
    const std::optional<NodeId> next = neighbour(from, output);
    if (next && is_above(*next, from) == high) return to_id<PortId>(output);
  }
  return std::nullopt;
}

// True if a node lies, in x, strictly on the side of that neighbour.
bool HamiltonianPaths::beside(NodeId source, NodeId node, bool high) const {
  const std::optional<PortId> side = along_row(source, high);
  if (!side) return false;
  const std::uint32_t from = index(source) % columns_;
  const std::uint32_t to = index(node) % columns_;
  return *side == Grid::plus(0) ? to > from : to < from;
}

std::vector<MulticastRouting::Nodes> HamiltonianPaths::parts(NodeId source,
                                                             const Nodes& destinations) const {
  std::vector<Nodes> parts;
  for (const bool high : {true, false}) {
    Nodes beside_source;
    Nodes rest;
    for (const NodeId node : destinations) {
      if (is_above(node, source) != high) continue;
      const bool apart = split_ == Split::kMulti && beside(source, node, high);
      (apart ? beside_source : rest).push_back(node);
    }
    for (Nodes* part : {&beside_source, &rest}) {
      if (part->empty()) continue;
      std::sort(part->begin(), part->end(),
                [&](NodeId a, NodeId b) { return is_above(b, a) == high; });
      parts.push_back(std::move(*part));
    }
  }
  return parts;
}

// The last of two neighbours that fit is in another row, with a label farther from that of here.
PortId HamiltonianPaths::hop(NodeId here, NodeId next, bool high) const {
  unsigned by = 0;
  for (unsigned output = 0; output < 4; ++output) {
    const std::optional<NodeId> node = neighbour(here, output);
    if (!node || is_above(*node, here) != high) continue;
    // The label lies beyond the destination's.
    if (*node != next && is_above(*node, next) == high) continue;
    by = output;
  }
  return to_id<PortId>(by);
}

PortId HamiltonianPaths::first_hop(NodeId source, NodeId next, bool high) const {
  if (split_ == Split::kDual) return hop(source, next, high);
  if (beside(source, next, high)) return *along_row(source, high);
  return high ? Grid::plus(1) : Grid::minus(1);
}

void HamiltonianPaths::branches_to(const Nodes& part, const RouteRequest& request,
                                   Branches& branches) const {
  const NodeId here{index(request.router)};
  const bool injected = request.input >= local_;
  const bool high = injected ? !is_above(here, part.front())
                             : is_above(here, *neighbour(here, index(request.input)));
  const NodeId* next = nullptr;
  for (const NodeId& node : part) {
    if (node == here) {
      branches.add({local_, consumption_[high ? 0 : 1], 0});
    } else if (is_above(node, here) == high && (next == nullptr || is_above(*next, node) == high)) {
      next = &node;
    }
  }
  if (next == nullptr) return;
  branches.add({injected ? first_hop(here, *next, high) : hop(here, *next, high), all_, 0});
}

namespace {

template <HamiltonianPaths::Split split>
RoutingEntry path_routing(const char* name, const char* summary) {
  return {name,
          summary,
          {consumption_param()},
          is_row_of_columns,
          [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
            return std::make_unique<HamiltonianPaths>(
                context.on<Grid>(), split, context.virtual_channels, splits_consumption(section));
          }};
}

}  // namespace

std::vector<RoutingEntry> hamiltonian_path_routings() {
  return {path_routing<HamiltonianPaths::Split::kDual>(
              kDualPath,
              "On 2-D meshes: multicasts as up to 2 worms along a Hamiltonian path. 2 VCs for "
              "multicasts."),
          path_routing<HamiltonianPaths::Split::kMulti>(
              kMultiPath,
              "On 2-D meshes: multicasts as up to 4 worms along a Hamiltonian path. 2 VCs for "
              "multicasts.")};
}

}  // namespace flitcast
