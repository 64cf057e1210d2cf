// SPDX-License-Identifier: Apache-2.0
// What routers that combine packets send, one channel a round.
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/forwarding/reduction.h"
#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

/// Asks the routing only what it tells a router, so that verify() checks the routers, not the tree
/// from which they were made.
class Steps {
 public:
  Steps(const Topology& topology, const Routing& routing, const Demand& demand,
        const Placement& placement)
      : routing_(routing),
        demand_(demand),
        placement_(placement),
        channels_(topology),
        waiting_(channels_.count(), 0) {
    for (std::size_t c = 0; c < channels_.count(); ++c) {
      if (!channels_.is_ejection(c)) arriving_[key(channels_.end(c))] = c;
      if (!channels_.is_injection(c)) leaving_[key(channels_.begin(c))] = c;
    }
  }

  Schedule run(const std::vector<RouterForwarding::Injection>& injections) {
    std::vector<Packet> packets;
    for (const RouterForwarding::Injection& one : injections) {
      if (one.route_field == 0) packets.push_back({channels_.injection(one.node, one.port), 1});
    }
    all_ = packets.size();
    schedule_.begin_phase("reduction");
    for (bool complete = false; !packets.empty();) {
      if (!complete && packets.front().contributions == all_) schedule_.begin_phase("result");
      complete = packets.front().contributions == all_;
      schedule_.begin_round();
      for (const Packet& packet : packets) send(packet);
      packets =
          concatenated(packets, [this](const Packet& packet) { return combined(packet.channel); });
    }
    return std::move(schedule_);
  }

 private:
  using Key = std::pair<RouterId, PortId>;
  /// A packet on a channel.
  struct Packet {
    std::size_t channel;
    std::size_t contributions;
  };

  static Key key(Endpoint end) { return {end.router, end.port}; }
  NodeId rank_at(std::size_t channel) const { return placement_.rank(channels_.node(channel)); }
  NodeId sender(RouterId router) const { return to_id<NodeId>(demand_.nodes + index(router)); }

  void send(const Packet& packet) {
    const std::size_t c = packet.channel;
    const ChunkId sum = packet.contributions == all_ ? kResult : kPartialSum;
    const ChunkId item = demand_.adds_up() ? sum : ChunkId{0};
    const bool up = channels_.is_injection(c);
    const NodeId from = up ? rank_at(c) : sender(channels_.begin(c).router);
    const NodeId to = channels_.is_ejection(c) ? rank_at(c) : sender(channels_.end(c).router);
    schedule_.add(from, to, item, up ? PortId{0} : channels_.begin(c).port);
    waiting_[c] = packet.contributions;
  }

  /// The packets of the router at the end of a channel, if all parts have arrived.
  std::vector<Packet> combined(std::size_t channel) {
    if (channels_.is_ejection(channel)) return {};
    const auto [router, port] = channels_.end(channel);
    Combination what;
    routing_.combination({router, port}, what);
    std::size_t contributions = 0;
    for (const PortId input : what.inputs) {
      const std::size_t part = waiting_[arriving_.at({router, input})];
      if (part == 0) return {};
      contributions += part;
    }
    for (const PortId input : what.inputs) waiting_[arriving_.at({router, input})] = 0;
    return mapped(what.branches, [&, at = router](const Branch& branch) -> Packet {
      return {leaving_.at({at, branch.output}), contributions};
    });
  }

  const Routing& routing_;
  const Demand& demand_;
  const Placement& placement_;
  const ChannelNumbering channels_;
  std::map<Key, std::size_t> arriving_;  // By input: its channel.
  std::map<Key, std::size_t> leaving_;   // By output: its channel.
  std::vector<std::size_t> waiting_;     // By channel: the contributions in the packet at its end.
  std::size_t all_ = 0;                  // The number of contributions.
  Schedule schedule_;
};

}  // namespace

Schedule steps_of(const Topology& topology, const Routing& routing,
                  const std::vector<RouterForwarding::Injection>& injections, const Demand& demand,
                  const Placement& placement) {
  return Steps(topology, routing, demand, placement).run(injections);
}

}  // namespace flitcast
