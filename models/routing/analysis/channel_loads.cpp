// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/channel_loads.h"

#include <algorithm>

#include "routing/analysis/route_enumerator.h"

namespace flitcast {
namespace {

constexpr std::uint32_t kNoStop = ~std::uint32_t{0};

/// After this many destinations the number of steps is extrapolated to all of them.
constexpr std::uint32_t kSample = 16;

/// The steps that the analysis may still take.
class Budget {
 public:
  explicit Budget(std::uint64_t most_steps) : most_steps_(most_steps), steps_left_(most_steps) {}

  void spend(std::uint64_t steps) {
    if (steps > steps_left_) refuse();
    steps_left_ -= steps;
  }
  /// Refuses early if `all` destinations will take too many steps, `done` of them taken as typical.
  void expect(std::size_t done, std::size_t all) const {
    if ((most_steps_ - steps_left_) / done * all > most_steps_) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw UnknownLoads("the network is too large for the analysis");
  }

  const std::uint64_t most_steps_;
  std::uint64_t steps_left_;
};

/// A state of packets for one destination, and the flow through it. A packet gets one VC of the
/// state.
struct Stop {
  PacketState state;
  std::uint32_t place = 0;             ///< The channel, or the router behind it; see Flows.
  std::uint32_t channel = 0;           ///< The channel whose load the flow adds to.
  std::uint32_t other = kNoStop;       ///< The next stop in the list of those of this place.
  std::uint32_t first_next = kNoStop;  ///< The first successor; kNoStop until it is known.
  std::uint32_t next_count = 0;
  bool finished = false;
  double flow = 0;
};

/// The traffic of a source that enters at a stop.
struct Entry {
  std::uint32_t stop = 0;
  double flow = 0;
  std::size_t finished = 0;  ///< The number of stops finished before the traffic entered.
};

/// A node that sends to a destination, and the share of its traffic that it sends there.
struct Sender {
  NodeId node{};
  double share = 0;
};

/// Follows all packets for one destination with the same ties; packets in the same state go on as
/// one flow. The place of a stop is its channel or, if all packets leave a router alike, the router
/// behind the channel.
class Flows {
 public:
  Flows(const Topology& topology, const Routing& routing, Budget& budget)
      : topology_(topology),
        routing_(routing),
        budget_(budget),
        packets_(topology, routing, kMaxVirtualChannels),
        channels_(packets_.channels()),
        by_router_(packets_.merges() && topology.node_ports() == 1),
        stop_at_(by_router_ ? topology.router_count() : channels_.count(), kNoStop),
        loads_(channels_.count(), 0) {}

  const std::vector<double>& loads() const { return loads_; }
  void clear_loads() { std::fill(loads_.begin(), loads_.end(), 0); }

  /// Adds the loads of the packets of these senders, for every combination of tie bits.
  void follow(NodeId destination, const std::vector<Sender>& senders) {
    destination_ = destination;
    const unsigned tie_choices = 1U << routing_.tie_dimensions();
    for (unsigned ties = 0; ties < tie_choices; ++ties) {
      packets_.start({destination, static_cast<std::uint8_t>(ties)});
      for (const Sender& sender : senders) add(sender.node, sender.share / tie_choices);
      retire();
    }
  }

 private:
  struct Frame {
    std::uint32_t stop = 0;
    std::uint32_t next = 0;  // Successors visited.
  };

  void add(NodeId source, double flow) {
    if (routing_.most_choices() == 1) return add(source, flow, 0);
    const std::uint32_t choices = routing_.choices(source, destination_);
    budget_.spend(choices);
    for (std::uint32_t c = 0; c < choices; ++c) {
      add(source, flow / choices, routing_.choice(source, destination_, c));
    }
  }

  // Adds the flows to the loads. A stop is finished after its successors, so the reverse order
  // leads downstream.
  void retire() {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      stops_[entry->stop].flow += entry->flow;
      for (; finished_.size() > entry->finished; finished_.pop_back()) {
        const Stop& from = stops_[finished_.back()];
        loads_[from.channel] += from.flow;
        for (std::uint32_t n = 0; n < from.next_count; ++n) {
          stops_[next_[from.first_next + n]].flow += from.flow;
        }
      }
    }
    for (const Stop& stop : stops_) stop_at_[stop.place] = kNoStop;
    entries_.clear();
    stops_.clear();
    next_.clear();
  }

  void add(NodeId source, double flow, std::uint16_t route_field) {
    const std::size_t ports = topology_.node_ports();
    const VcSet vcs = routing_.injection_vcs(source, destination_);
    for (std::size_t port = 0; port < ports; ++port) {
      const auto channel = static_cast<std::uint32_t>(channels_.injection(source, port));
      const std::uint32_t stop = find_or_add({channel, vcs, route_field});
      entries_.push_back({stop, flow / static_cast<double>(ports), finished_.size()});
      if (by_router_) loads_[channel] += flow;
      if (!stops_[stop].finished) explore(stop);
    }
  }

  std::uint32_t find_or_add(const PacketState& state) {
    const std::uint32_t place =
        by_router_ ? index(channels_.end(state.channel).router) : state.channel;
    for (std::uint32_t s = stop_at_[place]; s != kNoStop; s = stops_[s].other) {
      const PacketState& known = stops_[s].state;
      if (by_router_ || (known.vcs == state.vcs && known.route_field == state.route_field))
        return s;
    }
    stops_.push_back({state, place, state.channel, stop_at_[place]});
    return stop_at_[place] = static_cast<std::uint32_t>(stops_.size() - 1);
  }

