// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/flit.h"
#include "base/sequences.h"
#include "config/wording.h"
#include "network/check/deadlock_search.h"
#include "network/circuit/central_control.h"
#include "network/router_entry.h"
#include "topology/adjacency.h"
#include "topology/catalog.h"

namespace flitcast {

namespace {

constexpr const char* kLessMemory = "use fewer nodes, virtual channels or buffers";

NetworkParams params_of(const Configuration& configuration) {
  NetworkParams params = network_params(configuration);
  params.startup = static_cast<std::uint32_t>(configuration.section("node").count("startup"));
  params.reply_queue =
      static_cast<std::uint32_t>(configuration.section("node").count("reply_queue"));
  // No module reads views of this network; circuits have their modules in any case.
  params.modules = false;
  params.threads = static_cast<std::uint32_t>(configuration.section("run").count("threads"));
  return params;
}

/// The number of ports of every node: node.ports, or one for every channel of the widest router.
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

// Building a topology may itself take much time and memory, so its size is computed first.
void check_memory_for_size(const NetworkPlan& network, const TopologyEntry& entry,
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

// Fails early rather than run out of memory. The estimate is for the smallest routers: those whose
// packets have one path, and those for long packets.
void check_memory(const NetworkPlan& network, const Configuration& configuration,
                  const MemoryLimit& limit) {
  const std::optional<std::uint64_t> bytes = memory_estimate(network);
  if (!bytes) return;
  require_memory(static_cast<double>(*bytes), limit,
                 fmt::format("{} takes about", network.topology->name()),
                 configuration.section("topology").problem("kind", "", kLessMemory));
}

/// Returns a network with its topology and parameters, but without groups and routing.
/// @param like  As in make_model().
NetworkPlan bare_network(const Configuration& configuration, const MemoryLimit& limit,
                         Model* like = nullptr) {
  NetworkPlan network;
  network.router = &router_of(configuration);
  network.implementation = &implementation_of(configuration);
  network.can = capabilities_of(configuration);
  network.params = params_of(configuration);
  network.params.router.shortest_packet = kMaxPacketLength;  // The workload may reduce it.
  ProblemList problems;
  if (like != nullptr) {
    network.topology = std::move(like->network.topology);
  } else {
    const Section& topology = configuration.section("topology");
    const TopologyEntry& family = *find(topologies(), topology.text("kind"));
    check_memory_for_size(network, family, topology, limit);
    network.topology = make_topology(topology, configuration.section("link"));
    problems.attempt([&] { widen_nodes(*network.topology, configuration); });
  }
  problems.attempt([&] {
    if (network.router->configure == nullptr) return;
    network.router->configure(configuration.section("router"),
                              {*network.topology, configuration.seed()}, network.params);
  });
  problems.throw_if_any();
  check_memory(network, configuration, limit);
  network.params.router.shortest_packet = 1;
  return network;
}

std::unique_ptr<Workload> workload_for(const NetworkPlan& network,
                                       const Configuration& configuration) {
  return workload_entry(configuration)
      .make({configuration, *network.topology, network.params, network.can});
}

// Circuits without a control have no routing; fit_control() reports them.
void add_routing(Model& model, const Configuration& configuration, bool unsafe, const Model* like) {
  NetworkPlan& network = model.network;
  const RoutingEntry& routing = routing_of(configuration);
  if (routing.add_control != nullptr) return routing.add_control(configuration, network);
  if (!network.can.has_buffers) return;
  network.routing = like != nullptr ? like->network.routing
                                    : model.interface->routing(configuration, network, unsafe);
}

// Only requests that have replies use reply slots.
void fit_replies(const FitContext& context) {
  const std::vector<MessageClass>& classes = context.params.message_classes;
  const bool answered =
      any_of(classes, [](const MessageClass& one) { return one.reply.has_value(); });
  if (context.params.reply_queue == 0 || answered || !context.longest_packet) return;
  context.refuse("node", "reply_queue", "no packet of this workload has a reply",
                 "give it workload.classes with a reply, or remove it");
}

void fit_arbitration(const FitContext& context) {
  const ArbitrationTraits& traits = traits_of(context.params.router.options.arbitration);
  if (!traits.by_class || !context.longest_packet || !context.params.message_classes.empty())
    return;
  context.refuse(
      "router", "arbitration",
      fmt::format("{} orders the packets of classes, and this workload has none", traits.name),
      "give it workload.classes, or use age or round_robin");
}

void fit_samples(const FitContext& context) {
  const bool samples = context.configuration.section("measure").count("buffers") != 0;
  if (!samples || context.can.has_buffers) return;
  context.refuse("measure", "buffers", context.kind("router") + " routers have no buffers",
                 "leave it out, or set router.kind to another");
}

void fit_losses(const FitContext& context) {
  const bool drops = context.params.circuits.when_blocked == WhenBlocked::kDrop;
  if (!drops || workload_entry(context.configuration).may_lose_packets) return;
  const auto names = names_where(workloads(), &WorkloadEntry::may_lose_packets);
  context.refuse("router", "when_blocked", "only " + listed(names) + " may lose packets",
                 "use retry");
}

/// The compatibility checks of each entry in the configuration, and of its other sections.
std::vector<Fit> fits_of(const Configuration& configuration) {
  const std::string& topology = configuration.section("topology").text("kind");
  return {topologies().find(topology)->fit,
          router_of(configuration).fit,
          routing_of(configuration).fit,
          implementation_of(configuration).fit,
          workload_entry(configuration).fit,
          interface_entry(configuration).fit,
          fit_replies,
          fit_arbitration,
          fit_samples,
          fit_losses};
}

// In an implementation without signals a waveform shows the states of routers, and of nodes if they
// have any.
void check_signals(const SignalTrace& trace, const NetworkPlan& network, const Section& section) {
  using Kind = SignalGroup::Kind;
  if (network.implementation->has_signals) return;
  if (!network.implementation->has_flits)
    section.fail("signals", "routers have signals; flows do not",
                 "set " + network.implementation->instead);
  ProblemList problems;
  for (const std::string& name : trace.signals) {
    const Kind kind = signal_group(name, *network.topology).kind;
    if (kind == Kind::kRouter || (kind == Kind::kNode && network.can.shows_nodes)) continue;
    const bool nodes = network.can.shows_nodes;
    problems.add(section.problem(
        "signals",
        nodes ? network.router->name + " networks show routers and nodes alone"
              : fmt::format("a {} network shows routers alone", network.implementation->name),
        nodes ? "name router_0, node_0 or others"
              : "name router_0 or others, or set run.implementation to " +
                    either(names_where(implementations(), &Implementation::has_signals))));
  }
  problems.throw_if_any();
}

/// The maximum number of cycles of a run whose workload does not end.
std::uint64_t most_cycles(const Configuration& configuration) {
  const Section& measure = configuration.section("measure");
  return measure.count("warmup") + measure.count("window") + measure.count("drain_limit");
}

// The run command sets the file name.
void add_trace(NetworkPlan& network, const Configuration& configuration, bool ends) {
  const Section& section = configuration.section("trace");
  SignalTrace trace = trace_of(configuration, *network.topology);
  if (trace.signals.empty()) return;
  check_signals(trace, network, section);
  if (!ends && index(trace.from) >= most_cycles(configuration)) {
    section.fail("from", fmt::format("the run has {} cycles at most", most_cycles(configuration)),
                 "begin earlier, or measure longer");
  }
  network.trace = std::move(trace);
}

}  // namespace

std::optional<std::uint64_t> memory_estimate(const NetworkPlan& network) {
  if (network.router->memory_estimate == nullptr) return std::nullopt;
  const OutputMode mode = network.routing ? output_mode_of(*network.routing) : OutputMode::kOne;
  return network.router->memory_estimate(*network.topology, network.params, mode);
}

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
  Model model;
  model.network = bare_network(configuration, memory_limit());
  model.workload = workload_for(model.network, configuration);
  return model;
}

namespace {

/// Makes the workload, and adapts the network to it and to its interface.
void add_workload(Model& model, const Configuration& configuration, ProblemList& problems) {
  NetworkPlan& network = model.network;
  problems.attempt([&] { model.workload = workload_for(network, configuration); });
  if (model.workload) {
    problems.attempt([&] { model.workload->adapt(network); });
    network.params.router.shortest_packet = model.workload->shortest_packet();
    network.routing = model.workload->routing();
  }
  model.interface->adapt(network);
}

// The error of flows is known for the time of a whole workload, not for latencies under a load.
void check_level(const Model& model, const Configuration& configuration) {
  const bool flows = model.network.implementation == &flow_level();
  if (!flows || !model.workload || model.workload->ends()) return;
  configuration.section("run").fail("level", "flows carry workloads that end, this one does not",
                                    "set run.level: flit");
}

}  // namespace

std::string credit_note(const NetworkPlan& network) {
  const NetworkParams& params = network.params;
  if (!network.can.has_buffers || network.can.unit != BufferUnit::kFlit) return "";
  const std::vector<Channel>& channels = network.topology->channels();
  const Channel* worst = nullptr;
  double least = 1;  // A share of the capacity of the worst channel.
  std::size_t short_of_credits = 0;
  for (const Channel& channel : channels) {
    const OutputChannel output = channel_behind(channel, params);
    const double share = static_cast<double>(output.buffer_depth) * output.cycles_per_flit /
                         static_cast<double>(credit_round_trip(params, output.latency));
    short_of_credits += share < 1 ? 1 : 0;
    if (share >= least) continue;
    least = share;
    worst = &channel;
  }
  if (worst == nullptr) return "";
  const OutputChannel output = channel_behind(*worst, params);
  const unsigned vcs = params.router.virtual_channels;
  const std::string of_all = vcs == 1 ? ""
                                      : fmt::format(", packets in all {} VCs at most {:.3g} %", vcs,
                                                    100 * std::min(1.0, vcs * least));
  const bool alike = short_of_credits == channels.size() && worst->buffer_depth == 0;
  return fmt::format(
      "buffers of {} do not cover the credit round trip of {} of {} channels: a packet gets at "
      "most {:.3g} % of the worst{}; set {} to {}",
      counted(output.buffer_depth, "flit"), short_of_credits, channels.size(), 100 * least, of_all,
      alike ? "router.buffer_depth"
            : "buffer_depth of link.classes." + network.topology->channel_class(*worst) +
                  ", or of its exception,",
      (credit_round_trip(params, output.latency) + output.cycles_per_flit - 1) /
          output.cycles_per_flit);
}

namespace {

/// @param join  Lets the workload join the network, or checks that it can.
/// @param like  As in make_model().
Model assemble(const Configuration& configuration, bool unsafe, const MemoryLimit& limit,
               void (*join)(Workload&, const NetworkPlan&), Model* like = nullptr) {
  Model model;
  model.network = bare_network(configuration, limit, like);
  model.interface = interface_entry(configuration).make(configuration.section("workload"));
  NetworkPlan& network = model.network;
  ProblemList problems;
  add_workload(model, configuration, problems);
  if (!network.routing) problems.attempt([&] { add_routing(model, configuration, unsafe, like); });
  std::optional<std::uint32_t> longest;  // The longest packet of a workload that can join.
  problems.attempt([&] {
    if (!model.workload) return;
    join(*model.workload, network);
    longest = model.workload->longest_packet();
  });
  for (const Fit fit : fits_of(configuration)) {
    if (fit == nullptr) continue;
    fit({configuration, *network.topology, network.params, network.can, problems,
         network.routing.get(), longest});
  }
  problems.attempt(
      [&] { add_trace(network, configuration, !model.workload || model.workload->ends()); });
  problems.attempt([&] { check_level(model, configuration); });
  problems.attempt([&] {
    if (longest) model.energy = energy_plan(configuration, network, *longest);
  });
  problems.throw_if_any();
  check_memory(network, configuration, limit);
  model.offered = model.workload->offered_load();
  if (!model.offered) return model;
  model.offered = model.interface->offered(*model.offered);
  if (!network.routing) return model;
  model.capacity =
      like != nullptr ? std::move(like->capacity) : capacity_of(network, *model.offered);
  model.capacity->offered = model.offered->load;
  return model;
}

}  // namespace

std::vector<std::string> notes_of(const Model& model, const Configuration& configuration) {
  std::vector<std::string> notes = configuration.notes();
  for (std::string& note : model.workload->notes()) notes.push_back(std::move(note));
  const std::string credits = credit_note(model.network);
  if (!credits.empty()) notes.push_back(credits);
  return notes;
}

Model make_model(const Configuration& configuration, bool unsafe, const MemoryLimit& limit,
                 Model* like) {
  return assemble(
      configuration, unsafe, limit,
      [](Workload& workload, const NetworkPlan& network) { workload.join(network); }, like);
}

std::string network_key(const Configuration& configuration) {
  nlohmann::ordered_json sections = configuration.effective();
  for (const char* name : {"name", "seed", "measure"}) sections.erase(name);
  nlohmann::ordered_json& workload = sections.at("workload");
  if (workload.contains("load") && workload.at("load").is_number()) workload.erase("load");
  return sections.dump() + configuration.input_hashes();
}

Model make_fitted(const Configuration& configuration) {
  return assemble(configuration, false, memory_limit(),
                  [](Workload& one, const NetworkPlan& network) { one.check_fit(network); });
}

bool dependencies_are_checkable(const Model& model) {
  const NetworkPlan& network = model.network;
  return network.routing != nullptr &&
         dependencies_are_checkable(*network.topology, *network.routing,
                                    network.params.router.virtual_channels);
}

void check_protocol(const Model& model, const Configuration& configuration) {
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

DependencyCheck check_routing(const Model& model, const Configuration& configuration) {
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
