// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/packet_source.h"
#include "base/probe.h"
#include "network/fabric/deliveries.h"
#include "network/fabric/packet_maker.h"
#include "network/fabric/packet_store.h"
#include "network/network.h"
#include "network/router_entry.h"
#include "topology/channel_numbering.h"

namespace flitcast {

/// A network in which a packet is not flits but a flow: it takes a share of every channel of its
/// path at once. A node sends the packets of a port and a message class one after another. Flows
/// get max-min fair shares: all rates rise together until a channel is full, its flows stay at
/// their rate, and the others rise on. A channel carries one flit in cycles_per_flit cycles; behind
/// a channel whose buffers do not cover the credit round trip a flow gets the share that its packet
/// takes alone in a virtual channel of that depth. A flow has a virtual channel of every channel of
/// its path until its last flit leaves the source. Where it finds none it waits in the order of
/// arrival, and holds those that it has reached.
///
/// A packet of L flits that is sent at a rate of r flits per cycle takes L / r cycles, and its tail
/// arrives interface_cycles() - 1 + hops * hop_cycles() later, less the cycles by which flits catch
/// up with their head behind a slow channel, and never before the source has sent it. Alone in a
/// network it takes the time that it takes in a Fabric of wormhole or virtual cut-through routers,
/// but for two cases: it is late by less than cycles_per_flit of a channel that takes longer for a
/// flit than the path for a head, and some percent off where shallow buffers and channels of
/// several widths meet. Where packets share channels the time is an estimate: the allocators of
/// routers, the flits in buffers and the progress of a head through the network are not modelled.
/// Only the cycles in which a packet begins or ends cost time, not the flits.
///
/// Shares are integers in units of 2^-32 flits per cycle, so that results are the same on every
/// machine.
/// Source of max-min shares: D. Bertsekas and R. Gallager, Data Networks, section 6.5.2.
class FlowNetwork : public Network {
 public:
  /// All parts must outlive the network; problem_of_flows() must be empty.
  explicit FlowNetwork(const NetworkParts& parts);

  void run(std::uint64_t cycles) override;
  Cycle now() const override { return now_; }
  std::uint64_t idle_cycles() const override {
    return events_.empty() ? kNoLimit : std::get<Cycle>(events_.top()) - now_;
  }
  void wake(NodeId node, Cycle cycle) override;
  Totals totals() const override { return totals_; }
  std::uint64_t flit_hops() const override { return sum_of_flits(topology_); }
  /// Counts the flits of a packet when the last of them has left its source.
  std::uint64_t flits_from(Endpoint output) const override;
  /// Always a cycle that has passed: another flow may take a share at any time.
  Cycle busy_until(Endpoint) const override { return {}; }
  std::uint64_t flits_created(NodeId node) const override { return nodes_[index(node)].created; }
  std::uint64_t flits_injected(NodeId node) const override;
  std::uint64_t flits_injected(NodeId node, std::size_t port) const override {
    return channels_[numbering_.injection(node, port)].flits;
  }
  std::uint64_t flits_ejected(NodeId node) const override { return nodes_[index(node)].ejected; }
  void for_each_packet(const std::function<void(const Packet&)>& visit) const override {
    packets_.for_each([&](PacketSlot, const Packet& packet, std::size_t) { visit(packet); });
  }
  void write_figures(nlohmann::ordered_json& result) const override;
  /// Throws InvariantError unless every packet is accounted for and no channel is overloaded.
  void audit() const override;
  /// Finds flows that wait for virtual channels of each other, when nothing else is to come. Flits
  /// may wait for each other where flows do not.
  std::vector<BlockedVc> find_deadlock() const override;
  std::uint64_t longest_standstill() const override { return kNoLimit; }

