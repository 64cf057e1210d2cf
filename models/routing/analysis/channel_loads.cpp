// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/channel_loads.h"

#include <algorithm>
#include <string>

#include "routing/analysis/merged_flows.h"

namespace flitcast {
namespace {

constexpr std::uint32_t kNoStop = ~std::uint32_t{0};

/// Destinations after which the steps of all are known well enough.
constexpr std::uint32_t kSample = 16;

/// Where packets for one destination come by: a channel, and what decides on their way from there.
struct Stop {
  std::size_t channel = 0;
  VcSet vcs = 0;
  std::uint16_t route_field = 0;
  std::uint32_t other = kNoStop;       ///< Another stop of the same channel.
  std::uint32_t first_next = kNoStop;  ///< Its successors; kNoStop until they are asked for.
  std::uint32_t next_count = 0;
  bool finished = false;
  double flow = 0;
};

/// Follows all packets for one destination with the same ties, channel by channel: their way may
/// depend on how they came.
class Flows {
 public:
  Flows(const Topology& topology, const Routing& routing, Budget& budget)
      : topology_(topology),
        routing_(routing),
        budget_(budget),
        most_choices_(routing.most_choices()),
        exits_(topology, routing),
        channels_(exits_.channels()),
        stop_at_(channels_.count(), kNoStop),
        loads_(channels_.count(), 0) {}

  const std::vector<double>& loads() const { return loads_; }

  void start(NodeId destination, std::uint8_t ties) {
    destination_ = destination;
    ties_ = ties;
  }

  void add(NodeId source, double flow) {
    if (most_choices_ == 1) return add(source, flow, 0);
    const std::uint32_t choices = routing_.choices(source, destination_);
    budget_.spend(choices);
    for (std::uint32_t c = 0; c < choices; ++c) {
      add(source, flow / choices, routing_.choice(source, destination_, c));
    }
  }

  // The last to be finished lies upstream of all others.
  void retire() {
    for (auto stop = finished_.rbegin(); stop != finished_.rend(); ++stop) {
      const Stop& from = stops_[*stop];
      loads_[from.channel] += from.flow;
      for (std::uint32_t n = 0; n < from.next_count; ++n) {
        stops_[next_[from.first_next + n]].flow += from.flow;
      }
    }
    for (const Stop& stop : stops_) stop_at_[stop.channel] = kNoStop;
    stops_.clear();
    next_.clear();
    finished_.clear();
  }

 private:
  void add(NodeId source, double flow, std::uint16_t route_field) {
    const std::size_t ports = topology_.node_ports();
    const VcSet vcs = routing_.injection_vcs(source, destination_);
    for (std::size_t port = 0; port < ports; ++port) {
      const std::uint32_t stop = find_or_add(channels_.injection(source, port), vcs, route_field);
      stops_[stop].flow += flow / static_cast<double>(ports);
      if (!stops_[stop].finished) explore(stop);
    }
  }

  struct Frame {
    std::uint32_t stop = 0;
    std::uint32_t next = 0;  // Successors visited.
  };

  std::uint32_t find_or_add(std::size_t channel, VcSet vcs, std::uint16_t route_field) {
    for (std::uint32_t s = stop_at_[channel]; s != kNoStop; s = stops_[s].other) {
      if (stops_[s].vcs == vcs && stops_[s].route_field == route_field) return s;
    }
    stops_.push_back({channel, vcs, route_field, stop_at_[channel]});
    return stop_at_[channel] = static_cast<std::uint32_t>(stops_.size() - 1);
  }

  // Depth first: a stop is finished behind all that it leads to.
  void explore(std::uint32_t first) {
    path_.assign(1, {first});
    expand(first);
    while (!path_.empty()) {
      Frame& last = path_.back();
      Stop& stop = stops_[last.stop];
      if (last.next == stop.next_count) {
        stop.finished = true;
        finished_.push_back(last.stop);
        path_.pop_back();
        continue;
      }
      const std::uint32_t next = next_[stop.first_next + last.next++];
      if (stops_[next].finished) continue;
      if (stops_[next].first_next != kNoStop) Exits::fail(destination_, "round in a cycle");
      expand(next);
      path_.push_back({next});
    }
  }

