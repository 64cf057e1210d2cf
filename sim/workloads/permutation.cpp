// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/permutation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/network_params.h"
#include "network/router_entry.h"
#include "router/invariant.h"
#include "routing/catalog.h"
#include "topology/adjacency.h"

namespace flitcast {

namespace {

// The order of the routers' queues, if the user has set it.
std::string priority_given(const Configuration& configuration) {
  const Section& router = configuration.section("router");
  return router.has("priority") && router.given("priority") ? router.text("priority") : "";
}

// The routing of the network; a lack of virtual channels is reported when the network is made.
std::shared_ptr<const Routing> configured_routing(const WorkloadContext& context) {
  const Section& routing = context.configuration.section("routing");
  if (!context.can.has_fixed_paths) {
    routing.fail("kind", "packets of a permutation find their way themselves",
                 "choose another routing.kind");
  }
  const std::size_t channels = std::max(1U, context.params.router.virtual_channels);
  std::shared_ptr<const Routing> made = make_routing(routing, {context.topology, channels, true});
  if (made->adaptive()) {
    routing.fail("kind", routing.text("kind") + " does not fix the path of a packet beforehand",
                 "choose a routing that does not adapt it");
  }
  return made;
}

// Checks that the routing is one for which the theorems on the algorithm hold.
void check_routing(const WorkloadContext& context) {
  const Section& routing = context.configuration.section("routing");
  const AlgorithmEntry& entry =
      *find(permutation_algorithms(), context.section().text("algorithm"));
  const auto& fitting = entry.routings;
  const bool fits = contains(fitting, routing.text("kind"));
  if (fits || fitting.empty() || !entry.accepts(context.topology)) return;
  routing.fail(
      "kind",
      fmt::format("{} goes by {}, not by {}", entry.name, either(fitting), routing.text("kind")),
      "set it so, or use algorithm: greedy, which goes by any routing");
}

}  // namespace

PermutationWorkload::PermutationWorkload(const WorkloadContext& context)
    : PlannedWorkload(context) {
  ProblemList problems;
  std::shared_ptr<const Routing> routing;
  problems.attempt([&] { routing = configured_routing(context); });
  problems.attempt([&] { check_routing(context); });
  problems.attempt([&] { route_ = make_route(on_paper()); });
  problems.throw_if_any();
  route_.routing = routing;
  verdict_.algorithm = section().text("algorithm");
  verdict_.discipline = route_.discipline;
  verdict_.packets = route_.packets.size();
  verdict_.claims = route_.claims;
  verdict_.paper = play_on_steps(context.topology, route_, context.seed());
  moving_ = without_those_there(context.topology, route_.plan.phases);
  set_times();
}

PermutationContext PermutationWorkload::on_paper() const {
  PermutationContext paper{context().topology, section()};
  paper.seed = context().seed();
  paper.router_priority = priority_given(context().configuration);
  paper.routing = route_.routing;
  return paper;
}

// A packet between two nodes of one router takes no step, but its flits follow one another.
void PermutationWorkload::set_times() {
  verdict_.startup_cycles = startup_cycles();
  verdict_.step_cycles = hop_cycles(context().params) + flit_cycles();
  if (!channels_alike(context().topology)) return;
  verdict_.analytic_cycles = 0;
  for (std::size_t p = 0; p < moving_.rounds(); ++p) {
    if (moving_.messages(p).size() == 0) continue;
    const std::size_t steps = verdict_.paper.arrival_steps[p];
    *verdict_.analytic_cycles +=
        verdict_.startup_cycles + (steps == 0 ? flit_cycles() : steps * verdict_.step_cycles);
  }
}

// The queues of the network must have the same order as those of the machine.
void PermutationWorkload::adapt(NetworkPlan& network) {
  if (!network.can.has_buffers) {
    configuration().section("router").fail(
        "kind", "packets of a permutation queue up, and routers without buffers have no queues",
        "choose another router.kind");
  }
  stores_packets_ = network.can.unit == BufferUnit::kPacket;
  if (stores_packets_ && context().part != nullptr) {
    section().fail("kind",
                   "routers that store packets order them by the paths of a permutation, which "
                   "packets of other workloads do not have",
                   "let it run alone, or choose another router.kind");
  }
  set_startup(network);
  network.params.priority = route_.priority;
  network.params.ordered_by_tag = true;
  widen_nodes(network);
}

// On the machine, nodes send all packets in the first step of a phase, and receive all arrivals of
// a step at once.
void PermutationWorkload::widen_nodes(NetworkPlan& network) {
  Topology& topology = *network.topology;
  std::size_t wanted = std::max<std::size_t>(1, route_.most_at(&Message::from, topology));
  if (route_.most_at(&Message::to, topology) > 1)
    wanted = std::max(wanted, most_router_ports(topology));
  if (topology.node_ports() >= wanted) return;
  const Section& node = configuration().section("node");
  if (node.given("ports") || topology.node_ports() > 1) {
    exact_ = false;
    notes_.push_back(fmt::format(
        "nodes with {} would send and receive all at once, as on paper; with fewer the network "
        "takes longer",
        counted(wanted, "port")));
    return;
  }
  try {
    topology.widen_nodes(wanted);
  } catch (const std::invalid_argument&) {
    node.fail("ports",
              fmt::format("a node sends or receives {} packets at once, and a router of {} has no "
                          "more than {} ports",
                          wanted, topology.name(), kMaxPorts),
              "set node.ports, so that they take turns, or use `schedule`");
  }
}

void PermutationWorkload::join(const NetworkPlan& network) {
  if (!channels_alike(*network.topology)) {
    exact_ = false;
    notes_.emplace_back(
        "channels have latencies, widths or buffers of their own: cycles are not compared with the "
        "steps of the paper, in which all are alike");
  } else {
    compare_buffers(network);
  }
  const Section& runs = section();
  if (runs.given("runs") && runs.count("runs") > 1) {
    notes_.emplace_back("repetitions are those of the step machine; the network plays the first");
  }
  paths_ = std::make_unique<MovePaths>(*network.topology, *route_.routing, context().seed(),
                                       route_.plan.choices);
  play(std::make_unique<PermutationPlayer>(moving_, *paths_, longest_packet()));
}

// A packet needs a slot in the downstream buffer before it leaves, when packets that leave in the
// same step have not freed theirs; if credits take longer than a step, slots are freed even later.
void PermutationWorkload::compare_buffers(const NetworkPlan& network) {
  if (!stores_packets_) return;
  const NetworkParams& params = network.params;
  const std::size_t credits =
      params.credit_latency != 0 ? params.credit_latency : params.link_latency;
  const std::size_t returned = credits + most_router_ports(*network.topology);
  const std::size_t late = returned > verdict_.step_cycles ? returned : 0;
  const std::size_t needed = verdict_.paper.max_stored + 1 + late;
  const std::size_t space =
      params.router.buffer_depth *
      std::min<std::size_t>(verdict_.paper.fewest_vcs, params.router.virtual_channels);
  if (space >= needed) return;
  exact_ = false;
  notes_.push_back(fmt::format(
      "buffers hold {} behind a channel, and on paper up to {} wait there; make "
      "router.buffer_depth at least {} for the steps of the paper",
      counted(space, "packet"), verdict_.paper.max_stored,
      (needed + space / params.router.buffer_depth - 1) / (space / params.router.buffer_depth)));
}

// A phase lasts at least as long as the algorithm reserves for it.
std::vector<std::size_t> PermutationWorkload::network_phase_steps() const {
  std::vector<std::size_t> steps;
  if (!finished() || !stores_packets_) return steps;
  for (std::size_t p = 0; p < route_.plan.phases.rounds(); ++p) {
    const std::uint64_t cycles = player()->phase_cycles()[p];
    const std::uint64_t moving = cycles - std::min(cycles, verdict_.startup_cycles);
    const std::uint64_t taken =
        moving <= flit_cycles() ? 0 : (moving + verdict_.step_cycles - 1) / verdict_.step_cycles;
    steps.push_back(std::max<std::size_t>(taken, route_.plan.reserved(p)));
  }
  return steps;
}

void PermutationWorkload::audit(const Network& network) const {
  if (!finished() || !stores_packets_ || !exact_) return;
  if (cycles() != verdict_.analytic_cycles) {
    throw InvariantError(fmt::format("the network took {} cycles, and the step machine {}",
                                     *cycles(), *verdict_.analytic_cycles));
  }
  nlohmann::ordered_json figures;
  network.write_figures(figures);
  const std::size_t queue = figures.at("buffers").at("max_queue").get<std::size_t>();
  const std::size_t held = figures.at("buffers").at("max_held").get<std::size_t>();
  if (queue != verdict_.paper.max_queue || held != verdict_.paper.max_held) {
    throw InvariantError(fmt::format(
        "queues of {} and {} packets held in the network, of {} and {} on the step machine", queue,
        held, verdict_.paper.max_queue, verdict_.paper.max_held));
  }
}

WorkloadEntry permutation_workload() {
  return {{"permutation",
           "Packets that all start at once and go where an algorithm takes them, in phases.",
           permutation_params,
           makes<PermutationWorkload>(),
           {"permutation: {random: 3}, algorithm: greedy, length: 4",
            "permutation: tornado, discipline: farthest"}},
          PermutationWorkload::figure_meanings()};
}

}  // namespace flitcast
