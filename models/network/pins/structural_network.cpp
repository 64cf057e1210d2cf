// SPDX-License-Identifier: Apache-2.0
#include "network/pins/structural_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "network/check/inspection.h"
#include "network/fabric/fabric_plan.h"
#include "network/fabric/kernel_driver.h"
#include "network/pins/router.h"
#include "router/invariant.h"

namespace flitcast::pins {

/// A view of the network between two cycles: its wires and registers.
class StructuralNetwork::View final : public Inspection {
 public:
  explicit View(const StructuralNetwork& network) : Inspection(network), network_(network) {}

  const RouterState& state(RouterId router) const override {
    return network_.router(router).state();
  }
  bool external(RouterId) const override { return false; }

  // A node upstream of an input has no pipeline stages, so all flits in flight are on the
  // connection.
  unsigned in_flight(RouterId router, unsigned input_vc, bool heads_only) const override {
    const unsigned input = state(router).port_of(input_vc);
    const unsigned vc = state(router).vc_of(input_vc);
    const Connection* const connection = network_.inputs_[index(router)][input];
    if (connection == nullptr) return 0;
    const std::uint32_t channel = channel_to(router, input);
    const unsigned staged =
        channel == kNone ? 0 : leaving(topology().channels()[channel].from, vc, heads_only);
    return connection->flits(vc, heads_only) + staged;
  }
  unsigned credits_in_flight(RouterId router, unsigned output_vc) const override {
    const RouterState& sender = state(router);
    const Connection* const connection =
        network_.outputs_[index(router)][sender.port_of(output_vc)];
    return connection == nullptr ? 0 : connection->credits(sender.vc_of(output_vc));
  }
  unsigned in_flight(NodeId node, std::size_t port, unsigned vc, bool heads_only) const override {
    return network_.ejection(node, port).flits(vc, heads_only) +
           leaving(topology().attachment(node, port).ejection, vc, heads_only);
  }
  unsigned credits_in_flight(NodeId node, std::size_t port, unsigned vc) const override {
    return network_.injection(node, port).credits(vc);
  }
  unsigned injection_credits(NodeId node, std::size_t port, unsigned vc) const override {
    return network_.injector(node).credits(port, vc);
  }
  bool receives(NodeId node, std::size_t port, unsigned vc) const override {
    return network_.ejector(node, port).receives(vc);
  }
  std::uint64_t waiting_flits(NodeId node, std::size_t port) const override {
    return network_.injector(node).waiting_flits(port);
  }
  std::uint64_t deliveries_due() const override { return network_.ledger().packets().due(); }
  const Packet& packet(PacketSlot slot) const override {
    return network_.ledger().packets().packet(slot);
  }

 private:
  unsigned leaving(Endpoint output, unsigned vc, bool heads_only) const {
    return network_.router(output.router).flits_leaving(index(output.port), vc, heads_only);
  }

