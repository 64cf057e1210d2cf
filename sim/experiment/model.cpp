// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/flit.h"
#include "config/wording.h"
#include "network/check/deadlock_search.h"
#include "network/circuit/packet_admission.h"
#include "network/kinds/router_options.h"
#include "network/network_keys.h"
#include "sim/experiment/central_control.h"
#include "topology/catalog.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

constexpr const char* kLessMemory = "use fewer nodes, virtual channels or buffers";

NetworkParams params_of(const Configuration& configuration) {
  NetworkParams params = network_params(configuration);
  params.startup = static_cast<std::uint32_t>(configuration.section("node").count("startup"));
  params.reply_queue =
      static_cast<std::uint32_t>(configuration.section("node").count("reply_queue"));
  // Nobody looks at modules here. Circuits have theirs all the same.
  params.modules = false;
  params.threads = static_cast<std::uint32_t>(configuration.section("run").count("threads"));
  return params;
}

/// Ports of every node as node.ports says: 1, a number, or one for every channel of the widest
/// router.
std::size_t node_ports(const Section& node, const Topology& topology) {
  if (node.is_integer("ports")) return node.count("ports");
  return node.text("ports") == "all" ? most_router_ports(topology) : 1;
}

void widen_nodes(Topology& topology, const Configuration& configuration) {
  const Section& node = configuration.section("node");
  const std::size_t ports = node_ports(node, topology);
  if (ports == 1) return;
  try {
    topology.widen_nodes(ports);
  } catch (const std::invalid_argument&) {
    node.fail(
        "ports",
        fmt::format("a router of {} would have more than {} ports", topology.name(), kMaxPorts),
        "give its nodes fewer ports");
  }
}

// A packet that is longer than a buffer would wait for its credits forever.
void require_whole_packets_fit(const Model& model, const Configuration& configuration) {
  const RouterParams& router = model.network.params.router;
  if (!router.whole_packet_credit) return;
  const std::uint32_t longest = model.workload->longest_packet();
  if (longest <= router.buffer_depth) return;
  configuration.section("router").fail(
      "buffer_depth",
      fmt::format("{} flits cannot hold the longest packet, of {} flits, as {} requires",
                  router.buffer_depth, longest, model.network.router->name),
      fmt::format("make it at least {}, or use another router.kind", longest));
}

// Making the topology alone would take long and much, so that its size is asked for first.
void require_memory_for_size(const NetworkPlan& network, const TopologyEntry& entry,
                             const Section& section, const MemoryLimit& limit) {
  if (entry.size == nullptr) return;
  const TopologySize size = entry.size(section);
  std::uint64_t bytes = memory_estimate(size);
  if (network.router->least_memory != nullptr) {
    bytes += network.router->least_memory(size, network.params);
  }
  require_memory(static_cast<double>(bytes), limit,
                 fmt::format("a {} of {} routers takes at least", entry.name, size.routers),
                 section.problem("kind", "", kLessMemory));
}

// To say so beforehand is kinder than to be killed half-way. Routers for packets with one way are
// the smallest, and those for long packets.
void require_memory_for(const NetworkPlan& network, const Configuration& configuration,
                        const MemoryLimit& limit) {
  if (network.router->memory_estimate == nullptr) return;
  const OutputMode mode = network.routing ? output_mode_of(*network.routing) : OutputMode::kOne;
  const std::uint64_t bytes =
      network.router->memory_estimate(*network.topology, network.params, mode);
  require_memory(static_cast<double>(bytes), limit,
                 fmt::format("{} takes about", network.topology->name()),
                 configuration.section("topology").problem("kind", "", kLessMemory));
}

/// The topology and the parameters of the network, without groups and routing.
NetworkPlan bare_network(const Configuration& configuration, const MemoryLimit& limit) {
  NetworkPlan network;
  network.router = &router_of(configuration);
  network.realisation = find(realisations(), configuration.section("run").text("realisation"));
  network.interface = interface_of(configuration);
  network.params = params_of(configuration);
  network.params.router.shortest_packet = kMaxPacketLength;  // Unless the workload knows better.
  const Section& topology = configuration.section("topology");
  const TopologyEntry& family = *find(topologies(), topology.text("kind"));
  require_memory_for_size(network, family, topology, limit);
  network.topology = make_topology(topology);
  ProblemList problems;
  problems.attempt([&] { widen_nodes(*network.topology, configuration); });
  problems.attempt([&] {
    if (network.router->configure == nullptr) return;
    network.router->configure(configuration.section("router"),
                              {*network.topology, configuration.seed()}, network.params);
  });
  problems.throw_if_any();
  require_memory_for(network, configuration, limit);
  network.params.router.shortest_packet = 1;
  return network;
}

/// "wormhole or virtual_cut_through": the kinds whose packets can choose among outputs.
std::string adaptive_routers() {
  std::vector<std::string> names;
  for (const RouterEntry& entry : routers()) {
    if (entry.cores != nullptr && entry.cores->adaptive()) names.push_back(entry.name);
  }
  return either(names);
}

