// SPDX-License-Identifier: Apache-2.0
// A user's routing: staircases over a mesh.
#include "extension.h"

namespace {

using namespace flitcast;

/// Takes all hops in minus directions first, then all in plus directions, each hop in the dimension
/// with the most hops left, which makes a staircase. No packet turns from plus to minus, so one VC
/// suffices (the negative-first rule of Glass and Ni, "The Turn Model for Adaptive Routing", ISCA
/// 1992).
class Diagonal : public Routing {
 public:
  Diagonal(const Section&, const RoutingContext& context)
      : grid_(dynamic_cast<const Grid&>(context.topology)),
        all_(vc_range(0, context.virtual_channels)) {}

  Route route(const RouteRequest& request) const override {
    const NodeId here{index(request.router)};
    PortId output = grid_.local();
    std::size_t most = 0;
    const auto offer = [&](std::size_t from, std::size_t to, PortId port) {
      if (from <= to + most) return;
      most = from - to;
      output = port;
    };
    for (std::size_t d = 0; d < grid_.dimensions(); ++d) {
      offer(grid_.coordinate(here, d), grid_.coordinate(request.destination, d), Grid::minus(d));
    }
    for (std::size_t d = 0; d < grid_.dimensions() && !leads_down(output); ++d) {
      offer(grid_.coordinate(request.destination, d), grid_.coordinate(here, d), Grid::plus(d));
    }
    return {output, all_};
  }

  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  bool leads_down(PortId port) const { return port != grid_.local() && index(port) % 2 == 1; }

  const Grid& grid_;
  VcSet all_;
};

}  // namespace

flitcast::RoutingEntry diagonal_routing() {
  return {"diagonal",
          "On meshes: a staircase, down before up. 1 VC.",
          {},
          flitcast::is_mesh,
          makes<Diagonal>()};
}
