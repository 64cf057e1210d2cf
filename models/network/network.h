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

/// Counted since the start of the run.
struct Totals {
  std::uint64_t packets_created = 0;
  std::uint64_t packets_delivered = 0;   ///< Once for each receiver.
  std::uint64_t receivers = 0;           ///< Deliveries that the packets created ask for.
  std::uint64_t receivers_dropped = 0;   ///< Deliveries that the network, or its reset, gave up.
  std::uint64_t receivers_combined = 0;  ///< Deliveries of packets that became part of another.
  std::uint64_t flits_created = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_ejected = 0;
  std::uint64_t router_ticks = 0;  ///< Native and external routers awake, summed over cycles.

  /// Deliveries that have taken place or never will.
  std::uint64_t receivers_retired() const {
    return packets_delivered + receivers_dropped + receivers_combined;
  }

  Totals& operator+=(const Totals& other);
  Totals operator-(const Totals& earlier) const;
};

/// An input virtual channel whose packet can never move again. Where packets are kept whole, it
/// names one of the packets there, all of which are blocked.
struct BlockedVc {
  RouterId router{};
  PortId input{};
  VcId vc{};
  PacketId packet{};
  NodeId destination{};
};

/// One line per VC: "router 0 port 1 VC 0: packet 3.17 to node 2, waits for".
std::string to_text(const std::vector<BlockedVc>& cycle);

/// A network in SystemC time, whatever its routers are, as experiments run and measure it.
/// RouterEntry::make builds one; SystemC elaborates once in a process.
class Network {
 public:
  virtual ~Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// Advances simulated time by `cycles`. Throws InvariantError if the model or the source of the
  /// packets breaks a rule; in lockstep, a caller of sc_start sees an sc_report instead.
  virtual void run(std::uint64_t cycles) = 0;
  /// Cycles run so far; the next one to run.
  virtual Cycle now() const = 0;

  /// Cycles from now on in which nothing will happen, because no packet is in flight or due: skip()
  /// has the effect of run() for as many. kNoLimit: nothing will happen any more. 0 if a network
  /// does not know.
  virtual std::uint64_t idle_cycles() const { return 0; }
  virtual void skip(std::uint64_t cycles) { run(cycles); }

  // Between two calls of run().

  virtual Totals totals() const = 0;
  /// Flits that have crossed a router, ejection included; visits every port.
  virtual std::uint64_t flit_hops() const = 0;
  /// Flits that have left by this output of a router.
  virtual std::uint64_t flits_from(Endpoint output) const = 0;
  /// The first cycle in which the channel behind this output takes another flit; may have passed.
  virtual Cycle busy_until(Endpoint output) const = 0;
  virtual std::uint64_t flits_created(NodeId node) const = 0;
  virtual std::uint64_t flits_injected(NodeId node) const = 0;
  /// By one port of the node.
  virtual std::uint64_t flits_injected(NodeId node, std::size_t port) const = 0;
  virtual std::uint64_t flits_ejected(NodeId node) const = 0;
  /// Every packet that waits at its source or is in flight, until it has arrived everywhere; in no
  /// order. Time: a visit to each of them.
  virtual void for_each_packet(const std::function<void(const Packet&)>& visit) const = 0;
  /// Adds the figures of the network, including those that only its kind has.
  virtual void write_figures(nlohmann::ordered_json& result) const = 0;

  /// A view of the buffers and ports; the network must outlive it. Null for one without buffers.
  virtual std::unique_ptr<const Inspection> inspection() const;

  /// Throws InvariantError unless every flit, credit and connection is accounted for. Time: a visit
  /// to every virtual channel.
  virtual void audit() const = 0;
  /// Packets that wait for each other in a cycle; empty if there are none.
  virtual std::vector<BlockedVc> find_deadlock() const = 0;
  /// A due packet that has not moved for this many cycles never moves again; kNoLimit if there is
  /// no such number.
  virtual std::uint64_t longest_standstill() const = 0;
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

 protected:
  Network() = default;
};

}  // namespace flitcast
