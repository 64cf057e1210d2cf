// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/reduction.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "topology/adjacency.h"

namespace flitcast {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

/// The router of a node and the node's port there, which must be the same in both directions.
Endpoint place_of(const Topology& topology, NodeId node) {
  if (index(node) >= topology.node_count()) refuse("a reduction with a node that is none");
  const Attachment& attachment = topology.attachment(node);
  if (!(attachment.injection == attachment.ejection)) {
    refuse("a node that injects and receives at different ports of its router");
  }
  return attachment.injection;
}

void refuse_repeated(std::vector<NodeId> nodes) {
  if (nodes.empty()) refuse("a reduction of nothing");
  std::sort(nodes.begin(), nodes.end());
  if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) {
    refuse("a node that contributes twice to a reduction");
  }
}

}  // namespace

/// A router that the broadcast visits; parents come before their children.
struct ReductionTrees::Visit {
  RouterId router{};
  PortId input{};                 ///< The input of the broadcast, by which the router's sum leaves.
  std::uint16_t route_field = 0;  ///< The route field of the broadcast there.
  std::size_t parent = 0;         ///< The index of the parent's visit; at the root its own.
  PortId port_of_parent{};        ///< The input by which its sum enters the parent.
  std::vector<PortId> inputs{};   ///< The inputs by which parts of the sum arrive.
};

ReductionTrees::ReductionTrees(const Topology& topology, std::size_t virtual_channels,
                               std::size_t classes)
    : topology_(topology), virtual_channels_(virtual_channels), classes_(classes) {
  if (virtual_channels < 1 || virtual_channels > kMaxVirtualChannels || classes < 1 ||
      virtual_channels % classes != 0) {
    refuse("message classes that do not split 1 to kMaxVirtualChannels virtual channels evenly");
  }
  for (std::size_t c = 0; c < classes; ++c) vcs_ |= vc_range(c * (virtual_channels / classes), 1);
}

auto ReductionTrees::add(const Reduction& reduction, const RouterForwarding& broadcast) -> Path {
  refuse_repeated(reduction.contributors);
  std::vector<Visit> visits = walk(reduction, broadcast);
  prune(reduction, visits);
  return enter(reduction, visits);
}

// Follows the copies of the broadcast. Input p receives from the router that output p leads to.
auto ReductionTrees::walk(const Reduction& reduction, const RouterForwarding& broadcast) const
    -> std::vector<Visit> {
  const Adjacency adjacency(topology_);
  const Endpoint start = place_of(topology_, reduction.root);
  std::vector<Visit> visits{{start.router, start.port}};
  if (broadcast.injections.empty()) return visits;
  visits[0].route_field = broadcast.injections[0].route_field;
  std::vector<bool> met(topology_.router_count(), false);
  met[index(start.router)] = true;
  Branches branches;
  for (std::size_t at = 0; at < visits.size(); ++at) {
    const Visit from = visits[at];
    branches.clear();
    broadcast.routing->branches(
        {from.router, from.input, VcId{0}, reduction.root, 0, from.route_field}, branches);
    for (const Branch& branch : branches) {
      const std::uint32_t channel = adjacency.leaving(from.router, branch.output);
      if (channel == Adjacency::kNone) continue;
      const Endpoint to = topology_.channels()[channel].to;
      const std::uint32_t back = adjacency.leaving(to.router, to.port);
      if (back == Adjacency::kNone ||
          !(topology_.channels()[back].to == Endpoint{from.router, branch.output})) {
        refuse("a reduction over links that lead one way only");
      }
      if (met[index(to.router)]) refuse("a broadcast that comes to a router twice");
      met[index(to.router)] = true;
      visits.push_back({to.router, to.port, branch.route_field, at, branch.output});
    }
  }
  return visits;
}

// Gives every router the inputs of its parts, children before parents.
void ReductionTrees::prune(const Reduction& reduction, std::vector<Visit>& visits) const {
  std::vector<std::size_t> visit_of(topology_.router_count(), visits.size());
  for (std::size_t v = 0; v < visits.size(); ++v) visit_of[index(visits[v].router)] = v;
  for (const NodeId node : reduction.contributors) {
    const Endpoint place = place_of(topology_, node);
    const std::size_t v = visit_of[index(place.router)];
    if (v == visits.size()) refuse("a broadcast that does not reach a contributor");
    visits[v].inputs.push_back(place.port);
  }
  for (std::size_t v = visits.size(); v-- > 1;) {
    if (!visits[v].inputs.empty()) {
      visits[visits[v].parent].inputs.push_back(visits[v].port_of_parent);
    }
  }
}

