// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "base/packet_source.h"
#include "base/probe.h"
#include "network/check/inspection.h"
#include "network/fabric/deliveries.h"
#include "network/fabric/external_router.h"
#include "network/fabric/fabric_plan.h"
#include "network/fabric/kernel_driver.h"
#include "network/fabric/partitions.h"
#include "network/fabric/terminal.h"
#include "network/fabric/thread_pool.h"

namespace flitcast {

class Link;
class Router;

/// A module whose pins the fabric samples before each cycle, when all signals have their values
/// before the edge of clk_i, and drives after it; not in a reset.
class CycleModule {
 public:
  virtual void sample() = 0;
  virtual void drive() = 0;
  /// Called at the first edge of a reset of the fabric.
  virtual void reset() = 0;

 protected:
  ~CycleModule() = default;
};

/// A network in SystemC time: all routers, channels and nodes of a topology, built, connected and
/// run.
///
///   Fabric
///     driver                  the process
///     router_0 ...            views: input_0 ..., crossbar
///     link_0 ...              views, one per channel of the topology
///     terminal_0 ...          where packets enter and leave
///                             (as NetworkParams::modules and full_hierarchy say)
///     clk_i, rst_ni           may stay unbound
///
/// The state of the routers lies in the partitions' arenas. A partition ticks its awake routers
/// once per cycle; the modules with names and hierarchy are views that cost
/// nothing per cycle. Delivery times, and hence all results, depend neither on the order of
/// routers, nor on sleeping, nor on the number of threads, nor on whether a router is a core in a
/// partition or an external module.
///
/// Use beside other SystemC modules: in lockstep, processes talk to the terminals while sc_start
/// advances the network, one cycle per period of the fabric's own clock (kClockPeriodNs) or, if
/// clk_i is bound, one cycle at every rising edge.
///
/// Reset: rst_ni is sampled before every cycle. While it is low no cycles are run and now() does
/// not change. At the first low edge the network is audited; then all packets that wait, are in
/// flight or lie in a terminal are lost, and routers, channels and terminals are in the state of a
/// new fabric. Sources, packet numbers and counters are not reset: Totals::receivers_dropped counts
/// the losses, and each packet of which no copy had arrived is reported to Probe::dropped() and
/// PacketSource::dropped(). External routers are reset, too; see ExternalRouter.
///
/// At the end of simulation (sc_stop) the fabric is audited, and a failure is reported as an
/// SC_ERROR, like any failure in a cycle. If errors do not throw, a fabric that has failed is idle.
class Fabric : public sc_core::sc_module, public BufferedNetwork {
 public:
  /// Everything passed must outlive the fabric. Throws std::invalid_argument with every problem of
  /// FabricPlan::problems_of(), and for a wrong number of probes.
  /// @param probes    One per partition (FabricPlan::partition_count()), or none.
  /// @param external  Makers of the routers that are modules with pins; these force lockstep.
  Fabric(const sc_core::sc_module_name& name, const Topology& topology, const Routing& routing,
         PacketSource& source, const NetworkParams& params, const std::vector<Probe*>& probes = {},
         const std::vector<ExternalSlot>& external = {});
  /// A network in lockstep whose packets come only from its terminals or, by calls, from submit().
  /// Also throws std::invalid_argument if the routing can deadlock on the topology, as far as
  /// dependencies_are_checkable(); to observe a deadlock, pass a SilentSource to the other
  /// constructor.
  Fabric(const sc_core::sc_module_name& name, const Topology& topology, const Routing& routing,
         const NetworkParams& params, const std::vector<Probe*>& probes = {},
         const std::vector<ExternalSlot>& external = {});
  ~Fabric() override;

  /// An external clock of any period; only in lockstep.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk_i{
      "clk_i"};
  /// Synchronous, active low; only in lockstep, without an admission.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> rst_ni{
      "rst_ni"};

  void run(std::uint64_t cycles) override { driver_.run(cycles); }
  /// NetworkParams::by_calls: runs cycles now, in the process that calls, and then visits the
  /// arrivals in them, by node and port.
  void advance(std::uint64_t cycles, const std::function<void(const Delivery&)>& arrived);
  /// True if an error in a cycle has been reported; further cycles have no work.
  bool failed() const { return driver_.failed(); }
  /// NetworkParams::by_calls: creates a packet at a node in the next cycle. Throws InvariantError
  /// for one that the network cannot carry.
  PacketId submit(NodeId node, const PacketRequest& request) {
    return partitions_.of(node).submit(partitions_.local_index(node), request, now());
  }
  Cycle now() const override { return driver_.now(); }
  /// Always 0 in lockstep and where routers do not sleep.
  std::uint64_t idle_cycles() const override;
  void skip(std::uint64_t cycles) override { driver_.skip(cycles); }
  void wake(NodeId node, Cycle cycle) final {
    partitions_.of(node).wake(partitions_.local_index(node), cycle);
  }
  Totals totals() const override;
  std::uint64_t flits_from(Endpoint output) const override {
    return router_node(output.router).outputs[index(output.port)].flits;
  }
  Cycle busy_until(Endpoint output) const override {
    return partitions_.of(output.router).busy_until(output.router, output.port);
  }
  PortFlits port_flits(NodeId node, std::size_t port) const override;
  void for_each_packet(const std::function<void(const Packet&)>& visit) const override;
  std::unique_ptr<const Inspection> inspection() const override;
  /// Includes ExternalRouter::audit() of all external routers.
  void audit() const override;

  /// Throws std::logic_error for a fabric without modules (NetworkParams::modules).
  Terminal& terminal(NodeId node) { return terminals_->at(node); }

  /// Has the effect of a low rst_ni, between two cycles. Throws std::logic_error for a fabric with
  /// an admission.
  void reset();
  /// True if rst_ni is bound and was low at the last sample, or has not been sampled.
  bool in_reset() const { return in_reset_; }

  // The functions below are for terminals, views, audits and bridges.
  /// The module must not be destroyed before the last cycle.
  void attach(CycleModule& module) { cycle_modules_.push_back(&module); }
  const Partitions& partitions() const { return partitions_; }
  Terminals& terminals() { return *terminals_; }
  RouterNode& router_node(RouterId router) const { return partitions_.router(router); }
  const NodeInterface& node_interface(NodeId node, std::size_t port = 0) const {
    return partitions_.interface(node, port);
  }
  std::uint32_t rows() const { return context_.rows; }

 private:
  void build_external(const std::vector<ExternalSlot>& external);
  void build_views();
  void before_end_of_elaboration() override;
  void end_of_elaboration() override;
  void end_of_simulation() override;
  void run_cycles(Cycle first, std::uint64_t cycles);
  bool out_of_reset();
  void between_cycles();
  void report_deliveries(const std::function<void(const Delivery&)>& arrived);
  void lose_packets();

  PartitionContext context_;
  KernelDriver driver_;
  std::unique_ptr<Terminals> terminals_ = std::make_unique<Terminals>();
  Partitions partitions_;
  Deliveries deliveries_;
  std::unique_ptr<sc_core::sc_clock> clock_;  // Bound to clk_i if external routers need one.
  std::vector<std::unique_ptr<ExternalRouter>> external_;
  std::vector<CycleModule*> cycle_modules_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::vector<std::unique_ptr<Link>> links_;
  std::unique_ptr<ThreadPool> thread_pool_;
  bool in_reset_ = false;
};

}  // namespace flitcast
