// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/central_control.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "config/wording.h"
#include "network/circuit/packet_admission.h"
#include "network/circuit/timed_admission.h"
#include "network/network_plan.h"

namespace flitcast {
namespace {

std::vector<Param> control_keys() {
  std::vector<Param> params =
      catalog_params(Param::choice("strategy", "Which middle switches carry a multicast.")
                         .defaults_to(clos::strategies()[0].name),
                     clos::strategies());
  params.push_back(Param::choice_or_integer(
      "pass_limit", "switches",
      "Most middle switches of a connection: a number, none, or theorem3 for the x that Theorem 3 "
      "gives for every level.",
      {"none", "theorem3"}, 1, 65536));
  params.push_back(Param::choice(
      "candidates",
      "Available middle switches that a request may use: all, or the first R(n - 1, r', x) + 1 of "
      "them, which Theorem 3 needs.",
      {"all", "first"}));
  return params;
}

std::size_t pass_limit(const Section& routing, const clos::Structure& level) {
  if (routing.is_integer("pass_limit")) return routing.count("pass_limit");
  return routing.text("pass_limit") == "theorem3" ? clos::theorem3(level.n1, level.r1).x : 0;
}

std::vector<clos::AdmissionParams> params_of_levels(const Section& routing,
                                                    const clos::MultistageStructure& structure) {
  return mapped(structure.levels, [&](const clos::Structure& level) {
    clos::AdmissionParams of_level;
    of_level.pass_limit = pass_limit(routing, level);
    if (routing.text("candidates") == "first") of_level.candidates = clos::Candidates::kFirst;
    return of_level;
  });
}

/// True if the section restricts a request to its first candidates but has no pass limit, which
/// defines the first candidates.
bool lacks_pass_limit(const Section& routing) {
  const bool limited = routing.is_integer("pass_limit") || routing.text("pass_limit") != "none";
  return !limited && routing.text("candidates") == "first";
}

Problem no_pass_limit(const Section& routing) {
  return routing.problem("candidates",
                         "the first candidates depend on the pass limit, and there is none",
                         "set routing.pass_limit: theorem3, or use candidates: all");
}

void fit_control(const FitContext& context) {
  const Section& routing = context.configuration.section("routing");
  if (!accepts<Clos>()(context.topology)) {
    context.refuse("routing", "kind", "central_control does not work on " + context.topology.name(),
                   "it works on clos; choose another routing or topology");
  }
  if (context.topology.node_ports() > 1) {
    context.refuse("node", "ports", "nodes of a Clos network under central control have one port",
                   "use ports: one");
  }
  if (lacks_pass_limit(routing)) context.problems.add(no_pass_limit(routing));
}

/// Sets the strategy, the limits and the seed of a central control according to the section
/// `routing`. Throws ConfigError for first candidates without a pass limit.
void set_control(const Section& routing, const Clos& topology, std::uint64_t seed,
                 CircuitParams& params) {
  if (lacks_pass_limit(routing)) throw ConfigError(no_pass_limit(routing));
  params.strategy = find(clos::strategies(), routing.text("strategy"))->make;
  params.control = params_of_levels(routing, topology.structure());
  params.seed = seed;
}

// Parts that do not fit stay without a control; fit_control() reports them. Groups are made in any
// case, so that workloads can be made and their own problems found.
void add_control(const Configuration& configuration, NetworkPlan& network) {
  const auto* const clos = topology_as<Clos>(*network.topology);
  if (clos == nullptr) return;
  network.groups = std::make_unique<DestinationGroups>(clos->node_count());
  const Section& routing = configuration.section("routing");
  if (clos->node_ports() > 1 || lacks_pass_limit(routing)) return;
  NetworkParams& params = network.params;
  CircuitParams& control = params.circuits;
  set_control(routing, *clos, configuration.seed(), control);
  if (!network.can.has_buffers) return;
  auto admission = std::make_shared<PacketAdmission>(
      *clos, *network.groups, strategy_factory(control.strategy, control.control, control.seed),
      control.control, params.router.virtual_channels);
  params.admission = admission;
  params.stored_injection = network.can.unit == BufferUnit::kPacket;
  network.routing = admission;
  network.control = std::move(admission);
}

std::unique_ptr<Routing> refuse_to_make(const Section&, const RoutingContext&) {
  throw std::logic_error("a central control is made by add_control()");
}

RoutingEntry central_control() {
  return {"central_control",
          "On Clos networks: packets enter, multicasts too, when all their links and outputs are "
          "theirs. 1 VC.",
          control_keys,
          accepts<Clos>(),
          refuse_to_make,
          {},
          fit_control,
          add_control};
}

}  // namespace

const Catalog<RoutingEntry>& all_routings() {
  static const Catalog<RoutingEntry> catalog = [] {
    Catalog<RoutingEntry> all = routings();
    all.add(central_control());
    return all;
  }();
  return catalog;
}

const RoutingEntry& routing_of(const Configuration& configuration) {
  return *all_routings().find(configuration.section("routing").text("kind"));
}

Capabilities capabilities_of(const Configuration& configuration) {
  Capabilities can = router_of(configuration).can;
  if (routing_of(configuration).add_control == nullptr) return can;
  can.has_classes = can.has_fixed_paths = false;
  can.has_multicasts = true;
  return can;
}

namespace {

std::vector<std::size_t> in_order_of_senders(const Schedule& schedule, std::size_t round) {
  std::vector<std::size_t> messages = numbers(schedule.begin(round), schedule.end(round));
  sort_by(messages, [&](std::size_t m) { return schedule.message(m).from; });
  return messages;
}

/// The controller's clocks for all requests of a round, which starts and ends with an empty
/// network; absent if a request is blocked.
std::optional<std::uint64_t> clocks_of_round(const Schedule& schedule, std::size_t round,
                                             TimedAdmission& control) {
  const std::vector<std::size_t> messages = in_order_of_senders(schedule, round);
  std::uint64_t clocks = 0;
  for (const std::size_t m : messages) {
    std::vector<clos::OutputId> outputs;
    for (const NodeId to : schedule.receivers(m)) outputs.push_back(clos::OutputId{index(to)});
    std::sort(outputs.begin(), outputs.end());
    const TimedVerdict verdict =
        control.connect(clos::InputId{index(schedule.message(m).from)}, outputs);
    if (verdict.blocked) return std::nullopt;
    clocks += verdict.clocks;
  }
  for (const std::size_t m : messages) {
    control.disconnect(clos::InputId{index(schedule.message(m).from)});
  }
  return clocks;
}

/// The controller's clocks for all rounds; absent if a request is blocked.
std::optional<std::uint64_t> clocks_of_rounds(const ControlledRounds& rounds) {
  TimedAdmission control(rounds.structure, rounds.control);
  return sum_if_all<std::uint64_t>(numbers(rounds.schedule.rounds()), [&](std::size_t round) {
    return clocks_of_round(rounds.schedule, round, control);
  });
}

}  // namespace

std::optional<std::uint64_t> packet_round_cycles(const ControlledRounds& rounds) {
  if (!clocks_of_rounds(rounds)) return std::nullopt;
  const CostModel& cost = rounds.cost;
  const bool stored = rounds.unit == BufferUnit::kPacket;
  const std::uint64_t into_first = stored ? cost.length - 1 + cost.flit : 0;
  const Switching switching = stored ? Switching::kStoreAndForward : Switching::kWormhole;
  return rounds.schedule.rounds() *
         (message_cycles(cost, switching, rounds.structure.stages() - 1) + into_first);
}

std::optional<std::uint64_t> circuit_round_cycles(const ControlledRounds& rounds) {
  const CircuitParams& params = rounds.control;
  if (rounds.schedule.rounds() > 1 && params.teardown_cycles > 1) return std::nullopt;
  const auto clocks = clocks_of_rounds(rounds);
  if (!clocks) return std::nullopt;
  const std::uint64_t of_a_round = params.request_cycles + params.configuration_cycles +
                                   rounds.structure.stages() * params.stage_cycles +
                                   rounds.cost.length;
  return rounds.schedule.rounds() * of_a_round + *clocks;
}

std::optional<std::uint64_t> round_cycles(const Configuration& configuration,
                                          const Topology& topology, const NetworkParams& params,
                                          const Schedule& schedule, const CostModel& cost) {
  const auto* clos = topology_as<Clos>(topology);
  const RouterEntry& router = router_of(configuration);
  if (clos == nullptr) return std::nullopt;
  CircuitParams timed = params.circuits;
  set_control(configuration.section("routing"), *clos, configuration.seed(), timed);
  const ControlledRounds rounds{schedule, clos->structure(), timed, cost, router.can.unit};
  return router.round_cycles == nullptr ? packet_round_cycles(rounds) : router.round_cycles(rounds);
}

}  // namespace flitcast
