// SPDX-License-Identifier: Apache-2.0
#include "routing/multicast/multicast_routing.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "base/sequences.h"
#include "routing/catalog.h"
#include "topology/grid.h"

namespace flitcast {

MulticastRouting::MulticastRouting(const Topology& topology, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)),
      groups_(std::make_unique<DestinationGroups>(topology.node_count())) {}

Route MulticastRouting::route(const RouteRequest& request) const {
  Branches answer;
  branches(request, answer);
  if (answer.size() != 1) throw std::logic_error("a packet that is copied has several outputs");
  return {answer.begin()->output, answer.begin()->vcs};
}

std::array<VcSet, 2> consumption_vcs(std::size_t virtual_channels, bool split) {
  const std::size_t half = virtual_channels / 2;
  const std::size_t first = virtual_channels - half;
  if (split && half > 0) return {vc_range(0, first), vc_range(first, half)};
  return {vc_range(0, virtual_channels), vc_range(0, virtual_channels)};
}

Param consumption_param() {
  return Param::choice(
      "consumption",
      "Which VCs to its node a worm may hold. split: those of its direction, half of them; shared: "
      "any, so that multicasts can wait for each other in a cycle.",
      {"split", "shared"});
}

bool splits_consumption(const Section& section) { return section.text("consumption") == "split"; }

bool is_row_of_columns(const Topology& topology) {
  return is_mesh(topology) && topology_as<Grid>(topology)->dimensions() <= 2;
}

std::vector<CopyHop> follow(const Topology& topology, const Adjacency& adjacency,
                            const MulticastRouting& routing, NodeId source,
                            const MulticastRouting::Nodes& part) {
  std::vector<CopyHop> hops;
  const std::function<void(Endpoint, std::size_t)> visit = [&](Endpoint at, std::size_t behind) {
    if (hops.size() > topology.channels().size() + topology.node_count()) {
      throw std::logic_error("a multicast goes round in a cycle");
    }
    Branches answer;
    routing.branches_to(part, {at.router, at.port, VcId{0}, {}, 0, 0}, answer);
    sort_by(answer, &Branch::output);
    for (const Branch& branch : answer) {
      const std::uint32_t channel = adjacency.leaving(at.router, branch.output);
      hops.push_back({at.router, branch.output, branch.vcs, channel, behind});
      if (channel != Adjacency::kNone) visit(topology.channels()[channel].to, hops.size() - 1);
    }
  };
  visit(topology.attachment(source).injection, CopyHop::kInjected);
  return hops;
}

MulticastPath measure(const std::vector<CopyHop>& hops) {
  MulticastPath path;
  std::vector<std::size_t> depths;
  for (const CopyHop& hop : hops) {
    const std::size_t before = hop.behind == CopyHop::kInjected ? 0 : depths[hop.behind];
    const bool link = hop.channel != Adjacency::kNone;
    depths.push_back(before + (link ? 1 : 0));
    path.links += link ? 1 : 0;
    path.longest = std::max(path.longest, depths.back());
  }
  return path;
}

}  // namespace flitcast