  const StructuralNetwork& network_;
};

std::vector<std::string> StructuralNetwork::problems(const Topology& topology,
                                                     const NetworkParams& params) {
  std::vector<std::string> problems;
  const auto add_if = [&](bool wrong, const char* problem) {
    if (wrong) problems.push_back(std::string("modules with pins ") + problem);
  };
  add_if(params.admission != nullptr, "have no central control");
  add_if(params.reply_queue != 0, "have no bounded reply queues");
  add_if(params.threads > 1, "run in one thread");
  add_if(params.combine != nullptr, "do not combine packets");
  if (params.cores->with_pins == nullptr) {
    problems.emplace_back(params.router.options.any()
                              ? "routers with options such as " +
                                    key_of_option(params.router.options) +
                                    " have no modules with pins"
                              : "routers of this kind have no modules with pins");
    return problems;
  }
  const unsigned words = core_words(topology, params.router);
  if (words == 0 || words > kWidestWithPins) {
    problems.push_back(
        fmt::format("a router with pins has at most {} virtual channels over all ports of a side, "
                    "fewer than one of {}",
                    64 * kWidestWithPins, topology.name()));
  }
  return problems;
}

namespace {

const Routing& require_buildable(const NetworkParts& parts) {
  const auto problems = StructuralNetwork::problems(parts.topology, parts.params);
  if (!problems.empty()) throw std::invalid_argument(problems.front());
  if (parts.routing == nullptr) throw std::invalid_argument("packets need a routing");
  if (parts.routing->adaptive() && !parts.params.cores->adaptive()) {
    throw std::invalid_argument(kNoChoice);
  }
  if (parts.routing->reductions() != 0) throw std::invalid_argument(kNoCombinations);
  if (parts.probes.size() > 1) throw std::invalid_argument("one probe for one partition, or none");
  return *parts.routing;
}

}  // namespace

StructuralNetwork::StructuralNetwork(const sc_core::sc_module_name& name, const NetworkParts& parts)
    : sc_module(name),
      BufferedNetwork(parts.topology, parts.params, require_buildable(parts)),
      maker_(topology_.node_count(), topology_.node_ports(), routing_, params_),
      clock_("clk", kClockPeriodNs, sc_core::SC_NS, 0.5, 0.0, sc_core::SC_NS, true),
      reset_("rst_n", true),
      ledger_(std::make_unique<PacketLedger>(
          "ledger", parts.source, parts.probes.empty() ? nullptr : parts.probes.front())) {
  ledger_->clk_i(clock_);
  build_routers();
  build_links();
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) build_node(NodeId{n});
  // Unconnected ports, such as those at the border of a mesh, need signals, too.
  for (const auto& router : routers_) open_.rest(*router);
  if (parts.trace != nullptr) add_trace(*parts.trace);
}

void StructuralNetwork::build_routers() {
  const ModelRouterMaker make =
      params_.cores->with_pins(core_words(topology_, params_.router), output_mode_of(routing_));
  for (Site& site : sites_of(topology_, params_)) {
    inputs_.emplace_back(site.inputs, nullptr);
    outputs_.emplace_back(site.outputs, nullptr);
    site.packet_id = [this](const Flit& head) {
      return number_in_queues(ledger_->packets().packet(head.packet), params_);
    };
    routers_.push_back(make(fmt::format("router_{}", index(site.router)), site, routing_));
    clock(*routers_.back());
  }
}

std::unique_ptr<Connection> StructuralNetwork::connect(const std::string& name,
                                                       const OutputChannel& channel) {
  // The monitor does not check credits at the end: the audit compares the credits of all channels,
  // even with flits in flight.
  const LinkMonitor::Params watched{params_.router.virtual_channels, channel.buffer_depth,
                                    params_.cores->unit, channel.cycles_per_flit,
                                    LinkMonitor::kNeverChecked};
  const std::uint32_t credits =
      params_.credit_latency != 0 ? params_.credit_latency : channel.latency;
  return std::make_unique<Connection>(
      name.c_str(), Link::Params{channel.latency, credits, channel.cycles_per_flit}, watched,
      clock_, reset_);
}

void StructuralNetwork::from_router(Endpoint output, Connection& connection) {
  bind_output(router(output.router), index(output.port), connection.sent);
  outputs_[index(output.router)][index(output.port)] = &connection;
}

void StructuralNetwork::to_router(Endpoint input, Connection& connection) {
  bind_input(router(input.router), index(input.port), connection.received);
  inputs_[index(input.router)][index(input.port)] = &connection;
}

void StructuralNetwork::build_links() {
  for (const Channel& channel : topology_.channels()) {
    links_.push_back(
        connect(fmt::format("link_{}", links_.size()), channel_behind(channel, params_)));
    from_router(channel.from, *links_.back());
    to_router(channel.to, *links_.back());
  }
}

void StructuralNetwork::build_node(NodeId node) {
  const auto ports = static_cast<unsigned>(topology_.node_ports());
  const Injector::Params params{node,
                                ports,
                                params_.router.virtual_channels,
                                params_.router.buffer_depth,
                                params_.cores->unit,
                                params_.startup,
                                params_.message_classes};
  injectors_.push_back(std::make_unique<Injector>(fmt::format("node_{}", index(node)).c_str(),
                                                  params, maker_, routing_, *ledger_));
  clock(*injectors_.back());
  for (unsigned port = 0; port < ports; ++port) connect_node(node, port);
}