  void expand(std::uint32_t stop) {
    const Stop at = stops_[stop];
    stops_[stop].first_next = static_cast<std::uint32_t>(next_.size());
    if (channels_.is_ejection(at.channel)) return;
    const Endpoint input = channels_.end(at.channel);
    ask(input, at);
    stops_[stop].next_count = static_cast<std::uint32_t>(branches_.size());
    for (const Branch& branch : branches_) {
      const std::size_t channel = exits_.leaving(input, branch.output, destination_);
      const VcSet vcs = channels_.is_ejection(channel) ? 0 : branch.vcs;
      next_.push_back(find_or_add(channel, vcs, branch.route_field));
    }
  }

  // The VCs may differ with the VC that a packet holds, the ways may not.
  void ask(Endpoint input, const Stop& at) {
    branches_.clear();
    for (VcSet vcs = at.vcs; vcs != 0; vcs &= vcs - 1) {
      budget_.spend(1);
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      const RouteRequest request{input.router, input.port, vc, destination_, ties_, at.route_field};
      Branches& answer = vcs == at.vcs ? branches_ : further_;
      answer.clear();
      if (routing_.multicast()) {
        routing_.branches(request, answer);
      } else {
        const Route route = routing_.route(request);
        answer.add({route.output, route.vcs, at.route_field});
      }
      if (vcs != at.vcs) unite(branches_, further_);
    }
  }

  static void unite(Branches& all, const Branches& own) {
    const auto same_way = [](const Branch& a, const Branch& b) {
      return a.output == b.output && a.route_field == b.route_field;
    };
    if (!std::equal(all.begin(), all.end(), own.begin(), own.end(), same_way)) {
      throw UnknownLoads("the ways depend on the virtual channels that packets get");
    }
    const Branch* branch = own.begin();
    for (Branch& united : all) united.vcs |= (branch++)->vcs;
  }

  const Topology& topology_;
  const Routing& routing_;
  Budget& budget_;
  const std::uint32_t most_choices_;
  const Exits exits_;
  const ChannelNumbering& channels_;
  std::vector<std::uint32_t> stop_at_;  // Per channel.
  std::vector<double> loads_;
  NodeId destination_{};
  std::uint8_t ties_ = 0;
  Branches branches_;  // The last answer of the routing.
  Branches further_;   // Its answer for another VC of the same stop.
  std::vector<Stop> stops_;
  std::vector<std::uint32_t> next_;      // Successors; those of a stop lie together.
  std::vector<std::uint32_t> finished_;  // Stops.
  std::vector<Frame> path_;
};

/// A node that sends to the destination in question, and how much of its traffic.
struct Sender {
  NodeId node{};
  double share = 0;
};

void find_senders(NodeId destination, std::size_t nodes, const TrafficShares& shares,
                  std::vector<Sender>& senders) {
  senders.clear();
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const std::optional<double> share = shares(NodeId{n}, destination);
    if (!share) throw UnknownLoads("the traffic does not tell how likely its destinations are");
    if (*share > 0) senders.push_back({NodeId{n}, *share});
  }
}

template <class SomeFlows>
std::vector<double> follow_all(const Topology& topology, const Routing& routing,
                               const TrafficShares& shares, Budget& budget) {
  SomeFlows flows(topology, routing, budget);
  const unsigned tie_choices = 1U << routing.tie_dimensions();
  std::vector<Sender> senders;
  for (std::uint32_t d = 0; d < topology.node_count(); ++d) {
    budget.spend(topology.node_count());
    find_senders(NodeId{d}, topology.node_count(), shares, senders);
    for (unsigned ties = 0; ties < tie_choices; ++ties) {
      flows.start(NodeId{d}, static_cast<std::uint8_t>(ties));
      for (const Sender& sender : senders) flows.add(sender.node, sender.share / tie_choices);
      flows.retire();
    }
    if (d + 1 == kSample) budget.expect(kSample, topology.node_count());
  }
  return flows.loads();
}

}  // namespace

std::vector<double> channel_loads(const Topology& topology, const Routing& routing,
                                  const TrafficShares& shares, std::uint64_t most_steps) {
  if (routing.adaptive()) throw UnknownLoads("routers choose among ways by the load itself");
  Budget budget(most_steps);
  // Every destination asks for the share of every source, if nothing else.
  if (topology.node_count() != 0 && topology.node_count() > most_steps / topology.node_count()) {
    budget.spend(most_steps + 1);
  }
  return MergedFlows::suit(topology, routing)
             ? follow_all<MergedFlows>(topology, routing, shares, budget)
             : follow_all<Flows>(topology, routing, shares, budget);
}

}  // namespace flitcast
