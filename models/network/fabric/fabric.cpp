// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/fabric.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/fabric/views.h"
#include "network/pins/process.h"
#include "network/report.h"
#include "routing/analysis/deadlock.h"

namespace flitcast {

namespace {

/// Returns `params`. Throws if the network cannot be built, before any part of it is made.
NetworkParams sound(const Topology& topology, const Routing& routing, NetworkParams params,
                    bool has_external) {
  const std::string all = joined(FabricPlan::problems_of(topology, routing, params), "; ");
  if (!all.empty()) throw std::invalid_argument(all);
  params.lockstep = params.lockstep || has_external;
  return params;
}

PartitionContext context_of(const Topology& topology, const Routing& routing, PacketSource& source,
                            const NetworkParams& params, std::size_t probes) {
  const std::uint32_t window = FabricPlan::window(topology, params);
  const unsigned partitions = FabricPlan::partition_count(topology, params);
  if (probes != 0 && probes != partitions) {
    throw std::invalid_argument("one probe for each partition, or none");
  }
  return {params,
          routing,
          source,
          topology.node_count(),
          topology.node_ports(),
          FabricPlan::wheel_rows(topology, params, window),
          FabricPlan::cycles_at_once(params),
          window,
          routing.message_classes(),
          partitions,
          source.wants_deliveries() || params.lockstep || params.by_calls,
          {}};
}

NetworkParams in_lockstep(NetworkParams params) {
  params.lockstep = !params.by_calls;
  return params;
}

PacketSource& silence() {
  static SilentSource source;
  return source;
}

/// Removes the last module first, because the kernel removes children fastest in that order; see
/// Terminals::~Terminals().
template <class Modules>
void remove_last_first(Modules& modules) {
  while (!modules.empty()) modules.pop_back();
}

}  // namespace

Fabric::Fabric(const sc_core::sc_module_name& name, const Topology& topology,
               const Routing& routing, PacketSource& source, const NetworkParams& params,
               const std::vector<Probe*>& probes, const std::vector<ExternalSlot>& external)
    : sc_module(name),
      BufferedNetwork(topology, sound(topology, routing, params, !external.empty()), routing),
      context_(context_of(topology, routing, source, params_, probes.size())),
      driver_("driver", params_.lockstep,
              [this](Cycle first, std::uint64_t cycles) { run_cycles(first, cycles); }),
      partitions_(topology, context_, probes),
      deliveries_(source, [this](NodeId node, Cycle cycle) { wake(node, cycle); }) {
  partitions_.connect();
  build_external(external);
  build_views();
  for (const auto& partition : partitions_.all()) partition->start();
  thread_pool_ = std::make_unique<ThreadPool>(
      partitions_.all().size(),
      [this](std::size_t partition, Cycle now, std::uint32_t cycles) {
        partitions_.all()[partition]->tick(now, cycles);
      },
      context_.keep_deliveries && !params_.by_calls ? [this](Cycle) { between_cycles(); }
                                                    : std::function<void(Cycle)>(),
      context_.window);
}

Fabric::Fabric(const sc_core::sc_module_name& name, const Topology& topology,
               const Routing& routing, const NetworkParams& params,
               const std::vector<Probe*>& probes, const std::vector<ExternalSlot>& external)
    : Fabric(name, topology, routing, silence(), in_lockstep(params), probes, external) {
  const unsigned virtual_channels = params.router.virtual_channels;
  if (!dependencies_are_checkable(topology, routing, virtual_channels)) return;
  const DependencyCheck check = check_dependencies(topology, routing, virtual_channels);
  if (check.acyclic()) return;
  throw std::invalid_argument(cyclic_dependency(check.cycle) + "; " + kCycleHint);
}

Fabric::~Fabric() {
  thread_pool_.reset();
  terminals_.reset();
  remove_last_first(links_);
  remove_last_first(routers_);
  remove_last_first(external_);
}

void Fabric::build_external(const std::vector<ExternalSlot>& external) {
  if (external.empty()) return;
  if (routing_.reductions() != 0) throw std::invalid_argument(kNoCombinations);
  for (const ExternalSlot& slot : external) {
    const std::string bridge = "bridge_" + std::to_string(index(slot.router));
    partitions_.of(slot.router).detach(slot.router);
    external_.push_back(std::make_unique<ExternalRouter>(bridge.c_str(), *this, slot));
  }
}

void Fabric::before_end_of_elaboration() {
  if (external_.empty() || clk_i.bind_count() > 0) return;
  clock_ = std::make_unique<sc_core::sc_clock>("clk", kClockPeriodNs, sc_core::SC_NS);
  clk_i(*clock_);
}

void Fabric::build_views() {
  if (!FabricPlan::has_modules(params_)) return;
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    const std::string name = "router_" + std::to_string(r);
    routers_.push_back(std::make_unique<Router>(
        name.c_str(), RouterId{r}, *router_node(RouterId{r}).state, params_.full_hierarchy));
  }
  if (params_.full_hierarchy) {
    for (std::size_t c = 0; c < topology_.channels().size(); ++c) {
      const std::string name = "link_" + std::to_string(c);
      const Channel& channel = topology_.channels()[c];
      links_.push_back(std::make_unique<Link>(
          name.c_str(), channel,
          router_node(channel.from.router).outputs[index(channel.from.port)]));
    }
  }
  terminals_->build(*this, topology_.node_count());
}

