// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/hop_finder.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace flitcast {
namespace {

[[noreturn]] void fail(const std::string& to, NodeId destination) {
  throw std::logic_error("the routing sends a packet for node " +
                         std::to_string(index(destination)) + " to " + to);
}

}  // namespace

HopFinder::HopFinder(const Topology& topology, const Adjacency& adjacency, const Routing& routing,
                     std::size_t virtual_channels)
    : topology_(topology),
      adjacency_(adjacency),
      routing_(routing),
      all_(vc_range(0, virtual_channels)) {}

const std::vector<Hop>& HopFinder::next_hops(const Journey& journey, Endpoint at, VcId vc,
                                             std::uint16_t route_field) {
  next_hops_.clear();
  leaves_ = false;
  const RouteRequest request{at.router,           at.port,      vc,
                             journey.destination, journey.ties, route_field};
  answer_.clear();
  routing_.alternatives(request, answer_);
  for (const Alternative& hop : answer_) add(journey, at.router, hop);
  const bool may_wait =
      leaves_ || answer_.drawn() > 0 ||
      std::any_of(next_hops_.begin(), next_hops_.end(), [](const Hop& w) { return w.waits; });
  if (!may_wait) fail("ways of which it must wait for none", journey.destination);
  return next_hops_;
}

void HopFinder::add(const Journey& journey, RouterId router, const Alternative& hop) {
  require_vcs(hop.vcs, journey.destination);
  if (index(hop.output) >= topology_.output_count(router)) {
    fail("a missing output", journey.destination);
  }
  const std::uint32_t channel = adjacency_.leaving(router, hop.output);
  if (channel != Adjacency::kNone) {
    next_hops_.push_back({channel, hop.vcs, hop.route_field, hop.waits || answer_.drawn() > 0});
    return;
  }
  leaves_ = true;
  const Endpoint ejection = topology_.attachment(journey.destination).ejection;
  if (Endpoint{router, hop.output} == ejection) return;
  fail("an output that does not lead there", journey.destination);
}

VcSet HopFinder::injection_vcs(NodeId source, NodeId destination) const {
  const VcSet vcs = routing_.injection_vcs(source, destination);
  require_vcs(vcs, destination);
  return vcs;
}

std::map<std::uint16_t, std::vector<NodeId>> HopFinder::sources_by_field(NodeId destination) const {
  std::map<std::uint16_t, std::vector<NodeId>> sources;
  for (std::uint32_t source = 0; source < topology_.node_count(); ++source) {
    if (routing_.most_choices() == 1) {
      sources[0].push_back(NodeId{source});
      continue;
    }
    std::set<std::uint16_t> fields;
    const std::uint32_t choices = routing_.choices(NodeId{source}, destination);
    for (std::uint32_t c = 0; c < choices; ++c) {
      fields.insert(routing_.choice(NodeId{source}, destination, c));
    }
    for (const std::uint16_t field : fields) sources[field].push_back(NodeId{source});
  }
  return sources;
}

void HopFinder::require_vcs(VcSet vcs, NodeId destination) const {
  if (vcs == 0 || (vcs & ~all_) != 0) fail("missing virtual channels", destination);
}

}  // namespace flitcast
