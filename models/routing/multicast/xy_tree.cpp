// SPDX-License-Identifier: Apache-2.0
#include "routing/multicast/xy_tree.h"

#include <bitset>

#include "routing/catalog.h"

namespace flitcast {

XyTree::XyTree(const Grid& mesh, std::size_t virtual_channels)
    : MulticastRouting(mesh, virtual_channels), moves_(mesh), local_(mesh.local()) {}

std::vector<MulticastRouting::Nodes> XyTree::parts(NodeId, const Nodes& destinations) const {
  if (destinations.empty()) return {};
  return {destinations};
}

// The output in the first dimension in which the two differ; the local port if they are equal.
PortId XyTree::output_towards(NodeId to, RouterId here) const {
  for (std::size_t d = 0; d < moves_.dimensions(); ++d) {
    const GridMove move = moves_.towards(to, here, d);
    if (move != GridMove::kNone) return move == GridMove::kPlus ? Grid::plus(d) : Grid::minus(d);
  }
  return local_;
}

void XyTree::branches_to(const Nodes& part, const RouteRequest& request, Branches& branches) const {
  if (part.size() != 1) return part_company(part, request, branches);
  branches.add({output_towards(part.front(), request.router), all(), 0});
}

// A copy that travels along a dimension serves the nodes ahead in it and those off its line; the
// paths to all other nodes branched off earlier. Input p faces the neighbour behind output p.
void XyTree::part_company(const Nodes& part, const RouteRequest& request,
                          Branches& branches) const {
  std::bitset<2 * Grid::kMaxDimensions + 1> taken;
  for (const NodeId node : part) {
    const PortId output = output_towards(node, request.router);
    const bool ahead = request.input >= local_ || (index(output) ^ 1U) == index(request.input) ||
                       index(output) / 2 > index(request.input) / 2;
    if (!ahead || taken.test(index(output))) continue;
    taken.set(index(output));
    branches.add({output, all(), 0});
  }
}

RoutingEntry xy_tree_routing() {
  return {"xy_tree",
          "On meshes: multicasts as trees of dimension-order paths, copied where they part. 1 VC; "
          "multicasts need space for whole packets.",
          {},
          is_mesh,
          [](const Section&, const RoutingContext& context) -> std::unique_ptr<Routing> {
            return std::make_unique<XyTree>(context.on<Grid>(), context.virtual_channels);
          }};
}

}  // namespace flitcast
