// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "base/packet_source.h"
#include "base/probe.h"
#include "network/fabric/external_router.h"
#include "network/fabric/kernel_driver.h"
#include "network/fabric/partition.h"
#include "network/fabric/router_cores.h"
#include "network/fabric/terminal.h"
#include "network/fabric/thread_pool.h"
#include "network/network.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

class Crossbar;
class Link;
class Router;

/// A network in SystemC time: everything that a topology names, built, wired and run.
///
///   Fabric
///     partition_0 ...            the processes
///     router_0 ...            views: input_0 ..., crossbar
///     link_0 ...              views, one per channel of the topology
///     terminal_0 ...          where packets enter and leave
///                             (as NetworkParams::modules and full_hierarchy say)
///     clk_i, rst_ni           may stay unbound
///
/// The routers' state lies in the partitions' arenas, and a partition ticks the awake ones once per
/// cycle from its only process; the modules with names and hierarchy are views that cost nothing
/// per cycle. Delivery times, and hence every result, depend neither on the order of routers, nor
/// on sleeping, nor on the number of threads, nor on whether a router is a native core or a
/// external module.
///
/// Beside one's own SystemC: in lockstep, processes talk to the terminals while sc_start moves the
/// network, one cycle per period of its own clock (kClockPeriodNs) or, where clk_i is bound, one at
/// every rising edge.
///
/// Reset: rst_ni is sampled in front of every cycle. While it is low there are no cycles and now()
/// stands still; at the first edge the network is audited, and then all packets that wait, are
/// in flight or lie in a terminal are lost, and routers, channels and terminals are those of a new
/// fabric. Sources, numbers of packets and all that is counted go on: Totals::receivers_dropped
/// says what was lost, Probe::dropped() and PacketSource::dropped() are told each packet of which
/// no copy had arrived.
class Fabric : public sc_core::sc_module, public Network {
 public:
  /// Everything passed must outlive the fabric. Throws std::invalid_argument, with every problem,
  /// if there are problems_of() the network, and for a wrong number of probes.
  /// @param probes   One per partition (partition_count()), or none.
  /// @param external  Makers of the routers that are modules with pins; these force lockstep.
  Fabric(const sc_core::sc_module_name& name, const Topology& topology, const Routing& routing,
         PacketSource& source, const NetworkParams& params, const std::vector<Probe*>& probes = {},
         const std::vector<ExternalSlot>& external = {});
  /// A network that only its terminals feed, in lockstep. Throws std::invalid_argument, besides, if
  /// the routing can deadlock on the topology, as far as dependencies_are_checkable(): who wants to
  /// see it happen gives a SilentSource to the other constructor.
  Fabric(const sc_core::sc_module_name& name, const Topology& topology, const Routing& routing,
         const NetworkParams& params, const std::vector<Probe*>& probes = {},
         const std::vector<ExternalSlot>& external = {});
  ~Fabric() override;

