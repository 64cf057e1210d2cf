// SPDX-License-Identifier: Apache-2.0
#include "sim/model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "network/catalog.h"
#include "network/circuit/circuit_layout.h"
#include "network/clos_control.h"
#include "network/fabric.h"
#include "routing/catalog.h"
#include "sim/central_control.h"
#include "sim/make_player.h"
#include "topology/catalog.h"
#include "topology/topology.h"
#include "traffic/multicast_traffic.h"
#include "traffic/random_traffic.h"
#include "traffic/trace_source.h"

namespace flitcast {

namespace {

/// Above, modules for buffers, crossbars and links would take more memory than the network itself.
constexpr std::size_t kMostRoutersInFullHierarchy = 4096;

/// Runs one step of making and keeps its problems for later.
class Collector {
 public:
  template <class Step>
  void attempt(Step&& step) {
    try {
      step();
    } catch (const ConfigError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  }
  void throw_if_any() const {
    if (!problems_.empty()) throw ConfigError(problems_);
  }

 private:
  std::vector<Problem> problems_;
};

std::uint32_t natural(const Section& section, const std::string& key) {
  return static_cast<std::uint32_t>(section.integer(key));
}

NetworkParams network_params(const Configuration& configuration) {
  const Section& router = configuration.section("router");
  const Section& link = configuration.section("link");
  NetworkParams params;
  if (router.text("kind") != "circuit") {
    params.router.virtual_channels = natural(router, "virtual_channels");
    params.router.buffer_depth = natural(router, "buffer_depth");
    params.router.pipeline = {
        natural(router, "pipeline.route"), natural(router, "pipeline.vc_allocation"),
        natural(router, "pipeline.switch_allocation"), natural(router, "pipeline.traversal")};
  }
  params.link_latency = natural(link, "latency");
  params.credit_latency = natural(link, "credit_latency");
  params.cycles_per_flit = natural(link, "cycles_per_flit");
  params.startup = natural(configuration.section("node"), "startup");
  params.threads = natural(configuration.section("run"), "threads");
  params.router.multicast = false;  // Until a routing is known that branches.
  params.seed = configuration.seed();
  return params;
}

// Multicasts need somebody who lets them branch.
void make_clos_requests(Model& model, const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (!is_centrally_controlled(configuration)) {
    workload.fail("kind", "clos_requests are multicasts, which this routing does not carry",
                  "set routing.kind: central_control, on a clos topology");
  }
  if (model.groups == nullptr) return;  // Its own problem is known.
  auto multicasts = make_multicast_traffic(workload, dynamic_cast<const Clos&>(*model.topology),
                                           *model.groups, configuration.seed());
  model.multicasts = multicasts.get();
  model.source = std::move(multicasts);
}

void make_source(Model& model, const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (workload.text("kind") == "collective") {
    make_player(model, configuration);
  } else if (workload.text("kind") == "trace") {
    std::unique_ptr<TraceSource> trace = make_trace(workload, *model.topology);
    model.trace = trace.get();
    model.source = std::move(trace);
  } else if (workload.text("kind") == "clos_requests") {
    make_clos_requests(model, configuration);
  } else {
    model.source = make_traffic(workload, *model.topology, configuration.seed());
  }
}

void widen_nodes(Model& model, const Configuration& configuration) {
  const std::size_t ports = node_ports(configuration, *model.topology);
  if (ports == 1) return;
  try {
    model.topology->widen_nodes(ports);
  } catch (const std::invalid_argument&) {
    configuration.section("node").fail("ports",
                                       fmt::format("a router of {} would have more than {} ports",
                                                   model.topology->name(), kMaxPorts),
                                       "give its nodes fewer ports");
  }
}

std::size_t most_switch_ports(const Topology& topology) {
  std::size_t most = 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    most = std::max({most, topology.input_count(RouterId{r}), topology.output_count(RouterId{r})});
  }
  return most;
}

void require_circuits_fit(const Model& model, const Configuration& configuration) {
  const auto* clos = dynamic_cast<const Clos*>(model.topology.get());
  if (clos == nullptr) return;  // Its own problem is known.
  try {
    CircuitLayout::require_within_limits(structure_of(*clos));
  } catch (const std::invalid_argument& error) {
    configuration.section("topology")
        .fail("kind", fmt::format("{} is too large for circuits: {}", clos->name(), error.what()),
              "use fewer or smaller switches");
  }
}

void require_fit(const Model& model, const Configuration& configuration) {
  if (model.params.circuit) return require_circuits_fit(model, configuration);
  if (Fabric::fits(*model.topology, model.params.router)) return;
  const std::size_t ports = most_switch_ports(*model.topology);
  if (ports > kMaxPorts) {
    configuration.section("topology")
        .fail("kind",
              fmt::format("a router of {} has {} ports, and the widest has {}",
                          model.topology->name(), ports, kMaxPorts),
              "use a network with fewer ports per router; circuits have no such limit");
  }
  configuration.section("router").fail(
      "virtual_channels",
      fmt::format("{} virtual channels at each port are too many for the widest router of {}",
                  model.params.router.virtual_channels, model.topology->name()),
      "use fewer virtual channels, or a topology with fewer ports per router");
}

// To say so beforehand is kinder than to be killed half-way.
void require_memory(const Model& model, const Configuration& configuration) {
  if (!Fabric::fits(*model.topology, model.params.router)) return;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  const double needed =
      static_cast<double>(Fabric::memory_estimate(*model.topology, model.params)) / kGiB;
  const double present = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                         static_cast<double>(::sysconf(_SC_PAGESIZE)) / kGiB;
  if (needed <= present) return;
  configuration.section("topology")
      .fail("kind",
            fmt::format("{} takes about {:.1f} GiB, and this machine has {:.1f} GiB",
                        model.topology->name(), needed, present),
            "use fewer nodes, virtual channels or buffers");
}

std::uint32_t longest_packet(const Model& model, const Configuration& configuration) {
  if (model.trace != nullptr) return model.trace->longest_packet();
  if (model.rounds != nullptr) return static_cast<std::uint32_t>(model.rounds->cost.length);
  if (model.player != nullptr) {
    return static_cast<std::uint32_t>(configuration.section("workload").integer("length"));
  }
  const auto lengths = configuration.section("workload").integers("packet_length");
  return static_cast<std::uint32_t>(*std::max_element(lengths.begin(), lengths.end()));
}

// A packet that is longer than a buffer would wait for its credits forever.
void require_whole_packets_fit(const Model& model, const Configuration& configuration) {
  if (!model.params.router.whole_packet_credit || model.source == nullptr) return;
  const std::uint32_t longest = longest_packet(model, configuration);
  if (longest <= model.params.router.buffer_depth) return;
  configuration.section("router").fail(
      "buffer_depth",
      fmt::format("{} flits cannot hold the longest packet, of {} flits, as virtual cut-through "
                  "requires",
                  model.params.router.buffer_depth, longest),
      fmt::format("make it at least {}, or use router.kind: wormhole", longest));
}

}  // namespace

Model make_bare_model(const Configuration& configuration) {
  Model model;
  model.params = network_params(configuration);
  const Section& topology = configuration.section("topology");
  model.topology = find(topologies(), topology.text("kind"))->make(topology);
  Collector collector;
  collector.attempt([&] { widen_nodes(model, configuration); });
  model.params.full_hierarchy = model.topology->router_count() <= kMostRoutersInFullHierarchy;
  collector.attempt([&] {
    const Section& router = configuration.section("router");
    find(routers(), router.text("kind"))
        ->make(router, {*model.topology, configuration.seed()}, model.params);
  });
  collector.throw_if_any();
  return model;
}

Model make_model(const Configuration& configuration, bool unsafe) {
  Model model = make_bare_model(configuration);
  Collector collector;
  collector.attempt([&] { require_fit(model, configuration); });
  collector.attempt([&] { require_memory(model, configuration); });
  collector.attempt([&] {
    if (routers_forward(configuration)) return;  // By rules of their own.
    require_sound_circuits(configuration);
    if (is_centrally_controlled(configuration)) return make_central_control(model, configuration);
    const Section& routing = configuration.section("routing");
    const RoutingContext context{*model.topology, model.params.router.virtual_channels, unsafe};
    model.routing = make_routing(routing, context);
  });
  collector.attempt([&] { make_source(model, configuration); });
  collector.attempt([&] { require_whole_packets_fit(model, configuration); });
  collector.throw_if_any();
  return model;
}

bool dependencies_are_checkable(const Model& model) {
  if (model.routing->multicast()) return false;
  constexpr double kMostSteps = 2e9;
  const double channels =
      static_cast<double>(model.topology->channels().size()) * model.params.router.virtual_channels;
  const auto ties = static_cast<double>(std::uint64_t{1} << model.routing->tie_dimensions());
  return static_cast<double>(model.topology->node_count()) * ties * channels < kMostSteps;
}

DependencyCheck require_acyclic(const Model& model, const Configuration& configuration) {
  DependencyCheck check =
      check_dependencies(*model.topology, *model.routing, model.params.router.virtual_channels);
  if (check.acyclic()) return check;
  std::string circle;
  for (const VirtualChannel& channel : check.cycle) {
    circle += fmt::format("router {} port {} VC {}, ", index(channel.from), index(channel.output),
                          index(channel.vc));
  }
  configuration.section("routing").fail(
      "kind", "packets can wait for each other in a circle of channels: " + circle + "and so on",
      "use virtual-channel classes or another routing, or watch it happen with --unsafe");
}

}  // namespace flitcast
