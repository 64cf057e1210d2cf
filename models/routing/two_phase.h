// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

class Section;
struct RoutingContext;

/// The set of intermediate nodes among which a source draws.
struct Detour {
  std::uint32_t most_choices = 1;
  std::function<std::uint32_t(NodeId source, NodeId destination)> choices;
  /// The intermediate node of choice `number`, which counts from 0.
  std::function<NodeId(NodeId source, NodeId destination, std::uint32_t number)> intermediate;
};

/// Valiant: the intermediate node is any node. For every topology.
Detour valiant_detour(const Topology& topology);
/// ROMM: the intermediate node is in the smallest box, or subcube, that holds source and
/// destination. For grids that do not wrap and hypercubes; throws std::bad_cast for others.
Detour romm_detour(const Topology& topology);
/// Y-X-Y: the intermediate node differs from the source in the last dimension only. For grids;
/// throws std::bad_cast for others.
Detour y_x_y_detour(const Topology& topology);

/// Oblivious routing in two phases: each packet draws an intermediate node at its source, goes
/// there in the first phase and on to its destination in the second, both times by the same
/// one-phase routing. The paths are longer, but the load does not depend on the traffic pattern.
///
/// VCs: packets of the first phase have the first V - V/2, those of the second the rest, so two VCs
/// are enough where the routing of a phase needs one. A packet may turn back between its phases.
/// With a single VC, which can deadlock, the head flit holds the phase: the router of the
/// intermediate node replaces that node in Flit::route_field by the destination. Injection and
/// ejection use all VCs.
/// Sources: Valiant and Brebner, "Universal Schemes for Parallel Communication", STOC 1981; Nesson
/// and Johnsson, "ROMM Routing on Mesh and Torus Networks", SPAA 1995; the phases' channels as in
/// Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 9.1.
class TwoPhase : public OnAllVcs<Routing> {
 public:
  /// Makes the routing of a phase for `virtual_channels` VCs.
  using PhaseMaker = std::function<std::unique_ptr<const Routing>(std::size_t virtual_channels)>;

  /// The largest number of nodes: their numbers have to fit in Flit::route_field.
  static constexpr std::size_t kMostNodes = 65536;

  /// For topologies whose routers are numbered like their nodes.
  /// Throws std::invalid_argument for more nodes than kMostNodes. `topology` need not outlive the
  /// routing.
  TwoPhase(const Topology& topology, Detour detour, const PhaseMaker& make,
           std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool adaptive() const override { return shared_; }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  std::size_t tie_dimensions() const override { return phases_[0]->tie_dimensions(); }

  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return detour_.choices(source, destination);
  }
  std::uint32_t most_choices() const override { return detour_.most_choices; }
  std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const override {
    return static_cast<std::uint16_t>(index(detour_.intermediate(source, destination, number)));
  }

 protected:
  bool from_node(const RouteRequest& request) const {
    return index(request.input) >= index(first_node_input_);
  }
  /// The output of a packet in phase 0 or 1.
  /// @param starts  True if the packet begins the phase at this router.
  Route route_in(std::size_t phase, RouteRequest request, bool starts) const;
  const Routing& phase(std::size_t number) const { return *phases_[number]; }

 private:
  const Detour detour_;
  const PortId first_node_input_;
  const PortId ejection_;
  const bool shared_;        // True if there is a single VC.
  const std::size_t lower_;  // The number of VCs of the first phase.
  std::array<std::unique_ptr<const Routing>, 2> phases_;
};

/// True for mesh, torus, ring, hypercube, generalised hypercube (the core of flattened butterflies
/// and HyperX) and RegularGraph (that of Slim Fly and Jellyfish).
bool takes_two_phases(const Topology& topology);
/// Makes dimension order, e-cube, or shortest paths with a class of VCs for every hop, on a
/// topology that takes_two_phases() and outlives the maker.
TwoPhase::PhaseMaker phase_maker(const Topology& topology);
/// Throws ConfigError for more nodes than TwoPhase::kMostNodes, and for too few VCs.
void check_two_phases(const Section& section, const RoutingContext& context);
/// The context for routings that read the phase of a packet from its VC, so that a single VC is
/// refused even if unsafe.
RoutingContext telling_phases_apart(const RoutingContext& context);

}  // namespace flitcast
