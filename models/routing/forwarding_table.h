// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// Broadcast by tables in the routers. The outputs of a packet depend only on the input port by
/// which it enters, and on Flit::route_field, the number of nodes that it has yet to serve in its
/// direction (its reach). Destination, source and time do not matter, so hardware needs a few words
/// per input port.
///
///   ring of 5, from node 2:     0 <--1-- 1 <--2-- 2 --2--> 3 --1--> 4        reach on each channel
///
/// At an input port with the entry {hops, to_node}, a packet that enters with reach r
///  - leaves to the router's node with reach 0 if to_node is set, whatever r is;
///  - leaves by each hop with first_reach > 0, whatever r is, with reach first_reach: this starts a
///    new direction, whose first node is the next one;
///  - leaves by each hop with first_reach == 0 if r > 1, with reach r - 1: this continues the
///    direction, and this router counts as served even where to_node is not set.
/// An injected packet uses the entry of the node's input port, with the reach that the node gave it
/// (default 0). All VCs are allowed everywhere.
///
/// The author of a table must ensure that every packet ends. A packet without a next hop at an
/// entry without to_node has no branch, which the router core reports as an InvariantError; hops
/// with first_reach > 0 that form a cycle copy packets for ever. The table does not check for
/// cyclic channel dependencies.
/// Source: Meyer and Sibeyn, "Gossiping Large Packets on Full-Port Tori" (1998), section 1: a node
/// "knows once and for all, that packets coming from direction x_i have to be forwarded in
/// direction x_j", which "might even be built into the hardware". The reach is our reading of their
/// counts of steps.
class ForwardingTable : public OnAllVcs<Routing> {
 public:
  struct Hop {
    PortId output{};
    std::uint16_t first_reach = 0;  ///< 0: continues the packet's direction.
  };
  struct Entry {
    std::vector<Hop> hops;
    bool to_node = false;
  };
  using Rule = std::function<Entry(RouterId, PortId)>;

  /// Asks `rule` once for every input port of every router, unconnected ones included.
  ///
  /// Throws std::invalid_argument if the output of a hop leads to no other router or occurs twice
  /// in an entry, if to_node is set where the router has no node or more than one, or if the number
  /// of VCs is out of range. `topology` need not outlive the table.
  ForwardingTable(const Topology& topology, const Rule& rule, std::size_t virtual_channels);

  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override;

 private:
  static constexpr std::uint16_t kNoNode = 0xffff;

  struct Row {
    std::uint32_t first_hop = 0;
    std::uint16_t hops = 0;
    std::uint16_t node = kNoNode;  // The output port to the node, or kNoNode.
  };

  std::vector<std::uint32_t> first_row_;  // Per router, the row of its input 0.
  std::vector<Row> rows_;                 // Per router and input.
  std::vector<Hop> hops_;                 // The hops of a row are adjacent.
};

}  // namespace flitcast
