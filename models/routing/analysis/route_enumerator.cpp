// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/route_enumerator.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace flitcast {

RouteEnumerator::RouteEnumerator(const Topology& topology, const Routing& routing,
                                 std::size_t virtual_channels)
    : topology_(topology),
      routing_(routing),
      all_(vc_range(0, virtual_channels)),
      adaptive_(routing.adaptive()),
      most_choices_(routing.most_choices()),
      merges_(!routing.reads_arrival() && !adaptive_ && !routing.multicast() && most_choices_ == 1),
      adjacency_(topology),
      channels_(topology),
      nodes_at_(topology.router_count()),
      answers_(merges_ ? topology.router_count() : 0) {
  for (const NodeId node : topology.nodes()) {
    nodes_at_[index(topology.attachment(node).ejection.router)].push_back(node);
  }
}

void RouteEnumerator::start(const Journey& journey) {
  journey_ = journey;
  ++journeys_;
}

std::vector<PacketState> RouteEnumerator::injected(NodeId source) const {
  std::vector<PacketState> states;
  add_injected(source, states);
  return states;
}

const std::vector<PacketState>& RouteEnumerator::injected() {
  injected_.clear();
  for (const NodeId source : topology_.nodes()) add_injected(source, injected_);
  return injected_;
}

void RouteEnumerator::add_injected(NodeId source, std::vector<PacketState>& states) const {
  const auto channel = static_cast<std::uint32_t>(channels_.injection(source));
  const VcSet vcs = routing_.injection_vcs(source, journey_.destination);
  require_vcs(vcs);
  if (most_choices_ == 1) return states.push_back({channel, vcs});
  std::set<std::uint16_t> fields;
  const std::uint32_t choices = routing_.choices(source, journey_.destination);
  for (std::uint32_t c = 0; c < choices; ++c) {
    fields.insert(routing_.choice(source, journey_.destination, c));
  }
  for (const std::uint16_t field : fields) states.push_back({channel, vcs, field});
}

PacketStates RouteEnumerator::next(const PacketState& state) {
  const Endpoint at = channels_.end(state.channel);
  if (!merges_) {
    ask(at, lowest_vc(state.vcs), state.route_field);
    return {next_.data(), next_.data() + next_.size()};
  }
  const PacketState* const only = &answer_at(at.router).next;
  return {only, only + 1};
}

RouteEnumerator::Answer& RouteEnumerator::answer_at(RouterId router) {
  Answer& answer = answers_[index(router)];
  if (answer.journey != journeys_) {
    ask({router, PortId{0}}, VcId{0}, 0);
    answer.journey = journeys_;
    answer.next = next_.front();
  }
  return answer;
}

void RouteEnumerator::ask(Endpoint at, VcId vc, std::uint16_t route_field) {
  const RouteRequest request{at.router,     at.port,    vc, journey_.destination,
                             journey_.ties, route_field};
  ++questions_;
  next_.clear();
  if (routing_.multicast()) {
    branches_.clear();
    routing_.branches(request, branches_);
    for (const Branch& branch : branches_) add(at.router, branch, true);
    return;
  }
  if (!adaptive_) {
    const Route route = routing_.route(request);
    return add(at.router, Branch{route.output, route.vcs, route_field}, true);
  }
  alternatives_.clear();
  routing_.alternatives(request, alternatives_);
  bool waits = false;
  for (const Alternative& option : alternatives_) {
    add(at.router, option, option.waits || alternatives_.drawn() > 0);
    waits = waits || next_.back().waits || next_.back().channel >= channels_.links();
  }
  if (!waits) fail("to outputs of which it may wait for none");
}

template <class Output>
void RouteEnumerator::add(RouterId router, const Output& output, bool waits) {
  require_vcs(output.vcs);
  next_.push_back({channel_behind(router, output.output), output.vcs, output.route_field, waits});
}

std::uint32_t RouteEnumerator::channel_behind(RouterId router, PortId output) const {
  if (index(output) >= topology_.output_count(router)) fail("to a missing output");
  const std::uint32_t link = adjacency_.leaving(router, output);
  if (link != Adjacency::kNone) return link;
  for (const NodeId node : nodes_at_[index(router)]) {
    if (topology_.attachment(node).ejection.port != output) continue;
    if (node != journey_.destination && !routing_.multicast()) break;
    return static_cast<std::uint32_t>(channels_.ejection(node));
  }
  fail("to an output that does not lead there");
}

void RouteEnumerator::fail(const std::string& where) const {
  throw std::logic_error("the routing sends a packet for node " +
                         std::to_string(index(journey_.destination)) + " " + where);
}

void RouteEnumerator::reach(const PacketState& state) {
  if (visited_.size() <= state.route_field) visited_.resize(state.route_field + std::size_t{1});
  std::vector<VcSet>& visited = visited_[state.route_field];
  if (visited.empty()) visited.assign(channels_.count(), 0);
  const VcSet fresh = state.vcs & ~visited[state.channel];
  visited[state.channel] |= fresh;
  for (const VcId vc : EachVc(fresh)) {
    queue_.push_back({state.channel, VcSet{1} << index(vc), state.route_field});
  }
}

std::vector<std::pair<NodeId, NodeId>> pairs_over_faults(const Faulty& topology,
                                                         const Routing& routing,
                                                         std::size_t virtual_channels) {
  RouteEnumerator packets(topology.whole(), routing, virtual_channels);
  const auto meets_fault = [&](NodeId source, NodeId destination) {
    bool meets = false;
    for (unsigned ties = 0; ties < 1U << routing.tie_dimensions() && !meets; ++ties) {
      packets.start({destination, static_cast<std::uint8_t>(ties)});
      packets.enumerate(packets.injected(source), [&](const PacketState&, const PacketState& to) {
        meets = meets || topology.failed()[to.channel];
        return !meets;
      });
    }
    return meets;
  };
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const NodeId source : topology.nodes()) {
    for (const NodeId destination : topology.nodes()) {
      if (meets_fault(topology.number_in_whole(source), topology.number_in_whole(destination))) {
        pairs.emplace_back(source, destination);
      }
      if (pairs.size() == kEnoughPairs) return pairs;
    }
  }
  return pairs;
}

}  // namespace flitcast
