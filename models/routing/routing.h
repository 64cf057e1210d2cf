// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

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
  std::uint8_t ties = 0;    ///< Flit::ties.
  std::uint16_t reach = 0;  ///< Flit::reach.
};

/// Where the packet goes next: one output port and the VCs there that it may ask for (not empty).
struct Route {
  PortId output{};
  VcSet vcs = 0;
};

/// One of the outputs that a multicast packet leaves a router by.
struct Branch {
  PortId output{};
  VcSet vcs = 0;            ///< Not empty.
  std::uint16_t reach = 0;  ///< Flit::reach of the copy.
};

/// The outputs of one packet at one router, each at most once.
class Branches {
 public:
  static constexpr std::size_t kMost = 128;

  void clear() { count_ = 0; }
  /// Throws std::length_error beyond kMost.
  void add(const Branch& branch) {
    if (count_ == kMost) throw std::length_error("more branches than a router has ports");
    branches_[count_++] = branch;
  }
  std::size_t size() const { return count_; }
  Branch* begin() { return branches_.data(); }
  Branch* end() { return branches_.data() + count_; }
  const Branch* begin() const { return branches_.data(); }
  const Branch* end() const { return branches_.data() + count_; }

 private:
  std::array<Branch, kMost> branches_;
  std::size_t count_ = 0;
};

/// Which outputs next? A pure function: equal requests get equal answers, in any order, from any
/// thread. The network asks once per packet and router, when a head flit reaches the front.
class Routing {
 public:
  virtual ~Routing() = default;

  virtual Route route(const RouteRequest& request) const = 0;

  /// Whether packets can leave a router by several outputs: then branches() decides, not route().
  virtual bool multicast() const { return false; }

  /// Whether route() reads the input port or the virtual channel of a request. Where it reads only
  /// router, destination and ties, whoever follows all packets asks once for each router.
  virtual bool reads_arrival() const { return true; }

  /// All outputs that a copy of the packet leaves by, at least one. The node itself is one of them
  /// where it is to receive the packet.
  virtual void branches(const RouteRequest& request, Branches& branches) const {
    const Route only = route(request);
    branches.add({only.output, only.vcs, 0});
  }

  /// Kinds of messages that share no virtual channel, so that none can hold back another: class c
  /// of C has the VCs c * V / C and the V / C - 1 after it, at every port from the first to the
  /// last. 1, except where MessageClasses makes more.
  virtual std::size_t message_classes() const { return 1; }

  /// The VCs of the injection channel that a packet may enter by, those of all message classes.
  virtual VcSet injection_vcs(NodeId source, NodeId destination) const = 0;

  /// Dimensions whose Flit::ties bit route() reads; the source draws one fair coin for each.
  /// Zero for routings without ties.
  virtual std::size_t tie_dimensions() const { return 0; }
};

}  // namespace flitcast
