// SPDX-License-Identifier: Apache-2.0
#include "routing/message_classes.h"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"

namespace flitcast {

namespace {

std::vector<VcRange> split_evenly(std::size_t classes, std::size_t virtual_channels) {
  if (classes == 0 || virtual_channels == 0 || virtual_channels % classes != 0) {
    throw std::invalid_argument(std::to_string(virtual_channels) +
                                " virtual channels cannot be split evenly into " +
                                std::to_string(classes) + " message classes");
  }
  const std::size_t vcs = virtual_channels / classes;
  return tabulated(classes, [&](std::size_t c) { return VcRange{c * vcs, vcs}; });
}

std::unique_ptr<const Routing> require(std::unique_ptr<const Routing> routing) {
  if (routing == nullptr) throw std::invalid_argument("message classes need a routing");
  if (routing->message_classes() != 1) {
    throw std::invalid_argument("the routing of a message class has message classes itself");
  }
  return routing;
}

RouteRequest within(VcRange vcs, RouteRequest request) {
  request.vc = to_id<VcId>(index(request.vc) - vcs.first);
  return request;
}

// Maps the VCs of a class to VCs of the network. An answer with VCs that the class does not have is
// an error, since they would become VCs of another class.
VcSet moved_to(VcRange to, VcSet vcs) {
  if ((vcs & ~vc_range(0, to.count)) != 0) {
    throw std::logic_error("the routing of a message class was made for more virtual channels");
  }
  return vcs << to.first;
}

}  // namespace

MessageClasses::MessageClasses(std::unique_ptr<const Routing> one_class, std::size_t classes,
                               std::size_t virtual_channels)
    : MessageClasses(split_evenly(classes, virtual_channels),
                     [&one_class](std::size_t) { return std::move(one_class); }) {}

MessageClasses::MessageClasses(const std::vector<VcRange>& classes, const Make& make)
    : classes_(classes) {
  if (classes.empty() || classes.size() > kMaxMessageClasses) {
    throw std::invalid_argument("there are 1 to " + std::to_string(kMaxMessageClasses) +
                                " message classes");
  }
  std::map<std::size_t, std::shared_ptr<const Routing>> made;  // Indexed by the number of VCs.
  for (const VcRange& vcs : classes) {
    std::shared_ptr<const Routing>& routing = made[vcs.count];
    if (routing == nullptr) routing = require(make(vcs.count));
    add_network(vcs, routing);
  }
}

void MessageClasses::add_network(VcRange vcs, std::shared_ptr<const Routing> routing) {
  if (vcs.count == 0 || vcs.first + vcs.count > kMaxVirtualChannels) {
    throw std::invalid_argument("a port has " + std::to_string(kMaxVirtualChannels) +
                                " virtual channels at most, and a message class one at least");
  }
  for (const Network& known : networks_) {
    if (known.vcs.set() == vcs.set()) return;
    if ((known.vcs.set() & vcs.set()) != 0) {
      throw std::invalid_argument("two message classes have some virtual channels in common");
    }
  }
  // A source draws ties and choices before it knows the class.
  if (!networks_.empty() && (any().tie_dimensions() != routing->tie_dimensions() ||
                             any().most_choices() != routing->most_choices())) {
    throw std::invalid_argument("sources draw differently for a message class of " +
                                std::to_string(vcs.count) + " virtual channels");
  }
  for (std::size_t v = 0; v < vcs.count; ++v) {
    network_of_vc_[vcs.first + v] = static_cast<std::uint8_t>(networks_.size());
  }
  networks_.push_back({vcs, std::move(routing)});
}

Route MessageClasses::route(const RouteRequest& request) const {
  const Network& network = network_of(request.vc);
  const Route route = network.routing->route(within(network.vcs, request));
  return {route.output, moved_to(network.vcs, route.vcs)};
}

void MessageClasses::branches(const RouteRequest& request, Branches& branches) const {
  const Network& network = network_of(request.vc);
  network.routing->branches(within(network.vcs, request), branches);
  for (Branch& branch : branches) branch.vcs = moved_to(network.vcs, branch.vcs);
}

void MessageClasses::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  const Network& network = network_of(request.vc);
  network.routing->alternatives(within(network.vcs, request), alternatives);
  for (Alternative& option : alternatives) option.vcs = moved_to(network.vcs, option.vcs);
}

VcSet MessageClasses::injection_vcs(NodeId source, NodeId destination) const {
  VcSet all = 0;
  for (const Network& network : networks_) {
    all |= moved_to(network.vcs, network.routing->injection_vcs(source, destination));
  }
  return all;
}

}  // namespace flitcast
