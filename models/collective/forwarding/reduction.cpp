// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/reduction.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

const Attachment& attachment_of(const Topology& topology, NodeId node) {
  if (index(node) >= topology.node_count()) refuse("a reduction with a node that is none");
  return topology.attachment(node);
}

void refuse_repeated(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) {
    refuse("a node that takes part in a reduction twice");
  }
}

}  // namespace

ReductionTrees::ReductionTrees(const Topology& topology, std::size_t virtual_channels,
                               std::size_t classes)
    : topology_(topology), virtual_channels_(virtual_channels), classes_(classes) {
  if (virtual_channels < 1 || virtual_channels > kMaxVirtualChannels || classes < 1 ||
      virtual_channels % classes != 0) {
    refuse("message classes that do not split 1 to kMaxVirtualChannels virtual channels evenly");
  }
  for (std::size_t c = 0; c < classes; ++c) vcs_ |= vc_range(c * (virtual_channels / classes), 1);
}

auto ReductionTrees::add(const RouterTree& tree, const Reduction& reduction) -> Paths {
  if (reduction.contributors.empty()) refuse("a reduction of nothing");
  refuse_repeated(reduction.contributors);
  refuse_repeated(reduction.receivers);
  stops_.emplace_back(topology_.router_count());
  if (reduction.moves_nothing()) return {};
  place_nodes(tree, reduction);
  join_routers(tree);
  Paths to_root(topology_.router_count());
  Paths paths;
  std::size_t down = 0;
  for (const TreeRouter& one : tree) {
    const auto& [to_parent, from_parent, inputs, outputs] = stop(one.router);
    const std::size_t above = to_root[index(tree[one.parent].router)].combinations;
    to_root[index(one.router)] = {one.depth, above + (inputs.size() > 1 ? 1 : 0)};
    if (!outputs.empty()) down = std::max(down, one.depth);
    const RouterForwarding::Path& path = to_root[index(one.router)];
    if (!inputs.empty() && !contains(paths, path)) paths.push_back(path);
  }
  for (RouterForwarding::Path& path : paths) path.channels += down;
  return paths;
}

void ReductionTrees::place_nodes(const RouterTree& tree, const Reduction& reduction) {
  std::vector<bool> reached(topology_.router_count(), false);
  for (const TreeRouter& one : tree) reached[index(one.router)] = true;
  const auto stop_at = [&](RouterId router) -> Stop& {
    if (reached[index(router)]) return stop(router);
    throw *violated("no links that lead both ways join the routers " +
                        topology_.router_name(tree.front().router) + " and " +
                        topology_.router_name(router) + " of " + topology_.name(),
                    "use a network whose links lead both ways, or an algorithm whose messages "
                    "nodes send");
  };
  for (const NodeId node : reduction.contributors) {
    const auto [router, port] = attachment_of(topology_, node).injection;
    stop_at(router).inputs.push_back(port);
  }
  for (const NodeId node : reduction.receivers) {
    const auto [router, port] = attachment_of(topology_, node).ejection;
    stop_at(router).outputs.push_back(port);
  }
}

// Children come behind their parents, so that only branches with nodes get ports.
void ReductionTrees::join_routers(const RouterTree& tree) {
  for (std::size_t v = tree.size(); v-- > 1;) {
    const Channel& down = topology_.channels()[tree[v].down];
    const Channel& up = topology_.channels()[tree[v].up];
    Stop& child = stop(tree[v].router);
    Stop& parent = stop(tree[tree[v].parent].router);
    child.to_parent = up.from.port;
    child.from_parent = down.to.port;
    if (!child.inputs.empty()) parent.inputs.push_back(up.to.port);
    if (!child.outputs.empty()) parent.outputs.push_back(down.from.port);
  }
}

void ReductionTrees::combination(const RouteRequest& request, Combination& combination) const {
  const auto& [to_parent, from_parent, inputs, outputs] =
      stops_[request.route_field][index(request.router)];
  const VcSet vc = VcSet{1} << request.route_field % classes_ * (virtual_channels_ / classes_);
  const auto leave_by = [&](PortId output) {
    combination.branches.add({output, vc, request.route_field});
  };
  if (contains(inputs, request.input)) {
    for (const PortId input : inputs) combination.inputs.add(input);
    if (to_parent != kNoPort) return leave_by(to_parent);
  } else if (request.input == from_parent && !outputs.empty()) {
    combination.inputs.add(request.input);
  } else {
    return;
  }
  for (const PortId output : outputs) leave_by(output);
}

namespace {

using Injection = RouterForwarding::Injection;

std::vector<Injection> contributions(const Topology& topology,
                                     const std::vector<Reduction>& reductions,
                                     std::size_t classes) {
  std::vector<std::vector<Injection>> of_node(topology.node_count());
  for (std::size_t r = 0; r < reductions.size(); ++r) {
    const Reduction& reduction = reductions[r];
    if (reduction.moves_nothing()) continue;
    for (const NodeId node : reduction.contributors) {
      of_node[index(node)].push_back({node, 0, static_cast<std::uint16_t>(r),
                                      static_cast<std::uint32_t>(reduction.receivers.size()),
                                      reduction.item, static_cast<std::uint8_t>(r % classes)});
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
                                      const std::vector<RouterTree>& trees,
                                      std::size_t virtual_channels) {
  const bool apart = !reductions.empty() && virtual_channels % reductions.size() == 0;
  const std::size_t classes = apart ? reductions.size() : 1;
  auto routing = std::make_unique<ReductionTrees>(topology, virtual_channels, classes);
  RouterForwarding forwarding;
  for (std::size_t r = 0; r < reductions.size(); ++r) {
    append(forwarding.paths, routing->add(trees[r], reductions[r]));
  }
  forwarding.injections = contributions(topology, reductions, classes);
  forwarding.routing = std::move(routing);
  return forwarding;
}

}  // namespace flitcast
