// SPDX-License-Identifier: Apache-2.0
#include "routing/multicast/xy_multicast.h"

#include <algorithm>
#include <bitset>

#include "base/sequences.h"
#include "routing/catalog.h"

namespace flitcast {

ColumnPath::ColumnPath(const Grid& mesh, std::size_t virtual_channels, bool split_consumption)
    : MulticastRouting(mesh, virtual_channels),
      consumption_(consumption_vcs(virtual_channels, split_consumption)),
      local_(mesh.local()),
      columns_(static_cast<std::uint32_t>(mesh.size(0))) {}

std::vector<MulticastRouting::Nodes> ColumnPath::parts(NodeId source,
                                                       const Nodes& destinations) const {
  const std::uint32_t row = index(source) / columns_;
  std::vector<Nodes> parts;
  for (std::uint32_t x = 0; x < columns_; ++x) {
    Nodes up;
    Nodes down;
    for (const NodeId node : destinations) {
      if (column(node) == x) (index(node) / columns_ < row ? down : up).push_back(node);
    }
    std::sort(up.begin(), up.end());
    std::sort(down.rbegin(), down.rend());
    const bool only_row = up.size() == 1 && index(up.front()) / columns_ == row;
    if (only_row && !down.empty()) {
      down.insert(down.begin(), up.front());
      up.clear();
    }
    if (!up.empty()) parts.push_back(std::move(up));
    if (!down.empty()) parts.push_back(std::move(down));
  }
  return parts;
}

// A worm that has turned into its column keeps its direction. A part lies on one side of the row.
bool ColumnPath::goes_up(const Nodes& part, const RouteRequest& request) const {
  const bool turned = request.input < local_ && request.input >= Grid::plus(1);
  if (turned) return request.input == Grid::minus(1);
  const std::uint32_t row = index(request.router) / columns_;
  return none_of(part, [&](NodeId node) { return index(node) / columns_ < row; });
}

void ColumnPath::branches_to(const Nodes& part, const RouteRequest& request,
                             Branches& branches) const {
  const NodeId here{index(request.router)};
  const std::uint32_t goal = column(part.front());
  if (goal != column(here)) {
    return branches.add({goal > column(here) ? Grid::plus(0) : Grid::minus(0), all_, 0});
  }
  const bool up = goes_up(part, request);
  const bool on = any_of(part, [&](NodeId node) { return up ? node > here : node < here; });
  if (on) branches.add({up ? Grid::plus(1) : Grid::minus(1), all_, 0});
  if (contains(part, here)) branches.add({local_, consumption_[up ? 0 : 1], 0});
}

// The output in the first dimension in which `to` and `here` differ; the local port if they agree.
PortId XyTree::output_towards(NodeId to, RouterId here) const {
  for (std::size_t d = 0; d < moves_.dimensions(); ++d) {
    const GridMove move = moves_.towards(to, here, d);
    if (move != GridMove::kNone) return output_of(move, d);
  }
  return local_;
}

void XyTree::branches_to(const Nodes& part, const RouteRequest& request, Branches& branches) const {
  if (part.size() != 1) return part_company(part, request, branches);
  branches.add({output_towards(part.front(), request.router), all_, 0});
}

// A copy that travels along a dimension serves the nodes ahead in that dimension and the nodes that
// differ from the router only in higher dimensions; the paths to all other nodes branched off
// earlier. Input p faces the neighbour behind output p.
void XyTree::part_company(const Nodes& part, const RouteRequest& request,
                          Branches& branches) const {
  std::bitset<2 * Grid::kMaxDimensions + 1> taken;
  for (const NodeId node : part) {
    const PortId output = output_towards(node, request.router);
    const bool ahead = request.input >= local_ || (index(output) ^ 1U) == index(request.input) ||
                       index(output) / 2 > index(request.input) / 2;
    if (!ahead || taken.test(index(output))) continue;
    taken.set(index(output));
    branches.add({output, all_, 0});
  }
}

std::vector<RoutingEntry> xy_multicast_routings() {
  return {{kColumnPath,
           "On 2-D meshes: multicasts as up to 2 worms for each column, along XY paths. 2 VCs for "
           "multicasts.",
           {consumption_param()},
           is_row_of_columns,
           [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
             return std::make_unique<ColumnPath>(context.on<Grid>(), context.virtual_channels,
                                                 splits_consumption(section));
           }},
          {kXyTree,
           "On meshes: multicasts as trees of dimension-order paths, copied where they part. 1 VC; "
           "multicasts need space for whole packets.",
           {},
           is_mesh,
           make_on<XyTree, Grid>}};
}

}  // namespace flitcast
