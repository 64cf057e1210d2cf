// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/span.h"
#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/channel_numbering.h"
#include "topology/faults.h"
#include "topology/topology.h"

namespace flitcast {

/// The common properties of packets for one destination with the same tie bits.
struct Journey {
  NodeId destination{};
  std::uint8_t ties = 0;
};

/// A packet whose head is in one of the VCs of a channel.
struct PacketState {
  std::uint32_t channel = 0;  ///< A number of ChannelNumbering.
  VcSet vcs = 0;
  std::uint16_t route_field = 0;  ///< Flit::route_field of the head.
  bool waits = true;              ///< The packet may have waited for these VCs: Alternative::waits.
};

using PacketStates = Span<PacketState>;

/// Asks a routing for everything that packets may do: from each state of a packet the states that
/// can follow. The analyses of routings are visitors of these steps.
class RouteEnumerator {
 public:
  /// `topology` and `routing` must outlive the enumerator.
  RouteEnumerator(const Topology& topology, const Routing& routing, std::size_t virtual_channels);

  const Adjacency& adjacency() const { return adjacency_; }
  const ChannelNumbering& channels() const { return channels_; }
  /// True if routes depend only on router, destination and ties, so that all packets of a journey
  /// leave a router alike. Then the routing is asked once per router and journey.
  bool merges() const { return merges_; }
  /// Requests made to the routing so far.
  std::uint64_t questions() const { return questions_; }

  /// Enumerates packets of this journey from now on.
  void start(const Journey& journey);
  /// Calls visit() for every destination and every combination of tie bits, after start().
  template <class Visit>
  void for_each_journey(const Visit& visit) {
    for (const NodeId destination : topology_.nodes()) {
      for (unsigned ties = 0; ties < 1U << routing_.tie_dimensions(); ++ties) {
        start({destination, static_cast<std::uint8_t>(ties)});
        visit();
      }
    }
  }

  /// The states of packets in the injection channel of a source, one for each route field that the
  /// source may draw.
  /// Throws std::logic_error for VCs that do not exist.
  std::vector<PacketState> injected(NodeId source) const;
  /// The states of injected(source) for all sources. Valid until the next call.
  const std::vector<PacketState>& injected();

  /// The next states of a packet in the lowest VC of `state`: in links, or in the ejection channel
  /// of port 0 of a node. Valid until the next call.
  ///
  /// Throws std::logic_error if the routing leads out of an unconnected port or to another node
  /// than the destination (multicasts: to no node), if it offers no VC or one that does not exist,
  /// or if the packet may wait for none of its outputs.
  PacketStates next(const PacketState& state);

  /// Calls visit(from, to) for every step from a link or an injection channel to a link, starting
  /// with packets in the states `starts`; follows a packet beyond `to` only if visit returns true.
  /// Where merges() is false, the states `from` have one VC each. Visits each step once.
  template <class Visit>
  void enumerate(const std::vector<PacketState>& starts, const Visit& visit) {
    if (merges_) return enumerate_routers(starts, visit);
    for (const PacketState& start : starts) reach(start);
    // The queue grows while it is read. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const PacketState from = queue_[at];
      for (const PacketState& to : next(from)) {
        if (to.channel < channels_.links() && visit(from, to)) reach(to);
      }
    }
    for (const PacketState& state : queue_) visited_[state.route_field][state.channel] = 0;
    queue_.clear();
  }

  /// Throws the std::logic_error "the routing sends a packet for node 5 " + where.
  [[noreturn]] void fail(const std::string& where) const;

 private:
  struct Answer {
    std::uint32_t journey = 0;      // The journey to which the answer belongs.
    std::uint32_t enumeration = 0;  // The last enumeration that came to the router.
    PacketState next;
  };

  // Enumerates the steps of packets that leave a router alike: only the first to reach a router is
  // followed beyond it.
  template <class Visit>
  void enumerate_routers(const std::vector<PacketState>& starts, const Visit& visit) {
    ++enumerations_;
    const auto step = [&](const PacketState& from) {
      Answer& answer = answer_at(channels_.end(from.channel).router);
      const bool first = answer.enumeration != enumerations_;
      answer.enumeration = enumerations_;
      const PacketState to = answer.next;
      if (to.channel < channels_.links() && visit(from, to) && first) queue_.push_back(to);
    };
    for (const PacketState& start : starts) step(start);
    // The queue grows while it is read.
    for (std::size_t at = 0; at < queue_.size(); ++at) {  // NOLINT(modernize-loop-convert)
      step(PacketState(queue_[at]));
    }
    queue_.clear();
  }

  Answer& answer_at(RouterId router);
  void ask(Endpoint at, VcId vc, std::uint16_t route_field);
  void add_injected(NodeId source, std::vector<PacketState>& states) const;
  template <class Output>
  void add(RouterId router, const Output& output, bool waits);
  std::uint32_t channel_behind(RouterId router, PortId output) const;
  void require_vcs(VcSet vcs) const {
    if (vcs == 0 || (vcs & ~all_) != 0) fail("to missing virtual channels");
  }
  void reach(const PacketState& state);

  const Topology& topology_;
  const Routing& routing_;
  const VcSet all_;
  const bool adaptive_;
  const std::uint32_t most_choices_;
  const bool merges_;
  const Adjacency adjacency_;
  const ChannelNumbering channels_;
  std::vector<std::vector<NodeId>> nodes_at_;  // Per router, the nodes that receive there.
  Journey journey_;
  std::uint32_t journeys_ = 0;  // The number of journeys started so far.
  std::uint32_t enumerations_ = 0;
  std::uint64_t questions_ = 0;
  std::vector<PacketState> injected_;
  Alternatives alternatives_;
  Branches branches_;
  std::vector<PacketState> next_;
  std::vector<Answer> answers_;  // Per router, if merges_.
  // Per route field and channel, the VCs that the current enumeration has reached.
  std::vector<std::vector<VcSet>> visited_;
  std::vector<PacketState> queue_;  // States in the order in which they were reached.
};

/// The first pairs of nodes, at most kEnoughPairs, between which a routing that ignores faults may
/// use a failed channel. The nodes have their numbers in `topology`.
/// @param routing Made for topology.whole() and `virtual_channels`.
std::vector<std::pair<NodeId, NodeId>> pairs_over_faults(const Faulty& topology,
                                                         const Routing& routing,
                                                         std::size_t virtual_channels);

}  // namespace flitcast
