// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/packet.h"
#include "topology/topology.h"

namespace flitcast {

class Inspection;

/// Counters since the start of the run.
struct Totals {
  std::uint64_t packets_created = 0;
  std::uint64_t packets_delivered = 0;  ///< Counted once for each receiver.
  std::uint64_t receivers = 0;          ///< Deliveries required by all packets created.
  std::uint64_t receivers_dropped = 0;  ///< Deliveries given up by the network or by its reset.
  std::uint64_t receivers_combined =
      0;  ///< Deliveries of packets that were combined into another packet.
  std::uint64_t flits_created = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_ejected = 0;
  std::uint64_t router_ticks = 0;  ///< Routers ticked, external ones included, summed over cycles.

  /// The number of deliveries that have taken place or will never take place.
  std::uint64_t receivers_retired() const {
    return packets_delivered + receivers_dropped + receivers_combined;
  }

  Totals& operator+=(const Totals& other);
  Totals operator-(const Totals& earlier) const;
};

/// An input virtual channel whose packet can never move again. In a router that stores whole
/// packets, `packet` is one of the packets in the channel, all of which are blocked.
struct BlockedVc {
  RouterId router{};
  PortId input{};
  VcId vc{};
  PacketId packet{};
  NodeId destination{};
};

/// Returns one line per VC: "router 0 port 1 VC 0: packet 3.17 to node 2, waits for".
std::string to_text(const std::vector<BlockedVc>& cycle);

/// A network, independent of the kind of its routers; experiments run and measure it.
/// Implementation::make builds one. Networks but those of flows are in SystemC time, and SystemC
/// elaborates once per process.
class Network {
 public:
  virtual ~Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// Advances simulated time by `cycles`. Throws InvariantError if the model or the packet source
  /// violates a rule; in lockstep a caller of sc_start gets an sc_report instead.
  virtual void run(std::uint64_t cycles) = 0;
  /// The number of cycles run so far, which is also the next cycle to run.
  virtual Cycle now() const = 0;

  /// The number of cycles from now on in which nothing happens, because no packet is in flight or
  /// due; for these cycles skip() has the effect of run(). kNoLimit if nothing happens any more, 0
  /// if the number is not known.
  virtual std::uint64_t idle_cycles() const { return 0; }
  virtual void skip(std::uint64_t cycles) { run(cycles); }

  // The functions below may be called between two calls of run().

  /// Makes the network call the node's source in `cycle`, which has not passed, or earlier: for a
  /// source that has got a packet from outside of the network.
  virtual void wake(NodeId node, Cycle cycle) = 0;
  virtual Totals totals() const = 0;
  /// Flits that have crossed a router, ejection included. Time: a visit to every port.
  virtual std::uint64_t flit_hops() const = 0;
  /// Flits that have left a router by this output.
  virtual std::uint64_t flits_from(Endpoint output) const = 0;
  /// The first cycle in which the channel behind this output can take another flit; that cycle may
  /// have passed.
  virtual Cycle busy_until(Endpoint output) const = 0;
  virtual std::uint64_t flits_created(NodeId node) const = 0;
  virtual std::uint64_t flits_injected(NodeId node) const = 0;
  /// Flits injected by one port of the node.
  virtual std::uint64_t flits_injected(NodeId node, std::size_t port) const = 0;
  virtual std::uint64_t flits_ejected(NodeId node) const = 0;
  /// Visits, in no particular order, every packet that waits at its source or is in flight until it
  /// has arrived at all its receivers. Time: one visit to each packet.
  virtual void for_each_packet(const std::function<void(const Packet&)>& visit) const = 0;
  /// Adds the figures of the network, including those specific to its kind.
  virtual void write_figures(nlohmann::ordered_json& result) const = 0;

  /// Returns a view of the buffers and ports, which the network must outlive; null for a network
  /// without buffers.
  virtual std::unique_ptr<const Inspection> inspection() const;

  /// Throws InvariantError unless every flit, credit and connection is accounted for. Time: one
  /// visit to every virtual channel.
  virtual void audit() const = 0;
  /// Finds packets that wait for each other in a cycle; empty if there is no deadlock.
  virtual std::vector<BlockedVc> find_deadlock() const = 0;
  /// The number of cycles after which a due packet that has not moved never moves again; kNoLimit
  /// if there is no such bound.
  virtual std::uint64_t longest_standstill() const = 0;
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

 protected:
  Network() = default;
  /// flit_hops() of a network with this topology: the sum of flits_from() over all outputs.
  std::uint64_t sum_of_flits(const Topology& topology) const;
};

}  // namespace flitcast
