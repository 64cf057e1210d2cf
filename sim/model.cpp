// SPDX-License-Identifier: Apache-2.0
#include "sim/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "collective/routability.h"
#include "network/catalog.h"
#include "network/fabric.h"
#include "routing/catalog.h"
#include "topology/catalog.h"
#include "topology/hypercube.h"
#include "topology/limits.h"
#include "traffic/make_trace.h"
#include "traffic/random_traffic.h"
#include "traffic/schedule_player.h"

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
  params.router.virtual_channels = natural(router, "virtual_channels");
  params.router.buffer_depth = natural(router, "buffer_depth");
  params.router.pipeline = {
      natural(router, "pipeline.route"), natural(router, "pipeline.vc_allocation"),
      natural(router, "pipeline.switch_allocation"), natural(router, "pipeline.traversal")};
  params.link_latency = natural(link, "latency");
  params.credit_latency = natural(link, "credit_latency");
  params.cycles_per_flit = natural(link, "cycles_per_flit");
  params.startup = natural(configuration.section("node"), "startup");
  params.threads = natural(configuration.section("run"), "threads");
  params.seed = configuration.seed();
  return params;
}

// The routing must take the very paths that the schedule counts on.
void require_routable(const Model& model, const Configuration& configuration) {
  if (model.routing == nullptr) return;  // Its own problem is known.
  const Schedule& schedule = model.collective->collective.plan.schedule;
  const auto send = first_unroutable(*model.topology, *model.routing, schedule);
  if (!send) return;
  const bool cube = dynamic_cast<const Hypercube*>(model.topology.get()) != nullptr;
  configuration.section("routing").fail(
      "kind",
      fmt::format("{} does not take the path that {} counts on from node {} to node {}",
                  configuration.section("routing").text("kind"), model.collective->algorithm,
                  index(schedule.send(*send).from), index(schedule.send(*send).to)),
      cube ? "use {kind: e_cube, order: msb}"
           : "use dimension_order in ascending order, or o1turn where the algorithm takes XY and "
             "YX");
}

void require_room(const Demand& demand, const Section& workload) {
  if (demand.chunks() <= ChunkLedger::kMostEntries / demand.nodes) return;
  workload.fail("operation",
                fmt::format("{} chunks at {} nodes are too many to keep account of",
                            demand.chunks(), demand.nodes),
                "use a smaller network; `schedule` judges it without the network");
}

// A start-up contains the way through the interfaces of both nodes.
void make_player(Model& model, const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  model.collective = std::make_unique<CollectiveWorkload>(
      make_collective(configuration, *model.topology, model.params));
  require_routable(model, configuration);
  const Collective& collective = model.collective->collective;
  const auto timing = workload.text("timing") == "rounds" ? SchedulePlayer::Timing::kRounds
                                                          : SchedulePlayer::Timing::kSelfTimed;
  auto player =
      std::make_unique<SchedulePlayer>(*model.topology, collective.plan.schedule, collective.demand,
                                       timing, natural(workload, "length"), configuration.seed());
  model.player = player.get();
  model.source = std::move(player);
  model.params.startup = static_cast<std::uint32_t>(
      static_cast<std::int64_t>(model.collective->cost.startup) - interface_cycles(model.params));
}

void make_source(Model& model, const Configuration& configuration) {
  const Section& workload = configuration.section("workload");
  if (workload.text("kind") == "collective") {
    make_player(model, configuration);
  } else if (workload.text("kind") == "trace") {
    std::unique_ptr<TraceSource> trace = make_trace(workload, *model.topology);
    model.trace = trace.get();
    model.source = std::move(trace);
  } else {
    model.source = make_traffic(workload, *model.topology, configuration.seed());
  }
}

void widen_nodes(Model& model, const Configuration& configuration) {
  try {
    model.topology->widen_nodes(node_ports(configuration, *model.topology));
  } catch (const std::invalid_argument&) {
    configuration.section("node").fail("ports",
                                       fmt::format("a router of {} would have more than {} ports",
                                                   model.topology->name(), kMaxPorts),
                                       "give its nodes fewer ports");
  }
}

void require_fit(const Model& model, const Configuration& configuration) {
  if (Fabric::fits(*model.topology, model.params.router)) return;
  configuration.section("router").fail(
      "virtual_channels",
      fmt::format("{} virtual channels at each port are too many for the widest router of {}",
                  model.params.router.virtual_channels, model.topology->name()),
      "use fewer virtual channels, or a topology with fewer ports per router");
}

std::uint32_t longest_packet(const Model& model, const Configuration& configuration) {
  if (model.trace != nullptr) return model.trace->longest_packet();
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

Model make_model(const Configuration& configuration, bool unsafe) {
  Model model;
  model.params = network_params(configuration);
  Collector collector;
  collector.attempt([&] {
    const Section& topology = configuration.section("topology");
    model.topology = find(topologies(), topology.text("kind"))->make(topology);
  });
  collector.throw_if_any();
  collector.attempt([&] { widen_nodes(model, configuration); });
  collector.throw_if_any();
  model.params.full_hierarchy = model.topology->router_count() <= kMostRoutersInFullHierarchy;
  collector.attempt([&] {
    const Section& router = configuration.section("router");
    find(routers(), router.text("kind"))
        ->make(router, {*model.topology, configuration.seed()}, model.params);
  });
  collector.attempt([&] { require_fit(model, configuration); });
  collector.attempt([&] {
    const Section& routing = configuration.section("routing");
    const RoutingContext context{*model.topology, model.params.router.virtual_channels, unsafe};
    model.routing = find(routings(), routing.text("kind"))->make(routing, context);
  });
  collector.attempt([&] { make_source(model, configuration); });
  collector.attempt([&] { require_whole_packets_fit(model, configuration); });
  collector.throw_if_any();
  return model;
}

bool dependencies_are_checkable(const Model& model) {
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