// Routers with options send a packet by one output that its routing decides.
void require_one_way(const NetworkPlan& network, const Configuration& configuration) {
  const std::string key = key_of_option(network.params.router.options);
  if (network.routing->reductions() != 0) {
    configuration.section("router").fail(
        key, "routers with this option do not combine packets",
        fmt::format("leave router.{} out, or set workload.forwarding to nodes", key));
  }
  const std::string routing = configuration.section("routing").text("kind");
  const bool copies = network.routing->multicast();
  configuration.section("router").fail(
      key,
      copies
          ? fmt::format("routers with this option cannot send the copies that {} makes", routing)
          : fmt::format("routers with this option cannot choose among the outputs that {} offers",
                        routing),
      fmt::format("leave router.{} out, or use a routing by which every packet has one way", key));
}

void require_choice(const NetworkPlan& network, const Configuration& configuration) {
  if (network.routing == nullptr || network.router->cores == nullptr) return;
  if (network.params.cores->take(output_mode_of(*network.routing))) return;
  if (network.params.router.options.any()) require_one_way(network, configuration);
  if (network.routing->reductions() != 0) {
    configuration.section("router").fail(
        "kind", fmt::format("{} routers do not combine packets", network.router->name),
        "use wormhole or virtual_cut_through, or set workload.forwarding to nodes");
  }
  configuration.section("router").fail(
      "kind",
      fmt::format("{} routers cannot choose among the outputs that {} offers", network.router->name,
                  configuration.section("routing").text("kind")),
      fmt::format("use {}, or a routing that offers one", adaptive_routers()));
}

std::unique_ptr<Workload> workload_for(const NetworkPlan& network,
                                       const Configuration& configuration) {
  return workload_entry(configuration).make({configuration, *network.topology, network.params});
}

void add_routing(NetworkPlan& network, const Configuration& configuration, bool unsafe) {
  require_sound_circuits(configuration);
  if (is_centrally_controlled(configuration)) return add_central_control(network, configuration);
  network.routing = network.interface->routing(configuration, network, unsafe);
}

// Places are for replies, so that there must be some.
void require_replies(const NetworkPlan& network, const Configuration& configuration) {
  const std::vector<MessageClass>& classes = network.params.message_classes;
  const bool answered = std::any_of(classes.begin(), classes.end(),
                                    [](const MessageClass& one) { return one.reply.has_value(); });
  if (network.params.reply_queue == 0 || answered) return;
  configuration.section("node").fail("reply_queue", "no packet of this workload has a reply",
                                     "give it workload.classes with a reply, or remove it");
}

void require_realisable(const NetworkPlan& network, const Configuration& configuration) {
  const Realisation& realisation = *network.realisation;
  if (realisation.problems == nullptr) return;
  ProblemList problems;
  for (std::string& problem :
       realisation.problems(*network.router, *network.topology, network.params)) {
    problems.add(configuration.section("run").problem(
        "realisation", std::move(problem),
        fmt::format("use run.realisation: {}, which gives the same results",
                    realisations()[0].name)));
  }
  problems.throw_if_any();
}

// Circuits have none.
void require_buffers(const Configuration& configuration, const NetworkPlan& network) {
  const Section& measure = configuration.section("measure");
  if (measure.count("buffers") == 0 || network.router->cores != nullptr) return;
  measure.fail("buffers", fmt::format("{} routers have no buffers", network.router->name),
               "leave it out, or set router.kind to another");
}

/// The realisations that have signals: "pins".
std::string with_signals() {
  std::string names;
  for (const Realisation& realisation : realisations()) {
    if (realisation.has_signals) names += (names.empty() ? "" : " or ") + realisation.name;
  }
  return names;
}

// Where there are no wires, nodes are shown by their state, which only circuits have.
void require_signals(const SignalTrace& trace, const NetworkPlan& network, const Section& section) {
  using Kind = SignalGroup::Kind;
  if (network.realisation->has_signals) return;
  const bool circuits = network.router->cores == nullptr;
  ProblemList problems;
  for (const std::string& name : trace.signals) {
    const Kind kind = signal_group(name, *network.topology).kind;
    if (kind == Kind::kRouter || (kind == Kind::kNode && circuits)) continue;
    if (circuits) {
      problems.add(section.problem("signals", "circuits show routers and nodes alone",
                                   "name router_0, node_0 or others"));
    } else {
      problems.add(section.problem(
          "signals", fmt::format("a {} network shows routers alone", network.realisation->name),
          "name router_0 or others, or set run.realisation to " + with_signals()));
    }
  }
  problems.throw_if_any();
}

/// A workload that does not end is run for so many cycles at most.
std::uint64_t most_cycles(const Configuration& configuration) {
  const Section& measure = configuration.section("measure");
  return measure.count("warmup") + measure.count("window") + measure.count("drain_limit");
}

