// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/fabric.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "base/figures.h"
#include "network/fabric/fabric_inspection.h"
#include "network/fabric/views.h"
#include "router/invariant.h"
#include "routing/analysis/deadlock.h"

namespace flitcast {

namespace {

/// Refuses a network before anything is made of its parameters.
const NetworkParams& sound(const Topology& topology, const Routing& routing,
                           const NetworkParams& params) {
  std::string all;
  for (const std::string& problem : Fabric::problems_of(topology, routing, params)) {
    all += (all.empty() ? "" : "; ") + problem;
  }
  if (!all.empty()) throw std::invalid_argument(all);
  return params;
}

NetworkParams in_lockstep(NetworkParams params) {
  params.lockstep = true;
  return params;
}

PacketSource& silence() {
  static SilentSource source;
  return source;
}

}  // namespace

Fabric::Fabric(const sc_core::sc_module_name& name, const Topology& topology,
               const Routing& routing, PacketSource& source, const NetworkParams& params,
               const std::vector<Probe*>& probes, const std::vector<ExternalSlot>& external)
    : sc_module(name),
      topology_(topology),
      params_(sound(topology, routing, params)),
      source_(source),
      context_{params_,
               routing,
               source,
               topology.node_count(),
               topology.node_ports(),
               wheel_rows(topology, params),
               cycles_at_once(params),
               routing.message_classes(),
               partition_count(topology, params),
               false,
               nullptr,
               {}} {
  if (!external.empty()) params_.lockstep = true;
  params_.router = router_params(params_, routing);
  if (!probes.empty() && probes.size() != context_.partition_count) {
    throw std::invalid_argument("one probe for each partition, or none");
  }
  driver_ = std::make_unique<KernelDriver>(
      this->name(), context_.partition_count, params_.lockstep,
      [this](Cycle first, std::uint64_t cycles) { thread_pool_->run(first, cycles); });
  context_.driver = driver_.get();
  terminal_updates_ = std::make_unique<TerminalUpdates>("terminal_updates");
  build_partitions(probes);
  build_links();
  build_external(external);
  build_views();
  for (const auto& partition : partitions_) partition->start();
  context_.keep_deliveries = source.wants_deliveries() || params_.lockstep;
  thread_pool_ = std::make_unique<ThreadPool>(
      partitions_.size(),
      [this](std::size_t partition, Cycle now, std::uint32_t cycles) {
        partitions_[partition]->tick(now, cycles);
      },
      context_.keep_deliveries ? [this](Cycle) { between_cycles(); } : std::function<void(Cycle)>(),
      context_.stride);
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

namespace {

template <class Modules>
void remove_last_first(Modules& modules) {
  while (!modules.empty()) modules.pop_back();
}

}  // namespace

// The kernel searches for a child from the front of its list and moves the last one into the gap.
// Once the first child is gone, the last is always at the front: a million modules go in linear
// time.
Fabric::~Fabric() {
  thread_pool_.reset();
  if (!partitions_.empty()) partitions_.front().reset();
  remove_last_first(terminals_);
  remove_last_first(links_);
  remove_last_first(routers_);
  remove_last_first(external_);
  clock_.reset();
  remove_last_first(partitions_);
}

unsigned Fabric::partition_count(const Topology& topology, const NetworkParams& params) {
  if (params.admission) return 1;
  const std::size_t most =
      std::min<std::size_t>(topology.router_count(), PacketStore::kMaxPartitions);
  return static_cast<unsigned>(std::clamp<std::size_t>(params.threads, 1, most));
}

bool Fabric::fits(const Topology& topology, const RouterParams& params) {
  return core_words(topology, params) != 0;
}

void Fabric::build_partitions(const std::vector<Probe*>& probes) {
  const std::size_t routers = topology_.router_count();
  const unsigned count = context_.partition_count;
  router_partitions_.resize(routers);
  for (std::size_t r = 0; r < routers; ++r) {
    router_partitions_[r] = static_cast<std::uint32_t>(r * count / routers);
  }
  std::vector<std::vector<NodeId>> nodes(count);
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    const std::uint32_t partition =
        router_partitions_[index(topology_.attachment(NodeId{n}).injection.router)];
    node_places_.push_back({partition, static_cast<std::uint32_t>(nodes[partition].size())});
    nodes[partition].push_back(NodeId{n});
  }
  find_writers();
  const PartitionMaker make = params_.cores->partitions(core_words(topology_, params_.router),
                                                        output_mode_of(context_.routing));
  std::uint32_t first = 0;
  for (unsigned partition = 0; partition < count; ++partition) {
    std::vector<RouterShape> shapes;
    std::uint32_t r = first;
    for (; r < routers && router_partitions_[r] == partition; ++r) {
      shapes.push_back({static_cast<unsigned>(topology_.input_count(RouterId{r})),
                        static_cast<unsigned>(topology_.output_count(RouterId{r})),
                        static_cast<unsigned>(
                            writers_.empty() ? 1 : std::max<std::size_t>(writers_[r].size(), 1))});
    }
    partitions_.push_back(make("partition_" + std::to_string(partition), partition, context_,
                               RouterId{first}, shapes, std::move(nodes[partition]),
                               probes.empty() ? nullptr : probes[partition]));
    context_.peers.push_back(partitions_.back().get());
    first = r;
  }
}

void Fabric::build_external(const std::vector<ExternalSlot>& external) {
  if (external.empty()) return;
  if (context_.routing.reductions() != 0) throw std::invalid_argument(kNoCombinations);
  clock_ = std::make_unique<sc_core::sc_clock>("clk", kClockPeriodNs, sc_core::SC_NS, 0.5, 0.0,
                                               sc_core::SC_NS, true);
  for (const ExternalSlot& slot : external) {
    const std::string bridge = "bridge_" + std::to_string(index(slot.router));
    partition_of(slot.router).detach(slot.router);
    external_.push_back(std::make_unique<ExternalRouter>(bridge.c_str(), *this, slot, *clock_));
  }
}

void Fabric::build_views() {
  if (!has_modules(params_)) return;
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
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    const std::string name = "terminal_" + std::to_string(n);
    terminals_.push_back(std::make_unique<Terminal>(name.c_str(), NodeId{n}, *this));
  }
}