 private:
  struct Hop {
    std::uint32_t channel = 0;  // A number in channels_.
    VcSet vcs = 0;              // All of which the flow may take one; or the one taken.
  };
  /// A packet that its source sends, or wants to.
  struct Flow {
    std::vector<Hop> path{};  // Begins with the channel of its queue.
    std::size_t reached = 0;  // Channels of the path of which it has a virtual channel.
    std::uint64_t tail = 0;   // Cycles from the end at the source to the arrival.
    std::uint64_t left = 0;   // 2^-32 flits that had not been sent in cycle `since`.
    std::uint64_t rate = 0;   // 2^-32 flits per cycle; 0: share() has not found it yet.
    Cycle since{};
    Cycle end = kNever;    // The cycle in which nothing is left; kNever: no packet.
    Cycle ended = kNever;  // The end of the packet before it.
    std::uint32_t seen = 0;
  };
  /// A channel of the network, or one that limits a single flow to what buffers allow.
  struct SharedChannel {
    std::uint64_t capacity = 0;  // 2^-32 flits per cycle.
    std::uint64_t flits = 0;
    std::vector<std::uint32_t> flows{};
    VcSet taken = 0;                       // The virtual channels of these flows.
    std::vector<std::uint32_t> waiting{};  // Flows that found none, in the order of their trials.
    std::uint64_t left = 0;                // The capacity that share() has not given away yet,
    std::uint64_t open = 0;                // and the flows that wait for a part of it.
    std::uint32_t seen = 0;
  };
  /// The packets of a message class at a port of a node. Its flow has the same number.
  struct Queue {
    PacketSlot front = PacketStore::kNone;
    PacketSlot back = PacketStore::kNone;
  };
  struct Node {
    Cycle due = kNever;  // The cycle of the next call of the source.
    std::uint32_t serial = 0;
    std::uint64_t created = 0;
    std::uint64_t ejected = 0;
  };
  /// Where a packet ends, by the slot of the packet.
  struct Ending {
    std::uint16_t port = 0;
    std::uint32_t hops = 0;
  };
  /// In the order in which the events of a cycle are handled.
  enum class Kind : std::uint8_t { kEnd, kPoll, kBegin, kArrival };
  /// The last part is the number of a queue, a node or a packet's slot.
  using Event = std::tuple<Cycle, Kind, std::uint32_t>;
  /// A share of a channel that its flows can get at least, and the channel.
  using Offer = std::pair<std::uint64_t, std::uint32_t>;
  template <class Item>
  using LeastFirst = std::priority_queue<Item, std::vector<Item>, std::greater<>>;

  // The events.
  void handle(const Event& event);
  void poll(std::uint32_t node);
  void begin(std::uint32_t queue);
  void end(std::uint32_t queue);
  void arrive(PacketSlot slot);

  void submit(std::uint32_t node, const PacketRequest& request);
  void bring_to_front(std::uint32_t queue);
  /// Sets the path of the packet at the front of the queue, and the capacity of the queue's own
  /// channel.
  void find_path(std::uint32_t queue);
  /// The number of a waiting flow that has a virtual channel for which `waiting` waits.
  std::uint32_t holder_before(const Flow& waiting) const;
  /// Takes virtual channels along the path and begins the flow, or waits where there is none.
  void enter(std::uint32_t queue);
  /// Lets flows enter that have waited for the channels that others have left, then those that
  /// begin in this cycle.
  void admit();
  /// The times of a packet that is alone in the network, so far on its path.
  struct Progress {
    std::uint64_t last = 0;     // Cycles by which the last flit leaves a router after the head.
    std::uint64_t sending = 0;  // Cycles that the source needs.
    bool follows = false;       // It begins as the packet before it ends, whose credits are out.
  };
  /// Adds the channel behind a router. A flit needs the credit of the one that is as many before it
  /// as the channel's buffer has slots; that of the head comes later by the time for which it waits
  /// in the next router, where the flits behind it catch up. A packet that follows another one has
  /// the credits of all virtual channels that it may take, as they return.
  void cross(const OutputChannel& channel, VcSet vcs, std::uint64_t flits, Progress& alone) const;

  /// Gives all flows that depend on the changed channels their max-min shares.
  void share();
  void gather();
  void give(std::uint32_t flow, std::uint64_t rate);

  const Topology& topology_;
  const NetworkParams& params_;
  const Routing& routing_;
  PacketSource& source_;
  Probe* const probe_;
  const ChannelNumbering numbering_;
  const PacketMaker maker_;
  Deliveries deliveries_;
  std::vector<std::vector<std::uint32_t>> behind_;  // By router and output: a number in channels_.
  std::vector<SharedChannel> channels_;             // As in numbering_, then one for each queue.
  std::vector<Node> nodes_;
  std::vector<Queue> queues_;  // By node, port and message class.
  std::vector<Flow> flows_;
  PacketStore packets_{0};
  std::vector<Ending> endings_;
  LeastFirst<Event> events_;
  Cycle now_{};
  Totals totals_;
  std::vector<PacketRequest> requests_;
  std::vector<std::uint32_t> beginning_;  // Flows that want to enter in this cycle.

  std::vector<std::uint32_t> changed_;  // Channels whose shares share() finds, with all that depend
  std::vector<std::uint32_t> sharing_;  // on them, and their flows.
  LeastFirst<Offer> offers_;
  std::uint32_t round_ = 0;  // The number of the call of share(), for `seen`.
};

/// Tells why a network cannot be run as flows, as "routers that ..."; empty if it can.
/// @param routing  Null for circuits, or if its configuration has a problem.
std::string problem_of_flows(const RouterEntry& router, const NetworkParams& params,
                             const Routing* routing);

}  // namespace flitcast
