// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/central_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "config/wording.h"
#include "network/circuit/circuit_params.h"
#include "network/circuit/packet_admission.h"
#include "network/circuit/strategy_factory.h"
#include "network/circuit/timed_admission.h"
#include "network/router_entry.h"

namespace flitcast {
namespace {

constexpr const char* kCentralControl = "central_control";

std::vector<Param> control_params() {
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

// The catalog lists it; its maker is add_central_control().
std::unique_ptr<Routing> refuse_to_make(const Section&, const RoutingContext&) {
  throw std::logic_error("the central control is made with its network");
}

std::size_t pass_limit(const Section& routing, const clos::Structure& level) {
  if (routing.is_integer("pass_limit")) return routing.count("pass_limit");
  return routing.text("pass_limit") == "theorem3" ? clos::theorem3(level.n1, level.r1).x : 0;
}

std::vector<clos::AdmissionParams> params_of(const Section& routing,
                                             const clos::MultistageStructure& structure) {
  std::vector<clos::AdmissionParams> params;
  for (const clos::Structure& level : structure.levels) {
    clos::AdmissionParams of_level;
    of_level.pass_limit = pass_limit(routing, level);
    if (routing.text("candidates") == "first") of_level.candidates = clos::Candidates::kFirst;
    params.push_back(of_level);
  }
  return params;
}

/// "clos_requests": the workloads whose packets a network may give up.
std::string losing_workloads() {
  std::vector<std::string> names;
  for (const WorkloadEntry& entry : workloads()) {
    if (entry.may_lose_packets) names.push_back(entry.name);
  }
  return listed(names);
}

/// What means nothing in a circuit-switched network.
std::vector<Problem> circuit_problems(const Configuration& configuration) {
  std::vector<Problem> problems;
  const Section& router = configuration.section("router");
  if (router_of(configuration).cores != nullptr) return problems;
  const Section& link = configuration.section("link");
  for (const char* key : {"latency", "credit_latency", "cycles_per_flit"}) {
    if (!link.given(key)) continue;
    problems.push_back(link.problem(
        key, "means nothing in a circuit-switched network",
        "leave it out; router.stage_cycles is the way through a crossbar and its link"));
  }
  const Section& node = configuration.section("node");
  if (node.given("startup")) {
    problems.push_back(
        node.problem("startup", "means nothing in a circuit-switched network",
                     "leave it out; router.request_cycles is the way to the controller"));
  }
  if (!workload_entry(configuration).may_lose_packets && router.text("when_blocked") == "drop") {
    problems.push_back(router.problem(
        "when_blocked", fmt::format("only {} may lose packets", losing_workloads()), "use retry"));
  }
  return problems;
}

std::optional<Problem> candidates_problem(const Section& routing) {
  const bool limited = routing.is_integer("pass_limit") || routing.text("pass_limit") != "none";
  if (limited || routing.text("candidates") != "first") return std::nullopt;
  return routing.problem("candidates",
                         "the first candidates depend on the pass limit, and there is none",
                         "set routing.pass_limit: theorem3, or use candidates: all");
}

std::vector<Problem> control_problems(const Topology& topology,
                                      const Configuration& configuration) {
  const Section& routing = configuration.section("routing");
  std::vector<Problem> problems = circuit_problems(configuration);
  if (dynamic_cast<const Clos*>(&topology) == nullptr) {
    problems.push_back(
        routing.problem("kind", fmt::format("central_control does not work on {}", topology.name()),
                        "it works on clos; choose another routing or topology"));
  }
  if (topology.node_ports() > 1) {
    problems.push_back(configuration.section("node").problem(
        "ports", "nodes of a Clos network under central control have one port", "use ports: one"));
  }
  if (const auto problem = candidates_problem(routing)) problems.push_back(*problem);
  return problems;
}

std::vector<std::size_t> in_order_of_senders(const Schedule& schedule, std::size_t round) {
  std::vector<std::size_t> messages;
  for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) messages.push_back(m);
  std::sort(messages.begin(), messages.end(), [&](std::size_t a, std::size_t b) {
    return schedule.message(a).from < schedule.message(b).from;
  });
  return messages;
}

/// The controller's clocks for all requests of a round, from and to an empty network; absent if one
/// is blocked.
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

}  // namespace

const Catalog<RoutingEntry>& all_routings() {
  static const Catalog<RoutingEntry> catalog = [] {
    Catalog<RoutingEntry> all = routings();
    all.add({kCentralControl,
             "On Clos networks: packets enter, multicasts too, when all their links and "
             "outputs are theirs. 1 VC.",
             control_params, accepts<Clos>(), refuse_to_make});
    return all;
  }();
  return catalog;
}

bool is_centrally_controlled(const Configuration& configuration) {
  return configuration.section("routing").text("kind") == kCentralControl;
}

void require_sound_circuits(const Configuration& configuration) {
  if (router_of(configuration).cores != nullptr) return;
  if (is_centrally_controlled(configuration)) return;
  std::vector<Problem> problems = circuit_problems(configuration);
  problems.push_back(
      configuration.section("routing").problem("kind", "circuits are set up by a central control",
                                               "use central_control, on a clos topology"));
  throw ConfigError(std::move(problems));
}

CircuitParams control_of(const Configuration& configuration, const Clos& topology) {
  const Section& routing = configuration.section("routing");
  if (auto problem = candidates_problem(routing)) throw ConfigError(std::move(*problem));
  CircuitParams params;
  params.strategy = find(clos::strategies(), routing.text("strategy"))->make;
  params.control = params_of(routing, clos::structure_of(topology));
  params.seed = configuration.seed();
  return params;
}

void add_central_control(NetworkPlan& network, const Configuration& configuration) {
  const auto* const clos = dynamic_cast<const Clos*>(network.topology.get());
  if (clos != nullptr) network.groups = std::make_unique<DestinationGroups>(clos->node_count());
  std::vector<Problem> problems = control_problems(*network.topology, configuration);
  if (!problems.empty()) throw ConfigError(std::move(problems));
  const CircuitParams control = control_of(configuration, *clos);
  NetworkParams& params = network.params;
  if (network.router->cores == nullptr) {
    params.circuits.strategy = control.strategy;
    params.circuits.control = control.control;
    return;
  }
  auto routing = std::make_shared<PacketAdmission>(
      *clos, *network.groups, strategy_factory(control.strategy, control.control, control.seed),
      control.control, params.router.virtual_channels);
  params.admission = routing;
  params.stored_injection = params.keeps_packets();
  network.routing = std::move(routing);
}

std::optional<std::uint64_t> packet_rounds_cycles(const Schedule& schedule,
                                                  const clos::MultistageStructure& structure,
                                                  const CircuitParams& control_params,
                                                  const CostModel& cost, Switching switching) {
  TimedAdmission control(structure, control_params);
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    if (!clocks_of_round(schedule, round, control)) return std::nullopt;
  }
  const std::uint64_t into_first =
      switching == Switching::kStoreAndForward ? cost.length - 1 + cost.flit : 0;
  return schedule.rounds() * (message_cycles(cost, switching, structure.stages() - 1) + into_first);
}

std::optional<std::uint64_t> circuit_rounds_cycles(const Schedule& schedule,
                                                   const clos::MultistageStructure& structure,
                                                   const CircuitParams& params,
                                                   std::uint64_t length) {
  if (schedule.rounds() > 1 && params.teardown_cycles > 1) return std::nullopt;
  TimedAdmission control(structure, params);
  const std::uint64_t of_a_round = params.request_cycles + params.configuration_cycles +
                                   structure.stages() * params.stage_cycles + length;
  std::uint64_t cycles = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const std::optional<std::uint64_t> clocks = clocks_of_round(schedule, round, control);
    if (!clocks) return std::nullopt;
    cycles += of_a_round + *clocks;
  }
  return cycles;
}

}  // namespace flitcast