Terminal& Fabric::terminal(NodeId node) {
  if (terminals_.empty()) {
    throw std::logic_error("a fabric without modules has no terminals; set NetworkParams::modules");
  }
  return *terminals_[index(node)];
}

void Fabric::between_cycles() {
  hand_out_deliveries();
  for (const auto& terminal : terminals_) {
    if (terminal->full()) terminal_updates_->request(*terminal);
  }
}

// By node and port, each of which receives at most one tail in a cycle: the same order for any
// partition.
void Fabric::hand_out_deliveries() {
  deliveries_.clear();
  for (const auto& partition : partitions_) {
    deliveries_.insert(deliveries_.end(), partition->deliveries().begin(),
                       partition->deliveries().end());
    partition->deliveries().clear();
  }
  std::sort(deliveries_.begin(), deliveries_.end(), [](const Delivery& a, const Delivery& b) {
    return std::tie(a.node, a.port) < std::tie(b.node, b.port);
  });
  for (const Delivery& delivery : deliveries_) {
    if (!terminals_.empty()) deliver_to_terminal(delivery);
    if (source_.wants_deliveries()) tell_source(delivery);
  }
}

void Fabric::deliver_to_terminal(const Delivery& delivery) {
  Terminal& receiver = terminal(delivery.node);
  Bytes bytes = carried_.empty() ? Bytes() : bytes_of(delivery.packet);
  if (receiver.listening()) receiver.deliver({delivery, std::move(bytes)});
}

void Fabric::tell_source(const Delivery& delivery) {
  wake_ups_.clear();
  source_.delivered(delivery, wake_ups_);
  wake_nodes(delivery.arrival + 1);
}

void Fabric::wake_nodes(Cycle earliest) {
  for (const WakeUp& wake_up : wake_ups_) {
    if (wake_up.cycle < earliest) throw InvariantError("a source woke a node in the past");
    partition_of(wake_up.node).wake(local_index(wake_up.node), wake_up.cycle);
  }
}

void Fabric::submit(NodeId node, const PacketRequest& request, Bytes&& bytes) {
  const PacketId id = partition_of(node).submit(local_index(node), request, now());
  if (!bytes.empty()) carried_[index(id)] = {std::move(bytes), request.receivers};
}

