// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "routing/routing.h"

namespace flitcast {

/// A routing for several classes of messages, each in a network of virtual channels of its own: the
/// VCs of every port are split evenly, class 0 first, and a packet stays in the part that it was
/// injected into. A class sees the routing as that of a network with V / C virtual channels.
///
/// Two classes break the circle between requests and responses: what waits for a request to be
/// served never stands in the way of the response that ends the wait. Within a class nothing
/// changes, so the whole is free of deadlock if `one_class` is. Source: Dally and Towles,
/// Principles and Practices of Interconnection Networks, 2004, chapter 14 (protocol deadlock).
class MessageClasses : public Routing {
 public:
  /// Throws std::invalid_argument unless there is a routing of one class and `virtual_channels` is
  /// a multiple of `classes`, which is at least 1.
  /// @param one_class         Made for virtual_channels / classes virtual channels.
  /// @param virtual_channels  Of the network, per port.
  MessageClasses(std::unique_ptr<const Routing> one_class, std::size_t classes,
                 std::size_t virtual_channels);

  Route route(const RouteRequest& request) const override;
  bool multicast() const override { return one_class_->multicast(); }
  void branches(const RouteRequest& request, Branches& branches) const override;
  bool adaptive() const override { return one_class_->adaptive(); }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;
  OutputSelection selection() const override { return one_class_->selection(); }
  std::uint32_t choices(NodeId source, NodeId destination) const override {
    return one_class_->choices(source, destination);
  }
  std::uint32_t most_choices() const override { return one_class_->most_choices(); }
  std::uint16_t choice(NodeId source, NodeId destination, std::uint32_t number) const override {
    return one_class_->choice(source, destination, number);
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override;
  std::size_t tie_dimensions() const override { return one_class_->tie_dimensions(); }
  std::size_t message_classes() const override { return classes_; }

 private:
  /// The first VC of the class that a VC belongs to.
  std::size_t first_vc(VcId vc) const { return index(vc) / vcs_ * vcs_; }
  RouteRequest within_class(RouteRequest request) const;
  VcSet of_class(VcSet vcs, std::size_t first) const;

  const std::unique_ptr<const Routing> one_class_;
  const std::size_t classes_;
  const std::size_t vcs_;  // Of a class.
};

}  // namespace flitcast
