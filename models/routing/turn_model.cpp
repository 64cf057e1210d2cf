// SPDX-License-Identifier: Apache-2.0
#include "routing/turn_model.h"

#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {

bool west_first(Compass from, Compass to, std::uint32_t) {
  return to != Compass::kWest || from == Compass::kWest;
}

bool north_last(Compass from, Compass to, std::uint32_t) {
  return from != Compass::kNorth || to == Compass::kNorth;
}

bool negative_first(Compass from, Compass to, std::uint32_t) {
  const auto positive = [](Compass c) { return c == Compass::kEast || c == Compass::kNorth; };
  return !positive(from) || positive(to);
}

bool odd_even(Compass from, Compass to, std::uint32_t column) {
  const auto vertical = [](Compass c) { return c == Compass::kNorth || c == Compass::kSouth; };
  if (column % 2 == 0) return from != Compass::kEast || !vertical(to);
  return !vertical(from) || to != Compass::kWest;
}

namespace {

bool is_plane_mesh(const Topology& topology) {
  return is_mesh(topology) && topology_as<Grid>(topology)->dimensions() == 2;
}

}  // namespace

TurnModel::TurnModel(const Grid& mesh, TurnRule rule, std::size_t virtual_channels,
                     OutputSelection selection)
    : OnAllVcs(vc_range(0, virtual_channels), selection),
      moves_(mesh),
      local_(mesh.local()),
      rule_(rule) {
  if (!is_plane_mesh(mesh)) {
    throw std::invalid_argument("turn models are for meshes of two dimensions");
  }
}

void TurnModel::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  const GridMove x = moves_.towards(request.destination, request.router, 0);
  const GridMove y = moves_.towards(request.destination, request.router, 1);
  const Compass along = x == GridMove::kPlus ? Compass::kEast : Compass::kWest;
  const Compass across = y == GridMove::kPlus ? Compass::kNorth : Compass::kSouth;
  if (x == GridMove::kNone && y == GridMove::kNone) {
    alternatives.add({local_, 0, all_});
  } else if (x == GridMove::kNone) {
    add(across, alternatives);
  } else if (y == GridMove::kNone) {
    add(along, alternatives);
  } else {
    const std::uint32_t column = moves_.coordinate(index(request.router), 0);
    const std::uint32_t goal = moves_.coordinate(index(request.destination), 0);
    const std::uint32_t next = along == Compass::kEast ? column + 1 : column - 1;
    const bool ahead = leads_on(next, goal, across, along);
    if (ahead && allowed(request, along, column)) add(along, alternatives);
    // A packet that leaves its row in this column has to turn back into a row in the same column.
    if (rule_(across, along, column) && allowed(request, across, column)) add(across, alternatives);
  }
}

// A packet from a node may take any output, and going straight on is no turn. Input port p faces
// the neighbour that output p leads to.
bool TurnModel::allowed(const RouteRequest& request, Compass to, std::uint32_t column) const {
  if (index(request.input) >= index(local_)) return true;
  const auto from = static_cast<Compass>(index(request.input) ^ 1U);
  return from == to || rule_(from, to, column);
}

// True if a packet that enters `column` along its row can make all its hops in dimension 1 in that
// column or in a column farther on. Spreading these hops over several columns takes the same turns
// and more.
bool TurnModel::leads_on(std::uint32_t column, std::uint32_t goal, Compass across,
                         Compass along) const {
  for (;; column += along == Compass::kEast ? 1U : ~0U) {
    const bool turns_back = column == goal || rule_(across, along, column);
    if (turns_back && rule_(along, across, column)) return true;
    if (column == goal) return false;
  }
}

namespace {

template <TurnRule rule>
RoutingEntry turn_model(const char* name, const char* turns) {
  return {name,
          std::string("On 2-D meshes: any output that leads nearer, ") + turns + ". 1 VC.",
          {selection_param()},
          is_plane_mesh,
          [](const Section& section, const RoutingContext& context) -> std::unique_ptr<Routing> {
            return std::make_unique<TurnModel>(context.on<Grid>(), rule, context.virtual_channels,
                                               selection_of(section));
          }};
}

}  // namespace

std::vector<RoutingEntry> turn_model_routings() {
  return {turn_model<west_first>("west_first", "west (minus in dimension 0) before all others"),
          turn_model<north_last>("north_last", "north (plus in dimension 1) after all others"),
          turn_model<negative_first>("negative_first", "minus directions before plus"),
          turn_model<odd_even>(
              "odd_even", "no turn out of east in even columns and none into west in odd ones")};
}

}  // namespace flitcast
