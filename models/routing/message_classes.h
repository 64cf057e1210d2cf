// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "routing/routing.h"

namespace flitcast {

/// A routing for several message classes. Each class has its own virtual network, or shares one
/// with other classes: a packet stays in the VCs of its class. The packets of a class are routed as
/// in a network that has only the VCs of the class.
///
/// Separate VCs break the cycle between requests and replies: a packet that waits for a request to
/// be served never blocks the reply that ends the wait. The network is deadlock-free if the routing
/// of each class is.
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapter 14
/// (protocol deadlock).
class MessageClasses : public Routing {
 public:
  /// Makes the routing of a class that has `virtual_channels` VCs.
  using Make = std::function<std::unique_ptr<const Routing>(std::size_t virtual_channels)>;

  /// Splits the VCs of every port evenly among the classes, class 0 first.
  /// Throws std::invalid_argument unless there is a routing of one class and `virtual_channels` is
  /// a multiple of `classes`, which is at least 1.
  /// @param one_class         Made for virtual_channels / classes virtual channels.
  /// @param virtual_channels  VCs of every port of the network.
  MessageClasses(std::unique_ptr<const Routing> one_class, std::size_t classes,
                 std::size_t virtual_channels);
  /// Throws std::invalid_argument unless there are 1 to kMaxMessageClasses classes, each with a VC
  /// below kMaxVirtualChannels, any two with the same VCs or none in common, and the routings that
  /// `make` returns have one class each and the same choices at the sources. Passes on what `make`
  /// throws.
  /// @param classes The VCs of each class; VCs of no class stay unused.
  /// @param make Called once for each number of VCs of a class.
  MessageClasses(const std::vector<VcRange>& classes, const Make& make);

  Route route(const RouteRequest& request) const override;
  bool multicast() const override { return any().multicast(); }
  void branches(const RouteRequest& request, Branches& branches) const override;
  bool adaptive() const override { return any().adaptive(); }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  OutputSelection selection() const override { return any().selection(); }
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return any().choices(source, destination);
  }
  std::uint32_t most_choices() const override { return any().most_choices(); }
  std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const override {
    return any().choice(source, destination, number);
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override;
  std::size_t tie_dimensions() const override { return any().tie_dimensions(); }
  std::size_t message_classes() const override { return classes_.size(); }
  VcSet class_vcs(std::size_t message_class) const override {
    return classes_[message_class].set();
  }

 private:
  /// Classes that have the same VCs.
  struct Network {
    VcRange vcs;
    std::shared_ptr<const Routing> routing;
  };

  void add_network(VcRange vcs, std::shared_ptr<const Routing> routing);
  const Routing& any() const { return *networks_.front().routing; }
  const Network& network_of(VcId vc) const { return networks_[network_of_vc_[index(vc)]]; }

  std::vector<VcRange> classes_;
  std::vector<Network> networks_;
  std::array<std::uint8_t, kMaxVirtualChannels> network_of_vc_{};
};

}  // namespace flitcast
