// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "routing/grid_moves.h"
#include "routing/routing.h"

namespace flitcast {

/// The directions of a 2-D mesh by output port: dimension 0 leads east and west, dimension 1 north
/// and south.
enum class Compass : std::uint8_t { kEast, kWest, kNorth, kSouth };

/// True if a packet that travels in direction `from` may turn into direction `to` at a router of
/// column `column`; the directions are neither equal nor opposite.
using TurnRule = bool (*)(Compass from, Compass to, std::uint32_t column);

/// No turn into west, none out of north, none from a positive into a negative direction.
/// Source: Glass and Ni, "The Turn Model for Adaptive Routing", ISCA 1992.
bool west_first(Compass from, Compass to, std::uint32_t column);
bool north_last(Compass from, Compass to, std::uint32_t column);
bool negative_first(Compass from, Compass to, std::uint32_t column);

/// No turn from east to north or south in even columns, and none from north or south to west in odd
/// ones.
/// Source: Chiu, "The Odd-Even Turn Model for Adaptive Routing", IEEE Trans. Parallel and
/// Distributed Systems 11(7), 2000.
bool odd_even(Compass from, Compass to, std::uint32_t column);

/// Minimal adaptive routing on 2-D meshes under a rule that forbids turns: a packet takes any
/// productive output that needs an allowed turn, if a minimal path with allowed turns leads on from
/// there. Deadlock-free with one VC where the allowed turns close no cycle, as under the rules
/// above; uses any VC.
class TurnModel : public OnAllVcs<AdaptiveRouting> {
 public:
  /// Throws std::invalid_argument unless `mesh` has two dimensions that do not wrap. It need not
  /// outlive the routing.
  TurnModel(const Grid& mesh, TurnRule rule, std::size_t virtual_channels,
            OutputSelection selection);

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  bool allowed(const RouteRequest& request, Compass to, std::uint32_t column) const;
  bool leads_on(std::uint32_t column, std::uint32_t goal, Compass across, Compass along) const;
  void add(Compass to, Alternatives& alternatives) const {
    alternatives.add({to_id<PortId>(index(to)), 0, all_});
  }

  GridMoves moves_;
  PortId local_;
  TurnRule rule_;
};

}  // namespace flitcast
