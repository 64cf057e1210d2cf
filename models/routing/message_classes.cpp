// SPDX-License-Identifier: Apache-2.0
#include "routing/message_classes.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace flitcast {

namespace {

std::size_t vcs_of_class(std::size_t classes, std::size_t virtual_channels) {
  if (classes == 0 || virtual_channels == 0 || virtual_channels % classes != 0) {
    throw std::invalid_argument(std::to_string(virtual_channels) +
                                " virtual channels cannot be split evenly into " +
                                std::to_string(classes) + " message classes");
  }
  if (virtual_channels > kMaxVirtualChannels) {
    throw std::invalid_argument("a port has " + std::to_string(kMaxVirtualChannels) +
                                " virtual channels at most");
  }
  return virtual_channels / classes;
}

}  // namespace

MessageClasses::MessageClasses(std::unique_ptr<const Routing> one_class, std::size_t classes,
                               std::size_t virtual_channels)
    : one_class_(std::move(one_class)),
      classes_(classes),
      vcs_(vcs_of_class(classes, virtual_channels)) {
  if (one_class_ == nullptr) throw std::invalid_argument("message classes need a routing");
  if (one_class_->message_classes() != 1) {
    throw std::invalid_argument("the routing of a message class has message classes itself");
  }
}

RouteRequest MessageClasses::within_class(RouteRequest request) const {
  request.vc = VcId{static_cast<std::uint8_t>(index(request.vc) % vcs_)};
  return request;
}

// What the routing of one class says of VCs that the class does not have must not become another's.
VcSet MessageClasses::of_class(VcSet vcs, std::size_t first) const {
  if ((vcs & ~vc_range(0, vcs_)) != 0) {
    throw std::logic_error("the routing of a message class was made for more virtual channels");
  }
  return vcs << first;
}

Route MessageClasses::route(const RouteRequest& request) const {
  const Route route = one_class_->route(within_class(request));
  return {route.output, of_class(route.vcs, first_vc(request.vc))};
}

void MessageClasses::branches(const RouteRequest& request, Branches& branches) const {
  one_class_->branches(within_class(request), branches);
  const std::size_t first = first_vc(request.vc);
  for (Branch& branch : branches) branch.vcs = of_class(branch.vcs, first);
}

void MessageClasses::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  one_class_->alternatives(within_class(request), alternatives);
  const std::size_t first = first_vc(request.vc);
  for (Alternative& way : alternatives) way.vcs = of_class(way.vcs, first);
}

VcSet MessageClasses::injection_vcs(NodeId source, NodeId destination) const {
  const VcSet one = one_class_->injection_vcs(source, destination);
  VcSet all = 0;
  for (std::size_t c = 0; c < classes_; ++c) all |= of_class(one, c * vcs_);
  return all;
}

}  // namespace flitcast