  // Depth first: a stop is finished after all of its successors.
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
      if (stops_[next].first_next != kNoStop) packets_.fail("round in a cycle");
      expand(next);
      path_.push_back({next});
    }
  }

  void expand(std::uint32_t stop) {
    const PacketState at = stops_[stop].state;
    stops_[stop].first_next = static_cast<std::uint32_t>(next_.size());
    if (by_router_) return expand_router(stop);
    if (channels_.is_ejection(at.channel)) return;
    for (const PacketState& next : ask(at)) {
      next_.push_back(find_or_add(channels_.is_ejection(next.channel) ? by_port(next, at) : next));
    }
    stops_[stop].next_count = static_cast<std::uint32_t>(next_.size()) - stops_[stop].first_next;
  }

  void expand_router(std::uint32_t stop) {
    const PacketState next = *ask(stops_[stop].state).begin();
    stops_[stop].channel = next.channel;
    if (channels_.is_ejection(next.channel)) return;
    next_.push_back(find_or_add(next));
    stops_[stop].next_count = 1;
  }

  // Packets that enter a router by different inputs leave it to different ports of a node, modulo
  // the number of its ports.
  PacketState by_port(const PacketState& ejected, const PacketState& from) const {
    const std::size_t port = index(channels_.end(from.channel).port) % topology_.node_ports();
    return {ejected.channel + static_cast<std::uint32_t>(port), 0, ejected.route_field};
  }

  // The VCs of the next states may depend on the VC that a packet is in, the channels may not.
  PacketStates ask(const PacketState& at) {
    const std::uint64_t asked = packets_.questions();
    const PacketStates first = packets_.next(at);
    budget_.spend(packets_.questions() - asked);
    const VcSet others = at.vcs & (at.vcs - 1);
    if (others == 0 || packets_.merges()) return first;
    answer_.assign(first.begin(), first.end());
    for (const VcId vc : EachVc(others)) {
      budget_.spend(1);
      unite(packets_.next({at.channel, VcSet{1} << index(vc), at.route_field}));
    }
    return {answer_.data(), answer_.data() + answer_.size()};
  }

  void unite(const PacketStates& answer) {
    const auto same_channel = [](const PacketState& a, const PacketState& b) {
      return a.channel == b.channel && a.route_field == b.route_field;
    };
    if (!std::equal(answer_.begin(), answer_.end(), answer.begin(), answer.end(), same_channel)) {
      throw UnknownLoads("the paths depend on the virtual channels that packets get");
    }
    for (std::size_t n = 0; n < answer.size(); ++n) answer_[n].vcs |= answer[n].vcs;
  }

  const Topology& topology_;
  const Routing& routing_;
  Budget& budget_;
  RouteEnumerator packets_;
  const ChannelNumbering& channels_;
  const bool by_router_;
  std::vector<std::uint32_t> stop_at_;  // Per place.
  std::vector<double> loads_;
  NodeId destination_{};
  std::vector<PacketState> answer_;  // The routing's answer for the packets of a stop.
  std::vector<Stop> stops_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> next_;      // The successors of all stops, contiguous for each stop.
  std::vector<std::uint32_t> finished_;  // Stops in the order in which they were finished.
  std::vector<Frame> path_;
};

/// Refuses adaptive routings and the largest networks at once.
void check_size(const Topology& topology, const Routing& routing, std::uint64_t most_steps) {
  if (routing.adaptive()) throw UnknownLoads("routers choose outputs by the load itself");
  // Each destination asks for the share of every source, at least.
  const std::size_t nodes = topology.node_count();
  if (nodes != 0 && nodes > most_steps / nodes) Budget(0).spend(1);
}

std::vector<Sender> senders_to(NodeId destination, const Topology& topology,
                               const TrafficShares& shares) {
  std::vector<Sender> senders;
  for (const NodeId node : topology.nodes()) {
    const std::optional<double> share = shares(node, destination);
    if (!share)
      throw UnknownLoads("the traffic does not define the probabilities of its destinations");
    if (*share > 0) senders.push_back({node, *share});
  }
  return senders;
}

}  // namespace

std::vector<double> channel_loads(const Topology& topology, const Routing& routing,
                                  const TrafficShares& shares, std::uint64_t most_steps) {
  check_size(topology, routing, most_steps);
  Budget budget(most_steps);
  const std::size_t nodes = topology.node_count();
  Flows flows(topology, routing, budget);
  for (const NodeId destination : topology.nodes()) {
    budget.spend(nodes);
    flows.follow(destination, senders_to(destination, topology, shares));
    if (index(destination) + 1 == kSample) budget.expect(kSample, nodes);
  }
  return flows.loads();
}

void for_each_pair(const Topology& topology, const Routing& routing, const PairVisitor& visit,
                   std::uint64_t most_steps) {
  check_size(topology, routing, most_steps);
  Budget budget(most_steps);
  Flows flows(topology, routing, budget);
  for (const NodeId destination : topology.nodes()) {
    for (const NodeId source : topology.nodes()) {
      budget.spend(flows.loads().size() / 16);  // Clearing takes less time than asking.
      flows.follow(destination, {{source, 1}});
      visit(source, destination, flows.loads());
      flows.clear_loads();
    }
  }
}

}  // namespace flitcast