void StructuralNetwork::connect_node(NodeId node, unsigned port) {
  const Attachment& attachment = topology_.attachment(node, port);
  const std::string suffix = fmt::format("_{}_{}", index(node), port);
  // Nodes inject one flit per cycle; their output register is the first cycle of the latency.
  const OutputChannel to_router_channel{1, kInjectionLatency - 1, false,
                                        params_.router.buffer_depth};
  injections_.push_back(connect("injection" + suffix, to_router_channel));
  injectors_.back()->out(port).bind(injections_.back()->sent);
  to_router(attachment.injection, *injections_.back());

  ejections_.push_back(connect("ejection" + suffix, channel_to_node(params_)));
  from_router(attachment.ejection, *ejections_.back());
  const Ejector::Params params{node, static_cast<std::uint16_t>(port),
                               params_.router.virtual_channels, params_.cores->unit,
                               routing_.multicast()};
  ejectors_.push_back(std::make_unique<Ejector>(("sink" + suffix).c_str(), params, *ledger_));
  clock(*ejectors_.back());
  ejectors_.back()->in.bind(ejections_.back()->received);
}

void StructuralNetwork::add_trace(const SignalTrace& trace) {
  if (trace.file.empty()) throw std::invalid_argument("a waveform needs a file");
  const std::vector<SignalGroup> groups =
      mapped(trace.signals, [&](const std::string& name) { return signal_group(name, topology_); });
  trace_ = std::make_unique<TraceWindow>(trace.from, trace.to, trace.file,
                                         [this, groups](sc_core::sc_trace_file* file) {
                                           sc_core::sc_trace(file, clock_, "clk");
                                           for (const SignalGroup& group : groups)
                                             trace_group(file, group);
                                         });
}

void StructuralNetwork::trace_group(sc_core::sc_trace_file* file, const SignalGroup& group) const {
  switch (group.kind) {
    case SignalGroup::Kind::kRouter:
      return trace_router(file, group.number);
    case SignalGroup::Kind::kLink:
      sc_trace(file, links_[group.number]->sent, fmt::format("link_{}.sent", group.number));
      return sc_trace(file, links_[group.number]->received,
                      fmt::format("link_{}.received", group.number));
    case SignalGroup::Kind::kNode:
      return trace_node(file, to_id<NodeId>(group.number));
  }
}

void StructuralNetwork::trace_router(sc_core::sc_trace_file* file, std::size_t router) const {
  const auto trace_all = [&](const std::vector<Connection*>& connections, const char* side,
                             ChannelWires Connection::*end) {
    for (std::size_t port = 0; port < connections.size(); ++port) {
      if (connections[port] == nullptr) continue;
      sc_trace(file, connections[port]->*end, fmt::format("router_{}.{}_{}", router, side, port));
    }
  };
  trace_all(inputs_[router], "in", &Connection::received);
  trace_all(outputs_[router], "out", &Connection::sent);
}

void StructuralNetwork::trace_node(sc_core::sc_trace_file* file, NodeId node) const {
  for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
    const auto name = [&](const char* side) {
      return fmt::format("node_{}.{}_{}", index(node), side, port);
    };
    sc_trace(file, injection(node, port).sent, name("injection"));
    sc_trace(file, ejection(node, port).received, name("ejection"));
  }
}

// The modules report by sc_report; callers of Network::run() expect InvariantError.
void StructuralNetwork::run(std::uint64_t cycles) {
  try {
    while (cycles > 0) {
      const std::uint64_t some = trace_ ? trace_->advance(now(), cycles) : cycles;
      sc_core::sc_start(static_cast<double>(some) * kClockPeriodNs, sc_core::SC_NS);
      cycles -= some;
    }
  } catch (const sc_core::sc_report& report) {
    throw InvariantError(report.what());
  }
}

void StructuralNetwork::end_of_simulation() {
  do_reporting("pins/audit", *this, index(now()), [this] { audit(); });
}

Totals StructuralNetwork::totals() const {
  Totals totals = ledger_->totals();
  for (std::uint32_t n = 0; n < topology_.node_count(); ++n) {
    totals.flits_injected += flits_injected(NodeId{n});
    totals.flits_ejected += flits_ejected(NodeId{n});
  }
  totals.router_ticks = index(now()) * topology_.router_count();
  return totals;
}

std::unique_ptr<const Inspection> StructuralNetwork::inspection() const {
  return std::make_unique<View>(*this);
}

}  // namespace flitcast::pins
