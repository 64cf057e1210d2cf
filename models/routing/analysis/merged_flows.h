// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "routing/analysis/channel_loads.h"
#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/channel_numbering.h"
#include "topology/topology.h"

namespace flitcast {

/// Questions that the analysis of channel loads may still ask.
class Budget {
 public:
  explicit Budget(std::uint64_t most_steps) : most_steps_(most_steps), steps_left_(most_steps) {}

  void spend(std::uint64_t steps) {
    if (steps > steps_left_) throw UnknownLoads("the network is too large for the analysis");
    steps_left_ -= steps;
  }

  // So that what is too much is known before most of it is done.
  void expect(std::size_t done, std::size_t all) const {
    const std::uint64_t spent = most_steps_ - steps_left_;
    if (spent / done * all > most_steps_)
      throw UnknownLoads("the network is too large for the analysis");
  }

 private:
  const std::uint64_t most_steps_;
  std::uint64_t steps_left_;
};

/// The channels behind the outputs that a routing names.
class Exits {
 public:
  Exits(const Topology& topology, const Routing& routing)
      : topology_(topology),
        multicast_(routing.multicast()),
        adjacency_(topology),
        channels_(topology),
        nodes_at_(topology.router_count()) {
    for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
      nodes_at_[index(topology.attachment(NodeId{n}).ejection.router)].push_back(NodeId{n});
    }
  }

  const ChannelNumbering& channels() const { return channels_; }

  // What comes in by different inputs leaves to a node by different ports, as long as they last.
  std::size_t leaving(Endpoint input, PortId output, NodeId destination) const {
    if (index(output) >= topology_.output_count(input.router)) {
      fail(destination, "to a missing output");
    }
    const std::uint32_t link = adjacency_.leaving(input.router, output);
    if (link != Adjacency::kNone) return link;
    for (const NodeId node : nodes_at_[index(input.router)]) {
      if (topology_.attachment(node).ejection.port != output) continue;
      if (node != destination && !multicast_) break;
      return channels_.ejection(node, index(input.port) % topology_.node_ports());
    }
    fail(destination, "to an output that does not lead there");
  }

  [[noreturn]] static void fail(NodeId destination, const std::string& where) {
    throw std::logic_error("the routing sends a packet for node " +
                           std::to_string(index(destination)) + " " + where);
  }

 private:
  const Topology& topology_;
  const bool multicast_;
  const Adjacency adjacency_;
  const ChannelNumbering channels_;
  std::vector<std::vector<NodeId>> nodes_at_;  // Per router, those that receive there.
};

/// Follows all packets for one destination with the same ties, where those that meet in a router go
/// on together whatever way they came: asks once for each router. Adds in the order of Flows, so
/// that both find the same numbers to the last bit.
class MergedFlows {
 public:
  MergedFlows(const Topology& topology, const Routing& routing, Budget& budget)
      : topology_(topology),
        routing_(routing),
        budget_(budget),
        exits_(topology, routing),
        loads_(exits_.channels().count(), 0),
        routers_(topology.router_count()) {}

  static bool suit(const Topology& topology, const Routing& routing) {
    return !routing.reads_arrival() && !routing.multicast() && routing.most_choices() == 1 &&
           topology.node_ports() == 1;
  }

  const std::vector<double>& loads() const { return loads_; }

  void start(NodeId destination, std::uint8_t ties) {
    destination_ = destination;
    ties_ = ties;
  }

  void add(NodeId source, double flow) {
    walk(topology_.attachment(source).injection.router);
    finished_.push_back(static_cast<std::uint32_t>(routers_.size() + senders_.size()));
    senders_.push_back({source, flow});
  }

  // Those that were met last lie upstream of all others.
  void retire() {
    for (auto at = finished_.rbegin(); at != finished_.rend(); ++at) {
      if (*at < routers_.size()) {
        pass_on(routers_[*at]);
      } else {
        inject(senders_[*at - routers_.size()]);
      }
    }
    for (const std::uint32_t at : finished_) {
      if (at < routers_.size()) routers_[at] = {};
    }
    finished_.clear();
    senders_.clear();
  }

 private:
  enum class Mark : std::uint8_t { kNew, kOnPath, kFinished };
  struct Router {
    double flow = 0;
    std::uint32_t channel = 0;  // By which all leave.
    Mark mark = Mark::kNew;
  };
  struct Sender {
    NodeId node{};
    double flow = 0;
  };

  // From a router to where the way is known already, which is noted backwards.
  void walk(RouterId router) {
    path_.clear();
    for (std::uint32_t at = index(router); routers_[at].mark != Mark::kFinished;) {
      if (routers_[at].mark == Mark::kOnPath) Exits::fail(destination_, "round in a cycle");
      path_.push_back(at);
      routers_[at].mark = Mark::kOnPath;
      routers_[at].channel = way_out(RouterId{at});
      if (leaves(routers_[at])) break;
      at = index(next(routers_[at]));
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      routers_[*at].mark = Mark::kFinished;
      finished_.push_back(*at);
    }
  }

  std::uint32_t way_out(RouterId router) {
    budget_.spend(1);
    const Endpoint input{router, PortId{0}};
    const Route route = routing_.route({router, PortId{0}, VcId{0}, destination_, ties_, 0});
    return static_cast<std::uint32_t>(exits_.leaving(input, route.output, destination_));
  }
  bool leaves(const Router& router) const { return router.channel >= exits_.channels().links(); }
  RouterId next(const Router& router) const {
    return topology_.channels()[router.channel].to.router;
  }

  void inject(const Sender& sender) {
    loads_[exits_.channels().injection(sender.node)] += sender.flow;
    routers_[index(topology_.attachment(sender.node).injection.router)].flow += sender.flow;
  }
  void pass_on(const Router& router) {
    loads_[router.channel] += router.flow;
    if (!leaves(router)) routers_[index(next(router))].flow += router.flow;
  }

  const Topology& topology_;
  const Routing& routing_;
  Budget& budget_;
  const Exits exits_;
  std::vector<double> loads_;
  NodeId destination_{};
  std::uint8_t ties_ = 0;
  std::vector<Router> routers_;
  std::vector<Sender> senders_;
  std::vector<std::uint32_t> finished_;  // Routers, and behind them in number senders.
  std::vector<std::uint32_t> path_;
};

}  // namespace flitcast