Bytes Fabric::bytes_of(const Packet& packet) {
  const auto carried = carried_.find(index(packet.id));
  if (carried == carried_.end()) return {};
  if (--carried->second.receivers != 0) return carried->second.bytes;
  Bytes bytes = std::move(carried->second.bytes);
  carried_.erase(carried);
  return bytes;
}

bool Fabric::receiving(NodeId node) const {
  for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
    const NodeVc* const vcs = node_interface(node, port).vcs;
    const auto arriving = [](const NodeVc& vc) { return vc.arriving != PacketStore::kNone; };
    if (std::any_of(vcs, vcs + params_.router.virtual_channels, arriving)) return true;
  }
  return false;
}

std::uint64_t Fabric::idle_cycles() const {
  const Totals all = totals();
  const bool empty = all.receivers == all.receivers_retired();
  if (!empty || !params_.sleep || params_.lockstep) return 0;
  Cycle next = kNever;
  for (const auto& partition : partitions_) next = std::min(next, partition->next_event(now()));
  return next == kNever ? kNoLimit : next - now();
}

Totals Fabric::totals() const {
  Totals totals;
  for (const auto& partition : partitions_) totals += partition->totals();
  return totals;
}

std::uint64_t Fabric::flit_hops() const {
  std::uint64_t hops = 0;
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    const RouterNode& node = router_node(RouterId{r});
    for (unsigned port = 0; port < node.state->output_ports; ++port) {
      hops += node.outputs[port].flits;
    }
  }
  return hops;
}

void Fabric::write_figures(nlohmann::ordered_json& result) const {
  const FabricInspection network(*this);
  if (params_.cores->figures != nullptr) params_.cores->figures->write(network, result);
  cost_figures().write(network, result);
}

std::unique_ptr<const Inspection> Fabric::inspection() const {
  return std::make_unique<FabricInspection>(*this);
}

void Fabric::audit() const { flitcast::audit(FabricInspection(*this)); }

std::vector<BlockedVc> Fabric::find_deadlock() const {
  return params_.cores->find_deadlock(FabricInspection(*this));
}

std::uint64_t Fabric::longest_standstill() const { return longest_standstill(topology_, params_); }

std::uint64_t Fabric::flits_from(Endpoint output) const {
  return router_node(output.router).outputs[index(output.port)].flits;
}

Cycle Fabric::busy_until(Endpoint output) const {
  return partition_of(output.router).busy_until(output.router, output.port);
}

std::uint64_t Fabric::sum_over_ports(NodeId node, std::uint64_t NodeInterface::*counter) const {
  std::uint64_t sum = 0;
  for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
    sum += node_interface(node, port).*counter;
  }
  return sum;
}

std::uint64_t Fabric::flits_injected(NodeId node) const {
  return sum_over_ports(node, &NodeInterface::flits_injected);
}

std::uint64_t Fabric::flits_injected(NodeId node, std::size_t port) const {
  return node_interface(node, port).flits_injected;
}

std::uint64_t Fabric::flits_ejected(NodeId node) const {
  return sum_over_ports(node, &NodeInterface::flits_ejected);
}

std::uint64_t Fabric::flits_created(NodeId node) const {
  return sum_over_ports(node, &NodeInterface::flits_created);
}

// A packet that has arrived in another partition than its own keeps its record for a cycle more.
void Fabric::for_each_packet(const std::function<void(const Packet&)>& visit) const {
  std::vector<PacketSlot> returned;
  for (const auto& partition : partitions_) partition->append_returns(returned);
  std::sort(returned.begin(), returned.end());
  for (const auto& partition : partitions_) {
    partition->packets().for_each([&](PacketSlot slot, const Packet& packet, std::size_t due) {
      const auto [first, last] = std::equal_range(returned.begin(), returned.end(), slot);
      if (due != static_cast<std::size_t>(last - first)) visit(packet);
    });
  }
}

RouterNode& Fabric::router_node(RouterId router) { return partition_of(router).router(router); }

const RouterNode& Fabric::router_node(RouterId router) const {
  return partition_of(router).router(router);
}

const NodeInterface& Fabric::node_interface(NodeId node, std::size_t port) const {
  return partition_of(node).interface(place_of(node, port));
}

}  // namespace flitcast
