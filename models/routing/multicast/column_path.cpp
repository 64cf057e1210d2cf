// SPDX-License-Identifier: Apache-2.0
#include "routing/multicast/column_path.h"

#include <algorithm>

#include "routing/catalog.h"
#include "routing/multicast/consumption_key.h"

namespace flitcast {

ColumnPath::ColumnPath(const Grid& mesh, std::size_t virtual_channels, bool split_consumption)
    : MulticastRouting(mesh, virtual_channels),
      consumption_(virtual_channels, split_consumption),
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
  return std::none_of(part.begin(), part.end(),
                      [&](NodeId node) { return index(node) / columns_ < row; });
}

void ColumnPath::branches_to(const Nodes& part, const RouteRequest& request,
                             Branches& branches) const {
  const NodeId here{index(request.router)};
  const std::uint32_t goal = column(part.front());
  if (goal != column(here)) {
    branches.add({goal > column(here) ? Grid::plus(0) : Grid::minus(0), all(), 0});
    return;
  }
  const bool up = goes_up(part, request);
  const bool on = std::any_of(part.begin(), part.end(),
                              [&](NodeId node) { return up ? node > here : node < here; });
  if (on) branches.add({up ? Grid::plus(1) : Grid::minus(1), all(), 0});
  if (std::find(part.begin(), part.end(), here) != part.end()) {
    branches.add({local_, consumption_.of(!up), 0});
  }
}

Param consumption_param() {
  return Param::choice(
      "consumption",
      "Which VCs to its node a worm may hold. split: those of its direction, half of them; shared: "
      "any, so that multicasts can wait for each other in a cycle.",
      {"split", "shared"});
}

bool splits_consumption(const Section& section) { return section.text("consumption") == "split"; }

bool is_row_of_columns(const Topology& topology) {
  return is_mesh(topology) && topology_as<Grid>(topology)->dimensions() <= 2;
}

RoutingEntry column_path_routing() {
  return {"column_path",
          "On 2-D meshes: multicasts as up to 2 worms for each column, along XY paths. 2 VCs for "
          "multicasts.",
          {consumption_param()},
          is_row_of_columns,
          [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
            return std::make_unique<ColumnPath>(context.on<Grid>(), context.virtual_channels,
                                                splits_consumption(section));
          }};
}

}  // namespace flitcast