  /// A clock of somebody else's, of any period; only in lockstep, and without external routers.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk_i{
      "clk_i"};
  /// Synchronous, active low; only in lockstep, without external routers and without an admission.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst_ni{
      "rst_ni"};

  /// Partitions that a network of these parameters is split into: one per thread, never an empty
  /// one.
  static unsigned partition_count(const Topology& topology, const NetworkParams& params);
  /// What stands in the way of building such a network, a sentence each: parameters out of the
  /// ranges that experiments have, too, routers wider than any core, virtual channels that the
  /// routing does not know, message classes that cannot be kept apart.
  static std::vector<std::string> problems_of(const Topology& topology, const Routing& routing,
                                              const NetworkParams& params);
  /// Whether the ports and virtual channels fit in the widest router core.
  static bool fits(const Topology& topology, const RouterParams& params);
  /// About how many bytes the network will take, modules included, to warn before building it.
  static std::uint64_t memory_estimate(const Topology& topology, const NetworkParams& params,
                                       OutputMode mode);
  /// The least that it will take, before there is a topology.
  static std::uint64_t least_memory(const TopologySize& size, const NetworkParams& params);

  /// As Network::longest_standstill() of such a network, whatever realises it.
  static std::uint64_t longest_standstill(const Topology& topology, const NetworkParams& params);

  void run(std::uint64_t cycles) override { driver_->run(cycles); }
  Cycle now() const override { return driver_->now(); }
  /// Of a network whose routers may sleep and that nobody else drives.
  std::uint64_t idle_cycles() const override;
  void skip(std::uint64_t cycles) override { driver_->skip(cycles); }
  Totals totals() const override;
  std::uint64_t flit_hops() const override;
  std::uint64_t flits_from(Endpoint output) const override;
  Cycle busy_until(Endpoint output) const override;
  std::uint64_t flits_injected(NodeId node) const override;
  std::uint64_t flits_injected(NodeId node, std::size_t port) const override;
  std::uint64_t flits_ejected(NodeId node) const override;
  std::uint64_t flits_created(NodeId node) const override;
  void for_each_packet(const std::function<void(const Packet&)>& visit) const override;
  void write_figures(nlohmann::ordered_json& result) const override;
  std::unique_ptr<const Inspection> inspection() const override;
  void audit() const override;
  std::vector<BlockedVc> find_deadlock() const override;
  /// Longer than any start-up, flight or credit takes.
  std::uint64_t longest_standstill() const override;

  const Topology& topology() const { return topology_; }
  const NetworkParams& params() const { return params_; }
  const Routing& routing() const { return context_.routing; }
  std::size_t message_classes() const { return context_.message_classes; }
  /// Throws std::logic_error for a fabric without modules, NetworkParams::modules.
  Terminal& terminal(NodeId node);

  /// What a low rst_ni does, between two cycles. Throws std::logic_error for a fabric that cannot.
  void reset();
  /// Whether rst_ni, if it is bound, was low when it was sampled last or has yet to be sampled.
  bool in_reset() const { return in_reset_; }
  /// At the end of the last reset: what is counted since then are the differences.
  const Totals& totals_at_reset() const { return totals_at_reset_; }

  // For terminals, between two cycles.
  TerminalUpdates& terminal_updates() { return *terminal_updates_; }
  void submit(NodeId node, const PacketRequest& request, Bytes&& bytes);
  /// Whether a part of a packet has arrived at the node, and the rest has not.
  bool receiving(NodeId node) const;

  // For views, audits and bridges.
  const RouterNode& router_node(RouterId router) const;
  RouterNode& router_node(RouterId router);
  const NodeInterface& node_interface(NodeId node, std::size_t port = 0) const;
  Partition& partition_of(NodeId node) const {
    return *partitions_[node_places_[index(node)].partition];
  }
  Partition& partition_of(RouterId router) const {
    return *partitions_[router_partitions_[index(router)]];
  }
  std::uint32_t local_index(NodeId node) const { return node_places_[index(node)].local; }
  const std::vector<std::unique_ptr<Partition>>& partitions() const { return partitions_; }
  std::uint32_t rows() const { return context_.rows; }

 private:
  static bool has_modules(const NetworkParams& params) { return params.modules || params.lockstep; }
  /// Cycles that a partition runs at once: two where nobody looks at the network after each cycle,
  /// and what is sent in the first is due after the second.
  static std::uint32_t cycles_at_once(const NetworkParams& params);
  /// A power of two above every latency, counted from the first of the cycles run at once.
  static std::uint32_t wheel_rows(const Topology& topology, const NetworkParams& params);

  /// Bytes on their way, until so many receivers have got them.
  struct CarriedBytes {
    Bytes bytes;
    std::uint32_t receivers = 0;
  };
  struct NodePlace {
    std::uint32_t partition = 0;
    std::uint32_t local = 0;
  };
  struct Receiver {
    std::uint64_t* words;
    unsigned first_bit;
    WakeRows* wakes;
    std::size_t member;
  };

  void build_partitions(const std::vector<Probe*>& probes);
  void build_links();
  void aim(FlitOutput& end, const RouterNode& to, unsigned input_port) const;
  void connect_channel(const Channel& channel);
  void connect_node(NodeId node, std::size_t port);
  void build_external(const std::vector<ExternalSlot>& external);
  void build_views();
  WheelOutput end_at(const Receiver& receiver, std::uint32_t latency) const;
  OutputVc* vcs_of(Endpoint output);
  bool only_the_last_credit_matters() const;
  /// Where a sender's credits go, by a channel on which a flit takes so long; `beside`: the sender
  /// is in the partition that gives them back.
  CreditReturn credit_end_at(const Receiver& sender, OutputVc* vcs, std::uint32_t flight,
                             bool beside) const;
  enum class Rows { kArrivals, kCredits };
  Receiver receiver_at(Endpoint port, Rows rows, unsigned writer);
  Receiver receiver_at(NodeId node, std::size_t port, Rows rows, unsigned writer);
  std::size_t place_of(NodeId node, std::size_t port) const {
    return node_places_[index(node)].local * topology_.node_ports() + port;
  }
  void find_writers();

  std::uint64_t sum_over_ports(NodeId node, std::uint64_t NodeInterface::*counter) const;

  void end_of_elaboration() override;
  bool out_of_reset();
  void between_cycles();
  void hand_out_deliveries();
  void deliver_to_terminal(const Delivery& delivery);
  void tell_source(const Delivery& delivery);
  void wake_nodes(Cycle earliest);
  Bytes bytes_of(const Packet& packet);
  void lose_packets();

  const Topology& topology_;
  NetworkParams params_;
  PacketSource& source_;
  PartitionContext context_;
  std::vector<std::uint32_t> router_partitions_;
  // Per router: the partitions that send to it. Empty if there is but one.
  std::vector<std::vector<std::uint32_t>> writers_;
  std::vector<NodePlace> node_places_;
  std::vector<std::unique_ptr<Partition>> partitions_;
  std::unique_ptr<ThreadPool> thread_pool_;
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::vector<std::unique_ptr<ExternalRouter>> external_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<std::unique_ptr<Terminal>> terminals_;
  std::unique_ptr<TerminalUpdates> terminal_updates_;
  std::unordered_map<std::uint64_t, CarriedBytes> carried_;  // By packet.
  bool in_reset_ = false;
  Totals totals_at_reset_;
  std::vector<Delivery> deliveries_;
  std::vector<WakeUp> wake_ups_;
  std::unique_ptr<KernelDriver> driver_;
};

}  // namespace flitcast
