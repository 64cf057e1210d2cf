// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "config/catalog.h"
#include "config/section.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// What a routing algorithm is made for.
struct RoutingContext {
  const Topology& topology;          ///< Must outlive the routing.
  std::size_t virtual_channels = 1;  ///< Per port, 1 to kMaxVirtualChannels.
  bool unsafe = false;               ///< Make it even with fewer VCs than deadlock freedom needs.
};

/// Makes the routing that the section describes on a topology that its entry accepts; throws
/// ConfigError when the algorithm needs more VCs than there are, or other sizes.
using RoutingMaker = std::unique_ptr<Routing> (*)(const Section& routing,
                                                  const RoutingContext& context);

/// A routing algorithm that a user can name, and the family of topologies that it works on.
struct RoutingEntry {
  std::string name;
  std::string summary;                  ///< One line for `flitcast list`.
  Keys params;                          ///< Keys that apply while this entry is chosen.
  bool (*accepts)(const Topology&);     ///< accepts<Grid>(), accepts<Topology>(): all of them.
  RoutingMaker make;                    ///< makes<Diagonal>() calls the constructor.
  std::vector<std::string> examples{};  ///< As CatalogEntry::examples.
};

/// The algorithms that a user can name under routing.kind, open to more.
Catalog<RoutingEntry>& routings();

/// The test of whether a topology belongs to a family.
template <class Family>
constexpr auto accepts() {
  return [](const Topology& topology) {
    if constexpr (std::is_same_v<Family, Topology>) return true;
    return dynamic_cast<const Family*>(&topology) != nullptr;
  };
}

/// Whether it is a grid that wraps nowhere.
bool is_mesh(const Topology& topology);

/// For makers: throws ConfigError for fewer virtual channels than `least`, unless
/// RoutingContext::unsafe.
/// @param reason  A sentence: "each phase has virtual channels of its own".
void require_vcs(const Section& routing, const RoutingContext& context, std::size_t least,
                 const std::string& reason);

/// The key routing.selection, which adaptive routings share, and what it says.
Param selection_param();
OutputSelection selection_of(const Section& routing);

/// Whether make_routing() makes the algorithm for the topology: what works on a core works on what
/// is concentrated from it, too.
bool accepts(const RoutingEntry& entry, const Topology& topology);

/// "dimension_order or o1turn": the algorithms that accept the topology, without `except`.
std::string algorithms_for(const Topology& topology, const std::string& except = "");

/// Makes the routing that routing.kind names. Throws ConfigError, with what would fit, when the
/// algorithm does not work on the topology, and whatever its maker throws.
std::unique_ptr<Routing> make_routing(const Section& routing, const RoutingContext& context);

}  // namespace flitcast