auto ReductionTrees::enter(const Reduction& reduction, const std::vector<Visit>& visits) -> Path {
  stops_.resize(stops_.size() + topology_.router_count());
  Stop* const stops = stops_.data() + reductions_++ * topology_.router_count();
  std::vector<Path> paths(visits.size());
  Path longest;
  for (std::size_t v = 0; v < visits.size(); ++v) {
    const Visit& visit = visits[v];
    if (visit.inputs.empty()) continue;
    const bool root = v == 0;
    stops[index(visit.router)] = {
        index(visit.input), static_cast<std::uint16_t>(visit.inputs.size()),
        static_cast<std::uint32_t>(inputs_.size()), root, reduction.to_all};
    inputs_.insert(inputs_.end(), visit.inputs.begin(), visit.inputs.end());
    if (!root) paths[v] = {paths[visit.parent].channels + 1, paths[visit.parent].combinations};
    if (visit.inputs.size() > 1) ++paths[v].combinations;
    // The path of a router without a contribution lies on the paths of its children.
    if (paths[v].channels >= longest.channels) {
      longest.combinations = paths[v].channels > longest.channels
                                 ? paths[v].combinations
                                 : std::max(longest.combinations, paths[v].combinations);
      longest.channels = paths[v].channels;
    }
  }
  if (reduction.to_all) longest.channels *= 2;
  return longest;
}

void ReductionTrees::combination(const RouteRequest& request, Combination& combination) const {
  const Stop& stop = stops_[request.route_field * topology_.router_count() + index(request.router)];
  if (stop.up == kNoPort) return;
  const PortId* const first = inputs_.data() + stop.first_input;
  const PortId* const last = first + stop.inputs;
  const VcSet vc = VcSet{1} << request.route_field % classes_ * (virtual_channels_ / classes_);
  const auto leave_by = [&](PortId output) {
    combination.branches.add({output, vc, request.route_field});
  };
  const bool goes_down = !stop.root && request.input == PortId{stop.up};
  if (goes_down && stop.to_all) {
    combination.inputs.add(request.input);
    std::for_each(first, last, leave_by);
  } else if (!goes_down && std::find(first, last, request.input) != last) {
    std::for_each(first, last, [&](PortId input) { combination.inputs.add(input); });
    if (stop.root && stop.to_all) return static_cast<void>(std::for_each(first, last, leave_by));
    leave_by(PortId{stop.up});
  }
}

Route ReductionTrees::route(const RouteRequest&) const {
  throw std::logic_error("a reduction combines packets: ask combination()");
}

namespace {

using Injection = RouterForwarding::Injection;

std::vector<Injection> contributions(const Topology& topology,
                                     const std::vector<Reduction>& reductions,
                                     std::size_t classes) {
  std::vector<std::vector<Injection>> of_node(topology.node_count());
  for (std::size_t r = 0; r < reductions.size(); ++r) {
    const Reduction& reduction = reductions[r];
    const std::size_t receivers = reduction.to_all ? reduction.contributors.size() : 1;
    if (reduction.contributors == std::vector<NodeId>{reduction.root}) continue;
    for (const NodeId node : reduction.contributors) {
      of_node[index(node)].push_back({node, 0, static_cast<std::uint16_t>(r),
                                      static_cast<std::uint32_t>(receivers), kPartialSum,
                                      static_cast<std::uint8_t>(r % classes)});
    }
  }
  std::vector<Injection> all;
  for (std::size_t n = 0; n < of_node.size(); ++n) {
    std::vector<Injection>& own = of_node[n];
    if (own.empty()) continue;
    std::rotate(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(n % own.size()), own.end());
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace

RouterForwarding reduction_forwarding(const Topology& topology,
                                      const std::vector<Reduction>& reductions,
                                      const std::vector<RouterForwarding>& broadcasts,
                                      std::size_t virtual_channels) {
  const bool apart = !reductions.empty() && virtual_channels % reductions.size() == 0;
  const std::size_t classes = apart ? reductions.size() : 1;
  auto trees = std::make_unique<ReductionTrees>(topology, virtual_channels, classes);
  RouterForwarding forwarding;
  for (std::size_t r = 0; r < reductions.size(); ++r) {
    const ReductionTrees::Path path = trees->add(reductions[r], broadcasts[r]);
    forwarding.depth = std::max(forwarding.depth, path.channels);
    forwarding.combinations = std::max(forwarding.combinations, path.combinations);
  }
  forwarding.injections = contributions(topology, reductions, classes);
  forwarding.routing = std::move(trees);
  return forwarding;
}

}  // namespace flitcast
