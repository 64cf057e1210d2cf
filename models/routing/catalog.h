// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "config/catalog.h"
#include "config/configuration.h"
#include "config/section.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

struct NetworkPlan;

/// The context in which a routing is made.
struct RoutingContext {
  const Topology& topology;          ///< Must outlive the routing.
  std::size_t virtual_channels = 1;  ///< Per port, 1 to kMaxVirtualChannels.
  bool unsafe = false;               ///< Accept fewer VCs than deadlock freedom needs.
  Place vcs_place{};                 ///< The place of router.virtual_channels, for messages.

  /// The topology, for a maker whose entry accepts only this family.
  template <class Family>
  const Family& on() const {
    return dynamic_cast<const Family&>(topology);
  }
};

/// Makes the routing that the section describes on a topology that its entry accepts.
/// Throws ConfigError if the algorithm needs more VCs or other sizes.
using RoutingMaker = std::unique_ptr<Routing> (*)(const Section& routing,
                                                  const RoutingContext& context);

/// A routing algorithm that a user can name, and the family of topologies that it works on.
struct RoutingEntry {
  std::string name;
  std::string summary;                  ///< One line for `flitcast list`.
  Keys params;                          ///< Keys that apply while this entry is chosen.
  bool (*accepts)(const Topology&);     ///< Such as accepts<Grid>; accepts<Topology> for all.
  RoutingMaker make;                    ///< Such as makes<Diagonal>(): calls the constructor.
  std::vector<std::string> examples{};  ///< See CatalogEntry::examples.
  Fit fit = nullptr;                    ///< See CatalogEntry::fit.
  /// Not null: instead of a routing that make() makes, the network gets a central control that
  /// admits packets of one class, multicasts too, and finds their paths at run time.
  void (*add_control)(const Configuration& configuration, NetworkPlan& network) = nullptr;
  bool is_dimension_ordered = false;  ///< Packets finish one dimension after the other.
};

/// The algorithms that a user can name under routing.kind. Programs can add entries.
Catalog<RoutingEntry>& routings();

// The names of algorithms that other modules count on.
inline constexpr const char* kDimensionOrder = "dimension_order";
inline constexpr const char* kECube = "e_cube";
inline constexpr const char* kDestinationTag = "destination_tag";
inline constexpr const char* kDModK = "d_mod_k";
inline constexpr const char* kNearestCommonAncestor = "nearest_common_ancestor";
inline constexpr const char* kDualPath = "dual_path";
inline constexpr const char* kMultiPath = "multi_path";
inline constexpr const char* kColumnPath = "column_path";
inline constexpr const char* kXyTree = "xy_tree";

/// Tests if a topology belongs to one of some families.
template <class... Families>
constexpr auto accepts() {
  return [](const Topology& topology) {
    return ((topology_as<Families>(topology) != nullptr) || ...);
  };
}

/// A maker of algorithms that need nothing but a topology of a family and the number of VCs.
template <class Algorithm, class Family>
std::unique_ptr<Routing> make_on(const Section&, const RoutingContext& context) {
  return std::make_unique<Algorithm>(context.on<Family>(), context.virtual_channels);
}

/// True for grids without wrapped dimensions.
bool is_mesh(const Topology& topology);

/// Throws ConfigError for fewer virtual channels than `least`, unless RoutingContext::unsafe.
/// @param reason  A sentence: "each phase has virtual channels of its own".
void require_vcs(const RoutingContext& context, std::size_t least, const std::string& reason);

/// Declares the key routing.selection, which adaptive routings share, and reads it.
Param selection_param();
OutputSelection selection_of(const Section& routing);

/// True if make_routing() makes the algorithm for the topology. An algorithm for a topology also
/// works on its concentrated form.
bool accepts(const RoutingEntry& entry, const Topology& topology);

/// Makes the routing as make_routing() does; null for a topology that the algorithm does not
/// accept.
std::unique_ptr<Routing> make_accepted(const RoutingEntry& entry, const Section& routing,
                                       const RoutingContext& context);

/// "dimension_order or o1turn": the algorithms that accept the topology, without `except`.
std::string algorithms_for(const Topology& topology, const std::string& except = "");

/// Makes the routing that routing.kind names.
/// Throws ConfigError, which names the algorithms that fit, if the algorithm does not work on the
/// topology. Passes on what the algorithm's maker throws.
std::unique_ptr<Routing> make_routing(const Section& routing, const RoutingContext& context);

}  // namespace flitcast