void Fabric::run_cycles(Cycle first, std::uint64_t cycles) {
  for (CycleModule* module : cycle_modules_) module->sample();
  thread_pool_->run(first, cycles);
  for (CycleModule* module : cycle_modules_) module->drive();
}

void Fabric::between_cycles() {
  report_deliveries([this](const Delivery& delivery) { terminals_->deliver(delivery); });
  terminals_->end_cycle();
}

void Fabric::advance(std::uint64_t cycles, const std::function<void(const Delivery&)>& arrived) {
  driver_.advance(cycles);
  report_deliveries(arrived);
}

void Fabric::report_deliveries(const std::function<void(const Delivery&)>& arrived) {
  for (const auto& partition : partitions_.all()) {
    for (const Delivery& delivery : partition->deliveries()) deliveries_.add(delivery);
    partition->deliveries().clear();
  }
  deliveries_.report(arrived);
}

std::uint64_t Fabric::idle_cycles() const {
  const Totals all = totals();
  const bool empty = all.receivers == all.receivers_retired();
  if (!empty || !params_.sleep || params_.lockstep || params_.by_calls) return 0;
  Cycle next = kNever;
  for (const auto& partition : partitions_.all())
    next = std::min(next, partition->next_event(now()));
  return next == kNever ? kNoLimit : next - now();
}

Totals Fabric::totals() const {
  return sum_of<Totals>(partitions_.all(), [](const auto& one) { return one->totals(); });
}

BufferedNetwork::PortFlits Fabric::port_flits(NodeId node, std::size_t port) const {
  const NodeInterface& interface = node_interface(node, port);
  return {interface.flits_created, interface.flits_injected, interface.flits_ejected};
}

// The record of a packet that has arrived in another partition than its own is kept until the next
// window.
void Fabric::for_each_packet(const std::function<void(const Packet&)>& visit) const {
  std::vector<PacketSlot> returned;
  for (const auto& partition : partitions_.all()) {
    const std::vector<PacketSlot> more = partition->pending_returns();
    returned.insert(returned.end(), more.begin(), more.end());
  }
  std::sort(returned.begin(), returned.end());
  for (const auto& partition : partitions_.all()) {
    partition->packets().for_each([&](PacketSlot slot, const Packet& packet, std::size_t due) {
      const auto [first, last] = std::equal_range(returned.begin(), returned.end(), slot);
      if (due != static_cast<std::size_t>(last - first)) visit(packet);
    });
  }
}

void Fabric::end_of_elaboration() {
  const bool clocked = clk_i.size() > 0 && clock_ == nullptr;
  const bool resettable = rst_ni.size() > 0;
  if ((clocked || resettable) && !params_.lockstep) {
    report_error("fabric/clock", name(),
                 "clk_i or rst_ni is bound, but the fabric does not run in lockstep");
  }
  if (resettable && params_.admission) {
    report_error("fabric/clock", name(), "rst_ni is bound, but a central control cannot be reset");
  }
  const std::string problem = clocked || params_.by_calls ? "" : problem_of_resolution();
  if (!problem.empty()) report_error("fabric/time_resolution", name(), problem);
  if (clocked) driver_.follow(clk_i->posedge_event());
  in_reset_ = resettable;  // No packet is accepted until rst_ni is sampled high: it would be lost.
  if (resettable) {
    driver_.gate([this] { return out_of_reset(); });
  }
}

void Fabric::end_of_simulation() {
  if (driver_.failed()) return;  // Reported; the state is undefined.
  pins::do_reporting("fabric/audit", *this, index(now()), [this] { audit(); });
}

void Fabric::audit() const {
  BufferedNetwork::audit();
  for (const auto& router : external_) router->audit();
}

bool Fabric::out_of_reset() {
  const bool low = !rst_ni->read();
  if (low && !in_reset_) reset();
  if (!low && in_reset_) terminals_->notify_space();
  in_reset_ = low;
  return !low;
}

void Fabric::reset() {
  if (params_.admission) throw std::logic_error("a central control cannot be reset");
  audit();
  std::vector<std::uint64_t> flits;
  const auto for_each_output = [this](auto&& visit) {
    for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
      RouterNode& node = router_node(RouterId{r});
      for (unsigned port = 0; port < node.state->output_ports; ++port) visit(node.outputs[port]);
    }
  };
  for_each_output([&](const FlitOutput& output) { flits.push_back(output.flits); });
  lose_packets();
  partitions_.connect();
  auto counted = flits.begin();
  for_each_output([&](FlitOutput& output) { output.flits = *counted++; });
  terminals_->reset();
  for (const auto& router : external_) router->reset();
  for (CycleModule* module : cycle_modules_) module->reset();
  totals_at_reset_ = totals();
}

// Packets are reported in the order of their numbers, which does not depend on partitions.
void Fabric::lose_packets() {
  std::vector<Packet> lost;
  for (const auto& partition : partitions_.all()) {
    partition->reset([&](const Packet& packet, std::uint32_t due) {
      if (due == packet.receivers) lost.push_back(packet);
    });
  }
  std::sort(lost.begin(), lost.end(), [](const Packet& a, const Packet& b) { return a.id < b.id; });
  for (const Packet& packet : lost) deliveries_.report_dropped(packet, now(), now());
}

}  // namespace flitcast
