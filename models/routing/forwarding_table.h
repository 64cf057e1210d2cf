// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Broadcast by routers alone: where a packet goes on depends on nothing but the input port that it
/// came in by, and on Flit::route_field, the number of nodes that it has yet to serve in its
/// direction. No destination, no source, no time: a few words of hardware for each input port.
///
///   ring of 5, from node 2:     0 <--1-- 1 <--2-- 2 --2--> 3 --1--> 4        reach on each channel
///
/// At an input port with the entry {ways, to_node}, a packet that comes in with reach r
///  - leaves to the router's node if to_node is set, whatever r is, with reach 0;
///  - leaves by each way with first_reach > 0, whatever r is, with reach first_reach: a new
///    direction, whose first node is the next one;
///  - leaves by each way with first_reach == 0 if r > 1, with reach r - 1: the same direction goes
///    on, and this router counts as served even where to_node is not set.
/// A packet that its node injects uses the entry of the node's input port, with the reach that the
/// node gave it (0 unless it says otherwise). All VCs are allowed everywhere.
///
/// The table's author sees to it that every packet ends: a packet for which no way is left and
/// to_node is not set has no branch, which the router core takes for a fault (InvariantError); ways
/// with first_reach > 0 that lead round in a cycle copy for ever. Whether packets can wait for
/// each other in a cycle is a question of its own too.
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 1: a node
/// "knows once and for all, that packets coming from direction x_i have to be forwarded in
/// direction x_j", which "might even be built into the hardware". The reach, which ends a direction
/// after so many nodes, is our reading of their counts of steps.
class ForwardingTable : public Routing {
 public:
  struct Hop {
    PortId output{};
    std::uint16_t first_reach = 0;  ///< 0: the direction goes on.
  };
  struct Entry {
    std::vector<Hop> hops;
    bool to_node = false;
  };
  using Rule = std::function<Entry(RouterId, PortId)>;

  /// Asks `rule` once for every input port of every router, unconnected ones included.
  ///
  /// Throws std::invalid_argument if a way's output leads to no other router or occurs twice in an
  /// entry, and if to_node is set where the router has no node or more than one, or for a VC number
  /// out of range. `topology` need not outlive the table.
  ForwardingTable(const Topology& topology, const Rule& rule, std::size_t virtual_channels);

  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override;

  /// Throws std::logic_error: the answer is a set.
  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return all_; }

 private:
  static constexpr std::uint16_t kNoNode = 0xffff;

  struct Row {
    std::uint32_t first_hop = 0;
    std::uint16_t hops = 0;
    std::uint16_t node = kNoNode;  // Output port to the node if it is served.
  };

  void add_row(const Entry& entry, std::uint16_t node);

  std::vector<std::uint32_t> first_row_;  // Per router: the row of its input 0.
  std::vector<Row> rows_;                 // Per router and input.
  std::vector<Hop> hops_;                 // Those of a row lie together.
  VcSet all_;
};

}  // namespace flitcast
