// SPDX-License-Identifier: Apache-2.0
#include "sim/central_control.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "config/wording.h"
#include "network/circuit/circuit_params.h"
#include "network/packet_admission.h"
#include "network/router_entry.h"
#include "network/strategy_factory.h"

namespace flitcast {
namespace {

constexpr const char* kCentralControl = "central_control";

std::vector<Param> control_params() {
  using Type = Param::Type;
  std::vector<Param> params =
      menu_params({"strategy", Type::kChoice, "S1", "", "Which middle switches carry a multicast."},
                  clos::strategies());
  params.push_back({"pass_limit",
                    Type::kChoiceOrInteger,
                    "none",
                    "switches",
                    "Most middle switches of a connection: a number, none, or theorem3 for the x "
                    "that Theorem 3 gives for every level.",
                    1,
                    65536,
                    {"none", "theorem3"}});
  Param candidates{"candidates", Type::kChoice, "all", "",
                   "Available middle switches that a request may use: all, or the first "
                   "R(n - 1, r', x) + 1 of them, which Theorem 3 needs."};
  candidates.choices = {"all", "first"};
  params.push_back(candidates);
  return params;
}

// The catalog lists it; its maker is add_central_control().
std::unique_ptr<Routing> refuse_to_make(const Section&, const RoutingContext&) {
  throw std::logic_error("the central control is made with its network");
}

std::size_t pass_limit(const Section& routing, const clos::Structure& level) {
  if (routing.is_integer("pass_limit")) {
    return static_cast<std::size_t>(routing.integer("pass_limit"));
  }
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

Problem problem(const Section& section, const char* key, std::string what, const char* remedy) {
  return {section.place(key), section.name() + "." + key, std::move(what), remedy};
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
  if (router_of(configuration).unit) return problems;
  const Section& link = configuration.section("link");
  for (const char* key : {"latency", "credit_latency", "cycles_per_flit"}) {
    if (!link.given(key)) continue;
    problems.push_back(
        problem(link, key, "means nothing in a circuit-switched network",
                "leave it out; router.stage_cycles is the way through a crossbar and its link"));
  }
  const Section& node = configuration.section("node");
  if (node.given("startup")) {
    problems.push_back(problem(node, "startup", "means nothing in a circuit-switched network",
                               "leave it out; router.request_cycles is the way to the controller"));
  }
  if (!workload_entry(configuration).may_lose_packets && router.text("when_blocked") == "drop") {
    problems.push_back(problem(router, "when_blocked",
                               fmt::format("only {} may lose packets", losing_workloads()),
                               "use retry"));
  }
  return problems;
}

std::vector<Problem> control_problems(const Topology& topology,
                                      const Configuration& configuration) {
  const Section& routing = configuration.section("routing");
  std::vector<Problem> problems = circuit_problems(configuration);
  if (dynamic_cast<const Clos*>(&topology) == nullptr) {
    problems.push_back(problem(routing, "kind",
                               fmt::format("central_control does not work on {}", topology.name()),
                               "it works on clos; choose another routing or topology"));
  }
  if (topology.node_ports() > 1) {
    problems.push_back(problem(configuration.section("node"), "ports",
                               "nodes of a Clos network under central control have one port",
                               "use ports: one"));
  }
  const bool limited = routing.is_integer("pass_limit") || routing.text("pass_limit") != "none";
  if (routing.text("candidates") == "first" && !limited) {
    problems.push_back(problem(routing, "candidates",
                               "the first candidates depend on the pass limit, and there is none",
                               "set routing.pass_limit: theorem3, or use candidates: all"));
  }
  return problems;
}

}  // namespace

const Catalog<RoutingEntry>& all_routings() {
  static const Catalog<RoutingEntry> catalog = [] {
    Catalog<RoutingEntry> all = routings();
    all.add({kCentralControl,
             "On Clos networks: packets enter, multicasts too, when all their links and "
             "outputs are theirs. 1 VC.",
             control_params(), accepts<Clos>(), refuse_to_make});
    return all;
  }();
  return catalog;
}

bool is_centrally_controlled(const Configuration& configuration) {
  return configuration.section("routing").text("kind") == kCentralControl;
}

void require_sound_circuits(const Configuration& configuration) {
  if (router_of(configuration).unit) return;
  if (is_centrally_controlled(configuration)) return;
  std::vector<Problem> problems = circuit_problems(configuration);
  problems.push_back(problem(configuration.section("routing"), "kind",
                             "circuits are set up by a central control",
                             "use central_control, on a clos topology"));
  throw ConfigError(std::move(problems));
}

CircuitParams control_of(const Configuration& configuration, const Clos& topology) {
  const Section& routing = configuration.section("routing");
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
  if (!network.router->unit) {
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

}  // namespace flitcast
