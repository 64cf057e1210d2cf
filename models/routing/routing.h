// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"

namespace flitcast {

/// A set of virtual channels of one port: bit v stands for VC v.
using VcSet = std::uint32_t;

/// Most virtual channels that a port can have.
inline constexpr std::size_t kMaxVirtualChannels = 32;

/// The VCs first .. first + count - 1.
constexpr VcSet vc_range(std::size_t first, std::size_t count) {
  return static_cast<VcSet>(((std::uint64_t{1} << count) - 1) << first);
}

/// What a routing decision may depend on: where the head flit waits and what it carries.
struct RouteRequest {
  RouterId router{};
  PortId input{};  ///< The input port at which the head waits.
  VcId vc{};       ///< The virtual channel of that port.
  NodeId destination{};
  std::uint8_t ties = 0;  ///< Flit::ties.
};

/// Where the packet goes next: one output port and the VCs there that it may ask for (not empty).
struct Route {
  PortId output{};
  VcSet vcs = 0;
};

/// Which output next? A pure function: equal requests get equal answers, in any order, from any
/// thread. The network asks once per packet and router, when a head flit reaches the front.
class Routing {
 public:
  virtual ~Routing() = default;

  virtual Route route(const RouteRequest& request) const = 0;

  /// The VCs of the injection channel that a packet may enter by.
  virtual VcSet injection_vcs(NodeId source, NodeId destination) const = 0;

  /// Dimensions whose Flit::ties bit route() reads; the source draws one fair coin for each.
  /// Zero for routings without ties.
  virtual std::size_t tie_dimensions() const { return 0; }
};

}  // namespace flitcast