// The file is the run's business.
void add_trace(NetworkPlan& network, const Configuration& configuration, bool ends) {
  const Section& section = configuration.section("trace");
  SignalTrace trace = trace_of(configuration, *network.topology);
  if (trace.signals.empty()) return;
  require_signals(trace, network, section);
  if (!ends && index(trace.from) >= most_cycles(configuration)) {
    section.fail("from", fmt::format("the run has {} cycles at most", most_cycles(configuration)),
                 "begin earlier, or measure longer");
  }
  network.trace = std::move(trace);
}

}  // namespace

SignalTrace trace_of(const Configuration& configuration, const Topology& topology) {
  const Section& section = configuration.section("trace");
  SignalTrace trace{section.texts("signals"), Cycle{section.count("from")},
                    Cycle{section.count("to")}, ""};
  ProblemList problems;
  if (trace.to <= trace.from) {
    problems.add(
        section.problem("to", "the waveform ends before it begins",
                        fmt::format("make it more than trace.from, {}", index(trace.from))));
  }
  for (const std::string& name : trace.signals) {
    try {
      signal_group(name, topology);
    } catch (const std::invalid_argument& error) {
      problems.add(section.problem("signals", error.what(), "name some of those"));
    }
  }
  problems.throw_if_any();
  return trace;
}

Model make_unplayed(const Configuration& configuration) {
  Model model{bare_network(configuration, memory_limit()), nullptr};
  model.workload = workload_for(model.network, configuration);
  return model;
}

Model make_model(const Configuration& configuration, bool unsafe, const MemoryLimit& limit) {
  Model model{bare_network(configuration, limit), nullptr};
  NetworkPlan& network = model.network;
  ProblemList problems;
  problems.attempt([&] {
    if (network.router->require_fit == nullptr) return;
    network.router->require_fit(configuration, *network.topology, network.params);
  });
  problems.attempt([&] { model.workload = workload_for(network, configuration); });
  if (model.workload) {
    problems.attempt([&] { model.workload->adapt(network); });
    if (!network.interface->answers()) {
      network.params.router.shortest_packet = model.workload->shortest_packet();
    }
    problems.attempt([&] { require_replies(network, configuration); });
    network.routing = model.workload->routing();
  }
  if (!network.routing) {
    problems.attempt([&] { add_routing(network, configuration, unsafe); });
  }
  problems.attempt([&] {
    if (!model.workload) return;
    model.workload->join(network);
    require_whole_packets_fit(model, configuration);
  });
  for (Problem& problem : network.interface->problems(configuration, network)) {
    problems.add(std::move(problem));
  }
  problems.attempt([&] { require_choice(network, configuration); });
  problems.attempt([&] { require_realisable(network, configuration); });
  problems.attempt([&] { require_buffers(configuration, network); });
  problems.attempt(
      [&] { add_trace(network, configuration, !model.workload || model.workload->ends()); });
  problems.attempt([&] {
    if (model.workload) model.energy = energy_plan(configuration, network, *model.workload);
  });
  problems.throw_if_any();
  require_memory_for(network, configuration, limit);
  const std::optional<OfferedLoad> offered = model.workload->offered_load();
  if (offered && network.routing) {
    model.capacity = capacity_of(network, network.interface->offered(*offered));
  }
  return model;
}

bool dependencies_are_checkable(const Model& model) {
  const NetworkPlan& network = model.network;
  return network.routing != nullptr &&
         dependencies_are_checkable(*network.topology, *network.routing,
                                    network.params.router.virtual_channels);
}

void require_answers(const Model& model, const Configuration& configuration) {
  if (model.network.routing == nullptr) return;
  const std::vector<std::size_t> cycle =
      protocol_deadlock(*model.network.routing, model.network.params);
  if (cycle.empty()) return;
  const std::vector<std::string> names = model.workload->class_names();
  std::string text;
  for (std::size_t at = 0; at < cycle.size(); ++at) {
    const auto reply = *model.network.params.message_classes[cycle[at]].reply;
    text += fmt::format(
        "{} {} waits for space for its reply {}, which shares virtual channels with {}",
        at == 0 ? ":" : ",", names[cycle[at]], names[reply], names[cycle[(at + 1) % cycle.size()]]);
  }
  configuration.section("workload")
      .sections("classes")[cycle.front()]
      .fail("reply", "protocol deadlock possible" + text,
            "give the replies virtual_channels of their own, or run anyway with --unsafe");
}

DependencyCheck require_acyclic(const Model& model, const Configuration& configuration) {
  DependencyCheck check = check_dependencies(model.topology(), *model.network.routing,
                                             model.network.params.router.virtual_channels);
  if (check.acyclic()) return check;
  if (model.network.routing->reductions() != 0) {
    configuration.section("workload")
        .fail("at_once", cyclic_dependency(check.cycle),
              "give each reduction a virtual channel of its own, by a multiple of as many in "
              "router.virtual_channels, or run anyway with --unsafe");
  }
  configuration.section("routing").fail("kind", cyclic_dependency(check.cycle),
                                        std::string(kCycleHint) + ", or run anyway with --unsafe");
}

}  // namespace flitcast
